// Package ownbots renders the RCS bots of an account.
package ownbots

import (
	"heliograph/views/channels/webhooks"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// BotsPage lists the RCS bots of an organisation.
type BotsPage struct {
	layout.Frame
	Docs ui.Link
	Bots ui.Table
}

// BotPage shows one bot.
type BotPage struct {
	layout.Frame
	Problem string
	// Missing says what the bot lacks for its verification; empty for nothing.
	Missing string
	Bot     ui.Bot
	Events  ui.Link // page of the webhook
	Docs    ui.Link
	// Simulator shows a message from the bot on a phone.
	Simulator ui.Link
	// Device invites a test device; nil where the role does not allow it.
	Device *BotForm
	// Secret is the client secret of a verified bot; nil for others.
	Secret *webhooks.SecretPart
	// Recipients say what happens to messages by their last digits, Sample is a
	// request to try and Play lets people answer; empty where messages go out for
	// real.
	Recipients ui.Table
	Sample     ui.Code
	Play       *PlayForm
}

// BotForm is a short form on the page of a bot.
type BotForm struct {
	Action, CSRF, Label string
	Inputs              []ui.Input
}

// isWrong reports whether the form was sent with a mistake.
func (f *BotForm) isWrong() bool { return ui.AnyWrong(f.Inputs...) }

// PlayForm plays a person who answers a bot.
type PlayForm struct {
	Action, CSRF string
	From, Text   ui.Input
	Act          ui.Select
}

// isWrong reports whether the form was sent with a mistake.
func (f *PlayForm) isWrong() bool { return ui.AnyWrong(f.From, f.Text) || f.Act.Error != "" }

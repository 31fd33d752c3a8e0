package rcs

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/app/channels/sms"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db/models"
)

// Rehearsal is a request that was checked like a send and not stored.
type Rehearsal struct {
	// Reply is what the request would be answered with.
	Reply []Sent
	// Messages are those that would be stored, in the order of the request.
	Messages []RehearsedMessage
	Bot      rehearsedBot
	// Unchecked says what a send checks beyond this.
	Unchecked []string
	// Fields are the problems of single recipients.
	Fields []fault.Field
}

// rehearsedBot is what a phone shows of the sender.
type rehearsedBot struct{ Name, Brand, About, Color string }

// RehearsedMessage is a message to one recipient.
type RehearsedMessage struct {
	Message models.Message
	To      string
	Content map[string]any // in the names of RCS Business Messaging
	// Fallback is the SMS that follows when RCS does not carry the message; nil for
	// none. After is the reason that it follows: TTL, NOT_CAPABLE or FAILED, empty for
	// any.
	Fallback *sms.RehearsedText
	// FallbackTemplate is the message of the messaging channel that follows.
	FallbackTemplate *messaging.Rehearsal
	After            string
}

// Rehearser checks requests for a sandbox that exists in memory alone.
type Rehearser struct {
	Words []string // names of the messaging channel
	// Templates belong to the bot. They count as approved in every state.
	Templates []models.RCSTemplate
	// Fallbacks are the templates of the messaging channel of the account.
	Fallbacks []models.Template
	// Bot is a bot of the account; empty for the one of a sandbox.
	Bot models.RCSBot
}

// Send checks a request as Sender.Send does. It stores nothing and asks neither the
// database nor the network.
func (h Rehearser) Send(ctx context.Context, body []byte, now time.Time) (r Rehearsal, err error) {
	in, err := readRehearsed(body)
	if err != nil {
		return r, err
	}
	shape, err := shapeOf(in)
	if err != nil {
		return r, err
	}
	if err := shape.check(in); err != nil {
		return r, err
	}
	return h.send(ctx, in, now)
}

// SendFreeflow checks a request as Sender.SendFreeflow does, like Send.
func (h Rehearser) SendFreeflow(ctx context.Context, body []byte, now time.Time) (r Rehearsal, err error) {
	in, err := readRehearsed(body)
	if err != nil {
		return r, err
	}
	c := &check{}
	freeflow(c, "", map[string]any(in))
	if err := c.err(); err != nil {
		return r, err
	}
	return h.send(ctx, in, now)
}

// readRehearsed reads a body as the API reads it.
func readRehearsed(body []byte) (in input.Object, err error) {
	problem := input.Garbled(body)
	if problem == "" {
		err = json.Unmarshal(body, &in)
		if err == nil && in == nil {
			err = json.Unmarshal([]byte("[]"), &in) // null is no object either
		}
		if err == nil {
			return in, nil
		}
		problem = input.Describe(body, err)
	}
	return nil, fault.New(fault.Invalid, "%s", strings.ToUpper(problem[:1])+problem[1:])
}

func (h Rehearser) send(ctx context.Context, in map[string]any, now time.Time) (r Rehearsal, err error) {
	bot, err := h.bot(stringOf(in["botId"]))
	if err != nil {
		return r, err
	}
	b := &batch{bot: bot, options: without(in, "messages", "recipients", "to", "contentMessage", "templateCode", "messageId"), now: now, recipients: readRecipients(in)}
	if err := b.identify(); err != nil {
		return r, err
	}
	for i, to := range b.recipients {
		to.message.ID = uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "%d %s", i, to.fingerprint)) // the same for the same request
	}
	b.checkNumbers()
	if err := b.loadTemplates(h.template); err != nil {
		return r, err
	}
	if err := fillContents(ctx, b); err != nil {
		return r, err
	}
	legs := map[*recipient]RehearsedMessage{}
	err = b.addFallbacks(func(to *recipient, fallback map[string]any) (models.Leg, error) {
		m, err := h.fallback(ctx, b, to, fallback)
		legs[to] = m
		return models.Leg{}, err
	})
	if err != nil {
		return r, err
	}
	if err := b.checkAnyAccepted(); err != nil {
		return r, err
	}
	for _, to := range b.recipients {
		if to.refusal != nil {
			r.Fields = append(r.Fields, to.refusal.fields...)
		}
		if !to.isOpen() {
			continue
		}
		m := legs[to]
		to.message.Legs = nil
		m.Message, m.To, m.Content = to.message, to.to, to.content
		r.Messages = append(r.Messages, m)
	}
	r.Reply, r.Unchecked = b.outcomes(), unchecked(b, h.Bot.ID != "")
	r.Bot, err = shownBot(bot)
	return r, err
}

// bot returns the bot of a rehearsal: the one of the account, or a launched one of a
// sandbox with the id that the request names.
func (h Rehearser) bot(id string) (models.RCSBot, error) {
	b := h.Bot
	b.ID, b.Verification, b.Launch = id, lifecycle.Verified, lifecycle.Launched
	if h.Bot.ID != "" {
		return b, nil
	}
	profile, err := sandboxProfile("Parcel updates")
	b.Profile = profile
	return b, err
}

func shownBot(b models.RCSBot) (rehearsedBot, error) {
	profile, err := readObject(b.Profile)
	return rehearsedBot{
		Name: stringOf(profile["botName"]), Brand: stringOf(profile["brandName"]), About: stringOf(profile["shortDescription"]), Color: stringOf(profile["color"]),
	}, err
}

// template returns a template of the bot. One that is not of the account has what the
// bot of every sandbox has.
func (h Rehearser) template(name string) (models.RCSTemplate, error) {
	for _, t := range h.Templates {
		if t.Name == name {
			t.State = approved
			return t, nil
		}
	}
	if content, ok := sandboxTemplates[name]; ok && h.Bot.ID == "" {
		return models.RCSTemplate{Name: name, Content: json.RawMessage(content), State: approved}, nil
	}
	return models.RCSTemplate{}, fault.New(fault.NotFound, "The bot has no template named %s", name)
}

// fallback checks what follows when RCS does not carry a message.
func (h Rehearser) fallback(ctx context.Context, b *batch, to *recipient, fallback map[string]any) (m RehearsedMessage, err error) {
	m.After = stringOf(fallback["after"])
	if fallback["channel"] != fallbackMessaging {
		text, err := b.fallbackText(to, fallback)
		if err != nil {
			return m, err
		}
		made, err := sms.RehearseLeg(text, b.now)
		m.Fallback = &made
		return m, err
	}
	details, _ := fallback["msgapp"].(map[string]any)
	body, err := to.fallbackTemplate(h.Words[0], details)
	if err != nil {
		return m, err
	}
	made, err := messaging.Rehearse(ctx, h.Words, h.Fallbacks, body, b.now)
	m.FallbackTemplate = &made
	return m, err
}

// unchecked says what a send checks beyond the rehearsal. own marks a bot of an account.
func unchecked(b *batch, own bool) (list []string) {
	for _, r := range b.recipients {
		if text, err := json.Marshal(r.content); err == nil && strings.Contains(string(text), `"fileUrl"`) {
			list = append(list, "fileUrl: whether it leads to a file, and its type and size.")
			break
		}
	}
	if len(b.messageIDs()) > 0 {
		list = append(list, "messageId: whether you have used it before.")
	}
	stands := "Whether your key, the bot and its templates exist, and whether the bot is launched: a sandbox in memory stands in for your account."
	if own {
		stands = "Whether your key exists, and whether the bot may write to this recipient."
	}
	return append(list, stands,
		"Whether the recipient has RCS, or must not be contacted.",
		"The rate limits of your account.")
}

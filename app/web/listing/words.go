package listing

import "heliograph/views/ui"

// Channels holds the channels with their labels.
var Channels = []ui.Option{{Value: "messaging", Label: "Messaging"}, {Value: "sms", Label: "SMS"}, {Value: "rcs", Label: "RCS"}}

// AnyChannel holds the choices of a filter by channel.
var AnyChannel = append([]ui.Option{{Label: "All channels"}}, Channels...)

// States holds the states of messages with their labels.
var States = []ui.Option{
	{Value: "accepted", Label: "Accepted"}, {Value: "sent", Label: "Sent"}, {Value: "delivered", Label: "Delivered"},
	{Value: "read", Label: "Read"}, {Value: "failed", Label: "Failed"}, {Value: "enroute", Label: "En route"},
	{Value: "undelivered", Label: "Undelivered"}, {Value: "expired", Label: "Expired"}, {Value: "rejected", Label: "Rejected"}, {Value: "unknown", Label: "Unknown"},
}

// Kinds holds the kinds of messages that are codes, with their labels.
var Kinds = []ui.Option{
	{Value: "AD", Label: "text"}, {Value: "PM", Label: "text"}, {Value: "UC", Label: "Unicode text"}, {Value: "FL", Label: "flash"},
	{Value: "FU", Label: "Unicode flash"}, {Value: "BM", Label: "binary"}, {Value: "SP", Label: "to a port"},
}

// Tone is the meaning of a state of messages and of callbacks.
func Tone(state string) ui.Tone {
	switch state {
	case "delivered", "read":
		return ui.Good
	case "sent", "enroute", "pending":
		return ui.Info
	case "failed", "undelivered", "expired", "rejected", "unknown":
		return ui.Bad
	}
	return ""
}

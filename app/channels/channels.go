// Package channels lists the channels of the platform.
package channels

import (
	"github.com/google/uuid"

	"heliograph/app/channels/delivery"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/sms"
)

// All holds the declarations of all channels.
var All = delivery.NewChannels(messaging.Declaration, sms.Declaration, rcs.Declaration)

// MessageID returns the public id of a message of a channel.
func MessageID(channel string, id uuid.UUID) string {
	if c := All[channel]; c != nil {
		return c.MessageID(id)
	}
	return id.String()
}

// ParseMessageID parses an id in the public form of any channel or as it is
// stored. ok is false for any other text.
func ParseMessageID(text string) (id uuid.UUID, ok bool) {
	for _, c := range All {
		if id, ok := c.ParseMessageID(text); ok {
			return id, true
		}
	}
	id, err := uuid.Parse(text)
	return id, err == nil && len(text) == 36
}

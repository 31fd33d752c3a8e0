package messaging

import (
	"time"

	"heliograph/db/models"
)

// messageLife is how long a message is tried whose template names no time.
const messageLife = 30 * 24 * time.Hour

// Life is how long a message is tried after it was accepted.
func Life(m models.Message) time.Duration {
	if m.TTL > 0 {
		return time.Duration(m.TTL) * time.Second
	}
	return messageLife
}

// Expired is the step of a message whose time to live was over before a carrier
// took it; at is when that was found.
func Expired(m models.Message, at time.Time) Step {
	return Step{MessageID: m.ID, State: "failed", At: at, Failure: &Failure{
		Code: 131026, Title: "Message undeliverable", Detail: "The time to live of the message was over before it could be delivered.",
	}}
}

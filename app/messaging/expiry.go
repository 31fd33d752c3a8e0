package messaging

import (
	"time"

	"heliograph/db/models"
)

// defaultTimeToLive applies to messages whose template does not set one.
const defaultTimeToLive = 30 * 24 * time.Hour

// TimeToLive returns how long after acceptance a message may be sent.
func TimeToLive(m models.Message) time.Duration {
	if m.TTL > 0 {
		return time.Duration(m.TTL) * time.Second
	}
	return defaultTimeToLive
}

// ExpiredStep returns the failed step of a message that expired before a
// carrier accepted it. at is the time when that was noticed.
func ExpiredStep(m models.Message, at time.Time) Step {
	return Step{MessageID: m.ID, State: "failed", At: at, Failure: &Failure{
		Code: 131026, Title: "Message undeliverable", Detail: "The time to live of the message was over before it could be delivered.",
	}}
}

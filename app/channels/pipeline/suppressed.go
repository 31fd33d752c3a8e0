package pipeline

import (
	"time"

	"heliograph/app/channels/blocklist"
	"heliograph/db/models"
)

// SuppressedStep returns the step of a message to a recipient that must not be
// contacted. ok is false if the message may be sent all the same.
func (c *Channel) SuppressedStep(m models.Message, reason blocklist.Reason) (step Step, ok bool) {
	state, failure := Failed, Failure{Title: "The recipient is on a do-not-contact list"}
	if c.Suppressed != nil {
		if state, failure, ok = c.Suppressed(m, reason); !ok {
			return step, false
		}
	}
	return Step{MessageID: m.ID, Leg: m.Leg, State: state, At: time.Now(), Failure: &failure, Final: true}, true
}

package delivery

import (
	"time"

	"heliograph/db/models"
)

// life returns how long a message may be sent once it is due.
func (c *Channel) life(m models.Message) time.Duration {
	if m.TTL > 0 {
		return time.Duration(m.TTL) * time.Second
	}
	return c.Life
}

// Expiry returns the time after which a message is not handed over, and its life
// until then. The life of a scheduled message starts at its time.
func (c *Channel) Expiry(m models.Message) (at time.Time, life time.Duration) {
	start := m.CreatedAt
	if m.ScheduledAt != nil {
		start = *m.ScheduledAt
	}
	life = c.life(m)
	return start.Add(life), life
}

// ExpiredStep returns the step of a message that expired before a carrier
// accepted it. at is the time when that was noticed.
func (c *Channel) ExpiredStep(m models.Message, at time.Time) Step {
	state, failure := c.Expired(m)
	return Step{MessageID: m.ID, State: state, At: at, Failure: &failure}
}

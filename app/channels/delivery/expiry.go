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
// until then. The life of a scheduled message starts at its time, and that of a
// further leg when the leg begins. c is the channel of the current leg.
func (c *Channel) Expiry(m models.Message) (at time.Time, life time.Duration) {
	start := m.CreatedAt
	switch {
	case m.LegAt != nil:
		start = *m.LegAt
	case m.ScheduledAt != nil:
		start = *m.ScheduledAt
	}
	life = c.life(m)
	return start.Add(life), life
}

// NeedsExpiry reports whether a message that a carrier has just taken is to be
// looked at when its life is over.
func (c *Channel) NeedsExpiry(m models.Message) bool {
	return c.ExpiresSent && m.TTL > 0 && m.State == "sent"
}

// ExpiredStep returns the step of a message whose life was over before it
// was delivered. at is the time when that was noticed.
func (c *Channel) ExpiredStep(m models.Message, at time.Time) Step {
	state, failure := c.Expired(m)
	return Step{MessageID: m.ID, Leg: m.Leg, State: state, At: at, Failure: &failure}
}

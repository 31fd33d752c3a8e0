package pipeline

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
// until then. The life of a scheduled message starts at its time, and the life of a
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

// NeedsExpiry reports whether a message that a carrier has just taken needs a job
// that looks at it when its life is over. Settle looks at messages with the usual
// time to live, if it begins with their acceptance.
func (c *Channel) NeedsExpiry(m models.Message) bool {
	usual := m.TTL == c.UsualTTL && m.ScheduledAt == nil && m.LegAt == nil
	return c.ExpiresSent && m.TTL > 0 && m.State == "sent" && !usual
}

// ExpiryCheck returns when a message that a carrier has taken is looked at: after
// its life and the grace for its report.
func (c *Channel) ExpiryCheck(m models.Message) time.Time {
	at, _ := c.Expiry(m)
	return at.Add(c.Grace)
}

// ExpiredStep returns the step of a message if its life was over before it
// was delivered. at is the time when that was noticed.
func (c *Channel) ExpiredStep(m models.Message, at time.Time) Step {
	state, failure := c.Expired(m)
	return Step{MessageID: m.ID, Leg: m.Leg, State: state, At: at, Failure: &failure}
}

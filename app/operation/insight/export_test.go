package insight

import "time"

// SetNow sets the clock of a counter.
func (c *Counter) SetNow(now func() time.Time) { c.now = now }

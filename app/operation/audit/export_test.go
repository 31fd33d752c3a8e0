package audit

import "time"

// SetClock makes the anchors believe that it is another time.
func (a *Anchors) SetClock(now time.Time) { a.now = func() time.Time { return now } }

// BrokenError is the error of a chain that is not valid.
type BrokenError = brokenError

// AnchorEvery is how often the head of the chain is anchored.
const AnchorEvery = anchorEvery

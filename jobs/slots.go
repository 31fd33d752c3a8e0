package jobs

import (
	"sync"

	"heliograph/db/models"
)

// slots bound how many callbacks of one webhook are under way in this process,
// so that an endpoint that hangs cannot take every worker: many while it
// answers, two once it fails.
type slots struct {
	mu   sync.Mutex
	busy map[int64]int
}

const (
	slotsHealthy = 20
	slotsFailing = 2
)

func newSlots() *slots { return &slots{busy: map[int64]int{}} }

// take reserves a place; ok is false when there is none now.
func (s *slots) take(w models.Webhook) (release func(), ok bool) {
	limit := slotsHealthy
	if w.Failures > 0 {
		limit = slotsFailing
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy[w.ID] >= limit {
		return nil, false
	}
	s.busy[w.ID]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.busy[w.ID]--; s.busy[w.ID] == 0 {
			delete(s.busy, w.ID)
		}
	}, true
}

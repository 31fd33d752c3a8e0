package jobs

import (
	"context"
	"sync"
	"time"

	"heliograph/db/models"
)

// slots bound how many callbacks of one webhook are under way in this process,
// so that an endpoint that hangs cannot take every worker: many while it
// answers, half as many with each failure in a row, two at the least. Callbacks
// to an endpoint that answers wait their turn, which is soon; those to one that
// fails come back later.
type slots struct {
	mu    sync.Mutex
	gates map[int64]*gate
}

// gate is the state of one webhook.
type gate struct {
	held   int           // workers that post or wait
	places chan struct{} // one element for each that posts
}

const (
	slotsHealthy = 40
	slotsFailing = 2
	// The rest of the relay queue's workers are left to other webhooks.
	slotsHeld = 150
	// With the time that a post may take, less than the timeout of the job.
	slotsPatience = 2 * time.Second
)

func newSlots() *slots { return &slots{gates: map[int64]*gate{}} }

// take reserves a place; ok is false when there is none now.
func (s *slots) take(ctx context.Context, w models.Webhook) (release func(), ok bool) {
	g, ok := s.enter(w)
	if !ok {
		return nil, false
	}
	timer := time.NewTimer(slotsPatience)
	defer timer.Stop()
	select {
	case g.places <- struct{}{}:
		return func() { <-g.places; s.leave(w.ID) }, true
	case <-timer.C:
	case <-ctx.Done():
	}
	s.leave(w.ID)
	return nil, false
}

func (s *slots) enter(w models.Webhook) (g *gate, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	limit := slotsHeld
	if w.Failures > 0 {
		limit = max(slotsFailing, slotsHealthy>>w.Failures)
	}
	if g = s.gates[w.ID]; g == nil {
		g = &gate{places: make(chan struct{}, slotsHealthy)}
		s.gates[w.ID] = g
	}
	if g.held >= limit {
		return nil, false
	}
	g.held++
	return g, true
}

func (s *slots) leave(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.gates[id]
	if g.held--; g.held == 0 {
		delete(s.gates, id)
	}
}

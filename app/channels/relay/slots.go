package relay

import (
	"context"
	"sync"
	"time"

	"heliograph/db/models"
)

// slots bound how many callbacks of one webhook are under way in this process,
// so that an endpoint that hangs cannot take every worker: many while it answers,
// fewer the larger the share of recent failures is, two at the least.
type slots struct {
	mu       sync.Mutex
	webhooks map[int64]*occupancy
}

// occupancy is how many workers one webhook holds.
type occupancy struct {
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

func newSlots() *slots { return &slots{webhooks: map[int64]*occupancy{}} }

// take reserves a place. ok is false if there is none now. A callback that was
// released from the line of its webhook has room already and only waits for a
// place.
func (s *slots) take(ctx context.Context, w models.Webhook, released bool) (release func(), ok bool) {
	limit := slotsHeld
	if !released {
		pace := Pace(w, time.Now())
		limit = max(slotsFailing, int(slotsHeld*pace*pace))
	}
	o, ok := s.enter(w.ID, limit)
	if !ok {
		return nil, false
	}
	timer := time.NewTimer(slotsPatience)
	defer timer.Stop()
	select {
	case o.places <- struct{}{}:
		return func() { <-o.places; s.leave(w.ID) }, true
	case <-timer.C:
	case <-ctx.Done():
	}
	s.leave(w.ID)
	return nil, false
}

func (s *slots) enter(id int64, limit int) (o *occupancy, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o = s.webhooks[id]; o == nil {
		o = &occupancy{places: make(chan struct{}, slotsHealthy)}
		s.webhooks[id] = o
	}
	if o.held >= limit {
		return nil, false
	}
	o.held++
	return o, true
}

func (s *slots) leave(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.webhooks[id]
	if o.held--; o.held == 0 {
		delete(s.webhooks, id)
	}
}

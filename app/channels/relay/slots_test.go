package relay

import (
	"context"
	"testing"
	"time"

	"heliograph/db/models"
)

// An endpoint gets fewer places the more of its recent attempts failed, and one
// that works is not held back by another. A callback from the line of its webhook
// has room already.
func TestSlotsShrinkWithFailures(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, tt := range []struct {
		attempts, failures float64
		want               int
	}{{1, 1, 29}, {100, 5, 40}, {100, 20, 40}, {98, 50, 9}, {5, 5, 2}, {100, 100, 2}} {
		s := newSlots()
		w := models.Webhook{ID: 1, RecentAttempts: tt.attempts, RecentFailures: tt.failures, CountedAt: &now}
		var releases []func()
		for len(releases) < slotsHealthy {
			release, ok := s.take(t.Context(), w, false)
			if !ok {
				break
			}
			releases = append(releases, release)
		}
		if len(releases) != tt.want {
			t.Errorf("after %v failures of %v attempts %d callbacks are under way, want %d", tt.failures, tt.attempts, len(releases), tt.want)
		}
		if release, ok := s.take(t.Context(), models.Webhook{ID: 2}, false); !ok {
			t.Error("another webhook gets no place")
		} else {
			release()
		}
		releases[0]()
		if _, ok := s.take(t.Context(), w, true); !ok {
			t.Errorf("after %v failures a place that came free is not given away", tt.failures)
		}
	}
}

// Callbacks to an endpoint that answers wait for a place, a bounded number of
// them; who stops waiting leaves room for others.
func TestSlotsOfAHealthyEndpointAreWaitedFor(t *testing.T) {
	t.Parallel()
	s, w := newSlots(), models.Webhook{ID: 1}
	var releases []func()
	for range slotsHealthy {
		release, ok := s.take(t.Context(), w, false)
		if !ok {
			t.Fatalf("no place after %d of %d", len(releases), slotsHealthy)
		}
		releases = append(releases, release)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, ok := s.take(stopped, w, false); ok {
		t.Error("a place was given beyond those there are")
	}
	if held := s.webhooks[w.ID].held; held != slotsHealthy {
		t.Errorf("%d hold the endpoint after one gave up, want %d", held, slotsHealthy)
	}
	taken := make(chan bool)
	go func() {
		_, ok := s.take(t.Context(), w, false)
		taken <- ok
	}()
	releases[0]()
	if !<-taken {
		t.Error("the waiting caller did not get the place that came free")
	}
	for range slotsHeld - slotsHealthy {
		if _, ok := s.enter(w.ID, slotsHeld); !ok {
			t.Fatal("fewer may wait than are allowed to")
		}
	}
	if _, ok := s.enter(w.ID, slotsHeld); ok {
		t.Errorf("more than %d hold workers for one webhook", slotsHeld)
	}
}

func TestSlotsForgetIdleEndpoints(t *testing.T) {
	t.Parallel()
	s := newSlots()
	first, _ := s.take(t.Context(), models.Webhook{ID: 1}, false)
	second, _ := s.take(t.Context(), models.Webhook{ID: 1}, false)
	first()
	if len(s.webhooks) != 1 {
		t.Error("an endpoint in use was forgotten")
	}
	second()
	if len(s.webhooks) != 0 {
		t.Errorf("%d endpoints are remembered though nothing is under way", len(s.webhooks))
	}
}

package jobs

import (
	"context"
	"testing"

	"heliograph/db/models"
)

// An endpoint gets fewer places with each failure in a row, and one that works
// is not held back by another.
func TestSlotsShrinkWithFailures(t *testing.T) {
	t.Parallel()
	for failures, want := range map[int]int{1: 20, 2: 10, 3: 5, 4: 2, 5: 2, 60: 2} {
		s := newSlots()
		w := models.Webhook{ID: 1, Failures: failures}
		var releases []func()
		for {
			release, ok := s.take(t.Context(), w)
			if !ok {
				break
			}
			releases = append(releases, release)
		}
		if len(releases) != want {
			t.Errorf("after %d failures %d callbacks are under way, want %d", failures, len(releases), want)
		}
		if release, ok := s.take(t.Context(), models.Webhook{ID: 2}); !ok {
			t.Error("another webhook gets no place")
		} else {
			release()
		}
		releases[0]()
		if _, ok := s.take(t.Context(), w); !ok {
			t.Errorf("after %d failures a place that came free is not given away", failures)
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
		release, ok := s.take(t.Context(), w)
		if !ok {
			t.Fatalf("no place after %d of %d", len(releases), slotsHealthy)
		}
		releases = append(releases, release)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, ok := s.take(stopped, w); ok {
		t.Error("a place was given beyond those there are")
	}
	if held := s.gates[w.ID].held; held != slotsHealthy {
		t.Errorf("%d hold the endpoint after one gave up, want %d", held, slotsHealthy)
	}
	taken := make(chan bool)
	go func() {
		_, ok := s.take(t.Context(), w)
		taken <- ok
	}()
	releases[0]()
	if !<-taken {
		t.Error("who waited did not get the place that came free")
	}
	for range slotsHeld - slotsHealthy {
		if _, ok := s.enter(w); !ok {
			t.Fatal("fewer may wait than are allowed to")
		}
	}
	if _, ok := s.enter(w); ok {
		t.Errorf("more than %d hold workers for one webhook", slotsHeld)
	}
}

func TestSlotsForgetIdleEndpoints(t *testing.T) {
	t.Parallel()
	s := newSlots()
	first, _ := s.take(t.Context(), models.Webhook{ID: 1})
	second, _ := s.take(t.Context(), models.Webhook{ID: 1})
	first()
	if len(s.gates) != 1 {
		t.Error("an endpoint in use was forgotten")
	}
	second()
	if len(s.gates) != 0 {
		t.Errorf("%d endpoints are remembered though nothing is under way", len(s.gates))
	}
}

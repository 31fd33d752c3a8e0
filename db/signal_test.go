package db

import (
	"slices"
	"testing"
)

// The owners of a topic are named up to a number; beyond it, one signal stands
// for all of them.
func TestSignalsOfManyOwnersBecomeOne(t *testing.T) {
	t.Parallel()
	s := NewSignals(nil)
	for id := range int64(signalMax) {
		s.Add("messages", id+1)
		s.Add("messages", id+1)
	}
	if payloads := s.take(); len(payloads) != signalMax || !slices.Contains(payloads, "live:messages:7") || slices.Contains(payloads, "live:messages:0") {
		t.Errorf("%d owners give %d signals: %v", signalMax, len(payloads), payloads)
	}
	for id := range int64(signalMax + 1) {
		s.Add("messages", id+1)
	}
	s.Add("jobs", 5)
	payloads := s.take()
	if slices.Sort(payloads); !slices.Equal(payloads, []string{"live:jobs:5", "live:messages:0"}) {
		t.Errorf("%d owners give the signals %v", signalMax+1, payloads)
	}
	if payloads := s.take(); len(payloads) != 0 {
		t.Errorf("what was sent is sent again: %v", payloads)
	}
}

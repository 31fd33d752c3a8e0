package pipeline

import (
	"testing"
	"time"
)

// Messages are settled from two minutes after they were accepted on, and only when
// their job is lost.
func TestYoungMessagesAreNotSettled(t *testing.T) {
	t.Parallel()
	r := newReporter(t)
	channels := NewChannels(lamps, beacons)
	id := r.addLegs(t, 1)
	lose := func() {
		t.Helper()
		if _, err := r.pool.Exec(t.Context(), `update river.river_job set state = 'cancelled', finalized_at = now()`); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		after  time.Duration
		lose   bool
		queued int
		state  string
	}{
		{time.Minute, true, 0, "1 accepted | 1"},
		{3 * time.Minute, false, 1, "1 accepted | 1 1"},
		{4 * time.Minute, false, 0, "1 accepted | 1 1"}, // it has a job again
	} {
		if step.lose {
			lose()
		}
		settled, err := channels.Settle(t.Context(), r.pool, r.jobs, time.Now().Add(step.after))
		if err != nil || settled.Queued != step.queued || len(settled.Ended) > 0 || r.state(t, id) != step.state {
			t.Errorf("after %s: %+v and %s, want %d and %s: %v", step.after, settled, r.state(t, id), step.queued, step.state, err)
		}
	}
	lose()
	settled, err := channels.Settle(t.Context(), r.pool, r.jobs, time.Now().Add(2*time.Hour))
	if err != nil || settled.Queued != 0 || len(settled.Ended) != 1 || settled.Ended[0].ID != id {
		t.Errorf("after its life: %+v, %v", settled, err)
	}
}

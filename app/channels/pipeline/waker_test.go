package pipeline

import (
	"context"
	"testing"
	"time"

	"heliograph/db/dbtest"
)

// Workers hear of messages that were accepted while an earlier notification was on its
// way, and once for many.
func TestWorkersAreWokenForEveryMessage(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(t.Context(), `listen "river.river_insert"`); err != nil {
		t.Fatal(err)
	}
	hears := func(within time.Duration) bool {
		ctx, cancel := context.WithTimeout(t.Context(), within)
		defer cancel()
		heard, err := conn.Conn().WaitForNotification(ctx)
		if err == nil && heard.Payload != `{"queue" : "send"}` {
			t.Fatalf("workers hear %q", heard.Payload)
		}
		return err == nil
	}
	b := &waker{pool: pool}
	for range 1000 {
		b.wake()
	}
	for _, message := range []string{"first", "last"} {
		if !hears(time.Minute) {
			t.Fatalf("the workers were not woken for the %s of many messages", message)
		}
	}
	for deadline := time.Now().Add(time.Minute); b.isRinging(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("notifications do not end")
		}
	}
	for hears(200 * time.Millisecond) { // further ones about the many messages
	}
	b.wake()
	if !hears(time.Minute) {
		t.Error("the workers were not woken for a later message")
	}
	if hears(200 * time.Millisecond) {
		t.Error("the workers were woken for nothing")
	}
}

func (w *waker) isRinging() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.waking
}

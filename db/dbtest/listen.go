package dbtest

import (
	"context"
	"sync"
	"testing"
	"time"

	"heliograph/db"
)

// Listen runs a listener until the end of the test and waits until it is connected,
// because nothing is cached before. What depends on it must have subscribed.
func Listen(t testing.TB, listener *db.Listener) {
	t.Helper()
	running, stop := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { listener.Run(running) })
	t.Cleanup(func() { stop(); wg.Wait() })
	for end := time.Now().Add(30 * time.Second); !listener.Connected(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the listener does not connect")
		}
	}
}

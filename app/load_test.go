//go:build linux

package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"
)

// load is a number of clients that send at a steady rate, each message under
// a reference and an Idempotency-Key of its own.
type load struct {
	partner *partner
	name    string // sets the keys apart from other loads of the partner
	clients int
	rate    int           // messages a second
	pick    func() string // the web process to send to next
	retry   bool          // repeat, with the same key, what came to no answer or a 5xx
	// recipient chooses the end of a message; nil is one that is read.
	recipient func(n int) string

	mu       sync.Mutex
	begun    int
	accepted map[string]acceptedSend // by message id
	retries  int
	failures []string
}

// acceptedSend is an accepted message.
type acceptedSend struct {
	recipient string
	at        time.Time // of the reply
}

// run sends until ctx ends, and then until what was begun is answered.
func (l *load) run(ctx context.Context) {
	l.accepted = map[string]acceptedSend{}
	ticks := make(chan struct{})
	var wg sync.WaitGroup
	for range l.clients {
		wg.Go(func() {
			for range ticks {
				l.sendOne(context.WithoutCancel(ctx))
			}
		})
	}
	ticker := time.NewTicker(time.Second / time.Duration(l.rate))
	defer ticker.Stop()
	for ctx.Err() == nil {
		select {
		case <-ticker.C:
			select {
			case ticks <- struct{}{}:
			case <-ctx.Done():
			}
		case <-ctx.Done():
		}
	}
	close(ticks)
	wg.Wait()
}

func (l *load) sendOne(ctx context.Context) {
	l.mu.Lock()
	n := l.begun
	l.begun++
	l.mu.Unlock()
	recipient := ordinary
	if l.recipient != nil {
		recipient = l.recipient(n)
	}
	reference := fmt.Sprintf("%sorder-%d", l.name, n)
	body := l.partner.messageBody(recipient, reference)
	// Nothing is away for two minutes: what is not answered by then is lost.
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		id, status, err := l.partner.send(ctx, l.pick(), reference, body)
		if id != "" {
			l.accept(id, recipient)
			return
		}
		again := l.retry && (err != nil || status >= http.StatusInternalServerError) && time.Now().Before(end)
		l.mu.Lock()
		if !again {
			l.failures = append(l.failures, fmt.Sprintf("%s: status %d, %v", reference, status, err))
			l.mu.Unlock()
			return
		}
		l.retries++
		l.mu.Unlock()
	}
}

func (l *load) accept(id, recipient string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.accepted[id]; known {
		l.failures = append(l.failures, "two messages were given the id "+id)
	}
	l.accepted[id] = acceptedSend{recipient, time.Now()}
}

// ordinary is a recipient that gets and reads its messages.
const ordinary = "+919812345678"

// endings are the callbacks that the virtual carrier's recipients lead to.
var endings = map[string][]string{
	ordinary:        {"sent", "delivered", "read"},
	"+919812340001": {"failed"},
	"+919812340003": {"sent"},
	"+919812340004": {"sent", "delivered"},
}

// missing lists the callbacks that did not come for what was accepted.
func (l *load) missing() (missing []callback) {
	l.partner.mu.Lock()
	defer l.partner.mu.Unlock()
	for id, send := range l.accepted {
		for _, state := range endings[send.recipient] {
			if _, came := l.partner.received[callback{id, state}]; !came {
				missing = append(missing, callback{id, state})
			}
		}
	}
	return missing
}

// waitUntil asks done until it says yes, and fails the test when it has not by
// the limit.
func waitUntil(t testing.TB, limit time.Duration, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !done(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, limit)
		}
	}
}

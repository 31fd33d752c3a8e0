package live

import (
	"context"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"heliograph/app/identity"
	"heliograph/db"
)

// open are sessions by id.
type open map[string]bool

func (o open) Alive(context.Context, identity.Surface, []identity.Session) (map[string]bool, error) {
	return o, nil
}

// A process holds a thousand streams and no more, each told once of what happens
// often, and only of what concerns it.
func TestHubIsBounded(t *testing.T) {
	t.Parallel()
	alive := open{"kept": true}
	limits := Standard
	limits.Process, limits.User = 1000, 2
	h := NewHub(alive, db.NewListener(nil), prometheus.NewRegistry(), limits)
	streams := make([]*stream, 1000)
	for i := range streams {
		streams[i] = newStream(identity.Session{ID: "gone", Surface: identity.Account, UserID: int64(i)}, int64(1+i%10))
		if !h.join(streams[i]) {
			t.Fatalf("stream %d is refused", i)
		}
	}
	late := newStream(identity.Session{Surface: identity.Account, UserID: 5000}, 1)
	if h.join(late) {
		t.Error("a stream over the limit of the process is taken")
	}
	h.part(streams[999])
	if !h.join(late) {
		t.Error("a place that is free is refused")
	}
	h.part(late)
	streams[0].session.ID = "kept"
	for range 2 {
		h.hear("live:messages:1")
	}
	h.hear("release")
	for i, s := range streams[:999] {
		events, last := s.take()
		if got := string(events); got != map[bool]string{true: "event: messages\ndata: 1\n\n"}[s.organisationID == 1] || last {
			t.Fatalf("stream %d writes %q", i, got)
		}
	}
	if err := h.check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if events, last := streams[0].take(); len(events) > 0 || last {
		t.Error("a session that is open loses its stream")
	}
	if events, last := streams[1].take(); string(events) != "event: end\ndata: 1\n\n" || !last {
		t.Errorf("a session that has ended writes %q", events)
	}
	first, second, third := newStream(identity.Session{UserID: 9999}, 0), newStream(identity.Session{UserID: 9999}, 0), newStream(identity.Session{UserID: 9999}, 0)
	h.part(streams[1])
	h.part(streams[2])
	h.part(streams[3])
	if !h.join(first) || !h.join(second) || h.join(third) {
		t.Error("a user has other than two streams")
	}
	if h.hear("changed:api_keys"); first.pending[0] != "keys" {
		t.Errorf("an administrator is notified of %q", first.pending)
	}
	h.Close()
	select {
	case <-first.left:
	default:
		t.Error("a process that stops keeps its streams")
	}
}

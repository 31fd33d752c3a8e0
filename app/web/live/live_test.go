package live

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"heliograph/app/fault"
	"heliograph/app/people/identity"
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
	h.began = time.Now().Add(-memory)
	streams := make([]*stream, 1000)
	for i := range streams {
		streams[i] = newStream(identity.Session{ID: "gone", Surface: identity.Account, UserID: int64(i)}, int64(1+i%10), time.Now())
		if h.join(streams[i]) != nil {
			t.Fatalf("stream %d is refused", i)
		}
	}
	late := newStream(identity.Session{Surface: identity.Account, UserID: 5000}, 1, time.Now())
	if !fault.Is(h.join(late), fault.Unavailable) {
		t.Error("a stream over the limit of the process is taken")
	}
	h.part(streams[999])
	if h.join(late) != nil {
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
		if got := string(events); got != map[bool]string{true: "event: changed\ndata: 1\n\nevent: messages\ndata: 1\n\n"}[s.organisationID == 1] || last {
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
	first, second, third := newStream(identity.Session{UserID: 9999}, 0, time.Now()), newStream(identity.Session{UserID: 9999}, 0, time.Now()), newStream(identity.Session{UserID: 9999}, 0, time.Now())
	h.part(streams[1])
	h.part(streams[2])
	h.part(streams[3])
	if h.join(first) != nil || h.join(second) != nil || !fault.Is(h.join(third), fault.Limited) {
		t.Error("a user has other than two streams")
	}
	if h.hear("changed:settings"); !slices.Contains(first.pending, "settings") {
		t.Errorf("an administrator is notified of %q", first.pending)
	}
	for _, payload := range []string{"live:drafts:0", "live:checks:0", "live:jobs:0", "live:contacts:0", "live:inbox:0", "live:messages:0", "live:keys:0", "live:drafts:1", "changed:settings", "changed:api_keys", "live:keys:6"} {
		h.hear(payload)
	}
	h.hear("live:keys:1")
	if events, _ := streams[0].take(); string(events) != "event: changed\ndata: 1\n\nevent: keys\ndata: 1\n\n" {
		t.Errorf("an account hears %q of the administration and of others", events)
	}
	h.Close()
	select {
	case <-first.left:
	default:
		t.Error("a process that stops keeps its streams")
	}
}

// A stream begins with what was heard since its page was rendered, and with
// everything where that is not known.
func TestStreamCatchesUp(t *testing.T) {
	t.Parallel()
	h := NewHub(open{}, db.NewListener(nil), prometheus.NewRegistry(), Standard)
	now := time.Now()
	h.began = now.Add(-memory)
	h.recent[db.Signal{Topic: "messages", OrganisationID: 1}] = now
	h.recent[db.Signal{Topic: "callbacks", OrganisationID: 2}] = now
	h.recent[db.Signal{Topic: "keys", OrganisationID: 1}] = now.Add(-20 * time.Second)
	begin := func(organisationID int64, since time.Time) []string {
		s := newStream(identity.Session{}, organisationID, since)
		if h.join(s) != nil {
			t.Fatal("a stream is refused")
		}
		defer h.part(s)
		slices.Sort(s.pending)
		return s.pending
	}
	for _, test := range []struct {
		name         string
		organisation int64
		since        time.Time
		want         []string
	}{
		{"a page of this second", 1, now, []string{"messages"}},
		{"a page whose process has a clock that is ahead", 1, now.Add(time.Second), []string{"messages"}},
		{"a page rendered after it", 1, now.Add(3 * time.Second), nil},
		{"a page before an older signal", 1, now.Add(-30 * time.Second), []string{"keys", "messages"}},
		{"another organisation", 3, now.Add(-30 * time.Second), nil},
		{"an administrator", 0, now, []string{"callbacks", "messages"}},
		{"a page from before the hub", 3, now.Add(-time.Hour), []string{everything}},
	} {
		if got := begin(test.organisation, test.since); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	h.forget(now.Add(-10 * time.Second))
	if got := begin(1, now.Add(-30*time.Second)); !slices.Equal(got, []string{everything}) || len(h.recent) != 2 {
		t.Errorf("a page older than the memory begins with %q; %d signals are kept", got, len(h.recent))
	}
}

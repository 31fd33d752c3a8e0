// Package live tells open pages what has changed, over server-sent events. An
// event names a topic and nothing else: the page asks for what it shows with an
// ordinary request, so that access is checked where it always is.
//
// There is one stream for each visible tab. It begins with what changed since the
// page was rendered. Streams and the requests that they
// cause do not renew a session, and end within seconds of it. Events that come
// close together are sent as one. A process holds a bounded number of streams;
// a page that gets none asks every few seconds instead.
package live

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/db"
)

// hubLimits bound what streams take of a process.
type hubLimits struct {
	// Process is the number of streams of a process, User the number of one user's.
	Process, User int
	// Check is the time between looks at the sessions of all streams.
	Check time.Duration
	// Pause is the time between two writes to one stream.
	Pause time.Duration
	// Heartbeat is the time after which a quiet stream gets a comment, so that
	// proxies keep it and a closed connection is noticed.
	Heartbeat time.Duration
}

// Standard are the limits of a process.
var Standard = hubLimits{Process: 1500, User: 8, Check: 3 * time.Second, Pause: 400 * time.Millisecond, Heartbeat: 15 * time.Second}

// sessionChecker tells which sessions are still open.
type sessionChecker interface {
	Alive(ctx context.Context, surface identity.Surface, sessions []identity.Session) (map[string]bool, error)
}

// Hub holds the streams of a process and hears what changed.
type Hub struct {
	sessions sessionChecker
	limits   hubLimits
	gauge    prometheus.Gauge

	mu      sync.Mutex
	streams map[*stream]struct{}
	users   map[user]int
	recent  map[db.Signal]time.Time // when each signal was heard last
	began   time.Time               // of what recent knows
	closed  bool
}

type user struct {
	surface identity.Surface
	id      int64
}

// NewHub makes a hub that hears what the listener hears. Call it before the
// listener runs; Run ends the streams of sessions that have ended.
func NewHub(sessions sessionChecker, listener *db.Listener, registry prometheus.Registerer, limits hubLimits) *Hub {
	h := &Hub{
		sessions: sessions, limits: limits, streams: map[*stream]struct{}{}, users: map[user]int{},
		recent: map[db.Signal]time.Time{}, began: time.Now(),
		gauge: prometheus.NewGauge(prometheus.GaugeOpts{Name: "live_streams", Help: "Open streams of events to pages."}),
	}
	registry.MustRegister(h.gauge)
	listener.Subscribe(h.hear)
	return h
}

// everything is the topic that every live part of a page refreshes on.
const everything = "sync"

// topics are what changes of whole tables are called on pages of the administration.
var topics = map[string]string{"changed:settings": "settings"}

// accountTopics are the topics of the pages of an account. Its streams carry no others.
var accountTopics = map[string]bool{everything: true, "messages": true, "callbacks": true, "keys": true, "webhooks": true, "range": true}

// hear passes a notification on. An empty one means that others were missed.
func (h *Hub) hear(payload string) {
	signal, ok := db.ParseSignal(payload)
	switch topic := topics[payload]; {
	case payload == "":
		signal.Topic = everything
	case topic != "":
		signal.Topic = topic
	case !ok:
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.recent[signal] = time.Now()
	for s := range h.streams {
		if s.concerns(signal) {
			s.add(signal.Topic)
		}
	}
}

// Run ends each stream after its session, until ctx ends; then it ends all.
func (h *Hub) Run(ctx context.Context) {
	defer h.Close()
	tick := time.NewTicker(h.limits.Check)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		h.forget(time.Now().Add(-memory))
		if err := h.check(ctx); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "sessions of open pages were not checked", "error", err)
		}
	}
}

// memory is how long a hub remembers signals. A stream of an older page refreshes
// everything.
const memory = time.Minute

// forget drops signals that were heard before a time.
func (h *Hub) forget(before time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.began.Before(before) {
		h.began = before
	}
	maps.DeleteFunc(h.recent, func(_ db.Signal, heard time.Time) bool { return heard.Before(before) })
}

// check looks at the sessions of all streams, with one query for each area.
func (h *Hub) check(ctx context.Context) error {
	h.mu.Lock()
	open := slices.Collect(maps.Keys(h.streams))
	h.mu.Unlock()
	bySurface := map[identity.Surface][]identity.Session{}
	for _, s := range open {
		bySurface[s.session.Surface] = append(bySurface[s.session.Surface], s.session)
	}
	for surface, sessions := range bySurface {
		ctx, cancel := context.WithTimeout(ctx, h.limits.Check)
		alive, err := h.sessions.Alive(ctx, surface, sessions)
		cancel()
		if err != nil {
			return err
		}
		for _, s := range open {
			if s.session.Surface == surface && !alive[s.session.ID] {
				s.end()
			}
		}
	}
	return nil
}

// Close ends every stream and refuses others; pages connect to another process.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for s := range h.streams {
		s.leave()
	}
}

// join adds a stream, unless there are too many. A user who has too many is no failure
// of the process, and nothing to log.
func (h *Hub) join(s *stream) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	who := user{s.session.Surface, s.session.UserID}
	if h.users[who] >= h.limits.User {
		return &fault.Error{Kind: fault.Limited, Message: "Too many of your pages are open. Close some.", RetryAfter: time.Minute}
	}
	if h.closed || len(h.streams) >= h.limits.Process {
		return &fault.Error{Kind: fault.Unavailable, Message: "Too many pages are open.", RetryAfter: time.Minute}
	}
	h.streams[s] = struct{}{}
	h.users[who]++
	h.gauge.Set(float64(len(h.streams)))
	h.catchUp(s)
	return nil
}

// skew is how far the clocks of two processes may be apart.
const skew = 2 * time.Second

// catchUp names the topics of what was heard since the page of a stream was
// rendered, by this process or another.
func (h *Hub) catchUp(s *stream) {
	since := s.since.Add(-skew)
	if since.Before(h.began) {
		s.add(everything)
		return
	}
	for signal, heard := range h.recent {
		if s.concerns(signal) && heard.After(since) {
			s.add(signal.Topic)
		}
	}
}

func (h *Hub) part(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	who := user{s.session.Surface, s.session.UserID}
	delete(h.streams, s)
	if h.users[who]--; h.users[who] == 0 {
		delete(h.users, who)
	}
	h.gauge.Set(float64(len(h.streams)))
}

package live

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db"
)

// stream is the connection to one tab.
type stream struct {
	session        identity.Session
	organisationID int64     // zero for administrators, who receive every signal
	since          time.Time // when its page was rendered

	mu      sync.Mutex
	pending []string      // topics
	ended   bool          // its session is
	wake    chan struct{} // holds one
	left    chan struct{} // closed when the process ends the stream
	leave   func()        // closes left, once
}

func newStream(session identity.Session, organisationID int64, since time.Time) *stream {
	s := &stream{session: session, organisationID: organisationID, since: since, wake: make(chan struct{}, 1), left: make(chan struct{})}
	s.leave = sync.OnceFunc(func() { close(s.left) })
	return s
}

// concerns reports whether a signal is about what the pages of the stream show: in an
// account, its own messages, callbacks, keys and webhooks.
func (s *stream) concerns(signal db.Signal) bool {
	if s.organisationID == 0 || signal.Topic == everything {
		return true
	}
	return accountTopics[signal.Topic] && s.organisationID == signal.OrganisationID
}

// add has the stream name a topic, once.
func (s *stream) add(topic string) {
	s.mu.Lock()
	if !slices.Contains(s.pending, topic) {
		s.pending = append(s.pending, topic)
	}
	s.mu.Unlock()
	s.signal()
}

// end has the stream say that its session has ended, and close.
func (s *stream) end() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.signal()
}

func (s *stream) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// take returns what to write, as server-sent events, and whether that is all. The
// event "changed" comes before the topics. Browsers drop events without data.
func (s *stream) take() (events []byte, last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.pending) > 0 {
		events = append(events, "event: changed\ndata: 1\n\n"...)
	}
	for _, topic := range s.pending {
		events = append(events, "event: "+topic+"\ndata: 1\n\n"...)
	}
	s.pending = nil
	if s.ended {
		events = append(events, "event: end\ndata: 1\n\n"...)
	}
	return events, s.ended
}

// startOf returns when the page that asks for a stream was requested, in the field
// since of its address. Without it, the page may have missed everything.
func startOf(c echo.Context) time.Time {
	at, err := strconv.ParseInt(c.QueryParam("since"), 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(at)
}

// Serve answers GET with the stream of events of the session that asks.
func (h *Hub) Serve(c echo.Context) error {
	s := newStream(page.Session(c), page.User(c).OrganisationID, startOf(c))
	if err := h.join(s); err != nil {
		return err
	}
	defer h.part(s)
	w := http.NewResponseController(c.Response())
	// A stream has no end to read or write by; each write has its own.
	if err := w.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, "text/event-stream")
	header.Set("X-Accel-Buffering", "no") // nginx would hold events back
	header.Set("Connection", "close")     // it ends with a stopping process, which closes it
	c.Response().WriteHeader(http.StatusOK)
	if h.write(c, w, []byte("retry: 2000\n\n")) != nil {
		return nil
	}
	h.run(c, w, s)
	return nil
}

// run writes events until the client, the session or the process leaves.
func (h *Hub) run(c echo.Context, w *http.ResponseController, s *stream) {
	beat := time.NewTimer(h.limits.Heartbeat)
	defer beat.Stop()
	for {
		events, last := []byte(": quiet\n\n"), false
		select {
		case <-c.Request().Context().Done():
			return
		case <-s.left:
			return
		case <-beat.C:
		case <-s.wake:
			events, last = s.take()
		}
		if err := h.write(c, w, events); err != nil || last {
			return
		}
		beat.Reset(h.limits.Heartbeat)
		select {
		case <-c.Request().Context().Done():
			return
		case <-s.left:
			return
		case <-time.After(h.limits.Pause):
		}
	}
}

// writeTimeout is how long a client may take to accept an event.
const writeTimeout = 5 * time.Second

func (h *Hub) write(c echo.Context, w *http.ResponseController, events []byte) error {
	if err := w.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	if _, err := c.Response().Write(events); err != nil {
		return err
	}
	return w.Flush()
}

// Package listen serves callbacks to programs of partners that have no public address, by
// a long poll with the key of their organisation.
package listen

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	rule "heliograph/app/channels/listen"
	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db"
)

// Path is the address that programs ask.
const Path = "/api/events"

const (
	// longest is how long a request may wait for callbacks.
	longest = 30 * time.Second
	// look is how often a request that waits looks by itself.
	look = 2 * time.Second
	// mostProcess and mostOrganisation are how many requests may wait at once.
	mostProcess, mostOrganisation = 500, 10
)

// The limits of programs, and of wrong keys from a network.
var (
	askLimit   = limit.Limit{Name: "listen", Burst: 600, Period: time.Minute, Open: true}
	wrongLimit = limit.Limit{Name: "listen_key", Burst: 20, Period: 15 * time.Minute}
)

// Deps holds the dependencies of the handler.
type Deps struct {
	Events       *rule.Service
	Limiter      *limit.Limiter
	Authenticate func(ctx context.Context, key string) (identity.Caller, error)
	// Listener hears that there are callbacks; nil for a process that only looks.
	Listener *db.Listener
	// Draining reports that the process is being stopped.
	Draining func() bool
}

// Handler serves callbacks. Use New before the listener runs.
type Handler struct {
	Deps
	waiting atomic.Int64

	mu    sync.Mutex
	bells map[int64]map[chan struct{}]bool // by organisation
}

// New returns the handler.
func New(d Deps) *Handler {
	h := &Handler{Deps: d, bells: map[int64]map[chan struct{}]bool{}}
	if d.Listener != nil {
		d.Listener.Subscribe(h.hear)
	}
	return h
}

// hear wakes the requests that a notification concerns. An empty one means that others
// were missed.
func (h *Handler) hear(payload string) {
	signal, ok := db.ParseSignal(payload)
	if payload != "" && !ok {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for organisation, bells := range h.bells {
		if payload != "" && signal.OrganisationID != 0 && signal.OrganisationID != organisation {
			continue
		}
		for bell := range bells {
			select {
			case bell <- struct{}{}:
			default:
			}
		}
	}
}

// wait adds a request of an organisation to those that are woken.
func (h *Handler) wait(organisation int64) (bell chan struct{}, leave func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.bells[organisation]) >= mostOrganisation || h.waiting.Load() >= mostProcess {
		return nil, nil, &fault.Error{Kind: fault.Limited, Message: "Too many programs of your organisation listen. Stop some of them.", RetryAfter: 5 * time.Second}
	}
	bell = make(chan struct{}, 1)
	if h.bells[organisation] == nil {
		h.bells[organisation] = map[chan struct{}]bool{}
	}
	h.bells[organisation][bell] = true
	h.waiting.Add(1)
	return bell, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.waiting.Add(-1)
		if delete(h.bells[organisation], bell); len(h.bells[organisation]) == 0 {
			delete(h.bells, organisation)
		}
	}, nil
}

// challenge says how to sign in.
const challenge = `Bearer realm="events"`

// caller returns the caller of the key of a request.
func (h *Handler) caller(c echo.Context) (identity.Caller, error) {
	ctx, header := c.Request().Context(), c.Request().Header
	scheme, key, _ := strings.Cut(header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		key = header.Get("apikey")
	}
	if key = strings.TrimSpace(key); key == "" {
		c.Response().Header().Set("WWW-Authenticate", challenge)
		return identity.Caller{}, fault.New(fault.Unauthenticated, "Send an API key of your organisation in the header Authorization, after the word Bearer.")
	}
	caller, err := h.Authenticate(ctx, key)
	if fault.Is(err, fault.Unauthenticated) {
		if limited := h.Limiter.Take(ctx, wrongLimit, limit.Client(c.RealIP())); limited != nil {
			return caller, limited
		}
		c.Response().Header().Set("WWW-Authenticate", challenge)
	}
	if err != nil {
		return caller, err
	}
	return caller, h.Limiter.Take(ctx, askLimit, "organisation "+strconv.FormatInt(caller.OrganisationID, 10))
}

// Serve answers with the callbacks after a cursor, and waits for some if there are none.
func (h *Handler) Serve(c echo.Context) error {
	caller, err := h.caller(c)
	if err != nil {
		return err
	}
	patience := longest
	if text := c.QueryParam("wait"); text != "" {
		seconds, err := strconv.Atoi(text)
		if err != nil || seconds < 0 || seconds > int(longest/time.Second) {
			return fault.InvalidFields(fault.Field{Name: "wait", Message: "Send how many seconds to wait, from 0 to 30."})
		}
		patience = time.Duration(seconds) * time.Second
	}
	ctx := c.Request().Context()
	after := c.QueryParam("after")
	if after == "" {
		p, err := h.Events.Begin(ctx, caller)
		if err != nil {
			return err
		}
		return reply(c, p)
	}
	bell, leave, err := h.wait(caller.OrganisationID)
	if err != nil {
		return err
	}
	defer leave()
	until := time.Now().Add(patience)
	for {
		p, err := h.Events.After(ctx, caller, after)
		if err != nil {
			return err
		}
		left := time.Until(until)
		if len(p.Events) > 0 || p.More || left <= 0 || h.Draining() {
			return reply(c, p)
		}
		timer := time.NewTimer(min(left, look))
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-bell:
		case <-timer.C:
		}
		timer.Stop()
	}
}

func reply(c echo.Context, p rule.Page) error {
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	return page.JSON(c, http.StatusOK, echo.MIMEApplicationJSON, p)
}

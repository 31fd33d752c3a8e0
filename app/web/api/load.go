package api

import (
	"context"
	"net/http"
	"sync"
	"time"

	"heliograph/app/fault"
)

// Load bounds what the requests of a process hold at once, so that no key
// exhausts it. Requests wait for a moment where there is no room, and are refused
// then. A nil Load bounds nothing.
type Load struct {
	limits LoadLimits

	mu      sync.Mutex
	free    int64 // bytes of memory for bodies
	uploads int   // of all organisations
	users   map[int64]*user
	waiting int           // requests that wait for changed
	changed chan struct{} // closed when something was released
}

// LoadLimits holds the bounds of a Load.
type LoadLimits struct {
	Memory   int64 // bytes for request bodies and what is decoded from them
	Requests int   // of an organisation at once
	Uploads  int   // files on their way, of an organisation at once
	Files    int64 // bytes of those files
	All      int   // files on their way, of all organisations at once
	Rate     int64 // bytes of large bodies of an organisation in a second; 0 bounds none
	Patience time.Duration
}

// StandardLoad returns the limits of a process that has memory bytes for bodies
// and runs so many requests of an organisation at once.
func StandardLoad(memory int64, requests int) LoadLimits {
	return LoadLimits{Memory: memory, Requests: requests, Uploads: 4, Files: 256 << 20, All: 24, Rate: 8 << 20, Patience: 2 * time.Second}
}

// user is what the requests of an organisation hold.
type user struct {
	requests, uploads int
	files, memory     int64
	paid              time.Time // until then its large bodies have used their rate
}

// NewLoad returns a load with limits.
func NewLoad(limits LoadLimits) *Load {
	return &Load{limits: limits, free: limits.Memory, users: map[int64]*user{}, changed: make(chan struct{})}
}

// request reserves a place for a request of an organisation, and one for its file
// if it streams one. It is Limited if the organisation has
// no more places, and Unavailable if the process has none.
func (l *Load) request(r *http.Request, organisationID int64, streams bool) (release func(), err error) {
	if l == nil {
		return func() {}, nil
	}
	upload, size := 0, int64(0)
	if streams && r.Body != http.NoBody {
		upload, size = 1, announced(r, BodyLimit)
	}
	own := func() bool {
		u := l.user(organisationID)
		return u.requests < l.limits.Requests && (upload == 0 || u.uploads < l.limits.Uploads && (u.uploads == 0 || u.files+size <= l.limits.Files))
	}
	hold := func(n int) {
		u := l.user(organisationID)
		u.requests, u.uploads, u.files, l.uploads = u.requests+n, u.uploads+n*upload, u.files+int64(n)*size, l.uploads+n*upload
		l.forget(organisationID)
	}
	if l.wait(r.Context(), func() bool { return own() && l.uploads+upload <= l.limits.All }, func() { hold(1) }) {
		return l.releasing(func() { hold(-1) }), nil
	}
	return nil, l.refuse(own, organisationID)
}

// refuse returns the fault of a request that found no room: the process is full, or
// its organisation has all that it may have.
func (l *Load) refuse(own func() bool, organisationID int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.forget(organisationID)
	if own() || organisationID == 0 { // nobody has too many without a key
		return busy(fault.Unavailable)
	}
	return busy(fault.Limited)
}

// forget drops an organisation that holds nothing and has not used its rate. The caller
// holds the lock.
func (l *Load) forget(organisationID int64) {
	if u := l.users[organisationID]; u != nil && *u == (user{paid: u.paid}) && !u.paid.After(time.Now()) {
		delete(l.users, organisationID)
	}
}

// user returns what an organisation holds. The caller holds the lock.
func (l *Load) user(organisationID int64) *user {
	u := l.users[organisationID]
	if u == nil {
		u = &user{}
		l.users[organisationID] = u
	}
	return u
}

// wait takes as soon as there is room, and reports whether it did so in time.
func (l *Load) wait(ctx context.Context, room func() bool, take func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if room() {
		take()
		return true
	}
	timer := time.NewTimer(l.limits.Patience)
	defer timer.Stop()
	l.waiting++
	defer func() { l.waiting-- }()
	for !room() {
		if !l.await(ctx, timer.C) {
			return false
		}
	}
	take()
	return true
}

// await waits until something is released, without the lock that the caller holds, and
// reports whether that was in time.
func (l *Load) await(ctx context.Context, end <-chan time.Time) bool {
	changed := l.changed
	l.mu.Unlock()
	defer l.mu.Lock()
	select {
	case <-changed:
		return true
	case <-end:
		return false
	case <-ctx.Done():
		return false
	}
}

// releasing returns a function that gives back once and wakes those that wait.
func (l *Load) releasing(give func()) func() {
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		give()
		if l.waiting > 0 {
			close(l.changed)
			l.changed = make(chan struct{})
		}
	})
}

// announced returns how many bytes a body may have.
func announced(r *http.Request, limit int64) int64 {
	if r.ContentLength < 0 || r.ContentLength > limit {
		return limit
	}
	return r.ContentLength
}

// busy is the fault of a request that found no room.
func busy(kind fault.Kind) error {
	f := &fault.Error{Kind: kind, Message: "The service is busy. Try again in a moment.", RetryAfter: 2 * time.Second}
	if kind == fault.Limited {
		f.Message = "Too many requests at once with keys of this organisation. Wait for some of them to end."
	}
	return f
}

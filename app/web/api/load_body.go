package api

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"heliograph/app/fault"
)

// meteredBody is the body of a request that reserves memory as it arrives. What a
// client announces and does not send costs nothing.
type meteredBody struct {
	io.ReadCloser
	load *Load
	ctx  context.Context
	// owner is the organisation that the memory counts for; 0 stands for everybody
	// who is not known yet. identify returns it by the start of the body, and may be
	// nil.
	owner    int64
	identify func(start []byte) int64

	start            []byte // the first smallBody bytes, until the owner is identified
	read, held, paid int64
}

const (
	// smallBody is what a body may have without counting. Their number is bounded.
	smallBody = 16 << 10
	// decodedCost is how many bytes of memory a byte of a body may take while it is
	// decoded.
	decodedCost = 16
	// bodyStep is by how many bytes of a body its memory grows.
	bodyStep = 64 << 10
	// bodyBurst is how much of its rate a caller may use at once.
	bodyBurst = 2 * time.Second
)

// body makes the body of a request reserve memory as it is read. An organisation gets
// half of the memory at most, so that its large bodies leave room to others, and all
// callers that are not known yet a quarter together: a body is Limited beyond that, and
// Unavailable if there is no memory. Call release when the request has ended.
func (l *Load) body(r *http.Request, organisationID int64, identify func(start []byte) int64) (release func()) {
	if l == nil || r.Body == nil || r.Body == http.NoBody || r.ContentLength >= 0 && r.ContentLength <= smallBody {
		return func() {}
	}
	m := &meteredBody{ReadCloser: r.Body, load: l, ctx: r.Context(), owner: organisationID, identify: identify}
	r.Body = m
	return func() { m.take(-m.held) }
}

// Read reads the next bytes and reserves memory for them.
func (m *meteredBody) Read(p []byte) (int, error) {
	n, err := m.ReadCloser.Read(p)
	m.read += int64(n)
	if m.identify != nil && len(m.start) < smallBody {
		m.start = append(m.start, p[:min(n, smallBody-len(m.start))]...)
	}
	if m.read <= smallBody {
		return n, err
	}
	if m.identify != nil {
		m.owner, m.identify, m.start = m.identify(m.start), nil, nil
	}
	steps := (m.read + bodyStep - 1) / bodyStep
	if cost := min(steps*bodyStep*decodedCost, m.load.limits.Memory) - m.held; cost > 0 {
		if refused := m.reserve(cost); refused != nil {
			return n, refused
		}
	}
	if cost := steps*bodyStep - m.paid; cost > 0 {
		m.paid += cost
		if refused := m.load.pace(m.ctx, m.owner, cost); refused != nil {
			return n, refused
		}
	}
	return n, err
}

// pace makes a caller wait until large bodies may have so many bytes more, so that
// reading and decoding them leaves the processors to others. The caller is Limited if
// that takes longer than patience, and only then, since an answer at once would be asked
// for again at once.
func (l *Load) pace(ctx context.Context, organisationID, bytes int64) error {
	if l.limits.Rate == 0 {
		return nil
	}
	wait := l.pay(organisationID, bytes)
	if wait <= 0 {
		return nil
	}
	timer := time.NewTimer(min(wait, l.limits.Patience))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	if wait <= l.limits.Patience {
		return nil
	}
	if organisationID == 0 {
		return busy(fault.Unavailable)
	}
	return &fault.Error{Kind: fault.Limited, RetryAfter: 2 * time.Second,
		Message: fmt.Sprintf("Bodies of more than %d KiB come too fast with keys of this organisation. Send at most %d MiB of them in a second.", smallBody>>10, l.limits.Rate>>20)}
}

// pay counts bytes of large bodies and returns how long to wait for them. Bytes that
// nobody waits for are not counted.
func (l *Load) pay(organisationID, bytes int64) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	u, now := l.user(organisationID), time.Now()
	paid := u.paid
	if paid.Before(now) {
		paid = now
	}
	paid = paid.Add(time.Duration(bytes) * time.Second / time.Duration(l.limits.Rate))
	wait := paid.Sub(now) - bodyBurst
	if wait <= l.limits.Patience {
		u.paid = paid
	}
	return wait
}

// share returns how much memory the bodies of a caller may take together.
func (l *Load) share(organisationID int64) int64 {
	part := l.limits.Memory / 2
	if organisationID == 0 {
		part = l.limits.Memory / 4
	}
	return min(max(part, maxBody*decodedCost), l.limits.Memory)
}

// reserve waits for memory.
func (m *meteredBody) reserve(cost int64) error {
	l := m.load
	own := func() bool {
		held := l.user(m.owner).memory
		alone := held == m.held && m.owner != 0 // one body of a key always fits
		return alone || held+cost <= l.share(m.owner)
	}
	if l.wait(m.ctx, func() bool { return own() && l.free >= cost }, func() { m.hold(cost) }) {
		return nil
	}
	return l.refuse(own, m.owner)
}

// hold counts memory. The caller holds the lock.
func (m *meteredBody) hold(cost int64) {
	m.held += cost
	m.load.free -= cost
	m.load.user(m.owner).memory += cost
	m.load.forget(m.owner)
}

// take gives memory back.
func (m *meteredBody) take(cost int64) {
	if cost != 0 {
		m.load.releasing(func() { m.hold(cost) })()
	}
}

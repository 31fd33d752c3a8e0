package published

import (
	"container/list"
	"context"
	"sync"
	"time"

	"heliograph/db"
)

// shelf keeps recently used parts of versions within its budget: frames,
// endpoints, schemas, and content that is not compiled yet. The first caller
// makes a missing part. Other callers of the same part wait for it.
type shelf struct {
	db     db.Querier
	budget int                            // bytes
	serves func(method, path string) bool // nil serves everything
	url    string                         // what documentation calls this installation; see openapi.At

	mu       sync.Mutex
	held     int // bytes, as estimated
	parts    map[any]*list.Element
	recent   *list.List // of *part, last asked first
	failures map[failure]bool
}

// The keys of parts.
type (
	frameKey    struct{ *base }
	contentKey  int64 // of a revision
	endpointKey struct {
		*base
		revision int64
		slug     string
	}
	schemaKey struct {
		*base
		name string
	}
)

// key identifies the compiled form of an operation. Callbacks without a
// revision are identified by their slug, method and path.
func (op *Operation) key(b *base) endpointKey {
	if op.revision == 0 {
		return endpointKey{b, 0, op.Slug + " " + op.Method + " " + op.Path}
	}
	return endpointKey{b, op.revision, op.Slug}
}

type part struct {
	key   any
	done  chan struct{} // closed when value and err are set
	value any
	err   error
	size  int // counted in held; zero while it is made
}

// partTimeout bounds the making of a part, in case the database does not
// respond.
const partTimeout = 10 * time.Second

// failedSize is the size of a failure in bytes. Failures are kept, so that a
// broken part is not made again for each request.
const failedSize = 500

func newShelf(q db.Querier, budget int) *shelf {
	return &shelf{db: q, budget: budget, parts: map[any]*list.Element{}, recent: list.New(), failures: map[failure]bool{}}
}

// get returns a part and makes it if it is missing. The size that build returns
// is an estimate in bytes. Database errors are not kept.
func get[T any](ctx context.Context, s *shelf, key any, build func(context.Context) (T, int, error)) (T, error) {
	p, first := s.take(key)
	if first {
		s.make(ctx, p, func(ctx context.Context) (any, int, error) { return build(ctx) })
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
	value, _ := p.value.(T)
	return value, p.err
}

// take returns the part of a key, and reports whether the caller has to make
// it.
func (s *shelf) take(key any) (p *part, first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.parts[key]; at != nil {
		s.recent.MoveToFront(at)
		return at.Value.(*part), false
	}
	p = &part{key: key, done: make(chan struct{})}
	s.parts[key] = s.recent.PushFront(p)
	return p, true
}

// make makes a part. It continues when the request that started it ends.
func (s *shelf) make(ctx context.Context, p *part, build func(context.Context) (any, int, error)) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), partTimeout)
	defer cancel()
	defer close(p.done)
	var size int
	if p.value, size, p.err = build(ctx); p.err != nil {
		p.value, size = nil, failedSize
	}
	s.keep(p, size)
}

// keep counts the size of a part and drops the least recently used ones.
func (s *shelf) keep(p *part, size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.parts[p.key]
	if at == nil || at.Value != p {
		return // dropped while it was made
	}
	if p.err != nil && !IsBroken(p.err) {
		s.remove(at)
		return
	}
	p.size = size
	s.held += size
	for s.held > s.budget && s.recent.Back() != at {
		s.remove(s.recent.Back())
	}
}

func (s *shelf) remove(at *list.Element) {
	p := s.recent.Remove(at).(*part)
	delete(s.parts, p.key)
	s.held -= p.size
}

// drop removes a part.
func (s *shelf) drop(key any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.parts[key]; at != nil {
		s.remove(at)
	}
}

// put adds a part that is already made, unless it is there.
func (s *shelf) put(key, value any, size int) {
	if p, first := s.take(key); first {
		p.value = value
		s.keep(p, size)
		close(p.done)
	}
}

// peek returns a part if it is there. It does not count as a use.
func (s *shelf) peek(key any) any {
	s.mu.Lock()
	at := s.parts[key]
	s.mu.Unlock()
	if at == nil {
		return nil
	}
	p := at.Value.(*part)
	select {
	case <-p.done:
		return p.value
	default:
		return nil
	}
}

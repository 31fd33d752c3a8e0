package storage

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// standardPatience is how long a server may make no progress.
const standardPatience = 5 * time.Second

// watch cancels the context of a request that makes no progress for a while. Time
// that the caller takes for itself does not count.
type watch struct {
	patience time.Duration
	timer    *time.Timer
	cancel   context.CancelFunc
}

// watched returns a context for a request to the server. The watch runs at first.
func (s *S3) watched(ctx context.Context) (context.Context, *watch) {
	ctx, cancel := context.WithCancel(ctx)
	return ctx, &watch{s.patience, time.AfterFunc(s.patience, cancel), cancel}
}

// progress notes that the server goes on.
func (w *watch) progress() { w.timer.Reset(w.patience) }

// pause stops the watch until the next progress.
func (w *watch) pause() { w.timer.Stop() }

// end ends the request.
func (w *watch) end() {
	w.timer.Stop()
	w.cancel()
}

// watchedSource is a body on its way to the server, which asks for more while it
// goes on. An HTTP client may still read a body when its request has been answered:
// after end it reads nothing, so that the memory of the body can be used again.
type watchedSource struct {
	watch *watch

	mu   sync.Mutex
	body io.ReadSeeker // nil after end
}

var errSourceEnded = errors.New("the request has ended")

// Read implements io.Reader.
func (s *watchedSource) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.body == nil {
		return 0, errSourceEnded
	}
	s.watch.progress()
	return s.body.Read(p)
}

// Seek implements io.Seeker.
func (s *watchedSource) Seek(offset int64, whence int) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.body == nil {
		return 0, errSourceEnded
	}
	return s.body.Seek(offset, whence)
}

// end waits for a Read that is under way. Later ones fail.
func (s *watchedSource) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.body = nil
}

// watchedBody is a body from the server.
type watchedBody struct {
	io.ReadCloser
	watch  *watch
	parent context.Context
}

func (b watchedBody) Read(p []byte) (int, error) {
	b.watch.progress()
	n, err := b.ReadCloser.Read(p)
	b.watch.pause()
	if err != nil && err != io.EOF {
		err = s3Fault(b.parent, "reading an object", err)
	}
	return n, err
}

func (b watchedBody) Close() error {
	defer b.watch.end()
	return b.ReadCloser.Close()
}

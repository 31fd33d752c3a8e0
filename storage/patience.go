package storage

import (
	"context"
	"io"
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
// goes on.
type watchedSource struct {
	io.ReadSeeker
	watch *watch
}

func (r watchedSource) Read(p []byte) (int, error) {
	r.watch.progress()
	return r.ReadSeeker.Read(p)
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

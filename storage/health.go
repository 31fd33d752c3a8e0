package storage

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// healthEvery is the pause between two looks at the storage.
const healthEvery = 10 * time.Second

// Health says whether the storage of a process answers. A process starts and
// works without storage, except for what needs files.
type Health struct {
	stores []Store
	away   atomic.Bool
}

// NewHealth returns the health of stores, which are taken to answer until Run has
// looked.
func NewHealth(stores ...Store) *Health { return &Health{stores: stores} }

// Available reports whether all stores answered when they were last asked.
func (h *Health) Available() bool { return !h.away.Load() }

// Run looks at the stores until ctx ends, and logs when they go away and return.
func (h *Health) Run(ctx context.Context) {
	ticker := time.NewTicker(healthEvery)
	defer ticker.Stop()
	for {
		h.Check(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Check looks at the stores once.
func (h *Health) Check(ctx context.Context) {
	var err error
	for _, s := range h.stores {
		if err = s.Ping(ctx); err != nil {
			break
		}
	}
	if ctx.Err() != nil {
		return
	}
	switch was := h.away.Swap(err != nil); {
	case err != nil && !was:
		slog.ErrorContext(ctx, "the file storage does not answer", "error", err)
	case err == nil && was:
		slog.InfoContext(ctx, "the file storage answers again")
	}
}

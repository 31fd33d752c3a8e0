package db

import (
	"context"
	"log/slog"
	"time"
)

// lastPatience is how long a process that stops tries to write.
const lastPatience = 5 * time.Second

// WriteEvery writes what a process collects, with a pause between writes, until ctx ends,
// and then the rest. complaint is what the log says of a write that fails.
func WriteEvery(ctx context.Context, pause time.Duration, complaint string, save func(ctx context.Context) error) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for running := true; running; {
		now := ctx
		select {
		case <-tick.C:
		case <-ctx.Done():
			rest, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastPatience)
			defer cancel()
			now, running = rest, false
		}
		if err := save(now); err != nil {
			slog.WarnContext(ctx, complaint, "error", err)
		}
	}
}

package jobs

import (
	"context"
	"log/slog"
	"strings"
)

// warnings passes on records for operators. It drops River's reports of normal
// work, including the cancellation of its maintenance on shutdown.
type warnings struct{ slog.Handler }

// Enabled reports whether a record of the level is passed on.
func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

// Handle writes a record.
func (w warnings) Handle(ctx context.Context, r slog.Record) error {
	ended := false
	r.Attrs(func(a slog.Attr) bool {
		ended = a.Key == "error" && strings.HasSuffix(a.Value.String(), context.Canceled.Error())
		return !ended
	})
	if ended && strings.HasPrefix(r.Message, "maintenance.") {
		return nil
	}
	return w.Handler.Handle(ctx, r)
}

// WithAttrs keeps the filter on a logger with attributes.
func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

// WithGroup keeps the filter on a logger with a group.
func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }

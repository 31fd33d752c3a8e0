package jobs

import (
	"context"
	"log/slog"
)

// warnings passes on what an operator should see and drops River's reports of
// normal work.
type warnings struct{ slog.Handler }

// Enabled reports whether a record of the level is passed on.
func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

// WithAttrs keeps the filter on a logger with attributes.
func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

// WithGroup keeps the filter on a logger with a group.
func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }

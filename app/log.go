package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"heliograph/app/config"
)

// newLog makes the log that the configuration asks for and the default of it,
// and what writes the lines that are still held back.
func newLog(c *config.Config) (log *slog.Logger, flush func()) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		level = slog.LevelInfo
	}
	held := &heldLines{out: os.Stderr}
	options := &slog.HandlerOptions{Level: level}
	var handler slog.Handler = slog.NewJSONHandler(held, options)
	if c.LogFormat == "text" {
		handler = slog.NewTextHandler(held, options)
	}
	log = slog.New(urgent{handler, held})
	slog.SetDefault(log)
	return log, held.flush
}

// How much of the log is held back, in bytes, and for how long. Each request
// writes a line, and a system call for each of them would cost more than the
// line; only a process that is killed loses what it holds.
const (
	heldBytes = 32 << 10
	heldTime  = 100 * time.Millisecond
)

// heldLines gathers lines and writes many at once.
type heldLines struct {
	out   io.Writer
	mu    sync.Mutex
	lines []byte
}

// Write takes one line.
func (h *heldLines) Write(line []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.lines) == 0 {
		time.AfterFunc(heldTime, h.flush)
	}
	if h.lines = append(h.lines, line...); len(h.lines) >= heldBytes {
		h.write()
	}
	return len(line), nil
}

func (h *heldLines) flush() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write()
}

func (h *heldLines) write() {
	if len(h.lines) == 0 {
		return
	}
	_, _ = h.out.Write(h.lines) // there is nowhere left to complain
	h.lines = h.lines[:0]
}

// urgent writes warnings and errors, and all that came before them, at once.
type urgent struct {
	slog.Handler
	held *heldLines
}

// Handle writes a record.
func (u urgent) Handle(ctx context.Context, r slog.Record) error {
	err := u.Handler.Handle(ctx, r)
	if r.Level >= slog.LevelWarn {
		u.held.flush()
	}
	return err
}

// WithAttrs returns a handler that adds attributes to every record.
func (u urgent) WithAttrs(attrs []slog.Attr) slog.Handler {
	return urgent{u.Handler.WithAttrs(attrs), u.held}
}

// WithGroup returns a handler that puts every record into a group.
func (u urgent) WithGroup(name string) slog.Handler { return urgent{u.Handler.WithGroup(name), u.held} }

// Package refusal keeps a log of the requests to the channel APIs that were refused, so
// that developers see in their account why a call failed.
//
// A process collects them in memory and writes every two seconds, beside the requests.
// Calls that are alike within a batch become one row with a count beyond the first few,
// so that a flood costs neither memory nor disk. Each organisation keeps its newest
// MaxRows for Keep, and so do all keys together that were never issued.
package refusal

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

const (
	// Keep is how long a refused call can be read.
	Keep = 14 * 24 * time.Hour
	// MaxRows is how many refused calls of an organisation are kept.
	MaxRows = 2000

	writePause = 2 * time.Second
	mostAlike  = 5    // rows of a batch for calls that are alike; the rest is counted
	mostOfKey  = 100  // rows of a batch for one key, and for all that are not accepted
	mostRows   = 1000 // of a batch; what is beyond is counted with what it resembles, or left out
	maxPath    = 200  // characters
)

// Log collects refused calls. Use NewLog. A nil Log collects nothing.
type Log struct {
	db db.Beginner

	mu    sync.Mutex
	calls []models.RefusedCall
	alike map[likeness]*group
	keys  map[int64]int // rows by the id of the key
}

// likeness tells whether two refused calls are alike.
type likeness struct {
	key                   string // hash of the key, or its id
	keyID                 int64
	channel, method, path string
	status, code          int
}

// group holds the places of the calls of a batch that are alike.
type group struct{ rows, last int }

// NewLog returns a log that writes to a database. Run writes it.
func NewLog(database db.Beginner) *Log {
	return &Log{db: database, alike: map[likeness]*group{}, keys: map[int64]int{}}
}

// Add adds a refused call.
func (l *Log) Add(c models.RefusedCall) {
	if l == nil {
		return
	}
	c.Path, c.Method, c.RequestID, c.Repeats = shorten(c.Path, maxPath), shorten(c.Method, 10), shorten(c.RequestID, 64), 1
	like := likeness{string(c.KeyHash), c.KeyID, c.Channel, c.Method, c.Path, c.Status, c.Code}
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.alike[like]
	full := len(l.calls) >= mostRows || l.keys[c.KeyID] >= mostOfKey
	switch {
	case g != nil && (g.rows >= mostAlike || full):
		last := &l.calls[g.last]
		last.Repeats++
		last.RequestID, last.At = c.RequestID, c.At
		return
	case full:
		return
	case g == nil:
		g = &group{}
		l.alike[like] = g
	}
	g.rows, g.last = g.rows+1, len(l.calls)
	l.keys[c.KeyID]++
	l.calls = append(l.calls, c)
}

// shorten makes a text that a row can hold: valid, printable and not too long.
func shorten(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "�"))
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// Run writes what was collected until ctx ends, and then the rest.
func (l *Log) Run(ctx context.Context) {
	db.WriteEvery(ctx, writePause, "refused calls could not be written to their log", l.Write)
}

// Write writes what was collected. What cannot be written is dropped: it is no record of
// anything that was accepted.
func (l *Log) Write(ctx context.Context) error {
	l.mu.Lock()
	calls := l.calls
	if len(calls) > 0 {
		l.calls, l.alike, l.keys = nil, map[likeness]*group{}, map[int64]int{}
	}
	l.mu.Unlock()
	if len(calls) == 0 {
		return nil
	}
	return db.InTx(ctx, l.db, func(tx pgx.Tx) error {
		organisations, err := writes.RefusedCallInsert(ctx, tx, calls)
		if err != nil {
			return fmt.Errorf("storing refused calls: %w", err)
		}
		if err := writes.RefusedCallTrim(ctx, tx, organisations, MaxRows); err != nil {
			return fmt.Errorf("deleting the oldest refused calls: %w", err)
		}
		return nil
	})
}

// Sweep deletes refused calls that are too old.
func Sweep(ctx context.Context, q db.Querier, now time.Time) error {
	if err := writes.RefusedCallDelete(ctx, q, now.Add(-Keep)); err != nil {
		return fmt.Errorf("deleting old refused calls: %w", err)
	}
	return nil
}

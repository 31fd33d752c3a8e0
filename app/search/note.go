package search

import (
	"context"
	"log/slog"
	"time"

	"heliograph/db/queries"
)

// note is all that is kept of a search: how long the query was, in characters,
// and how many results it had.
type note struct{ length, results int }

const (
	noteCount = 4096            // searches that may wait to be written; more are not noted
	notePause = 2 * time.Second // between writes
)

// note keeps a search to be written later; it never waits.
func (e *Engine) note(length, results int) {
	select {
	case e.notes <- note{length, results}:
	default:
	}
}

// Run writes the notes of searches until ctx ends, then those that are left.
func (e *Engine) Run(ctx context.Context) {
	tick := time.NewTicker(notePause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
		if err := e.write(context.WithoutCancel(ctx)); err != nil {
			slog.WarnContext(ctx, "searches are not noted", "error", err)
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// write writes the notes that wait now.
func (e *Engine) write(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var lengths, results []int32
	for range len(e.notes) {
		n := <-e.notes
		lengths, results = append(lengths, int32(n.length)), append(results, int32(n.results))
	}
	if len(lengths) == 0 {
		return nil
	}
	return queries.SearchInsert(ctx, e.db, lengths, results)
}

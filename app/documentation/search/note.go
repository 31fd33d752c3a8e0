package search

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/queries/documentation/writes"
)

// note is the record of a search: the length of the query in characters and the
// number of results. Nothing else is kept.
type note struct{ length, results int }

const (
	noteCount = 4096            // notes that may wait to be written; more are dropped
	notePause = 2 * time.Second // between writes
)

// note queues a record of a search. It never blocks.
func (e *Engine) note(length, results int) {
	select {
	case e.notes <- note{length, results}:
	default:
	}
}

// Run writes queued notes until ctx ends, then those that are left.
func (e *Engine) Run(ctx context.Context) {
	db.WriteEvery(ctx, notePause, "writing search notes failed", e.write)
}

// write writes the queued notes.
func (e *Engine) write(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	var lengths, results []int32
	for range len(e.notes) {
		n := <-e.notes
		lengths, results = append(lengths, int32(n.length)), append(results, int32(n.results))
	}
	if len(lengths) == 0 {
		return nil
	}
	return writes.SearchInsert(ctx, e.db, lengths, results)
}

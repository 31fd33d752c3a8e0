package args

import "github.com/riverqueue/river"

// SweepCards deletes old pictures of pages from the file storage.
type SweepCards struct{}

// Kind implements river.JobArgs.
func (SweepCards) Kind() string { return "sweep_cards" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (SweepCards) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }

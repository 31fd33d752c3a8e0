package args

import "github.com/riverqueue/river"

// SweepMedia deletes expired media and uploads, and files that nothing refers to.
type SweepMedia struct{}

// Kind names the job.
func (SweepMedia) Kind() string { return "sweep_media" }

// InsertOpts puts it on the default queue.
func (SweepMedia) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }

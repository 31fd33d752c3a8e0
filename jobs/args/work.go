package args

import "github.com/riverqueue/river"

// SettleWork gives messages, callbacks and codes whose job was lost a new one,
// or their end.
type SettleWork struct{}

// Kind names the job.
func (SettleWork) Kind() string { return "settle_work" }

// InsertOpts puts it on the default queue.
func (SettleWork) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }

package args

import "github.com/riverqueue/river"

// PurgeLogs deletes contents and logs of messages that were kept long enough.
type PurgeLogs struct{}

// Kind names the job.
func (PurgeLogs) Kind() string { return "purge_logs" }

// InsertOpts puts it on the default queue.
func (PurgeLogs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }

// SettleWork gives messages, callbacks and codes a new job where theirs was lost,
// or their end.
type SettleWork struct{}

// Kind names the job.
func (SettleWork) Kind() string { return "settle_work" }

// InsertOpts puts it on the default queue.
func (SettleWork) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }

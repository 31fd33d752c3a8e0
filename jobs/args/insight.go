package args

import "github.com/riverqueue/river"

// CollectInsight counts what tables know that readers and partners did.
type CollectInsight struct{}

// Kind names the job.
func (CollectInsight) Kind() string { return "collect_insight" }

// InsertOpts puts it on the default queue.
func (CollectInsight) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }

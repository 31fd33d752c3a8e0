package args

import "github.com/riverqueue/river"

// CountUsage counts the messages of every organisation by day and channel.
type CountUsage struct{}

// Kind names the job.
func (CountUsage) Kind() string { return "count_usage" }

// InsertOpts puts it on the default queue.
func (CountUsage) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }

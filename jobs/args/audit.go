package args

import "github.com/riverqueue/river"

// CheckAudit verifies the audit chain, whole once a day, and anchors it.
type CheckAudit struct{}

// Kind names the job.
func (CheckAudit) Kind() string { return "check_audit" }

// InsertOpts puts it on the default queue.
func (CheckAudit) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }

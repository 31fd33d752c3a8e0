package args

import (
	"time"

	"github.com/riverqueue/river"
)

// PublishScheduled publishes a change set at the time that it is scheduled for.
// One that has another time by then is left alone.
type PublishScheduled struct {
	ChangeSetID int64     `json:"change_set_id"`
	At          time.Time `json:"at"`
}

// Kind names the job.
func (PublishScheduled) Kind() string { return "publish_scheduled" }

// InsertOpts puts it on the default queue, once for each change set and time.
func (PublishScheduled) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueDefault, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// CheckChanges checks the items of a change set. It is inserted by
// queries.JobInsertCheck, in the transaction that changes the set.
type CheckChanges struct {
	ChangeSetID int64 `json:"change_set_id"`
}

// CheckChangesKind is the kind of CheckChanges.
const CheckChangesKind = "check_changes"

// Kind names the job.
func (CheckChanges) Kind() string { return CheckChangesKind }

// InsertOpts puts it on the default queue.
func (CheckChanges) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }

// EmailReviews sends authors and reviewers emails about their change sets.
type EmailReviews struct{}

// Kind names the job.
func (EmailReviews) Kind() string { return "email_reviews" }

// InsertOpts puts it on the default queue.
func (EmailReviews) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }

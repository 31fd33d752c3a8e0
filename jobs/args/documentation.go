package args

import (
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// SweepCards deletes old pictures of pages from the file storage.
type SweepCards struct{}

// Kind names the job.
func (SweepCards) Kind() string { return "sweep_cards" }

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

// EmailReviews sends authors and reviewers emails about their change sets.
type EmailReviews struct{}

// Kind names the job.
func (EmailReviews) Kind() string { return "email_reviews" }

// PrepareMedia makes the sizes of a file of the media gallery.
type PrepareMedia struct {
	FileID int64 `json:"file_id" river:"unique"`
}

// Kind names the job.
func (PrepareMedia) Kind() string { return "prepare_media" }

// InsertOpts puts it on the images queue.
func (PrepareMedia) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueImages} }

// SweepGallery deletes what has been in the trash of the media gallery for too long.
type SweepGallery struct{}

// Kind names the job.
func (SweepGallery) Kind() string { return "sweep_gallery" }

// ImportDocument reads an imported document and compares it with what is published.
type ImportDocument struct {
	ImportID int64 `json:"import_id" river:"unique"`
}

// Kind names the job.
func (ImportDocument) Kind() string { return "import_document" }

// InsertOpts puts it on the import queue.
func (ImportDocument) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueImport} }

// CheckWatches starts reading the watched addresses that are due.
type CheckWatches struct{}

// Kind names the job.
func (CheckWatches) Kind() string { return "check_watches" }

// SendMockCallback sends a callback that a caller of a mock asked for, once.
type SendMockCallback struct {
	CallbackID uuid.UUID `json:"callback_id"`
}

// Kind names the job.
func (SendMockCallback) Kind() string { return "send_mock_callback" }

// InsertOpts puts it on the relay queue.
func (SendMockCallback) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueRelay, MaxAttempts: 1}
}

// BuildSDK builds the archive of a client library in one language, of one release.
// Rules insert it with queries.JobInsertBuild.
type BuildSDK struct {
	ReleaseID int64  `json:"release_id"`
	Language  string `json:"language"`
}

// BuildSDKKind is the kind of BuildSDK.
const BuildSDKKind = "build_sdk"

// Kind names the job.
func (BuildSDK) Kind() string { return BuildSDKKind }

// InsertOpts puts it on the build queue.
func (BuildSDK) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueBuild} }

// SweepSDKs deletes archives of client libraries that no build has.
type SweepSDKs struct{}

// Kind names the job.
func (SweepSDKs) Kind() string { return "sweep_sdks" }

package args

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// TakePost reads what a carrier of the messaging channel has posted.
type TakePost struct {
	PostID int64 `json:"post_id"`
	Files  bool  `json:"files,omitempty"` // the post may name files, which take time to fetch
}

// Kind names the job.
func (TakePost) Kind() string { return "take_post" }

// InsertOpts puts it on the send queue.
func (TakePost) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueSend} }

// PushTemplate brings an upstream to what a template of ours is: it creates, changes or
// deletes it there.
type PushTemplate struct {
	TemplateID int64 `json:"template_id"`
}

// Kind names the job.
func (PushTemplate) Kind() string { return "push_template" }

// InsertOpts puts it on the send queue.
func (PushTemplate) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueSend} }

// PushAsset brings an upstream to what a number or a catalogue of ours has: its profile,
// its key, its QR codes or its products.
type PushAsset struct {
	Asset   string `json:"asset"` // profile, encryption_key, qr_code or product
	AssetID int64  `json:"asset_id"`
}

// Kind names the job.
func (PushAsset) Kind() string { return "push_asset" }

// InsertOpts puts it on the send queue, once for each asset. The job that is there takes
// what was changed meanwhile, too.
func (PushAsset) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueSend, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
	}}}
}

// SyncAssets reads what upstreams have of the numbers and catalogues that live there, and
// the payments of their orders.
type SyncAssets struct{}

// Kind names the job.
func (SyncAssets) Kind() string { return "sync_assets" }

// CheckUpstreams asks upstreams about the numbers and accounts that live there.
type CheckUpstreams struct{}

// Kind names the job.
func (CheckUpstreams) Kind() string { return "check_upstreams" }

// SyncTemplates reads the templates of all accounts that live at upstreams.
type SyncTemplates struct{}

// Kind names the job.
func (SyncTemplates) Kind() string { return "sync_templates" }

// TellRead tells the carrier of a received message that it was read.
type TellRead struct {
	MessageID uuid.UUID `json:"message_id"`
	Typing    bool      `json:"typing,omitempty"` // a reply is being written
}

// Kind names the job.
func (TellRead) Kind() string { return "tell_read" }

// InsertOpts puts it on the send queue.
func (TellRead) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueSend} }

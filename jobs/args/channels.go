package args

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// ExpireMessage fails a message that its carrier has taken, if it is not delivered
// by the end of its time to live.
type ExpireMessage struct {
	MessageID uuid.UUID `json:"message_id"`
	Leg       int       `json:"leg,omitempty"` // 0 means 1
}

// Kind names the job.
func (ExpireMessage) Kind() string { return "expire_message" }

// InsertOpts puts it on the send queue.
func (ExpireMessage) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueSend} }

// RelayCallback posts one stored delivery to the partner's webhook.
type RelayCallback struct {
	DeliveryID int64 `json:"delivery_id"`
	Released   bool  `json:"released,omitempty"` // from the line of its webhook, which has room for it
}

// Kind names the job.
func (RelayCallback) Kind() string { return "relay_callback" }

// InsertOpts puts it on the relay queue.
func (RelayCallback) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueRelay} }

// untilItEnds allows one job for the same arguments at a time.
var untilItEnds = river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
}}

// ReleaseCallbacks moves the line of a failing webhook on until it is empty.
type ReleaseCallbacks struct {
	WebhookID int64 `json:"webhook_id" river:"unique"`
}

// Kind names the job.
func (ReleaseCallbacks) Kind() string { return "release_callbacks" }

// InsertOpts puts it on the relay queue, once for each webhook.
func (ReleaseCallbacks) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueRelay, UniqueOpts: untilItEnds}
}

// ReportMessage moves a message to the next state of the virtual carrier, or
// simulates the answer of its recipient.
type ReportMessage struct {
	MessageID uuid.UUID `json:"message_id"`
	Leg       int       `json:"leg,omitempty"`   // 0 means 1
	State     string    `json:"state"`           // or replied
	Parts     int       `json:"parts,omitempty"` // all of which reach the state; 0 for the message itself
	Code      int       `json:"code,omitempty"`  // of the failure, in the channel's codes
	Title     string    `json:"title,omitempty"` // of the failure
}

// Kind names the job.
func (ReportMessage) Kind() string { return "report_message" }

// InsertOpts puts it on the send queue.
func (ReportMessage) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueSend} }

// ReportMessages moves messages to the same next state of the virtual carrier.
type ReportMessages struct {
	MessageIDs []uuid.UUID `json:"message_ids"`
	State      string      `json:"state"`
}

// Kind names the job.
func (ReportMessages) Kind() string { return "report_messages" }

// InsertOpts puts it on the send queue.
func (ReportMessages) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueSend} }

// CarryMessage hands an accepted message to the carrier of its leg.
type CarryMessage struct {
	MessageID uuid.UUID `json:"message_id"`
	Leg       int       `json:"leg,omitempty"` // 0 means 1
}

// Kind names the job.
func (CarryMessage) Kind() string { return "carry_message" }

// InsertOpts puts it on the send queue.
func (CarryMessage) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueSend} }

// CarryMessages hands messages that were accepted together to their carriers. A
// message that its carrier puts off goes on with a CarryMessage of its own.
type CarryMessages struct {
	MessageIDs []uuid.UUID `json:"message_ids"`
}

// Kind names the job.
func (CarryMessages) Kind() string { return "carry_messages" }

// InsertOpts puts it on the send queue.
func (CarryMessages) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueSend} }

// CarryAgain hands a part over once more that its carrier reported as given up, for a
// reason that passes, before an operator had it.
type CarryAgain struct {
	MessageID uuid.UUID `json:"message_id"`
	Leg       int       `json:"leg"`
	Part      int       `json:"part"`
	HandOver  int       `json:"hand_over"` // that the report is about, counted from 1
}

// Kind names the job.
func (CarryAgain) Kind() string { return "carry_again" }

// InsertOpts puts it on the send queue.
func (CarryAgain) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueSend} }

// SweepMedia deletes expired media and uploads, and files that nothing refers to.
type SweepMedia struct{}

// Kind names the job.
func (SweepMedia) Kind() string { return "sweep_media" }

// ReportPayment moves the payment of an order to the next status of the virtual
// payer.
type ReportPayment struct {
	MessageID uuid.UUID `json:"message_id"` // of the message that opened the order
	Status    string    `json:"status"`
}

// Kind names the job.
func (ReportPayment) Kind() string { return "report_payment" }

// InsertOpts puts it on the send queue.
func (ReportPayment) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueSend} }

// AnswerInvitation answers the invitation of a test device of a sandbox.
type AnswerInvitation struct {
	BotID  string `json:"bot_id"`
	Number string `json:"number"`
}

// Kind names the job.
func (AnswerInvitation) Kind() string { return "answer_invitation" }

// ReviewRCSTemplate reviews one content of an RCS template.
type ReviewRCSTemplate struct {
	TemplateID string `json:"template_id"`
	Revision   int    `json:"revision"`
}

// Kind names the job.
func (ReviewRCSTemplate) Kind() string { return "review_rcs_template" }

// ReviewTemplate reviews one revision of a message template.
type ReviewTemplate struct {
	TemplateID int64 `json:"template_id"`
	Revision   int   `json:"revision"`
}

// Kind names the job.
func (ReviewTemplate) Kind() string { return "review_template" }

// SettleTemplates ends the pauses and deletions of templates that are due.
type SettleTemplates struct{}

// Kind names the job.
func (SettleTemplates) Kind() string { return "settle_templates" }

// TellStranded tells owners of live numbers that no carrier is set up for.
type TellStranded struct{}

// Kind names the job.
func (TellStranded) Kind() string { return "tell_stranded" }

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
	return river.InsertOpts{Queue: QueueSend, UniqueOpts: untilItEnds}
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

// CountUsage counts the messages of every organisation by day and channel.
type CountUsage struct{}

// Kind names the job.
func (CountUsage) Kind() string { return "count_usage" }

// SettleWork gives messages, callbacks and codes a new job where theirs was lost,
// or their end.
type SettleWork struct{}

// Kind names the job.
func (SettleWork) Kind() string { return "settle_work" }

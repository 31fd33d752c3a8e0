// Package args holds the payloads of the jobs. A payload carries ids, never
// secrets or content. The payloads are separate from the workers, so that rules
// can insert jobs without importing the workers.
package args

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// The queues; jobs/queues.go says how many jobs of each a worker runs at once.
const (
	QueueBuild   = "build"            // archives of client libraries
	QueueDefault = river.QueueDefault // housekeeping
	QueueImages  = "images"           // sizes of images in the gallery, which need much memory
	QueueImport  = "import"           // documents that are brought in
	QueueMail    = "mail"             // emails
	QueueOTP     = "otp"              // one-time passwords, for which people wait
	QueueRelay   = "relay"            // callbacks to partners' webhooks
	QueueSend    = "send"             // hand-over to carriers and their reports
)

// Forever is the number of attempts at a job that does not end with a count but
// with the life of what it works on. It is the most that River can count.
const Forever = math.MaxInt16

// Inserter inserts jobs in a transaction. A River client implements it.
type Inserter interface {
	InsertTx(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error)
	InsertManyFastTx(ctx context.Context, tx pgx.Tx, params []river.InsertManyParams) (int, error)
}

// Run is one run of a job, for rules that end the job with their effect.
type Run struct {
	JobID     int64
	CreatedAt time.Time // of the job
	Attempt   int       // from 1; it counts crashes only
	Snoozes   int       // how often the job was put off
	// Inserter inserts the jobs that follow; nil outside a client.
	Inserter Inserter
}

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

// Housekeep deletes old rows: idempotency keys, expired sessions, idle rate-limit
// cells.
type Housekeep struct{}

// Kind names the job.
func (Housekeep) Kind() string { return "housekeep" }

// InsertOpts puts it on the default queue.
func (Housekeep) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }

// RelayCallback posts one stored delivery to the partner's webhook.
type RelayCallback struct {
	DeliveryID int64 `json:"delivery_id"`
	Released   bool  `json:"released,omitempty"` // from the line of its webhook, which has room for it
}

// Kind names the job.
func (RelayCallback) Kind() string { return "relay_callback" }

// InsertOpts puts it on the relay queue.
func (RelayCallback) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueRelay} }

// ReleaseCallbacks moves the line of a failing webhook on until it is empty.
type ReleaseCallbacks struct {
	WebhookID int64 `json:"webhook_id" river:"unique"`
}

// Kind names the job.
func (ReleaseCallbacks) Kind() string { return "release_callbacks" }

// InsertOpts puts it on the relay queue, once for each webhook.
func (ReleaseCallbacks) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueRelay, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
	}}}
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

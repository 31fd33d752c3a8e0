// Package args holds the payloads of the jobs. A payload carries ids, never
// secrets or content. The payloads are separate from the workers, so that rules
// can insert jobs without importing the workers. A job without InsertOpts runs on the
// default queue.
package args

import (
	"context"
	"math"
	"time"

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

package args

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

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

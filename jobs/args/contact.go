package args

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// DeliverContact posts an enquiry to the webhook of the contact settings.
type DeliverContact struct {
	EnquiryID uuid.UUID `json:"enquiry_id"`
}

// Kind names the job.
func (DeliverContact) Kind() string { return "deliver_contact" }

// InsertOpts puts it on the relay queue.
func (DeliverContact) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueRelay} }

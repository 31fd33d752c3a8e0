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

// SendSMS hands a stored SMS to its provider.
type SendSMS struct {
	NotificationID uuid.UUID `json:"notification_id"`
}

// Kind names the job.
func (SendSMS) Kind() string { return "send_sms" }

// InsertOpts puts it on the otp queue.
func (SendSMS) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueOTP} }

// SendEmail hands a stored email to its provider.
type SendEmail struct {
	NotificationID uuid.UUID `json:"notification_id"`
}

// Kind names the job.
func (SendEmail) Kind() string { return "send_email" }

// InsertOpts puts it on the mail queue.
func (SendEmail) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueMail} }

// SendCode generates the code of a challenge and sends it.
type SendCode struct {
	ChallengeID uuid.UUID `json:"challenge_id"`
}

// Kind names the job.
func (SendCode) Kind() string { return "send_code" }

// InsertOpts puts it on the otp queue.
func (SendCode) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueOTP} }

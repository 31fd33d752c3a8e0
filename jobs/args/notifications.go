package args

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// ResealSecrets re-encrypts secrets that an old key encrypted.
type ResealSecrets struct{}

// Kind names the job.
func (ResealSecrets) Kind() string { return "reseal_secrets" }

// InsertOpts puts it on the default queue.
func (ResealSecrets) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }

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

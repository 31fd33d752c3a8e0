package args

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// SendCode generates the code of a challenge and sends it.
type SendCode struct {
	ChallengeID uuid.UUID `json:"challenge_id"`
}

// Kind names the job.
func (SendCode) Kind() string { return "send_code" }

// InsertOpts puts it on the otp queue.
func (SendCode) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueOTP} }

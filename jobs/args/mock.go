package args

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

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

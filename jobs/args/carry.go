package args

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

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

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

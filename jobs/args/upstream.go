package args

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// TakePost reads what a carrier of the messaging channel has posted.
type TakePost struct {
	PostID int64 `json:"post_id"`
}

// Kind names the job.
func (TakePost) Kind() string { return "take_post" }

// InsertOpts puts it on the send queue.
func (TakePost) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueSend} }

// TellRead tells the carrier of a received message that it was read.
type TellRead struct {
	MessageID uuid.UUID `json:"message_id"`
	Typing    bool      `json:"typing,omitempty"` // a reply is being written
}

// Kind names the job.
func (TellRead) Kind() string { return "tell_read" }

// InsertOpts puts it on the send queue.
func (TellRead) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueSend} }

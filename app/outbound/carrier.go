package outbound

import (
	"context"
	"fmt"
	"time"
)

// State is the delivery state of a message. The values are the same as in the status
// callbacks to partners.
type State string

// The states, in the order in which a message reaches them. Failed is final.
const (
	Sent      State = "sent"
	Delivered State = "delivered"
	Read      State = "read"
	Failed    State = "failed"
)

// Replied is the event of the virtual carrier that the recipient has answered. It
// is not a state of the message.
const Replied State = "replied"

// Message is one part of a message that a channel hands to a carrier.
type Message struct {
	ID        string // ours, different for each part; also the carrier's idempotency key, the same on every attempt
	Attempt   int    // 1 for the first hand-over of this message
	Channel   string // such as "messaging" or "sms"
	Sender    string // the channel's own identifier: phone number id, header, agent
	Recipient string // E.164, with or without the plus sign
	Kind      string // template, text, image and so on
	Payload   []byte // JSON in the channel's own shape
	Part      int    // from 1 to Parts
	Parts     int
	HandOver  int       // counts the hand-overs of this part that were recorded, from 1; 0 if none are
	Until     time.Time // it is of no use to the recipient later
}

// Receipt is a carrier's acceptance of a message.
type Receipt struct {
	ProviderID string // the carrier's identifier, the same for the same message
	State      State  // the first state, normally Sent
}

// Forecast is a later event of a message, as a simulator announces it.
type Forecast struct {
	State State
	Delay time.Duration // after the event before it
	Error *CarrierError // why, when State is Failed
}

// Carrier delivers messages.
type Carrier interface {
	Traits() Traits
	// Send hands a message over. Its error is a *CarrierError if the carrier
	// certainly did not take the message. After any other error that is unknown.
	Send(ctx context.Context, m Message) (Receipt, error)
}

// Traits describe a carrier.
type Traits struct {
	Name string // in carriages and reports
	// Idempotent carriers accept a repeated ID as the same message, so that an
	// interrupted hand-over can be repeated at once.
	Idempotent bool
	// Patience is how long a carrier that is not idempotent has to report a
	// message after its hand-over was interrupted, before it is handed over again.
	Patience time.Duration
	// Parks says that a hand-over without an answer or a report is never repeated by
	// itself. A person decides about it when Patience is over.
	Parks bool
}

// Preparer is a carrier for messages that have to be prepared before their hand-over is
// recorded, such as by uploading their files. Its errors mean what they mean in Send: whatever
// they are, the carrier did not take the message.
type Preparer interface {
	Prepare(ctx context.Context, m Message) (Message, error)
	// Requests reports whether preparing a message with a payload may take requests.
	Requests(payload []byte) bool
}

// Asker is a carrier that can be asked for a message after its hand-over was
// interrupted. found is false if the carrier does not have it.
type Asker interface {
	Ask(ctx context.Context, m Message) (r Receipt, found bool, err error)
}

// Revoker is a carrier that can take a message back which was not delivered, so
// that a fallback does not follow a message that arrives after all.
type Revoker interface {
	Revoke(ctx context.Context, m Message) error
}

// Reacher is a carrier that can be asked whether a phone can receive the messages
// of a sender.
type Reacher interface {
	Reaches(ctx context.Context, m Message) (bool, error)
}

// Simulator is a carrier that invents what happens to messages. The others report
// it themselves.
type Simulator interface {
	// Next returns the event that follows the state of a message to the recipient.
	// ok is false if there is none.
	Next(channel, recipient string, after State) (next Forecast, ok bool)
	// NextPayment returns the next step of the payer of an order that was read. ok
	// is false if there is none.
	NextPayment(p Payment) (step PaymentStep, ok bool)
}

// CarrierError is a carrier's refusal. The carrier did not take the message. Code
// and Title are in the vocabulary of the channel's status callbacks, for instance
// 131026 "Message undeliverable".
type CarrierError struct {
	Code      int
	Title     string
	Detail    string        // more about this message; may be empty
	Temporary bool          // true: try again; false: the message has failed for good
	Wait      time.Duration // before the next try; 0 leaves it to the caller
}

// Error returns the code, the title and the detail.
func (e *CarrierError) Error() string {
	text := fmt.Sprintf("carrier: %d %s", e.Code, e.Title)
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

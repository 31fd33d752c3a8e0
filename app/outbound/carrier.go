package outbound

import (
	"context"
	"fmt"
	"time"
)

// State is the delivery state of a message. The values are those of the status
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

// Message is a message that a channel hands to a carrier.
type Message struct {
	ID        string // ours; also the carrier's idempotency key, the same on every attempt
	Attempt   int    // 1 for the first hand-over of this message
	Channel   string // such as "messaging" or "sms"
	Sender    string // the channel's own identifier: phone number id, sender id, bot id
	Recipient string // E.164, with or without the plus sign
	Kind      string // template, text, image and so on
	Payload   []byte // JSON in the channel's own shape
}

// Receipt is a carrier's acceptance of a message.
type Receipt struct {
	ProviderID string // the carrier's identifier, the same for the same message
	State      State  // the first state, normally Sent
}

// Step is a later event of a message.
type Step struct {
	State State
	Delay time.Duration // after the event before it
	Error *CarrierError // why, when State is Failed
}

// Carrier delivers messages.
//
// Send hands one over. It must accept a repeated ID as the same message. Its
// error is a *CarrierError if the carrier answered. After any other error the
// result is unknown and the hand-over must be retried.
//
// Next returns the event that follows the state of a message to the recipient.
// ok is false if there is none or if the carrier reports events itself.
type Carrier interface {
	Send(ctx context.Context, m Message) (Receipt, error)
	Next(recipient string, after State) (step Step, ok bool)
	// NextPayment returns the next step of the payer of an order that was read.
	// ok is false if there is none or if the carrier reports steps itself.
	NextPayment(p Payment) (step PaymentStep, ok bool)
}

// CarrierError is a carrier's refusal. Code and Title are in the vocabulary of
// the channel's status callbacks, for instance 131026 "Message undeliverable".
type CarrierError struct {
	Code      int
	Title     string
	Temporary bool // true: try again; false: the message has failed for good
}

// Error returns the code and the title.
func (e *CarrierError) Error() string { return fmt.Sprintf("carrier: %d %s", e.Code, e.Title) }

package outbound

import (
	"context"
	"fmt"
	"time"
)

// State is how far a carrier has brought a message. The words are those of the
// status callbacks that partners receive.
type State string

// The states, in the order in which a message passes them; a failed message
// passes no other.
const (
	Sent      State = "sent"
	Delivered State = "delivered"
	Read      State = "read"
	Failed    State = "failed"
)

// Replied is what the virtual carrier says when the recipient has answered: an
// event after the message, not a state of it.
const Replied State = "replied"

// Message is what a channel hands to a carrier.
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

// Carrier takes messages onward.
//
// Send hands one over. It must accept a repeated ID as the same message. Its
// error is a *CarrierError when the carrier answered; any other error means
// that nothing is known and the hand-over is to be tried again.
//
// Next gives the event that follows the state reached by a message to the
// recipient; ok is false when none will or when the carrier reports by itself.
type Carrier interface {
	Send(ctx context.Context, m Message) (Receipt, error)
	Next(recipient string, after State) (step Step, ok bool)
	// NextPayment gives what the payer of an order that was read does next; ok
	// is false when it is nothing or when the carrier reports by itself.
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

// Package pipeline implements what all channels share: it accepts messages, keeps
// idempotency keys, tracks hand-overs to carriers, moves messages along the states
// of their channel, and stores the events about them for relay to post.
//
// It knows no channel. Each channel declares itself with a Channel.
package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/blocklist"
	"heliograph/app/channels/relay"
	"heliograph/app/keyring"
	"heliograph/app/lists"
	"heliograph/db/models"
	"heliograph/jobs/args"
)

// Accepted is the first state of every message.
const Accepted = "accepted"

// Failed is the state of a failed message in channels that have no other.
const Failed = "failed"

// Channel is the declaration of a channel.
type Channel struct {
	Name string        // as in messages, webhooks and API key scopes
	Life time.Duration // of messages that set no time to live

	// Follows maps each state but Accepted to the states that it may follow. A
	// message only moves along it, so never backwards.
	Follows map[string][]string
	// Failures are the states of failed messages; nil means Failed alone.
	Failures []string

	MessageID      func(uuid.UUID) string         // public form of an id
	ParseMessageID func(string) (uuid.UUID, bool) // of a public id

	// Open returns the payload of a message with what it keeps sealed, for the
	// carrier only; nil means that nothing is sealed.
	Open func(*keyring.Keyring, models.Message) ([]byte, error)
	// Parts returns what is handed over, in order. It is needed for messages of
	// more than one part; nil means one part with the payload of the message.
	Parts func(models.Message) ([]Part, error)
	// Files returns the files that a message names by their address. Those that
	// cannot be had fail it, with the failure that Unfetched returns for the problem.
	// nil means that messages have none.
	Files     func(models.Message) ([]RemoteFile, error)
	Unfetched func(problem string) Failure
	// Refusal returns the state and the failure of a message that a carrier
	// refused for good; nil means Failed with the carrier's code and title.
	Refusal func(Refusal) (state string, f Failure)
	// ExpiresSent reports whether a message with a time to live fails when it is
	// over, although a carrier has taken the message. Other channels leave that
	// to their carriers.
	ExpiresSent bool
	// UsualTTL is the time to live of most messages, in seconds. Messages that have
	// it get no job that expires them. Settle ends them, with one look at each.
	UsualTTL int
	// Grace is how long after the life of a message its carrier's report is awaited.
	Grace time.Duration
	// Expired returns the state and the failure of a message after its life is over.
	Expired func(models.Message) (state string, f Failure)
	// Suppressed returns the state and the failure of a message to a recipient that must
	// not be contacted; ok is false if it may be sent all the same. nil means Failed.
	Suppressed func(m models.Message, reason blocklist.Reason) (state string, f Failure, ok bool)
	// FallsOver reports whether the next leg of a message carries it after a step
	// of this channel that failed it; nil means always. m is the message on that
	// leg.
	FallsOver func(m models.Message, s Step) bool
	// Callbacks returns the events about changes of messages with a first leg of
	// this channel. Steps of further legs have the states and failures of their
	// own channels. All messages have a webhook.
	Callbacks func(ctx context.Context, tx pgx.Tx, changes []Change) ([]relay.Event, error)

	// SimulateReply makes the virtual recipient of a message answer it.
	SimulateReply func(ctx context.Context, tx pgx.Tx, jobs args.Inserter, m models.Message) error

	// ReadReport reads the report of a carrier, from the fields that it sends. ok is
	// false if it changes nothing. Without it, carriers report nothing themselves.
	ReadReport func(fields map[string]string) (r CarrierReport, ok bool)

	// Payload returns what users may see of the content of a message. hidden
	// reports whether secrets were masked.
	Payload func(models.Message) (text string, hidden bool, err error)
	// Remedy returns what the sender can do about a failure; empty for codes that the
	// documentation does not list.
	Remedy func(Failure) string
	// Reference is the version that documents the channel, such as sms/1.0.
	Reference string

	// Receive stores a message that a carrier passes on, from the fields that it
	// sends. It returns the organisation that it is for, or 0 for nobody. Without it,
	// carriers pass nothing on.
	Receive func(ctx context.Context, tx pgx.Tx, jobs args.Inserter, carrier string, fields map[string]string) (organisationID int64, err error)

	Relay relay.Protocol // how events are posted
}

// Part is one part of a message as it is handed over.
type Part struct {
	Number  int    // from 1
	Payload []byte // JSON in the channel's own form
}

// Failure is the reason why a message failed, with the codes of the channel.
type Failure struct {
	Code   int    `json:"code"`
	Title  string `json:"title"`
	Detail string `json:"detail,omitempty"`
}

// Refusal is the reason of a carrier that refuses a message for good.
type Refusal struct {
	Code          int
	Title, Detail string
}

// Channels holds the declared channels by name.
type Channels map[string]*Channel

// NewChannels returns the channels by name.
func NewChannels(channels ...*Channel) Channels {
	return lists.By(channels, func(c *Channel) string { return c.Name })
}

// Get returns the declaration of a channel.
func (c Channels) Get(name string) (*Channel, error) {
	if found := c[name]; found != nil {
		return found, nil
	}
	return nil, fmt.Errorf("there is no channel %q", name)
}

// MessageID returns the public id of a message of a channel, or the stored one if there
// is no such channel.
func (c Channels) MessageID(channel string, id uuid.UUID) string {
	if found := c[channel]; found != nil {
		return found.MessageID(id)
	}
	return id.String()
}

// ParseMessageID parses an id in the public form of any channel or as it is
// stored. ok is false for any other text.
func (c Channels) ParseMessageID(text string) (id uuid.UUID, ok bool) {
	for _, channel := range c {
		if id, ok := channel.ParseMessageID(text); ok {
			return id, true
		}
	}
	id, err := uuid.Parse(text)
	return id, err == nil && len(text) == 36
}

// Protocol returns how the events of a channel are posted.
func (c Channels) Protocol(name string) (relay.Protocol, error) {
	found, err := c.Get(name)
	if err != nil {
		return relay.Protocol{}, err
	}
	return found.Relay, nil
}

// SplitMessage returns what is handed over of a message.
func (c *Channel) SplitMessage(m models.Message) ([]Part, error) {
	if c.Parts == nil {
		return []Part{{Number: 1, Payload: m.Payload}}, nil
	}
	return c.Parts(m)
}

// RefusedStep returns the step of a part, or of a whole message for part 0, that
// its carrier refused for good.
func (c *Channel) RefusedStep(m models.Message, part int, r Refusal) Step {
	step := Step{MessageID: m.ID, Leg: m.Leg, Part: part, State: Failed, At: time.Now(), Failure: &Failure{Code: r.Code, Title: r.Title, Detail: r.Detail}}
	if c.Refusal != nil {
		state, failure := c.Refusal(r)
		step.State, step.Failure = state, &failure
	}
	return step
}

// Advice is what the sender can do about a failure.
type Advice struct {
	Remedy string
	Entry  string // path of the entry of the code in the documentation; empty if it has none
}

// ParseFailure parses the stored failure of a message. ok is false if there is
// none.
func (c *Channel) ParseFailure(raw json.RawMessage) (f Failure, a Advice, ok bool) {
	if len(raw) == 0 || json.Unmarshal(raw, &f) != nil {
		return f, a, false
	}
	if c.Remedy != nil {
		a.Remedy = c.Remedy(f)
	}
	switch {
	case a.Remedy == "":
		a.Remedy = "The carrier gave no further details. If it happens again, contact us (/contact-us on the portal) and include the message id."
	case f.Code != 0:
		a.Entry = c.ErrorEntry(f.Code)
	}
	return f, a, true
}

// ErrorEntry returns the path of the entry of an error code in the documentation.
func (c *Channel) ErrorEntry(code int) string {
	return "/docs/" + c.Reference + "/errors#error-" + strconv.Itoa(code)
}

// isFailure reports whether state is one of failed messages.
func (c *Channel) isFailure(state string) bool {
	if c.Failures == nil {
		return state == Failed
	}
	return slices.Contains(c.Failures, state)
}

// hasReached reports whether a message in a state has been in target, or would
// have been if its reports had come in order.
func (c *Channel) hasReached(state, target string) bool {
	return state == target || slices.Contains(c.Follows[state], target)
}

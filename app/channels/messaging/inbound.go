package messaging

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/blocklist"
	"heliograph/app/channels/messaging/callback"
	"heliograph/app/channels/relay"
	"heliograph/app/input"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// callbackContact is the sender of a received message.
type callbackContact struct {
	Profile      callbackProfile `json:"profile"`
	WaID         string          `json:"wa_id,omitempty"` // digits; empty if the number is not known
	UserID       string          `json:"user_id,omitempty"`
	ParentUserID string          `json:"parent_user_id,omitempty"`
}

// callbackProfile is the public profile of a contact.
type callbackProfile struct {
	Name     string `json:"name,omitempty"`
	Username string `json:"username,omitempty"` // may change
}

// callbackMessage is a received message.
type callbackMessage struct {
	From             string           `json:"from,omitempty"` // digits; empty if the number is not known
	FromUserID       string           `json:"from_user_id,omitempty"`
	FromParentUserID string           `json:"from_parent_user_id,omitempty"`
	ID               string           `json:"id"`
	Timestamp        string           `json:"timestamp"` // Unix seconds
	Type             string           `json:"type"`
	Context          *callbackContext `json:"context,omitempty"`
	inboundContent
}

// callbackContext identifies the message that was answered and its sender.
type callbackContext struct {
	From string `json:"from"`
	ID   string `json:"id"`
}

// inboundContent is the content of a received message. Only the field of its
// type is set.
type inboundContent struct {
	Text        *inboundText     `json:"text,omitempty"`
	Image       *inboundMedia    `json:"image,omitempty"`
	Video       *inboundMedia    `json:"video,omitempty"`
	Audio       *inboundMedia    `json:"audio,omitempty"`
	Document    *inboundMedia    `json:"document,omitempty"`
	Sticker     *inboundMedia    `json:"sticker,omitempty"`
	Button      *pressedButton   `json:"button,omitempty"`
	Interactive *chosenReply     `json:"interactive,omitempty"`
	Reaction    *inboundReaction `json:"reaction,omitempty"`
	Location    *location        `json:"location,omitempty"`
	Contacts    []contactCard    `json:"contacts,omitempty"`
	Order       *inboundOrder    `json:"order,omitempty"`
	System      *inboundSystem   `json:"system,omitempty"`
	Errors      []callbackError  `json:"errors,omitempty"` // of a message of type unsupported
}

// inboundText is the content of a received message of type text.
type inboundText struct {
	Body input.Text `json:"body"`
}

// pressedButton is the quick-reply button of a template that the contact
// pressed.
type pressedButton struct {
	Payload input.Text `json:"payload,omitempty"`
	Text    input.Text `json:"text"`
}

// chosenReply is the contact's answer to an interactive message. Only the field
// of its type is set.
type chosenReply struct {
	Type        input.Text `json:"type"` // button_reply, list_reply or nfm_reply
	ButtonReply *choice    `json:"button_reply,omitempty"`
	ListReply   *choice    `json:"list_reply,omitempty"`
	FlowReply   *flowData  `json:"nfm_reply,omitempty"`
}

// choice is a button or a list row, with the id from the interactive message.
type choice struct {
	ID          input.Text `json:"id"`
	Title       input.Text `json:"title"`
	Description input.Text `json:"description,omitempty"`
}

// flowData is the result of a flow; ResponseJSON is JSON text.
type flowData struct {
	Name         input.Text `json:"name,omitempty"`
	Body         input.Text `json:"body,omitempty"`
	ResponseJSON input.Text `json:"response_json"`
}

// inboundReaction is an emoji reaction to a message. Without an emoji it
// removes the reaction.
type inboundReaction struct {
	MessageID input.Text `json:"message_id"`
	Emoji     input.Text `json:"emoji,omitempty"`
}

// inbound is a message from a contact to a number.
type inbound struct {
	PhoneNumberID int64
	Product       string        // the channel word that the partner uses
	Person        models.Person // the contact: a number, a user id or both
	Former        []string      // ids and the number that the contact has no more
	Name          string        // profile name of the contact
	Type          string
	Context       *uuid.UUID // the message that it answers, or nil
	Content       inboundContent
	posted        *posted // as its carrier posted it; nil for a simulated one
}

// receive stores an inbound message in the caller's transaction and opens the
// window in which the contact can be sent messages of every kind. If the number
// has a webhook, it also stores the callback and its job.
func receive(ctx context.Context, tx pgx.Tx, jobs args.Inserter, in inbound) (uuid.UUID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return id, fmt.Errorf("drawing a message id: %w", err)
	}
	return id, receiveAs(ctx, tx, jobs, id, in)
}

// receiveAs is receive with the id of the message.
func receiveAs(ctx context.Context, tx pgx.Tx, jobs args.Inserter, id uuid.UUID, in inbound) error {
	content := any(in.Content)
	if in.posted != nil {
		content = in.posted.content()
	}
	payload, err := json.Marshal(content)
	if err != nil {
		return fmt.Errorf("writing a received message: %w", err)
	}
	now := time.Now()
	err = writes.InboundMessageInsert(ctx, tx, models.InboundMessage{
		ID: id, PhoneNumberID: in.PhoneNumberID, Contact: in.contact(), UserID: in.Person.UserID, Kind: in.Type, Payload: payload, Context: in.Context, ReceivedAt: now,
	})
	if err != nil {
		return fmt.Errorf("storing a received message: %w", err)
	}
	if err := in.meet(ctx, tx); err != nil {
		return err
	}
	if err := in.obeyStop(ctx, tx); err != nil {
		return err
	}
	return relayToNumber(ctx, tx, jobs, in.PhoneNumberID, func(number models.PhoneNumber) relay.Event {
		return relay.Event{Kind: "message.received", MessageID: &id, Body: in.callback(number, MessageID(id), now)}
	})
}

// obeyStop stops or starts the messages to a contact who has asked for it, by a
// text or a button.
func (in *inbound) obeyStop(ctx context.Context, tx pgx.Tx) error {
	text := ""
	switch c := in.Content; {
	case c.Text != nil:
		text = string(c.Text.Body)
	case c.Button != nil:
		text = string(c.Button.Text)
	}
	if !blocklist.IsStopWord(text) {
		return nil
	}
	number, err := numberOfCallback(ctx, tx, in.PhoneNumberID)
	if err != nil {
		return err
	}
	return blocklist.ObeyStop(ctx, tx, blocklist.Inbound{OrganisationID: number.OrganisationID, Channel: Channel, From: in.contact(), Text: text})
}

func (in *inbound) callback(number models.PhoneNumber, id string, at time.Time) callback.Body {
	if in.posted != nil {
		return in.posted.callback(in.Product, number, id)
	}
	own := number.Number[1:]
	message := callbackMessage{
		From: in.Person.Number, FromUserID: in.Person.UserID, FromParentUserID: in.Person.ParentUserID,
		ID: id, Timestamp: strconv.FormatInt(at.Unix(), 10), Type: in.Type,
		Context: answered(number, in.Context), inboundContent: in.Content,
	}
	change := MessagesChange{
		MessagingProduct: in.Product,
		Metadata:         callbackMetadata{DisplayPhoneNumber: own, PhoneNumberID: strconv.FormatInt(number.ID, 10)},
		Contacts:         []callbackContact{newCallbackContact(in.Person, in.Name)},
		Messages:         []callbackMessage{message},
	}
	if in.Content.System != nil && in.Content.System.Type == idChanged {
		change.Contacts = nil
	}
	return callback.New(in.Product, number.BusinessAccountID, "messages", change)
}

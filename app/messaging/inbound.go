package messaging

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/input"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// CallbackContact is the sender of a received message.
type CallbackContact struct {
	Profile CallbackProfile `json:"profile"`
	WaID    string          `json:"wa_id"` // digits
}

// CallbackProfile is the public profile of a contact.
type CallbackProfile struct {
	Name string `json:"name"`
}

// CallbackMessage is a received message.
type CallbackMessage struct {
	From      string           `json:"from"` // digits
	ID        string           `json:"id"`
	Timestamp string           `json:"timestamp"` // Unix seconds
	Type      string           `json:"type"`
	Context   *CallbackContext `json:"context,omitempty"`
	InboundContent
}

// CallbackContext identifies the message that was answered and its sender.
type CallbackContext struct {
	From string `json:"from"`
	ID   string `json:"id"`
}

// InboundContent is the content of a received message. Only the field of its
// type is set.
type InboundContent struct {
	Text        *InboundText     `json:"text,omitempty"`
	Button      *PressedButton   `json:"button,omitempty"`
	Interactive *ChosenReply     `json:"interactive,omitempty"`
	Reaction    *InboundReaction `json:"reaction,omitempty"`
	Location    *Location        `json:"location,omitempty"`
	Contacts    []ContactCard    `json:"contacts,omitempty"`
}

// InboundText is the content of a received message of type text.
type InboundText struct {
	Body input.Text `json:"body"`
}

// PressedButton is the quick-reply button of a template that the contact
// pressed.
type PressedButton struct {
	Payload input.Text `json:"payload,omitempty"`
	Text    input.Text `json:"text"`
}

// ChosenReply is the contact's answer to an interactive message. Only the field
// of its type is set.
type ChosenReply struct {
	Type        input.Text `json:"type"` // button_reply, list_reply or nfm_reply
	ButtonReply *Choice    `json:"button_reply,omitempty"`
	ListReply   *Choice    `json:"list_reply,omitempty"`
	FlowReply   *FlowData  `json:"nfm_reply,omitempty"`
}

// Choice is a button or a list row, with the id from the interactive message.
type Choice struct {
	ID          input.Text `json:"id"`
	Title       input.Text `json:"title"`
	Description input.Text `json:"description,omitempty"`
}

// FlowData is the result of a flow; ResponseJSON is JSON text.
type FlowData struct {
	Name         input.Text `json:"name,omitempty"`
	Body         input.Text `json:"body,omitempty"`
	ResponseJSON input.Text `json:"response_json"`
}

// InboundReaction is an emoji reaction to a message. Without an emoji it
// removes the reaction.
type InboundReaction struct {
	MessageID input.Text `json:"message_id"`
	Emoji     input.Text `json:"emoji,omitempty"`
}

// Inbound is a message from a contact to a number.
type Inbound struct {
	PhoneNumberID int64
	Product       string // the channel word that the partner uses
	From          string // digits
	Name          string // profile name of the contact
	Type          string
	Context       *uuid.UUID // the message that it answers, or nil, or nil
	Content       InboundContent
}

// Receive stores an inbound message in the caller's transaction and opens the
// window in which the contact can be sent messages of every kind. If the number
// has a webhook, it also stores the callback and its job.
func Receive(ctx context.Context, tx pgx.Tx, jobs args.Inserter, in Inbound) (uuid.UUID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return id, fmt.Errorf("drawing a message id: %w", err)
	}
	payload, err := json.Marshal(in.Content)
	if err != nil {
		return id, fmt.Errorf("writing a received message: %w", err)
	}
	now := time.Now()
	err = queries.InboundMessageInsert(ctx, tx, models.InboundMessage{
		ID: id, PhoneNumberID: in.PhoneNumberID, Contact: in.From, Kind: in.Type, Payload: payload, Context: in.Context, ReceivedAt: now,
	})
	if err != nil {
		return id, fmt.Errorf("storing a received message: %w", err)
	}
	return id, relayToNumber(ctx, tx, jobs, in.PhoneNumberID, func(number models.PhoneNumber) notice {
		return notice{event: "message.received", messageID: &id, payload: in.callback(number, MessageID(id), now)}
	})
}

func (in *Inbound) callback(number models.PhoneNumber, id string, at time.Time) Callback {
	own := number.Number[1:]
	message := CallbackMessage{From: in.From, ID: id, Timestamp: strconv.FormatInt(at.Unix(), 10), Type: in.Type, InboundContent: in.Content}
	if in.Context != nil {
		message.Context = &CallbackContext{From: own, ID: MessageID(*in.Context)}
	}
	return newCallback(in.Product, number.BusinessAccountID, "messages", MessagesChange{
		MessagingProduct: in.Product,
		Metadata:         CallbackMetadata{DisplayPhoneNumber: own, PhoneNumberID: strconv.FormatInt(number.ID, 10)},
		Contacts:         []CallbackContact{{Profile: CallbackProfile{Name: in.Name}, WaID: in.From}},
		Messages:         []CallbackMessage{message},
	})
}

// SimulateReply makes the virtual recipient of a message answer it. A text
// message is answered with its own text, any other message with its kind.
func SimulateReply(ctx context.Context, tx pgx.Tx, jobs args.Inserter, m models.Message) error {
	var sent SendRequest
	if err := json.Unmarshal(m.Payload, &sent); err != nil {
		return fmt.Errorf("reading message %s: %w", m.ID, err)
	}
	body := input.Text("Received: " + m.Kind)
	if sent.Text != nil {
		body = sent.Text.Body
	}
	_, err := Receive(ctx, tx, jobs, Inbound{
		PhoneNumberID: m.SenderID, Product: string(sent.MessagingProduct), From: m.Recipient, Name: virtualName,
		Type: "text", Context: &m.ID, Content: InboundContent{Text: &InboundText{Body: body}},
	})
	return err
}

// virtualName is the profile name of recipients of the virtual carrier.
const virtualName = "Virtual recipient"

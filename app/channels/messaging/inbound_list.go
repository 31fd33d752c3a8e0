package messaging

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/request"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs/args"
)

// Inbound holds the messages from people, and lets sandboxes receive some.
type Inbound struct {
	request.Once
	request.Names
	pool   *pgxpool.Pool
	jobs   args.Inserter
	media  *media.Store
	sender *Sender // checks what a message refers to
}

// ReceivedQuery asks for messages that a number received: up to Limit after or
// before one, or the newest ones.
type ReceivedQuery struct {
	From          string // a phone number or a user id; empty for everybody
	After, Before string // keys of ReceivedMessage
	Limit         int
}

// ReceivedMessage is a message that a number received, as its callback has it. Once
// contents are deleted, it has none.
type ReceivedMessage struct {
	Key string `json:"-"` // its place in the list
	callbackMessage
}

// Received lists the messages that a number received, the newest first, whether or
// not a callback told of them. It returns one more than the limit if there are more.
func (s *Inbound) Received(ctx context.Context, number models.PhoneNumber, q ReceivedQuery) ([]ReceivedMessage, error) {
	filter := queries.InboundFilter{OrganisationID: number.OrganisationID, PhoneNumberID: number.ID, Contact: contactOfText(q.From), Limit: q.Limit}
	if q.From != "" && filter.Contact == "" {
		return nil, refusal.New(refusal.Invalid, "from", "write from as a number with its country code, for example 919812345678, or as a user id")
	}
	for _, key := range []struct {
		name, text string
		id         *uuid.UUID
	}{{"after", q.After, &filter.After}, {"before", q.Before, &filter.Before}} {
		if key.text == "" {
			continue
		}
		var err error
		if *key.id, err = uuid.Parse(key.text); err != nil || *key.id == uuid.Nil {
			return nil, refusal.New(refusal.Invalid, key.name, "%s is not a cursor of this list: take it from paging.cursors", key.name)
		}
	}
	found, err := queries.InboundMessageList(ctx, s.pool, filter)
	if err != nil {
		return nil, fmt.Errorf("listing what %d received: %w", number.ID, err)
	}
	list := make([]ReceivedMessage, len(found))
	for i, m := range found {
		list[i] = ReceivedMessage{m.ID.String(), callbackMessage{
			From: usableNumber(m.Contact), FromUserID: m.UserID, ID: MessageID(m.ID), Timestamp: strconv.FormatInt(m.ReceivedAt.Unix(), 10), Type: m.Kind, Context: answered(number, m.Context),
		}}
		if err := json.Unmarshal(m.Payload, &list[i].inboundContent); err != nil {
			return nil, fmt.Errorf("reading received message %s: %w", m.ID, err)
		}
	}
	return list, nil
}

// answered returns the context of an answer to a message of a number, or nil.
func answered(number models.PhoneNumber, message *uuid.UUID) *callbackContext {
	if message == nil {
		return nil
	}
	return &callbackContext{From: number.Number[1:], ID: MessageID(*message)}
}

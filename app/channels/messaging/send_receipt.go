package messaging

import (
	"context"
	"fmt"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/request"
	"heliograph/app/channels/pipeline"
	"heliograph/app/input"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// typingIndicator shows the recipient that a reply is being written.
type typingIndicator struct {
	Type input.Text `json:"type"`
}

// doneReceipt is the response to a request that succeeded and has no other result.
type doneReceipt struct {
	Success bool `json:"success"`
}

// markRead marks an inbound message of the number, and all earlier ones of the
// same contact, as read.
func (s *Sender) markRead(ctx context.Context, number models.PhoneNumber, r *sendRequest, key pipeline.Key) (pipeline.Reply, error) {
	if err := r.checkReceipt(s.Names); err != nil {
		return pipeline.Reply{}, err
	}
	id, _ := ParseMessageID(string(r.MessageID))
	return s.DoOnce(ctx, key, func(tx pgx.Tx) (any, error) {
		found, err := writes.InboundMessageUpdateRead(ctx, tx, number.ID, id)
		if err != nil {
			return nil, fmt.Errorf("marking message %s as read: %w", id, err)
		}
		if !found {
			return nil, refusal.New(refusal.Value, "message_id", "message_id %s is not a message that number %s has received", r.MessageID, strconv.FormatInt(number.ID, 10))
		}
		if err := s.tellCarrier(ctx, tx, id, r.Typing != nil); err != nil {
			return nil, err
		}
		return doneReceipt{Success: true}, nil
	})
}

// tellCarrier inserts the job that tells the carrier of a received message that it was
// read. One that was simulated came from no carrier.
func (s *Sender) tellCarrier(ctx context.Context, tx pgx.Tx, id uuid.UUID, typing bool) error {
	_, _, err := queries.UpstreamOfReceived(ctx, tx, id)
	if err != nil {
		return db.Absent(err, nil, "looking the carrier of message %s up", id)
	}
	if _, err := s.jobs.InsertTx(ctx, tx, args.TellRead{MessageID: id, Typing: typing}, nil); err != nil {
		return fmt.Errorf("inserting the job that tells a carrier: %w", err)
	}
	return nil
}

// checkReceipt checks a request that marks a message as read.
func (r *sendRequest) checkReceipt(words []string) error {
	if err := request.CheckProduct(words, &r.MessagingProduct); err != nil {
		return err
	}
	v := &review{}
	v.word("status", &r.Status, "read")
	v.message("message_id", r.MessageID)
	if r.Typing != nil {
		v.word("typing_indicator.type", &r.Typing.Type, "text")
	}
	return v.fault()
}

package messaging

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/delivery"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// Send accepts a message for delivery, or marks a received one as read. It
// returns after the message and its job are committed. value is the caller's
// Idempotency-Key, or empty. The same key with the same body gives the same
// reply.
func (s *Sender) Send(ctx context.Context, number models.PhoneNumber, body []byte, value string) (delivery.Reply, error) {
	key := delivery.Key{OrganisationID: number.OrganisationID, Route: "messages/" + strconv.FormatInt(number.ID, 10), Body: body, Value: value}
	if stored, err := s.keys.Find(ctx, key); err != nil {
		return delivery.Reply{}, keyFault(err)
	} else if stored != nil {
		return *stored, nil
	}
	request, err := decodeSend(body)
	if err != nil {
		return delivery.Reply{}, err
	}
	if request.Status != "" {
		return s.markRead(ctx, number, request, key)
	}
	checked, err := s.check(ctx, number, request)
	if err != nil {
		return delivery.Reply{}, err
	}
	message, err := newMessage(number, request, checked, s.now())
	if err != nil {
		return delivery.Reply{}, err
	}
	answer := SendReply{
		MessagingProduct: string(request.MessagingProduct),
		Contacts:         []replyContact{newReplyContact(request, checked)},
		Messages:         []replyMessage{{ID: MessageID(message.ID), MessageStatus: delivery.Accepted}},
	}
	if request.orderParameters() != nil {
		return s.sendOrder(ctx, key, message, request, answer)
	}
	return s.accept(ctx, key, message, answer)
}

// accept stores a message and its reply.
func (s *Sender) accept(ctx context.Context, key delivery.Key, message models.Message, answer SendReply) (delivery.Reply, error) {
	body, err := json.Marshal(answer)
	if err != nil {
		return delivery.Reply{}, fmt.Errorf("writing the reply: %w", err)
	}
	reply, err := s.acceptor.Accept(ctx, delivery.Group{Key: key, Messages: []models.Message{message}, Reply: body})
	if err = keyFault(err); err != nil && fault.As(err) == nil {
		err = notAccepted(err)
	}
	return reply, err
}

// checkCarrier refuses to send from a live number that no carrier is set up for.
func (c connections) checkCarrier(ctx context.Context, number models.PhoneNumber) error {
	if number.Sandbox {
		return nil
	}
	route := delivery.RouteQuery{Channel: Channel, Sender: strconv.FormatInt(number.ID, 10), OrganisationID: number.OrganisationID}
	err := c.routes.Check(ctx, route)
	if fault.Is(err, fault.Unavailable) {
		return reject(codeUnregistered, "phone_number_id", "number %d is not connected to a carrier yet, so its messages cannot be delivered: contact us (/contact-us on the portal), or use a sandbox number", number.ID)
	}
	return err
}

// newMessage returns the row of a message. Undocumented fields of the request are
// dropped.
func newMessage(number models.PhoneNumber, r *sendRequest, checked checkedSend, now time.Time) (models.Message, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return models.Message{}, fmt.Errorf("drawing a message id: %w", err)
	}
	payload, err := json.Marshal(r)
	if err != nil {
		return models.Message{}, fmt.Errorf("writing the payload: %w", err)
	}
	return models.Message{
		ID: id, OrganisationID: number.OrganisationID, Channel: Channel, Sender: strconv.FormatInt(number.ID, 10), Recipient: checked.recipient,
		Kind: string(r.Type), Payload: payload, Reference: string(r.Reference), Category: checked.category,
		TTL: checked.ttl, State: delivery.Accepted, CreatedAt: now,
	}, nil
}

// Number returns the phone number with the id. An unknown id is NotFound, a
// number of another organisation is Forbidden.
func (s *Numbers) Number(ctx context.Context, organisationID int64, id string) (models.PhoneNumber, error) {
	n, ok := parseAssetID(id)
	if !ok {
		return models.PhoneNumber{}, notFound(id)
	}
	number, err := s.known.Get(ctx, n, func(ctx context.Context, n int64) (models.PhoneNumber, error) {
		return queries.PhoneNumberGet(ctx, s.pool, n)
	})
	switch {
	case db.IsNoRows(err):
		return number, notFound(id)
	case err != nil:
		return number, fmt.Errorf("looking a phone number up: %w", err)
	case number.OrganisationID != organisationID:
		return number, reject(codePermission, "phone_number_id", "phone number %s belongs to another organisation", id)
	}
	return number, nil
}

// Kind returns the kind of the asset with the id: business, business_account,
// phone_number, catalogue, template or media. An unknown id is NotFound, and so
// is media or a template of another organisation. Any other asset of another
// organisation is Forbidden.
func (s *Numbers) Kind(ctx context.Context, organisationID int64, id string) (string, error) {
	n, ok := parseAssetID(id)
	if !ok {
		return "", notFound(id)
	}
	kind, owner, err := queries.RegistryGet(ctx, s.pool, n)
	switch {
	case db.IsNoRows(err):
		return "", notFound(id)
	case err != nil:
		return "", fmt.Errorf("looking an id up: %w", err)
	case owner == organisationID:
		return kind, nil
	case kind == "media" || kind == "template":
		return "", notFound(id) // do not reveal whether it exists
	}
	return "", reject(codePermission, "", "object %s belongs to another organisation", id)
}

// parseAssetID parses a registry id: 15 or 16 digits, the first not zero.
func parseAssetID(id string) (int64, bool) {
	n, err := strconv.ParseInt(id, 10, 64)
	return n, err == nil && len(id) >= 15 && len(id) <= 16 && id[0] >= '1' && id[0] <= '9'
}

// Numbers lists the phone numbers of an organisation, oldest first.
func (s *Numbers) Numbers(ctx context.Context, organisationID int64) ([]models.PhoneNumber, error) {
	numbers, err := queries.PhoneNumberList(ctx, s.pool, organisationID)
	if err != nil {
		return nil, fmt.Errorf("listing phone numbers: %w", err)
	}
	return numbers, nil
}

package messaging

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Reply is the response to a creating request.
type Reply struct {
	Body     []byte // JSON
	Replayed bool   // stored by an earlier request with the same key
}

// Send accepts a message for delivery, or marks a received one as read. It
// returns after the message and its job are committed. key is the caller's
// Idempotency-Key, or empty. The same key with the same body gives the same
// reply.
func (s *Service) Send(ctx context.Context, number models.PhoneNumber, body []byte, key string) (Reply, error) {
	made := Request{OrganisationID: number.OrganisationID, Route: "messages/" + strconv.FormatInt(number.ID, 10), Body: body, Key: key}
	claim, err := s.claim(made.Route, body, key)
	if err != nil {
		return Reply{}, err
	}
	if stored, err := s.replayed(ctx, number.OrganisationID, claim); err != nil || stored != nil {
		return Reply{Body: stored, Replayed: stored != nil}, err
	}
	request, err := decodeSend(body)
	if err != nil {
		return Reply{}, err
	}
	if request.Status != "" {
		return s.markRead(ctx, number, request, made)
	}
	checked, err := s.check(ctx, number, request)
	if err != nil {
		return Reply{}, err
	}
	message, err := newMessage(number, request, checked)
	if err != nil {
		return Reply{}, err
	}
	answer := SendReply{
		MessagingProduct: string(request.MessagingProduct),
		Contacts:         []replyContact{{Input: string(request.To), WaID: checked.recipient}},
		Messages:         []replyMessage{{ID: MessageID(message.ID), MessageStatus: "accepted"}},
	}
	if request.orderParameters() != nil {
		return s.sendOrder(ctx, made, message, request, answer)
	}
	claim.Status = 200
	if claim.Response, err = json.Marshal(answer); err != nil {
		return Reply{}, fmt.Errorf("writing the reply: %w", err)
	}
	reply, replayed, err := s.acceptor.accept(ctx, message, claim)
	return Reply{Body: reply.Response, Replayed: replayed}, err
}

// newMessage returns the row of a message. Undocumented fields of the request are
// dropped.
func newMessage(number models.PhoneNumber, r *sendRequest, checked checkedSend) (models.Message, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return models.Message{}, fmt.Errorf("drawing a message id: %w", err)
	}
	payload, err := json.Marshal(r)
	if err != nil {
		return models.Message{}, fmt.Errorf("writing the payload: %w", err)
	}
	return models.Message{
		ID: id, OrganisationID: number.OrganisationID, Channel: Channel, SenderID: number.ID, Recipient: checked.recipient,
		Kind: string(r.Type), Payload: payload, Reference: string(r.Reference), Category: checked.category,
		TTL: checked.ttl, State: "accepted", CreatedAt: time.Now(),
	}, nil
}

const maxKey = 255 // characters of an Idempotency-Key

func (s *Service) claim(route string, body []byte, key string) (models.IdempotentReply, error) {
	if !utf8.ValidString(key) {
		return models.IdempotentReply{}, reject(codeInvalid, "Idempotency-Key", "Idempotency-Key is not UTF-8: use printable characters, such as those of a UUID")
	}
	if len(key) > maxKey {
		return models.IdempotentReply{}, reject(codeInvalid, "Idempotency-Key", "Idempotency-Key has %d characters: use at most %d", len(key), maxKey)
	}
	if key == "" {
		return models.IdempotentReply{}, nil
	}
	sum := sha256.Sum256(body)
	return models.IdempotentReply{Key: key, Route: route, Fingerprint: sum[:]}, nil
}

// replayed returns the stored reply of a key, or nil if it was not used before.
func (s *Service) replayed(ctx context.Context, organisationID int64, claim models.IdempotentReply) ([]byte, error) {
	if claim.Key == "" {
		return nil, nil
	}
	stored, err := queries.IdempotencyGet(ctx, s.pool, organisationID, claim.Key)
	if db.IsNoRows(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking an idempotency key up: %w", err)
	}
	return stored.Response, sameRequest(stored, claim)
}

// Number returns the phone number with the id. An unknown id is NotFound, a
// number of another organisation is Forbidden.
func (s *Service) Number(ctx context.Context, organisationID int64, id string) (models.PhoneNumber, error) {
	n, ok := parseAssetID(id)
	if !ok {
		return models.PhoneNumber{}, notFound(id)
	}
	number, err := s.numbers.Get(ctx, n, func(ctx context.Context, n int64) (models.PhoneNumber, error) {
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
func (s *Service) Kind(ctx context.Context, organisationID int64, id string) (string, error) {
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
func (s *Service) Numbers(ctx context.Context, organisationID int64) ([]models.PhoneNumber, error) {
	numbers, err := queries.PhoneNumberList(ctx, s.pool, organisationID)
	if err != nil {
		return nil, fmt.Errorf("listing phone numbers: %w", err)
	}
	return numbers, nil
}

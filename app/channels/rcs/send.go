package rcs

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/delivery"
	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Sent is the outcome for a recipient.
type Sent struct {
	To        string        `json:"to"`
	MessageID string        `json:"messageId"`
	Status    string        `json:"status"` // PENDING or REJECTED
	Error     *messageError `json:"error,omitempty"`
}

// batch is a request to send on its way into the store.
type batch struct {
	bot        models.RCSBot
	options    map[string]any // those of the request
	now        time.Time
	recipients []*recipient
	templates  map[string]map[string]any // contents by name
}

// recipient is one message of a request.
type recipient struct {
	path      string // of its fields in the request
	numberAt  string // path of the number
	to        string
	messageID string // chosen by the partner, or empty
	template  string // name, or empty
	params    map[string]string
	content   map[string]any // without a template

	message     models.Message
	fingerprint []byte
	replayed    bool // an earlier request has stored it
	refusal     *messageError
}

// Send accepts the messages of a request in one of four shapes and returns an
// outcome for each recipient. It returns after they are committed.
func (s *Service) Send(ctx context.Context, organisationID int64, in input.Object) ([]Sent, error) {
	shape, err := shapeOf(in)
	if err != nil {
		return nil, err
	}
	if err := shape.check(in); err != nil {
		return nil, err
	}
	return s.send(ctx, organisationID, in, readRecipients(in))
}

// SendFreeflow accepts one message without a template.
func (s *Service) SendFreeflow(ctx context.Context, organisationID int64, in input.Object) ([]Sent, error) {
	c := &check{}
	freeflow(c, "", map[string]any(in))
	if err := c.err(); err != nil {
		return nil, err
	}
	return s.send(ctx, organisationID, in, readRecipients(in))
}

// readRecipients returns the messages of a request that has been checked.
func readRecipients(in map[string]any) (all []*recipient) {
	content, _ := in["contentMessage"].(map[string]any)
	if messages, ok := in["messages"].([]any); ok {
		for i, item := range messages {
			m := item.(map[string]any)
			path := fmt.Sprintf("messages[%d]", i)
			all = append(all, &recipient{
				path: path, numberAt: path + ".to", to: stringOf(m["to"]), messageID: stringOf(m["messageId"]), template: stringOf(m["templateCode"]), params: readParams(m["customParams"]),
			})
		}
		return all
	}
	targets, many := in["recipients"].([]any)
	if !many {
		return []*recipient{{numberAt: "to", to: stringOf(in["to"]), messageID: stringOf(in["messageId"]), content: content}}
	}
	for i, item := range targets {
		path := fmt.Sprintf("recipients[%d]", i)
		if m, ok := item.(map[string]any); ok {
			all = append(all, &recipient{
				path: path, numberAt: path + ".to", to: stringOf(m["to"]), messageID: stringOf(m["messageId"]), template: stringOf(in["templateCode"]), params: readParams(m["customParams"]),
			})
			continue
		}
		all = append(all, &recipient{path: path, numberAt: path, to: stringOf(item), content: content})
	}
	return all
}

// send checks the messages of a request and stores them.
func (s *Service) send(ctx context.Context, organisationID int64, in map[string]any, recipients []*recipient) ([]Sent, error) {
	bot, err := s.bot(ctx, s.Pool, organisationID, stringOf(in["botId"]))
	if err != nil {
		return nil, err
	}
	b := &batch{bot: bot, options: without(in, "messages", "recipients", "to", "contentMessage", "templateCode", "messageId"), now: s.Now(), recipients: recipients}
	if err := b.identify(); err != nil {
		return nil, err
	}
	if done, err := s.markReplayed(ctx, b); err != nil || done {
		return b.outcomes(), err
	}
	if err := s.checkMaySend(ctx, b); err != nil {
		return nil, err
	}
	if err := s.loadTemplates(ctx, b); err != nil {
		return nil, err
	}
	if err := b.fill(); err != nil {
		return nil, err
	}
	if err := s.refuseSuppressed(ctx, b); err != nil {
		return nil, err
	}
	if err := s.addFallbacks(ctx, b); err != nil {
		return nil, err
	}
	if err := b.checkAnyAccepted(); err != nil {
		return nil, err
	}
	return s.store(ctx, b)
}

// identify gives each message its id and the fingerprint of its content. A message
// that is repeated within the request is sent once.
func (b *batch) identify() error {
	seen := map[string]*recipient{}
	for _, r := range b.recipients {
		content, err := json.Marshal([]any{r.to, r.template, r.params, r.content, b.options})
		if err != nil {
			return fmt.Errorf("writing a message: %w", err)
		}
		sum := sha256.Sum256(content)
		id, err := uuid.NewV7()
		if err != nil {
			return fmt.Errorf("making an id: %w", err)
		}
		r.fingerprint, r.message.ID = sum[:], id
		if r.messageID == "" {
			continue
		}
		if first := seen[r.messageID]; first != nil {
			if string(first.fingerprint) != string(r.fingerprint) {
				return errDuplicate(r)
			}
			r.replayed = true
		}
		seen[r.messageID] = r
	}
	return nil
}

func errDuplicate(r *recipient) error {
	return conflict(join(r.path, "messageId"), "duplicate", fmt.Sprintf("The messageId %s was used with other content", r.messageID), "must be new or have the same content")
}

// markReplayed marks the messages that an earlier request has stored. done
// reports whether these are all.
func (s *Service) markReplayed(ctx context.Context, b *batch) (done bool, err error) {
	ids := b.messageIDs()
	if len(ids) == 0 {
		return false, nil
	}
	used, err := queries.RCSMessageIDList(ctx, s.Pool, b.bot.ID, ids)
	if err != nil {
		return false, fmt.Errorf("looking for message ids: %w", err)
	}
	if err := b.replay(used); err != nil {
		return false, err
	}
	for _, r := range b.recipients {
		if !r.replayed {
			return false, nil
		}
	}
	return true, nil
}

// messageIDs returns the ids that the partner chose.
func (b *batch) messageIDs() (ids []string) {
	for _, r := range b.recipients {
		if r.messageID != "" {
			ids = append(ids, r.messageID)
		}
	}
	return ids
}

// replay marks the messages whose ids were used with the same content.
func (b *batch) replay(used []models.RCSMessageID) error {
	stored := map[string]models.RCSMessageID{}
	for _, u := range used {
		stored[u.MessageID] = u
	}
	for _, r := range b.recipients {
		u, ok := stored[r.messageID]
		if !ok || r.messageID == "" || u.ID == r.message.ID {
			continue
		}
		if string(u.Fingerprint) != string(r.fingerprint) {
			return errDuplicate(r)
		}
		r.replayed = true
	}
	return nil
}

// outcomes returns the outcome of each recipient.
func (b *batch) outcomes() []Sent {
	all := make([]Sent, len(b.recipients))
	for i, r := range b.recipients {
		all[i] = Sent{To: r.to, MessageID: r.publicID(), Status: pending, Error: r.refusal}
		if r.refusal != nil {
			all[i].Status = rejected
		}
	}
	return all
}

// publicID returns the id of a message for the partner.
func (r *recipient) publicID() string {
	if r.messageID != "" {
		return r.messageID
	}
	return r.message.ID.String()
}

// checkMaySend checks that the bot may write to the recipients.
func (s *Service) checkMaySend(ctx context.Context, b *batch) error {
	if b.bot.Launch == lifecycle.Suspended {
		return forbidden("The bot is SUSPENDED", fault.Field{Name: "botId", Code: permissionDenied, Message: "may not write to anybody"})
	}
	if err := s.checkCarrier(ctx, b.bot); err != nil {
		return err
	}
	if b.bot.Launch == lifecycle.Launched {
		return nil
	}
	numbers := make([]string, len(b.recipients))
	for i, r := range b.recipients {
		numbers[i] = digits(r.to)
	}
	accepted, err := queries.RCSDeviceListAccepted(ctx, s.Pool, b.bot.ID, numbers)
	if err != nil {
		return fmt.Errorf("looking for test devices: %w", err)
	}
	known := map[string]bool{}
	for _, number := range accepted {
		known["+"+number] = true
	}
	var wrong []fault.Field
	for _, r := range b.recipients {
		if !known[r.to] && len(wrong) < maxFields {
			wrong = append(wrong, fault.Field{Name: r.numberAt, Code: permissionDenied, Message: "is not a test device that accepted"})
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return forbidden("The bot is not launched and writes only to test devices that accepted", wrong...)
}

const permissionDenied = "PERMISSION_DENIED"

func forbidden(message string, wrong ...fault.Field) error {
	return &fault.Error{Kind: fault.Forbidden, Message: message, Fields: wrong}
}

// checkCarrier checks that something carries the messages of a bot.
func (s *Service) checkCarrier(ctx context.Context, b models.RCSBot) error {
	err := s.Routes.Check(ctx, delivery.RouteQuery{Channel: Channel, Sender: b.ID, OrganisationID: b.OrganisationID})
	if fault.Is(err, fault.Unavailable) {
		return forbidden("No carrier is set up for this bot, so its messages cannot be delivered. Ask the operator to add one, or use a sandbox.",
			fault.Field{Name: "botId", Code: "no_carrier", Message: "has no carrier"})
	}
	return err
}

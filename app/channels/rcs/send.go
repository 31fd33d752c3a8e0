package rcs

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/app/channels/sms"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/app/lists"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// Sender accepts messages of bots to people.
type Sender struct {
	connections
	pool      db.Beginner
	acceptor  *pipeline.Acceptor
	keys      *pipeline.Keys
	sms       *sms.Service       // of fallbacks
	messaging *messaging.Service // of fallbacks
	now       func() time.Time
}

// connections tell which bots have a carrier.
type connections struct{ routes *pipeline.Routes }

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
	options    map[string]any // of the request
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
	refusal     *refusal
}

// refusal is the reason why a recipient was rejected.
type refusal struct {
	messageError
	kind   fault.Kind    // of the answer when every recipient is rejected for such a reason
	fields []fault.Field // of the request; a message follows the name of its field
}

// reject rejects a recipient, unless it already is.
func (r *recipient) reject(refused refusal) {
	if r.refusal == nil && !r.replayed {
		r.refusal = &refused
	}
}

// isOpen reports whether a recipient is still to be accepted.
func (r *recipient) isOpen() bool { return r.refusal == nil && !r.replayed }

// Request is a request to send.
type Request struct {
	OrganisationID int64
	Input          input.Object
	Body           []byte // compared when Key is used again
	Key            string // Idempotency-Key, or empty
}

// key returns the key of a request to an operation.
func (r Request) key(operation string) pipeline.Key {
	return pipeline.Key{OrganisationID: r.OrganisationID, Route: "rcs/" + operation, Body: r.Body, Value: r.Key}
}

// Send accepts the messages of a request in one of four shapes and returns an
// outcome for each recipient. It returns after they are committed. replayed reports
// whether an earlier request with the same key got these outcomes.
func (s *Sender) Send(ctx context.Context, r Request) (sent []Sent, replayed bool, err error) {
	in, key := r.Input, r.key("send-message")
	if sent, err = s.findSent(ctx, key); err != nil || sent != nil {
		return sent, true, err
	}
	shape, err := shapeOf(in)
	if err != nil {
		return nil, false, err
	}
	if err := shape.check(in); err != nil {
		return nil, false, err
	}
	return s.send(ctx, key, in)
}

// findSent returns the outcomes that an earlier request with the same key got, or nil.
func (s *Sender) findSent(ctx context.Context, key pipeline.Key) ([]Sent, error) {
	reply, err := s.keys.Find(ctx, key)
	if err != nil || reply == nil {
		return nil, keyFault(err)
	}
	return readSent(*reply)
}

// readSent reads stored outcomes.
func readSent(reply pipeline.Reply) (sent []Sent, err error) {
	if err := json.Unmarshal(reply.Body, &sent); err != nil {
		return nil, fmt.Errorf("reading a stored answer: %w", err)
	}
	return sent, nil
}

// keyFault returns the error of an Idempotency-Key that cannot be used, and any other
// error as it is.
func keyFault(err error) error {
	var unusable *pipeline.KeyError
	if !errors.As(err, &unusable) {
		return err
	}
	return invalid("Idempotency-Key", "idempotency_key", "cannot be used: "+unusable.Detail)
}

// SendFreeflow accepts one message without a template.
func (s *Sender) SendFreeflow(ctx context.Context, r Request) (sent []Sent, replayed bool, err error) {
	key := r.key("send-freeflow-message")
	if sent, err = s.findSent(ctx, key); err != nil || sent != nil {
		return sent, true, err
	}
	c := &check{}
	freeflow(c, "", map[string]any(r.Input))
	if err := c.err(); err != nil {
		return nil, false, err
	}
	return s.send(ctx, key, r.Input)
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
func (s *Sender) send(ctx context.Context, key pipeline.Key, in map[string]any) (sent []Sent, replayed bool, err error) {
	bot, err := findBot(ctx, s.pool, key.OrganisationID, stringOf(in["botId"]))
	if err != nil {
		return nil, false, err
	}
	b := &batch{bot: bot, options: without(in, "messages", "recipients", "to", "contentMessage", "templateCode", "messageId"), now: s.now(), recipients: readRecipients(in)}
	if err := b.identify(); err != nil {
		return nil, false, err
	}
	if done, err := s.markReplayed(ctx, b); err != nil || done {
		return b.outcomes(), false, err
	}
	b.checkNumbers()
	for _, step := range []func(context.Context, *batch) error{s.checkMaySend, s.loadTemplates, fillContents, s.refuseSuppressed, s.addFallbacks} {
		if err := step(ctx, b); err != nil {
			return nil, false, err
		}
	}
	if err := b.checkAnyAccepted(); err != nil {
		return nil, false, err
	}
	return s.store(ctx, key, b)
}

// checkNumbers rejects the recipients with numbers that cannot be used.
func (b *batch) checkNumbers() {
	for _, r := range b.recipients {
		if _, ok := phone.NewRecipient(r.to, 0); ok && usableNumber.MatchString(r.to) {
			continue
		}
		const detail = "must be a mobile number that exists, in E.164 with a plus sign, such as +919812345678"
		r.reject(refusal{messageError{Code: 400, Message: "The number " + detail}, fault.Invalid, []fault.Field{{Name: r.numberAt, Code: "invalid", Message: detail}}})
	}
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
				r.rejectDuplicate()
				continue
			}
			r.replayed = true
		}
		seen[r.messageID] = r
	}
	return nil
}

// rejectDuplicate rejects a recipient if its messageId belongs to another message.
func (r *recipient) rejectDuplicate() {
	r.reject(refusal{
		messageError{Code: 409, Message: fmt.Sprintf("The messageId %s was used with other content", r.messageID)}, fault.Conflict,
		[]fault.Field{{Name: join(r.path, "messageId"), Code: "duplicate", Message: "must be new or have the same content"}},
	})
}

// markReplayed marks the messages that an earlier request has stored. done
// reports whether these are all.
func (s *Sender) markReplayed(ctx context.Context, b *batch) (done bool, err error) {
	ids := b.messageIDs()
	if len(ids) == 0 {
		return false, nil
	}
	used, err := queries.RCSMessageIDList(ctx, s.pool, b.bot.ID, ids)
	if err != nil {
		return false, fmt.Errorf("looking for message ids: %w", err)
	}
	b.replay(used)
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

// replay marks the messages with ids that were used with the same content, and rejects
// those with other content.
func (b *batch) replay(used []models.RCSMessageID) {
	stored := lists.By(used, func(u models.RCSMessageID) string { return u.MessageID })
	for _, r := range b.recipients {
		u, ok := stored[r.messageID]
		if !ok || r.messageID == "" || u.ID == r.message.ID || r.refusal != nil {
			continue
		}
		if string(u.Fingerprint) != string(r.fingerprint) {
			r.rejectDuplicate()
			continue
		}
		r.replayed = true
	}
}

// outcomes returns the outcome of each recipient.
func (b *batch) outcomes() []Sent {
	all := make([]Sent, len(b.recipients))
	for i, r := range b.recipients {
		all[i] = Sent{To: r.to, MessageID: r.publicID(), Status: pending}
		if r.refusal != nil {
			all[i].Status, all[i].Error = rejected, &r.refusal.messageError
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

// checkMaySend checks that the bot may write. One that is not launched writes only to
// test devices, and other recipients are rejected.
func (s *Sender) checkMaySend(ctx context.Context, b *batch) error {
	if b.bot.Launch == lifecycle.Suspended {
		return forbidden("The bot is SUSPENDED", fault.Field{Name: "botId", Code: permissionDenied, Message: "may not write to anybody"})
	}
	if err := s.checkCarrier(ctx, b.bot); err != nil {
		return err
	}
	if b.bot.Launch == lifecycle.Launched {
		return nil
	}
	numbers := lists.Map(b.recipients, func(r *recipient) string { return digits(r.to) })
	accepted, err := queries.RCSDeviceListAccepted(ctx, s.pool, b.bot.ID, numbers)
	if err != nil {
		return fmt.Errorf("looking for test devices: %w", err)
	}
	known := map[string]bool{}
	for _, number := range accepted {
		known["+"+number] = true
	}
	for _, r := range b.recipients {
		if !known[r.to] {
			r.reject(refusal{messageError{Code: 403, Message: notLaunched}, fault.Forbidden, []fault.Field{{Name: r.numberAt, Code: permissionDenied, Message: "is not a test device that accepted"}}})
		}
	}
	return nil
}

const notLaunched = "The bot is not launched and writes only to test devices that accepted"

const permissionDenied = "PERMISSION_DENIED"

func forbidden(message string, wrong ...fault.Field) error {
	return &fault.Error{Kind: fault.Forbidden, Message: message, Fields: wrong}
}

// checkCarrier checks that something carries the messages of a bot.
func (c connections) checkCarrier(ctx context.Context, b models.RCSBot) error {
	err := c.routes.Check(ctx, pipeline.RouteQuery{Channel: Channel, Sender: b.ID, OrganisationID: b.OrganisationID})
	if fault.Is(err, fault.Unavailable) {
		return forbidden("No carrier is set up for this bot, so its messages cannot be delivered. Ask the operator to add one, or use a sandbox.",
			fault.Field{Name: "botId", Code: "no_carrier", Message: "has no carrier"})
	}
	return err
}

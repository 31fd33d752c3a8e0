package rcs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/sms"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// decodeNumbers decodes JSON with numbers as they are written.
func decodeNumbers(text []byte, into map[string]any) any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&into); err != nil {
		return nil
	}
	return into
}

// store commits the messages of a request, all of them or none. Those with an id
// of the partner share a transaction with it, and so does the answer to a request with
// a key.
func (s *Sender) store(ctx context.Context, key pipeline.Key, b *batch) (sent []Sent, replayed bool, err error) {
	switch {
	case key.Value != "":
		reply, err := s.keys.Once(ctx, key, func(tx pgx.Tx) (any, error) {
			err := s.storeTx(ctx, tx, b)
			return b.outcomes(), err
		})
		if err != nil {
			return nil, false, keyFault(err)
		}
		sent, err = readSent(reply)
		return sent, reply.Replayed, err
	case len(b.messageIDs()) == 0:
		_, err := s.acceptor.Accept(ctx, pipeline.Group{Messages: b.accepted()})
		return b.outcomes(), false, err
	}
	err = db.InTx(ctx, s.pool, func(tx pgx.Tx) error { return s.storeTx(ctx, tx, b) })
	return b.outcomes(), false, err
}

// storeTx stores the messages of a request with the ids of the partner.
func (s *Sender) storeTx(ctx context.Context, tx pgx.Tx, b *batch) error {
	if len(b.messageIDs()) > 0 {
		claims := b.claims()
		free, err := writes.RCSMessageIDClaim(ctx, tx, b.bot.ID, claims)
		if err != nil {
			return fmt.Errorf("claiming message ids: %w", err)
		}
		if len(free) < len(claims) { // another request has just stored some
			used, err := queries.RCSMessageIDList(ctx, tx, b.bot.ID, b.messageIDs())
			if err != nil {
				return fmt.Errorf("looking for message ids: %w", err)
			}
			b.replay(used)
		}
	}
	messages := b.accepted()
	if len(messages) == 0 {
		return nil
	}
	return s.acceptor.AcceptTx(ctx, tx, messages...)
}

// accepted returns the messages to store.
func (b *batch) accepted() (messages []models.Message) {
	for _, r := range b.recipients {
		if r.isOpen() {
			messages = append(messages, r.message)
		}
	}
	return messages
}

// claims returns the ids of the partner that are to be stored.
func (b *batch) claims() (claims []models.RCSMessageID) {
	for _, r := range b.recipients {
		if r.messageID != "" && r.isOpen() {
			claims = append(claims, models.RCSMessageID{MessageID: r.messageID, Fingerprint: r.fingerprint, ID: r.message.ID})
		}
	}
	return claims
}

// addFallbacks adds the leg of the fallback that a request names to its messages.
// It is checked and rendered now. A recipient who cannot have it is rejected.
func (s *Sender) addFallbacks(ctx context.Context, b *batch) error {
	return b.addFallbacks(func(r *recipient, fallback map[string]any) (models.Leg, error) { return s.newLeg(ctx, b, r, fallback) })
}

// addFallbacks is the same for legs that newLeg makes.
func (b *batch) addFallbacks(newLeg func(r *recipient, fallback map[string]any) (models.Leg, error)) error {
	fallback, _ := b.options["fallback"].(map[string]any)
	if fallback["enabled"] != true {
		return nil
	}
	for _, r := range b.recipients {
		if !r.isOpen() {
			continue
		}
		leg, err := newLeg(r, fallback)
		var unsent *sms.Refusal
		f := fault.As(err)
		switch {
		case errors.As(err, &unsent):
			r.rejectFallback("fallback.sms", unsent.Error())
		case f != nil && f.Kind != fault.Unavailable:
			detail := f.Message
			if len(f.Fields) > 0 {
				detail = f.Fields[0].Message
			}
			r.rejectFallback("fallback", detail)
		case err != nil:
			return err
		}
		r.message.Legs = []models.Leg{leg}
	}
	return nil
}

// rejectFallback rejects a recipient who cannot have the fallback of the request.
func (r *recipient) rejectFallback(field, detail string) {
	detail = "cannot be used for " + r.to + ": " + detail
	r.reject(refusal{messageError{Code: 400, Message: field + " " + detail}, fault.Invalid, []fault.Field{{Name: field, Code: "invalid", Message: detail}}})
}

// newLeg returns the leg that carries a message when RCS does not.
func (s *Sender) newLeg(ctx context.Context, b *batch, r *recipient, fallback map[string]any) (models.Leg, error) {
	if fallback["channel"] == fallbackMessaging {
		return s.newMessagingLeg(ctx, b, r, fallback)
	}
	text, err := b.fallbackText(r, fallback)
	if err != nil {
		return models.Leg{}, err
	}
	return s.sms.NewLeg(ctx, b.bot.OrganisationID, text)
}

// fallbackText returns the SMS that carries a message when RCS does not.
func (b *batch) fallbackText(r *recipient, fallback map[string]any) (m sms.Message, err error) {
	content := stringOf(fallback["text"])
	if content == "" {
		content = stringOf(b.templates[r.template]["fallbackText"])
	}
	if content == "" {
		return m, invalid("fallback.text", "required", "the template has no fallbackText, so text is needed")
	}
	for _, name := range variables(content) {
		if _, ok := r.params[name]; r.template != "" && !ok {
			return m, invalid("customParams."+name, "required", "the fallback text has the variable "+name+" without a value")
		}
	}
	details, _ := fallback["sms"].(map[string]any)
	return sms.Message{
		Dest: []string{digits(r.to)}, Text: input.Text(fill(content, r.params)), Header: input.Text(stringOf(details["header"])),
		EntityID: input.Text(stringOf(details["dltEntityId"])), DLTTemplate: input.Text(stringOf(details["dltTemplateId"])),
	}, nil
}

func (s *Sender) newMessagingLeg(ctx context.Context, b *batch, r *recipient, fallback map[string]any) (models.Leg, error) {
	details, _ := fallback["msgapp"].(map[string]any)
	number, err := s.messaging.Numbers.Number(ctx, b.bot.OrganisationID, stringOf(details["phoneNumberId"]))
	if err != nil {
		return models.Leg{}, err
	}
	body, err := r.fallbackTemplate(s.messaging.Words()[0], details)
	if err != nil {
		return models.Leg{}, err
	}
	return s.messaging.Sender.NewLeg(ctx, number, body)
}

// fallbackTemplate returns the template message that carries a message when RCS does
// not.
func (r *recipient) fallbackTemplate(product string, details map[string]any) ([]byte, error) {
	body, err := json.Marshal(map[string]any{
		"messaging_product": product, "to": digits(r.to), "type": "template", "template": details["template"],
	})
	if err != nil {
		return nil, fmt.Errorf("writing a fallback: %w", err)
	}
	return body, nil
}

// fallsOver reports whether the fallback of a message follows a failure. A recipient
// who has opted out gets nothing on another channel either, and one on a
// do-not-disturb list nothing promotional.
func fallsOver(m models.Message, step pipeline.Step) bool {
	code := 0
	if step.Failure != nil {
		code = step.Failure.Code
	}
	var p payload
	if err := json.Unmarshal(m.Payload, &p); err != nil || code == codeOptedOut || code == codeDoNotDisturb && p.Promotional {
		return false
	}
	switch p.After {
	case afterTTL:
		return step.State == stateExpired
	case afterIncapable:
		return code == codeIncapable
	case afterFailure:
		return step.State == pipeline.Failed
	}
	return true
}

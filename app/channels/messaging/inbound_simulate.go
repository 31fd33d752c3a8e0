package messaging

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/input"
	"heliograph/app/phone"
	"heliograph/db/models"
	"heliograph/jobs/args"
)

// The endings of virtual recipients without a number, and of the ones that change
// their user id.
const (
	endsHidden  = "0009"
	endsChanged = "0010"
)

// virtualName is the profile name of recipients of the virtual carrier.
const virtualName = "Virtual recipient"

// simulateReply makes the virtual recipient of a message answer it. A text message is
// answered with its own text, any other message with its kind. Some recipients answer
// under a user id alone, or say that it has changed.
func simulateReply(ctx context.Context, tx pgx.Tx, jobs args.Inserter, m models.Message) error {
	number, err := senderID(m)
	if err != nil {
		return err
	}
	var sent sendRequest
	if err := json.Unmarshal(m.Payload, &sent); err != nil {
		return fmt.Errorf("reading message %s: %w", m.ID, err)
	}
	body := input.Text("Received: " + m.Kind)
	if sent.Text != nil {
		body = sent.Text.Body
	}
	in := inbound{
		PhoneNumberID: number, Product: string(sent.MessagingProduct), Person: addressed(models.Person{}, m.Recipient), Name: virtualName,
		Type: "text", Context: &m.ID, Content: inboundContent{Text: &inboundText{Body: body}},
	}
	switch hidden := virtualUserID(m.Recipient, m.Recipient); {
	case strings.HasSuffix(m.Recipient, endsHidden):
		in.Person = models.Person{UserID: hidden, Username: virtualUsername(hidden)}
	case strings.HasSuffix(m.Recipient, endsChanged):
		in.Person, in.Former = models.Person{UserID: hidden}, []string{hidden}
		after := virtualUserID(hidden, "changed "+hidden)
		in.Type, in.Context = "system", nil
		in.Content = inboundContent{System: &inboundSystem{
			Body: input.Text("User changed from " + hidden + " to " + after), Type: idChanged, UserID: input.Text(after), PreviousUserID: input.Text(hidden),
		}}
	}
	_, err = receive(ctx, tx, jobs, in)
	return err
}

// virtualPerson adds the user id of a virtual recipient that has one.
func virtualPerson(n models.PhoneNumber, p models.Person) models.Person {
	if n.Sandbox && p.UserID == "" && (strings.HasSuffix(p.Number, endsHidden) || strings.HasSuffix(p.Number, endsChanged)) {
		p.UserID = virtualUserID(p.Number, p.Number)
	}
	return p
}

// virtualUserID returns the user id of a virtual recipient: one that it has already, or
// one that follows from a seed and keeps the last four digits, so that it ends alike.
func virtualUserID(recipient, seed string) string {
	if phone.IsUserID(recipient) && recipient == seed {
		return recipient
	}
	sum, last := sha256.Sum256([]byte(seed)), recipient[max(0, len(recipient)-4):]
	if recipient != seed {
		last = "1000" // a change leads to an id that does not change again
	}
	return fmt.Sprintf("IN.%016d%s", binary.BigEndian.Uint64(sum[:8])%1e16, last)
}

// virtualUsername returns the username of a virtual recipient.
func virtualUsername(id string) string { return "virtual." + id[max(0, len(id)-6):] }

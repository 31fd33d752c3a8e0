package sms

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/blocklist"
	"heliograph/app/channels/relay"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// Inbound is a message that a phone sent to an organisation, as it is relayed.
type Inbound struct {
	Event string `json:"event"` // inbound
	ID    string `json:"msg_id"`
	From  string `json:"from"` // digits with the country code
	To    string `json:"to"`   // the number or header that was written to
	Text  string `json:"text"`
	Time  string `json:"received_time"` // Indian time
}

// eventInbound tells a received message from a report.
const eventInbound = "inbound"

// maxInbound is the highest length of the text of a received message, in bytes.
const maxInbound = 10_000

// writer matches senders of messages that are stored: digits with the country code.
// Others cannot be answered.
var writer = regexp.MustCompile(`^[1-9][0-9]{4,14}$`)

// receiveFromCarrier stores a message that a carrier passed on. A repeated one, and
// one that nobody here receives, changes nothing.
func receiveFromCarrier(ctx context.Context, tx pgx.Tx, jobs args.Inserter, carrier string, fields map[string]string) (organisationID int64, err error) {
	in := Inbound{From: trimNumber(fields["from"]), To: trimNumber(fields["to"]), Text: decodeText(fields["text"], fields["charset"])}
	if !writer.MatchString(in.From) || in.To == "" || len(in.To) > 15 || len(in.Text) > maxInbound {
		slog.WarnContext(ctx, "an SMS was received from or for nobody", "carrier", carrier)
		return 0, nil
	}
	if organisationID, err = queries.SMSReceiver(ctx, tx, in.To); err != nil {
		return 0, fmt.Errorf("looking for the receiver of %s: %w", in.To, err)
	}
	a, fresh, err := newArrival(ctx, tx, carrier, fields["id"])
	if err != nil || !fresh {
		return 0, err
	}
	a.organisationID = organisationID
	if err := in.obeyStop(ctx, tx, organisationID); err != nil {
		return 0, err
	}
	if organisationID == 0 {
		slog.WarnContext(ctx, "an SMS was received for a number without an organisation", "carrier", carrier, "to", in.To)
		return 0, nil
	}
	return organisationID, in.store(ctx, tx, jobs, a)
}

// obeyStop applies a stop word to every organisation that wrote to the sender with
// the header that he answers, whoever receives the message.
func (in *Inbound) obeyStop(ctx context.Context, tx pgx.Tx, receiver int64) error {
	if !blocklist.IsStopWord(in.Text) {
		return nil
	}
	writers, err := queries.SMSWriters(ctx, tx, in.To, in.From)
	if err != nil {
		return fmt.Errorf("looking for the organisations that wrote with %s: %w", in.To, err)
	}
	for _, id := range writers {
		if id == receiver {
			continue // it gets the word with the message
		}
		if err := blocklist.ObeyStop(ctx, tx, blocklist.Inbound{OrganisationID: id, Channel: Channel, From: in.From, Text: in.Text}); err != nil {
			return err
		}
	}
	return nil
}

// arrival names the receiver of a message and its id.
type arrival struct {
	organisationID int64
	id             uuid.UUID
}

// newArrival draws the id of a message. carrierID is the carrier's id for it and may
// be empty. It reports false if the carrier has passed the message on before.
func newArrival(ctx context.Context, tx pgx.Tx, carrier, carrierID string) (a arrival, fresh bool, err error) {
	if a.id, err = uuid.NewV7(); err != nil {
		return a, false, fmt.Errorf("drawing a message id: %w", err)
	}
	if carrierID == "" {
		return a, true, nil
	}
	if fresh, err = writes.CarrierIDClaim(ctx, tx, carrier, "in:"+strings.ToValidUTF8(carrierID[:min(len(carrierID), 190)], ""), a.id); err != nil {
		return a, false, fmt.Errorf("claiming the id of a received SMS: %w", err)
	}
	return a, fresh, nil
}

// store stores a received message, obeys stop words and relays it to the address of
// the reports.
func (in *Inbound) store(ctx context.Context, tx pgx.Tx, jobs args.Inserter, a arrival) error {
	now := time.Now()
	in.Event, in.ID, in.Time = eventInbound, MessageID(a.id), LocalTime(now)
	payload, err := json.Marshal(map[string]string{"text": in.Text})
	if err != nil {
		return fmt.Errorf("writing a received SMS: %w", err)
	}
	err = writes.ReceivedInsert(ctx, tx, models.ReceivedMessage{
		ID: a.id, OrganisationID: a.organisationID, Channel: Channel, Contact: in.From, Recipient: in.To, Kind: "text", Payload: payload, ReceivedAt: now,
	})
	if err != nil {
		return fmt.Errorf("storing a received SMS: %w", err)
	}
	if err := blocklist.ObeyStop(ctx, tx, blocklist.Inbound{OrganisationID: a.organisationID, Channel: Channel, From: in.From, Text: in.Text}); err != nil {
		return err
	}
	w, err := queries.WebhookGet(ctx, tx, Channel, Subject(a.organisationID, ""))
	if err != nil {
		return db.Absent(err, nil, "looking the report address up")
	}
	_, err = relay.Store(ctx, tx, jobs, relay.Event{WebhookID: w.ID, Failing: w.Failures > 0, Kind: "sms.received", MessageID: &a.id, Body: in})
	return err
}

// simulateReply makes the virtual recipient of a message answer it.
func simulateReply(ctx context.Context, tx pgx.Tx, jobs args.Inserter, m models.Message) error {
	a, _, err := newArrival(ctx, tx, "", "")
	if err != nil {
		return err
	}
	a.organisationID = m.OrganisationID
	in := &Inbound{From: m.Recipient, To: m.Sender, Text: "Thank you."}
	return in.store(ctx, tx, jobs, a)
}

// fields returns the values of a received message by their names.
func (in Inbound) fields() map[string]string {
	return map[string]string{"event": in.Event, "msg_id": in.ID, "from": in.From, "to": in.To, "text": in.Text, "received_time": in.Time}
}

// trimNumber removes the plus sign of a number and the spaces around it.
func trimNumber(text string) string { return strings.TrimPrefix(strings.TrimSpace(text), "+") }

// decodeText returns a text that a carrier passes on in a charset, as UTF-8. Kannel
// names UTF-16BE for Unicode messages.
func decodeText(text, charset string) string {
	switch strings.ToUpper(strings.NewReplacer("-", "", "_", "").Replace(charset)) {
	case "UTF16BE", "UCS2":
		units := make([]uint16, len(text)/2)
		for i := range units {
			units[i] = uint16(text[2*i])<<8 | uint16(text[2*i+1])
		}
		text = string(utf16.Decode(units))
	default:
		if !utf8.ValidString(text) {
			runes := make([]rune, len(text))
			for i := range len(text) {
				runes[i] = rune(text[i])
			}
			text = string(runes)
		}
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "")
}

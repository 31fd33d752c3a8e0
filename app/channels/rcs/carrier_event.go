package rcs

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// CarrierEvents takes what carriers of RCS Business Messaging post about messages
// and about what people do.
type CarrierEvents struct {
	DB       db.Beginner
	Keyring  *keyring.Keyring
	Jobs     args.Inserter
	Channels pipeline.Channels
	Signals  *db.Signals // may be nil
}

// keepCarrierEvents is how long a repeated event of a carrier is recognised.
const keepCarrierEvents = 7 * 24 * time.Hour

// CarrierEventPath returns the path that a carrier posts its events to.
func CarrierEventPath(carrier string) string {
	return pipeline.EventsPath(carrier, Channel)
}

// posted is the body of a request of a carrier. A request with a clientToken and a
// secret verifies the address.
type posted struct {
	ClientToken string `json:"clientToken"`
	Secret      string `json:"secret"`
	Message     struct {
		Data []byte `json:"data"`
	} `json:"message"`
}

// carrierEvent is an event of a phone or of the carrier itself.
type carrierEvent struct {
	AgentID   string `json:"agentId"`
	From      string `json:"senderPhoneNumber"`
	MessageID string `json:"messageId"`
	EventID   string `json:"eventId"`
	EventType string `json:"eventType"`
	SendTime  string `json:"sendTime"`
	Text      string `json:"text"`
	Tapped    *struct {
		PostbackData string `json:"postbackData"`
		Text         string `json:"text"`
		Type         string `json:"type"`
	} `json:"suggestionResponse"`
	Location *location `json:"location"`
	UserFile *struct {
		Payload userFile `json:"payload"`
	} `json:"userFile"`
}

// Receive takes a request of a carrier and returns the body of the response. An
// event that is repeated, late or of no consequence changes nothing. A request that
// the carrier did not sign is Forbidden, and an unknown carrier NotFound.
func (r *CarrierEvents) Receive(ctx context.Context, carrier string, body []byte, signature string) (answer string, err error) {
	c, token, err := r.open(ctx, carrier)
	if err != nil {
		return "", err
	}
	var p posted
	if err := json.Unmarshal(body, &p); err != nil {
		return "", fault.New(fault.Invalid, "The event cannot be read.")
	}
	if p.ClientToken != "" {
		if !hmac.Equal([]byte(p.ClientToken), []byte(token)) {
			return "", errNotSigned
		}
		text, err := json.Marshal(map[string]string{"secret": p.Secret})
		return string(text), err
	}
	mac := hmac.New(sha512.New, []byte(token))
	mac.Write(p.Message.Data)
	given, err := base64.StdEncoding.DecodeString(signature)
	if err != nil || !hmac.Equal(given, mac.Sum(nil)) {
		return "", errNotSigned
	}
	var e carrierEvent
	if err := json.Unmarshal(p.Message.Data, &e); err != nil {
		return "", fault.New(fault.Invalid, "The event cannot be read.")
	}
	return "ok", r.take(ctx, c, e)
}

var (
	errNotSigned = fault.New(fault.Forbidden, "The signature is wrong.")
	errNoCarrier = fault.New(fault.NotFound, "No carrier posts events to this address.")
)

// open returns a carrier and the token that signs its events.
func (r *CarrierEvents) open(ctx context.Context, name string) (c models.Carrier, token string, err error) {
	c, err = queries.CarrierGet(ctx, r.DB, name)
	if db.IsNoRows(err) || err == nil && c.Kind != pipeline.KindRBM {
		return c, "", errNoCarrier
	}
	if err != nil {
		return c, "", fmt.Errorf("reading carrier %s: %w", name, err)
	}
	secret, err := r.Keyring.Open(c.Secret, keyring.Place("carriers", "secret", name))
	if err != nil {
		return c, "", fmt.Errorf("opening the secret of carrier %s: %w", name, err)
	}
	var file struct {
		Token string `json:"client_token"`
	}
	if err := json.Unmarshal(secret, &file); err != nil || file.Token == "" {
		return c, "", errNoCarrier
	}
	return c, file.Token, nil
}

// take stores an event once.
func (r *CarrierEvents) take(ctx context.Context, c models.Carrier, e carrierEvent) error {
	agents, err := models.RBMAgents(c.Settings)
	if err != nil {
		return fmt.Errorf("reading carrier %s: %w", c.Name, err)
	}
	bot := ""
	for id, agent := range agents {
		if agent == e.AgentID {
			bot = id
		}
	}
	id := cmp.Or(e.EventID, e.MessageID)
	if bot == "" || id == "" || len(id) > 200 {
		return nil // about an agent that is not ours
	}
	var organisation int64
	err = db.InTx(ctx, r.DB, func(tx pgx.Tx) error {
		b, err := queries.RCSBotGet(ctx, tx, bot)
		if err != nil {
			return db.Absent(err, nil, "reading bot %s", bot)
		}
		fresh, err := writes.RCSCarrierEventInsert(ctx, tx, c.Name, id)
		if err != nil || !fresh {
			return err
		}
		organisation = b.OrganisationID
		if isReport(e.EventType) {
			return r.report(ctx, tx, b, e)
		}
		answer, ok := e.inbound(b.ID)
		if !ok {
			return nil
		}
		_, err = receive(ctx, tx, r.Jobs, b.OrganisationID, answer)
		return err
	})
	if err == nil && organisation != 0 {
		r.Signals.Add("messages", organisation)
		r.Signals.Add("callbacks", organisation)
	}
	return err
}

// revoked is the event of a message at the end of its time to live.
const revoked = "TTL_EXPIRATION_REVOKED"

// isReport reports whether an event is about a message that we sent.
func isReport(kind string) bool {
	return kind == statusDelivered || kind == statusRead || kind == revoked
}

// report moves the message that an event is about.
func (r *CarrierEvents) report(ctx context.Context, tx pgx.Tx, b models.RCSBot, e carrierEvent) error {
	id, ok := parseMessageID(e.MessageID)
	if !ok {
		return nil
	}
	m, err := queries.MessageGet(ctx, tx, id)
	if db.IsNoRows(err) || err == nil && (m.Channel != Channel || m.Sender != b.ID) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading message %s: %w", id, err)
	}
	step := pipeline.Step{MessageID: id, Leg: 1, State: stateDelivered, At: time.Now()}
	switch e.EventType {
	case statusRead:
		step.State = stateRead
	case revoked:
		step = Declaration.ExpiredStep(m.OnLeg(1), step.At)
	}
	_, err = r.Channels.Report(ctx, tx, r.Jobs, step)
	return err
}

// inbound returns what a person did, for the webhook of the bot.
func (e carrierEvent) inbound(botID string) (event, bool) {
	at, err := time.Parse(time.RFC3339Nano, e.SendTime)
	if err != nil {
		at = time.Now()
	}
	in := newInbound(botID, e.From, typeUserMessage, at)
	in.MessageID = e.MessageID
	switch {
	case !usableNumber.MatchString(e.From):
		return in, false
	case e.EventType == "IS_TYPING":
		in.Type = typeTyping
	case e.Tapped != nil:
		in.tap(tap{tappedSuggestion{PostbackData: e.Tapped.PostbackData, DisplayText: e.Tapped.Text}, e.Tapped.Type == "ACTION"})
	case e.Location != nil:
		in.Location = e.Location
	case e.UserFile != nil:
		in.UserFile = &e.UserFile.Payload
	case e.Text != "":
		in.Text = e.Text
	default:
		return in, false
	}
	return in, true
}

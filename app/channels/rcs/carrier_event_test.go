package rcs

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/app/channels/relay"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// events is a carrier that posts to a bot with a webhook.
type events struct {
	t     *testing.T
	s     *Service
	taker *CarrierEvents
	bot   models.RCSBot
}

func newEvents(t *testing.T) *events {
	t.Helper()
	s, organisation := bench(t)
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	e := &events{t: t, s: s, bot: addBot(t, s, organisation, lifecycle.Verified, lifecycle.Launched), taker: &CarrierEvents{DB: s.Bots.pool, Keyring: keys, Jobs: s.Bots.jobs, Channels: pipeline.Channels{Channel: Declaration}}}
	endpoints := relay.NewEndpoints(relay.Options{DB: s.Bots.pool, Keyring: keys, Jobs: s.Bots.jobs})
	err = db.InTx(t.Context(), s.Bots.pool, func(tx pgx.Tx) error {
		for name, secret := range map[string]string{"google": `{"client_token":"quiet-lantern"}`, "tokenless": `{}`} {
			settings := json.RawMessage(fmt.Sprintf(`{"agents":"%s lamps_agent"}`, e.bot.ID))
			c := models.Carrier{Name: name, Kind: pipeline.KindRBM, URL: "https://rbm.example.com", Settings: settings, Secret: keys.Seal([]byte(secret), keyring.Place("carriers", "secret", name))}
			if err := writes.CarrierUpsert(t.Context(), tx, c); err != nil {
				return err
			}
		}
		if err := writes.CarrierUpsert(t.Context(), tx, models.Carrier{Name: "operator", Kind: "kannel", URL: "http://10.0.0.5", Settings: json.RawMessage("{}")}); err != nil {
			return err
		}
		return endpoints.Set(t.Context(), tx, relay.Endpoint{OrganisationID: organisation, Channel: Channel, Subject: e.bot.ID, URL: "https://hooks.example.com", Secret: "s"})
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// post posts an event as the carrier does.
func (e *events) post(carrier, token string, event any) (string, error) {
	e.t.Helper()
	data, err := json.Marshal(event)
	if err != nil {
		e.t.Fatal(err)
	}
	mac := hmac.New(sha512.New, []byte(token))
	mac.Write(data)
	body := fmt.Sprintf(`{"message":{"data":%q,"messageId":"1"},"subscription":"x"}`, base64.StdEncoding.EncodeToString(data))
	return e.taker.Receive(e.t.Context(), carrier, []byte(body), base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

func (e *events) text(statement string, args ...any) (text string) {
	e.t.Helper()
	if err := e.s.Bots.pool.QueryRow(e.t.Context(), statement, args...).Scan(&text); err != nil {
		e.t.Fatal(err)
	}
	return text
}

// What a phone does reaches the webhook of the bot, once, whatever the carrier
// repeats.
func TestCarrierEventsReachTheWebhook(t *testing.T) {
	t.Parallel()
	e := newEvents(t)
	for name, tt := range map[string]struct {
		event jsonObject
		want  string // in the stored event
	}{
		"typing":   {jsonObject{"eventType": "IS_TYPING", "eventId": "t-1"}, `"type":"TYPING"`},
		"text":     {jsonObject{"messageId": "u-1", "text": "Where is it?"}, `"messageId":"u-1"`},
		"tap":      {jsonObject{"messageId": "u-2", "suggestionResponse": jsonObject{"postbackData": "track", "text": "Track", "type": "REPLY"}}, `"suggestionResponse":{"postbackData":"track","displayText":"Track"}`},
		"action":   {jsonObject{"messageId": "u-3", "suggestionResponse": jsonObject{"postbackData": "call", "text": "Call", "type": "ACTION"}}, `"context":{"action":true}`},
		"location": {jsonObject{"messageId": "u-4", "location": jsonObject{"latitude": 12.5, "longitude": 77.5}}, `"location":{"latitude":12.5,"longitude":77.5}`},
		"file":     {jsonObject{"messageId": "u-5", "userFile": jsonObject{"payload": jsonObject{"mimeType": "image/jpeg", "fileUri": "https://a.example.com/a.jpg", "fileName": "a.jpg", "fileSizeBytes": 7}}}, `"fileUri":"https://a.example.com/a.jpg"`},
		"stop":     {jsonObject{"messageId": "u-6", "text": "stop"}, `"text":"stop"`},
	} {
		tt.event["agentId"], tt.event["senderPhoneNumber"], tt.event["sendTime"] = "lamps_agent", "+919812345678", "2030-01-31T09:00:00.123Z"
		before := e.text(`select count(*)::text from deliveries`)
		for range 3 {
			if answer, err := e.post("google", "quiet-lantern", tt.event); err != nil || answer != "ok" {
				t.Errorf("%s: %q %v", name, answer, err)
			}
		}
		stored := e.text(`select convert_from(body, 'UTF8') from deliveries order by id desc limit 1`)
		if !strings.Contains(stored, tt.want) || !strings.Contains(stored, `"userContact":"+919812345678"`) || !strings.Contains(stored, `"timestamp":"2030-01-31T09:00:00.123Z"`) {
			t.Errorf("%s is stored as %s", name, stored)
		}
		if n := e.text(`select (count(*) - $1::int)::text from deliveries`, before); n != "1" {
			t.Errorf("%s is stored %s times", name, n)
		}
	}
	if n := e.text(`select count(*)::text from suppressions where recipient = '919812345678' and channel = 'rcs'`); n != "1" {
		t.Error("who wrote stop is not on the list")
	}
}

// Reports move messages of the bot, never backwards. An expired one follows the
// revocation.
func TestCarrierEventsMoveMessages(t *testing.T) {
	t.Parallel()
	e := newEvents(t)
	add := func(sender string) string {
		return e.text(`insert into messages (id, organisation_id, channel, sender, recipient, kind, payload, reference, state)
			values (gen_random_uuid(), $1, 'rcs', $2, '919812345678', 'text', '{}', 'r', 'sent') returning id::text`, e.bot.OrganisationID, sender)
	}
	id, other := add(e.bot.ID), add("another-bot-1234567890")
	report := func(kind, event, message string) {
		t.Helper()
		if _, err := e.post("google", "quiet-lantern", jsonObject{"agentId": "lamps_agent", "senderPhoneNumber": "+919812345678", "eventType": kind, "eventId": event, "messageId": message}); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	state := func(message string) string { return e.text(`select state from messages where id = $1::uuid`, message) }
	report("READ", "e-1", id)
	report("DELIVERED", "e-2", id)
	report("TTL_EXPIRATION_REVOKED", "e-3", id)
	if got := state(id); got != "read" {
		t.Errorf("the message is %s", got)
	}
	late := add(e.bot.ID)
	report("TTL_EXPIRATION_REVOKE_FAILED", "e-4", late)
	if got := state(late); got != "sent" {
		t.Errorf("a message that could not be revoked is %s", got)
	}
	report("TTL_EXPIRATION_REVOKED", "e-5", late)
	if got := state(late); got != "expired" {
		t.Errorf("a revoked message is %s", got)
	}
	report("READ", "e-6", other)
	report("READ", "e-7", "nonsense")
	if got := state(other); got != "sent" {
		t.Errorf("a message of another bot is %s", got)
	}
}

// Who does not know the token changes nothing and learns nothing.
func TestCarrierEventsAreSigned(t *testing.T) {
	t.Parallel()
	e := newEvents(t)
	event := jsonObject{"agentId": "lamps_agent", "senderPhoneNumber": "+919812345678", "messageId": "u-1", "text": "Hello"}
	for name, tt := range map[string]struct {
		carrier, token string
		want           fault.Kind
	}{
		"another token": {"google", "loud-lantern", fault.Forbidden}, "no token": {"google", "", fault.Forbidden}, "no carrier": {"nobody", "quiet-lantern", fault.NotFound},
		"another kind": {"operator", "quiet-lantern", fault.NotFound}, "without a token": {"tokenless", "", fault.NotFound},
	} {
		if _, err := e.post(tt.carrier, tt.token, event); !fault.Is(err, tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for body, want := range map[string]string{
		`{"clientToken":"quiet-lantern","secret":"ab\"c"}`: `{"secret":"ab\"c"}`, `{"clientToken":"loud-lantern","secret":"abc"}`: "", `{"clientToken":"`: "", `[]`: "", `{}`: "", ``: "",
	} {
		if answer, err := e.taker.Receive(t.Context(), "google", []byte(body), ""); answer != want || (err == nil) != (want != "") {
			t.Errorf("%s is answered with %q %v", body, answer, err)
		}
	}
	for _, odd := range []jsonObject{{}, {"agentId": "other_agent", "messageId": "x", "text": "x", "senderPhoneNumber": "+919812345678"}, {"agentId": "lamps_agent", "text": "x"}, {"agentId": "lamps_agent", "messageId": "y", "senderPhoneNumber": "nobody", "text": "x"}} {
		if _, err := e.post("google", "quiet-lantern", odd); err != nil {
			t.Errorf("%v: %v", odd, err)
		}
	}
	if n := e.text(`select count(*)::text from deliveries`); n != "0" {
		t.Errorf("%s events are stored", n)
	}
	for path, want := range map[string]string{CarrierEventPath("google"): "google", "/carriers/a/rcs/events/x": "", "/carriers/rcs/events": "", "/carriers/a/sms/events": ""} {
		if got, ok := pipeline.ParseEventsPath(path, Channel); ok != (want != "") || ok && got != want {
			t.Errorf("%s is the path of %q", path, got)
		}
	}
}

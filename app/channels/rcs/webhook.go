package rcs

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/relay"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// Webhooks looks after where the callbacks of bots go.
type Webhooks struct {
	owned
	endpoints *relay.Endpoints
	fetcher   fetcher // asks an address to prove itself
}

// WebhookSetting is where the events of a bot go.
type WebhookSetting struct {
	BotID   string
	URL     string            // empty: they are not sent
	Headers map[string]string // sent with each event
	Token   string            // signs the events; empty for the secret of the account
	Verify  bool              // the address must return a secret first
}

var webhookFields = fields{
	"botId":           opaqueID,
	"relayWebhookUrl": all(text(0, 2048), matching(`^$|^https?://[^\s#@]+$`, "be a public https address")),
	"headers":         relayHeaders,
	"clientToken":     text(1, 200),
	"verify":          boolean,
}

const maxHeaders = 20

// relayHeaders is the rule of the headers of a webhook.
func relayHeaders(c *check, path string, v any) {
	headers, ok := asObject(c, path, v)
	if ok && len(headers) > maxHeaders {
		c.add(path, "max_properties", "must have at most %d headers", maxHeaders)
	}
	for name, value := range headers {
		text(0, 2000)(c, join(path, name), value)
	}
}

// ReadWebhook reads a request to set a webhook.
func ReadWebhook(in input.Object) (w WebhookSetting, err error) {
	c := &check{}
	object(webhookFields, "botId", "relayWebhookUrl")(c, "", map[string]any(in))
	if w.Verify, _ = in["verify"].(bool); w.Verify {
		if _, ok := in["clientToken"]; !ok {
			c.add("clientToken", "required", "is needed to verify the address")
		}
	}
	if err := c.err(); err != nil {
		return w, err
	}
	w.BotID, _ = in["botId"].(string)
	w.URL, _ = in["relayWebhookUrl"].(string)
	w.Token, _ = in["clientToken"].(string)
	w.Headers = map[string]string{}
	headers, _ := in["headers"].(map[string]any)
	for name, value := range headers {
		w.Headers[name], _ = value.(string)
	}
	return w, nil
}

// SetWebhook sets where the events of a bot go.
func (s *Webhooks) SetWebhook(ctx context.Context, by By, w WebhookSetting) error {
	b, err := findBot(ctx, s.pool, by.OrganisationID, w.BotID)
	if err != nil {
		return err
	}
	endpoint := relay.Endpoint{OrganisationID: b.OrganisationID, Channel: Channel, Subject: b.ID, URL: w.URL, Headers: w.Headers, Secret: w.Token}
	if err := s.endpoints.Check(ctx, endpoint); err != nil {
		return refusedWebhook(err)
	}
	if w.Verify && w.URL != "" {
		if err := s.verifyWebhook(ctx, b, w); err != nil {
			return err
		}
	}
	return s.change(ctx, by, b.ID, func(tx pgx.Tx, b *models.RCSBot) (audit.Entry, error) {
		endpoint.Format = b.Transform
		if endpoint.Secret == "" {
			secret, err := s.ensureSecret(ctx, tx, by.OrganisationID)
			if err != nil {
				return audit.Entry{}, err
			}
			endpoint.Secret = secret
		}
		return audit.Entry{Action: "webhook.set", Details: map[string]any{"channel": Channel, "url": w.URL}}, s.endpoints.Set(ctx, tx, endpoint)
	})
}

// refusedWebhook names the field of an address or header that cannot be used.
func refusedWebhook(err error) error {
	f := fault.As(err)
	if f == nil {
		return err
	}
	detail := strings.TrimSuffix(f.Message, ".")
	if len(f.Fields) > 0 && strings.Contains(f.Fields[0].Name, "header") {
		return invalid("headers", "header", "cannot be sent: "+detail)
	}
	return invalid("relayWebhookUrl", "private_address", "must be a public https address: "+detail)
}

// verifyWebhook posts a secret to an address, which must return it alone: an address
// that repeats whatever it gets has not read it.
func (s *Webhooks) verifyWebhook(ctx context.Context, b models.RCSBot, w WebhookSetting) error {
	secret := randomText()
	body, err := json.Marshal(map[string]string{"clientToken": w.Token, "secret": secret})
	if err != nil {
		return fmt.Errorf("writing a verification: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, strings.NewReader(string(body)))
	if err != nil {
		return invalid("relayWebhookUrl", "url", "must be a public https address")
	}
	for name, value := range w.Headers {
		req.Header.Set(name, value)
	}
	req.Header.Set("Content-Type", "application/json")
	failed := &fault.Error{Kind: fault.Invalid, Message: "The address did not answer the verification", Fields: []fault.Field{
		{Name: "relayWebhookUrl", Code: "not_verified", Message: "must answer 200 with the secret alone, as text or as {\"secret\": \"…\"}"},
	}}
	res, err := s.fetcher.Do(fmt.Sprint(b.OrganisationID), req)
	if err != nil {
		failed.Err = err
		return failed
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, 4096))
	if err != nil || res.StatusCode != http.StatusOK || !isAnswer(answer, secret) {
		return failed
	}
	return nil
}

// isAnswer reports whether a response is the secret, as text or as the only member of a
// JSON object.
func isAnswer(answer []byte, secret string) bool {
	text := strings.TrimSpace(string(answer))
	if text == secret || text == strconv.Quote(secret) {
		return true
	}
	var members map[string]any
	return json.Unmarshal([]byte(text), &members) == nil && len(members) == 1 && members["secret"] == secret
}

func randomText() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.StdEncoding.EncodeToString(b[:])
}

// accountSubject is the webhook that holds the secret of an account. It has no
// address.
func accountSubject(organisationID int64) string {
	return fmt.Sprintf("organisation-%d", organisationID)
}

// ensureSecret returns the secret that signs events of bots without a token.
func (s *Webhooks) ensureSecret(ctx context.Context, tx pgx.Tx, organisationID int64) (string, error) {
	subject := accountSubject(organisationID)
	w, err := queries.WebhookGet(ctx, tx, Channel, subject)
	if err == nil {
		return s.endpoints.Secret(w)
	}
	if !db.IsNoRows(err) {
		return "", fmt.Errorf("reading the secret of organisation %d: %w", organisationID, err)
	}
	secret := keyring.NewWebhookSecret()
	return secret, s.endpoints.Set(ctx, tx, relay.Endpoint{OrganisationID: organisationID, Channel: Channel, Subject: subject, Secret: secret})
}

// WebhookURL returns where the events of a bot go; empty for nowhere.
func (s *Webhooks) WebhookURL(ctx context.Context, organisationID int64, botID string) (string, error) {
	b, err := findBot(ctx, s.pool, organisationID, botID)
	return b.WebhookURL, err
}

// ReadTransform reads a request to set the form of relayed events.
func ReadTransform(in input.Object) (botID, form string, err error) {
	c := &check{}
	object(fields{"botId": opaqueID, "payloadTransformType": choice(formDefault, formGoogle, formMaap)}, "botId", "payloadTransformType")(c, "", map[string]any(in))
	botID, _ = in["botId"].(string)
	form, _ = in["payloadTransformType"].(string)
	return botID, form, c.err()
}

// SetTransform sets the form of the events of a bot. It applies to every later
// attempt.
func (s *Webhooks) SetTransform(ctx context.Context, by By, botID, form string) error {
	return s.change(ctx, by, botID, func(tx pgx.Tx, b *models.RCSBot) (audit.Entry, error) {
		b.Transform = form
		if err := writes.RCSBotUpdate(ctx, tx, *b); err != nil {
			return audit.Entry{}, err
		}
		return audit.Entry{Action: "rcs_bot.transform", Details: map[string]any{"form": form}}, writes.RCSBotUpdateFormat(ctx, tx, botID)
	})
}

package jobs_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
	"time"

	"heliograph/app/channels/messaging"
	"heliograph/app/documentation/openapi/spectest"
	"heliograph/db/seed"
)

// callbacks is what the contract promises of callbacks: the webhooks of the
// document, read as if they were paths.
func callbacks(t *testing.T) *spectest.Contract {
	t.Helper()
	document, err := seed.Files.ReadFile("messaging.yaml")
	if err != nil {
		t.Fatal(err)
	}
	moved := regexp.MustCompile(`(?m)^  (\w+):\n    post:$`).ReplaceAll(bytes.Replace(document, []byte("\nwebhooks:\n"), []byte("\n"), 1), []byte("  /callbacks/$1:\n    post:"))
	contract, err := spectest.New(moved)
	if err != nil {
		t.Fatal(err)
	}
	return contract
}

// The answer of a recipient is relayed once, after the statuses of the message.
func TestRecipientWritesBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	contract := callbacks(t)
	received := make(chan messaging.MessagesChange, 10)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var c struct {
			Entry []struct {
				Changes []struct{ Value messaging.MessagesChange }
			}
		}
		body, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(body, &c); err != nil {
			t.Errorf("callback is not JSON: %s", body)
			return
		}
		change := c.Entry[0].Changes[0].Value
		promise := "messageStatus"
		if len(change.Messages) > 0 {
			promise = "inboundMessage"
		}
		if err := contract.RequestBody(promise, "application/json", body); err != nil {
			t.Errorf("%s breaks its contract: %v\n%s", promise, err, body)
		}
		received <- change
	}))
	t.Cleanup(server.Close)
	b.setWebhook(t, server.URL+"/hook")
	id := b.send(t, "+919812340008")
	statuses, answers := map[string]messaging.CallbackStatus{}, 0
	for len(statuses) < 3 || answers < 1 {
		select {
		case c := <-received:
			for _, s := range c.Statuses {
				statuses[s.Status] = s
			}
			for i, m := range c.Messages {
				answers++
				if m.From != "919812340008" || m.Type != "text" || m.Text == nil || m.Text.Body != "Hello" || m.Context == nil || m.Context.ID != id || c.Contacts[i].WaID != m.From || c.Contacts[i].Profile.Name == "" {
					t.Errorf("answer = %+v from %+v", m, c.Contacts)
				}
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("within 30 s: %d statuses and %d answers, want 3 and 1", len(statuses), answers)
		}
	}
	sent, read := statuses["sent"], statuses["read"]
	if sent.Pricing == nil || sent.Pricing.Category != "service" || sent.Pricing.Billable || sent.Conversation == nil || sent.Conversation.ID != read.Conversation.ID || sent.Conversation.Origin.Type != "service" {
		t.Errorf("sent counts as %+v in %+v, read in %+v", sent.Pricing, sent.Conversation, read.Conversation)
	}
	var kind, contact string
	var open bool
	err := b.pool.QueryRow(t.Context(), `
		select kind, contact, last_inbound_at > now() - interval '1 minute'
		from inbound_messages join conversations using (phone_number_id, contact) where phone_number_id = $1`, b.number.ID).Scan(&kind, &contact, &open)
	if err != nil || kind != "text" || contact != "919812340008" || !open {
		t.Errorf("stored: %s from %s, window open %v, %v", kind, contact, open, err)
	}
}

//go:build linux

package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
	"heliograph/app/people/identity"
	"heliograph/db"
)

// partner is a customer: an organisation with a key, and a server that takes
// the callbacks and checks their signature.
type partner struct {
	organisation
	hook *httptest.Server

	// failing spoils a callback and reports so; nil takes all.
	failing atomic.Pointer[func(w http.ResponseWriter, r *http.Request) bool]

	mu       sync.Mutex
	received map[callback]time.Time // when it came first
	repeated int
	unsigned int
}

// callback is what a partner learns: a message reached a state.
type callback struct{ id, state string }

func newPartner(t testing.TB, f *fleet) *partner {
	t.Helper()
	p := newSender(t, f, "asha@example.com")
	p.hook = httptest.NewServer(http.HandlerFunc(p.receive))
	t.Cleanup(p.hook.Close)
	return p
}

// newSender returns a partner that takes no callbacks.
func newSender(t testing.TB, f *fleet, email string) *partner {
	t.Helper()
	p := &partner{received: map[callback]time.Time{}}
	owner := identity.NewOwner{Name: "Asha", Email: email, Password: "amber lanterns over quiet water"}
	err := db.InTx(t.Context(), f.pool, func(tx pgx.Tx) (err error) {
		p.organisation, err = createOrganisation(t.Context(), tx, f.keyring, identity.NewOrganisation{Name: "Sandbox", Sandbox: true, Owner: owner})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// statusCallback is what a partner reads of a callback about a status.
type statusCallback struct {
	Entry []struct {
		Changes []struct {
			Value struct {
				Statuses []struct{ ID, Status string }
			}
		}
	}
}

// receive is the partner's webhook.
func (p *partner) receive(w http.ResponseWriter, r *http.Request) {
	if spoil := p.failing.Load(); spoil != nil && (*spoil)(w, r) {
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // cut off by a kill; it comes again
	}
	now := time.Now()
	mac := hmac.New(sha256.New, []byte(p.WebhookSecret))
	mac.Write(body)
	signed := r.Header.Get("X-Hub-Signature-256") == "sha256="+hex.EncodeToString(mac.Sum(nil))
	var c statusCallback
	if err := json.Unmarshal(body, &c); err != nil || len(c.Entry) == 0 {
		signed = false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !signed {
		p.unsigned++
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	statuses := c.Entry[0].Changes[0].Value.Statuses
	if len(statuses) == 0 {
		return // it is about no message
	}
	status := statuses[0]
	at := callback{status.ID, status.Status}
	if _, known := p.received[at]; known {
		p.repeated++
		return
	}
	p.received[at] = now
}

// setWebhook asks a web process to send callbacks here.
func (p *partner) setWebhook(t testing.TB, base string) {
	t.Helper()
	body := fmt.Sprintf(`{"webhook_url":%q,"headers":{}}`, p.hook.URL+"/hook")
	answer, status, err := p.post(t.Context(), base+"/v3/"+p.PhoneNumberID+"/setwebhook", "", []byte(body))
	if err != nil || status != http.StatusOK {
		t.Fatalf("setting the webhook: %d %v %s", status, err, answer)
	}
}

// One client for all: kept connections to each process, as partners have.
var partnerClient = &http.Client{
	Timeout:   20 * time.Second,
	Transport: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 30 * time.Second},
}

func (p *partner) post(ctx context.Context, url, key string, body []byte) (answer []byte, status int, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("apikey", p.APIKey)
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	res, err := partnerClient.Do(r)
	if err != nil {
		return nil, 0, err
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(res.Body)
	return answer, res.StatusCode, err
}

func (p *partner) messageBody(recipient, reference string) []byte {
	return fmt.Appendf(nil, `{"messaging_product":"msgapp","to":%q,"type":"text","text":{"body":"Your parcel arrives on Friday."},"biz_opaque_callback_data":%q}`,
		recipient, reference)
}

// send sends one message. The id belongs to the accepted message; a status
// other than 200 and err say why there is none.
func (p *partner) send(ctx context.Context, base, key string, body []byte) (id string, status int, err error) {
	answer, status, err := p.post(ctx, base+"/v3/"+p.PhoneNumberID+"/messages", key, body)
	if err != nil || status != http.StatusOK {
		return "", status, err
	}
	var reply messaging.SendReply
	if err := json.Unmarshal(answer, &reply); err != nil || len(reply.Messages) != 1 {
		return "", status, fmt.Errorf("an acceptance without its message: %q, %w", answer, err)
	}
	return reply.Messages[0].ID, status, nil
}

package outbound

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"heliograph/db/models"
)

// kindRBM is the kind of carriers that speak the REST API of RCS Business
// Messaging.
const kindRBM = "rbm"

func init() { carrierKinds[kindRBM] = openRBM }

// rbmCarrier hands RCS messages to an agent of RCS Business Messaging. It takes a
// repeated message id as the same message.
type rbmCarrier struct {
	client *Client
	name   string
	base   string
	agents map[string]string // by bot
	tokens *serviceAccount
}

func openRBM(c *Client, s CarrierSettings) (Carrier, error) {
	agents, err := models.RBMAgents(s.Settings)
	if err != nil {
		return nil, err
	}
	r := &rbmCarrier{client: c, name: s.Name, base: strings.TrimSuffix(s.URL, "/"), agents: agents}
	if r.tokens, err = newServiceAccount(c, s); err != nil {
		return nil, err
	}
	return r, nil
}

// Traits describes the carrier.
func (r *rbmCarrier) Traits() Traits { return Traits{Name: r.name, Idempotent: true} }

// The codes of refusals, in the words of the RCS channel.
const (
	rcsRefused   = 400
	rcsIncapable = 404
	rcsBusy      = 429
)

// rcsPayload is what the RCS channel hands over.
type rcsPayload struct {
	Content json.RawMessage `json:"contentMessage"`
	Traffic string          `json:"messageTrafficType"`
}

// agentMessage is the body of agentMessages.create.
type agentMessage struct {
	Content    json.RawMessage `json:"contentMessage"`
	Traffic    string          `json:"messageTrafficType,omitempty"`
	ExpireTime string          `json:"expireTime,omitempty"`
}

// Send creates an agent message. 404 says that the phone cannot receive RCS, and
// 400 refuses the message for good. A wrong key, agent or address is a fault of the
// settings, so that the message waits.
func (r *rbmCarrier) Send(ctx context.Context, m Message) (Receipt, error) {
	body, err := newAgentMessage(m)
	if err != nil {
		return Receipt{}, &CarrierError{Code: rcsRefused, Title: "The message cannot be encoded", Detail: err.Error()}
	}
	status, answer, err := r.call(ctx, m, rbmCall{http.MethodPost, "/agentMessages", "messageId=" + url.QueryEscape(m.ID), body})
	switch {
	case err != nil:
		return Receipt{}, err
	case status == http.StatusOK, status == http.StatusConflict: // it has it already
		return Receipt{ProviderID: m.ID, State: Sent}, nil
	case status == http.StatusNotFound:
		return Receipt{}, &CarrierError{Code: rcsIncapable, Title: "The phone cannot receive RCS", Detail: answer}
	case status == http.StatusBadRequest:
		return Receipt{}, &CarrierError{Code: rcsRefused, Title: "The carrier refused the message", Detail: answer}
	}
	return Receipt{}, r.unexpected(status, answer)
}

// newAgentMessage returns the body for a message. RBM names files itself.
func newAgentMessage(m Message) ([]byte, error) {
	var p rcsPayload
	if err := json.Unmarshal(m.Payload, &p); err != nil {
		return nil, err
	}
	var content any
	decoder := json.NewDecoder(bytes.NewReader(p.Content))
	decoder.UseNumber()
	if err := decoder.Decode(&content); err != nil {
		return nil, err
	}
	dropFileNames(content)
	text, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	out := agentMessage{Content: text, Traffic: p.Traffic}
	if !m.Until.IsZero() {
		out.ExpireTime = m.Until.UTC().Format(time.RFC3339)
	}
	return json.Marshal(out)
}

// dropFileNames removes the names of files, which our contract has and RBM refuses.
func dropFileNames(v any) {
	switch v := v.(type) {
	case map[string]any:
		if info, ok := v["contentInfo"].(map[string]any); ok {
			delete(info, "fileName")
		}
		for _, member := range v {
			dropFileNames(member)
		}
	case []any:
		for _, item := range v {
			dropFileNames(item)
		}
	}
}

// Revoke takes a message back that was not delivered. A message that the carrier
// does not have counts as taken back.
func (r *rbmCarrier) Revoke(ctx context.Context, m Message) error {
	status, answer, err := r.call(ctx, m, rbmCall{method: http.MethodDelete, path: "/agentMessages/" + url.PathEscape(m.ID)})
	if err != nil || status == http.StatusOK || status == http.StatusNotFound {
		return err
	}
	return r.unexpected(status, answer)
}

// Reaches reports whether a phone can receive messages of a sender.
func (r *rbmCarrier) Reaches(ctx context.Context, m Message) (bool, error) {
	status, answer, err := r.call(ctx, m, rbmCall{method: http.MethodGet, path: "/capabilities", query: "requestId=" + url.QueryEscape(m.ID)})
	if err != nil || status == http.StatusOK || status == http.StatusNotFound {
		return status == http.StatusOK, err
	}
	return false, r.unexpected(status, answer)
}

// rbmCall is a request about a phone. body is nil for none.
type rbmCall struct {
	method, path, query string
	body                []byte
}

// call makes a request about the phone of a message and returns its status and
// what it says.
func (r *rbmCarrier) call(ctx context.Context, m Message, c rbmCall) (status int, answer string, err error) {
	agent := r.agents[m.Sender]
	if agent == "" {
		return 0, "", waitForRCS("The carrier has no agent for the bot", m.Sender)
	}
	token, err := r.tokens.token(ctx)
	if err != nil {
		return 0, "", err
	}
	address := r.base + "/v1/phones/" + url.PathEscape("+"+strings.TrimPrefix(m.Recipient, "+")) + c.path + "?" + strings.TrimPrefix(c.query+"&agentId="+url.QueryEscape(agent), "&")
	req, err := http.NewRequestWithContext(ctx, c.method, address, bytes.NewReader(c.body))
	if err != nil {
		return 0, "", waitForRCS("The address of the carrier is wrong", "")
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if c.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := r.client.Do("carrier "+r.name, req)
	if err != nil {
		return 0, "", notTaken(err)
	}
	defer res.Body.Close()
	// The status decides. A body that was cut short only loses its explanation.
	said, _ := io.ReadAll(io.LimitReader(res.Body, 4096))
	answer = errorText(said)
	switch res.StatusCode {
	case http.StatusUnauthorized:
		r.tokens.forget(token)
		return 0, "", waitForRCS("The carrier refused the key of the service account", answer)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return 0, "", &CarrierError{Code: rcsBusy, Title: "The carrier is busy", Detail: answer, Temporary: true, Wait: retryAfter(res.Header.Get("Retry-After"), time.Now())}
	}
	return res.StatusCode, answer, nil
}

// unexpected returns the error of a status that says nothing about the message.
func (r *rbmCarrier) unexpected(status int, answer string) error {
	if status >= 400 && status < 500 {
		return waitForRCS("The carrier refused the settings", fmt.Sprintf("%d %s", status, answer))
	}
	return fmt.Errorf("the carrier %s responds %d", r.name, status)
}

// waitForRCS is the refusal of a carrier that is not set up correctly: an operator
// has to act, and the message waits for it.
func waitForRCS(title, detail string) error {
	return &CarrierError{Code: rcsBusy, Title: title, Detail: detail, Temporary: true, Wait: time.Minute}
}

// errorText returns the message of an error as Google writes it, or what else a
// body begins with.
func errorText(body []byte) string {
	var e struct{ Error struct{ Message string } }
	if json.Unmarshal(body, &e) == nil && e.Error.Message != "" {
		body = []byte(e.Error.Message)
	}
	return printable(strings.TrimSpace(string(body[:min(len(body), 300)])))
}

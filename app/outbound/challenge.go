package outbound

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"strings"

	"heliograph/app/fault"
)

// maxChallenge bounds the answer to a challenge, in bytes. The challenge itself
// is shorter; the rest allows for white space.
const maxChallenge = 64

// Challenge asks a webhook to prove that it expects callbacks: a GET with
// hub.mode, hub.verify_token and hub.challenge in its query, which must be
// answered with status 200 and the challenge as the body (the verification of
// Meta's webhooks). owner is as for Do, headers as for CheckHeaders. Errors are
// *fault.Error of kind Invalid that say what the webhook answered.
func (c *Client) Challenge(ctx context.Context, owner, address string, headers map[string]string, token string) error {
	number, err := rand.Int(rand.Reader, big.NewInt(1e15))
	if err != nil {
		return fmt.Errorf("drawing a challenge: %w", err)
	}
	challenge := number.String()
	u, err := c.parse(address)
	if err != nil {
		return err
	}
	query := u.Query()
	query.Set("hub.mode", "subscribe")
	query.Set("hub.verify_token", token)
	query.Set("hub.challenge", challenge)
	u.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return fmt.Errorf("building a challenge: %w", err)
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	req.Header.Set("User-Agent", userAgent)
	res, err := c.Do(owner, req)
	if err != nil {
		return &fault.Error{Kind: fault.Invalid, Err: err, Message: "The webhook did not answer the challenge. Check that it is running and can be reached."}
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxChallenge))
	switch {
	case res.StatusCode != http.StatusOK:
		return fault.New(fault.Invalid, "The webhook answered the challenge with %d. It must answer 200 with hub.challenge as the body.", res.StatusCode)
	case err != nil || strings.TrimSpace(string(body)) != challenge:
		return fault.New(fault.Invalid, "The webhook answered 200, but not with hub.challenge as the body. Return the challenge unchanged.")
	}
	return nil
}

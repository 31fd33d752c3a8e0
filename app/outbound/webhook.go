package outbound

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"heliograph/app/fault"
	"heliograph/app/trace"
)

// userAgent is the User-Agent header of deliveries.
const userAgent = "Heliograph-Relay/1"

const (
	maxExcerpt    = 2 << 10 // bytes of a response kept with the attempt
	maxRetryAfter = 24 * time.Hour
)

// Delivery is one attempt to hand an event to a webhook.
type Delivery struct {
	ID      string            // the same on every attempt; sent as webhook-id and X-Heliograph-Delivery
	At      time.Time         // of the attempt; sent as webhook-timestamp
	Owner   string            // the owner of the webhook, as for Client.Do
	Method  string            // GET or POST; empty means POST
	URL     string            // as accepted by CheckURL
	Headers map[string]string // as accepted by CheckHeaders
	Body    []byte            // JSON, sent byte for byte; empty for GET
	Secret  string            // signing secret; must not be empty
	// Previous is also used to sign while a secret is rotated; otherwise empty.
	Previous string
	// Signature is the header of the signature of the body; empty means
	// X-Hub-Signature-256.
	Signature string
	// Signed are the headers of a signature that the caller has made. Nothing else
	// is signed then.
	Signed map[string]string
}

// Result is the result of an attempt.
type Result struct {
	Status     int           // 0 without a response
	Latency    time.Duration // until the response was read or the attempt failed
	Header     http.Header   // of the response: Content-Type, Date, Location, Retry-After, Server
	Response   string        // the first 2,048 bytes of the response, converted to valid UTF-8 without NUL
	RetryAfter time.Duration // from the response, at most 24 h; 0 if missing
	Err        error         // nil if the status was 2xx; its message can be shown to the partner
}

// Gone reports whether the receiver asked for no more deliveries (410).
func (r Result) Gone() bool { return r.Status == http.StatusGone }

// Post signs and posts a delivery. Only a 2xx response is a success; a redirect
// is a failure. If the caller cancelled, errors.Is(Err, context.Canceled) is true
// and the result says nothing about the receiver.
func (c *Client) Post(ctx context.Context, d Delivery) Result {
	start := time.Now()
	r := c.post(ctx, d)
	r.Latency = time.Since(start)
	return r
}

func (c *Client) post(ctx context.Context, d Delivery) Result {
	req, err := c.request(ctx, d)
	if err != nil {
		return Result{Err: err}
	}
	res, err := c.Do(d.Owner, req)
	if err != nil {
		return Result{Err: err}
	}
	defer res.Body.Close()
	// The status decides the result. Keep an excerpt that was cut short by an error.
	text, _ := io.ReadAll(io.LimitReader(res.Body, maxExcerpt))
	r := Result{
		Status:     res.StatusCode,
		Header:     excerptHeader(res.Header),
		Response:   printable(string(text)),
		RetryAfter: retryAfter(res.Header.Get("Retry-After"), time.Now()),
	}
	switch {
	case r.Status >= 300 && r.Status < 400:
		r.Err = fault.New(fault.Unavailable, "The webhook answered %d; redirects are not followed. Set its final URL.", r.Status)
	case r.Status < 200 || r.Status > 299:
		r.Err = fault.New(fault.Unavailable, "The webhook answered %d instead of 2xx.", r.Status)
	}
	return r
}

// request returns the signed request. It checks the URL and the headers again,
// because the rules may have changed since they were saved. Headers that the delivery
// sets itself by now are left out.
func (c *Client) request(ctx context.Context, d Delivery) (*http.Request, error) {
	if d.Secret == "" && d.Signed == nil {
		return nil, errors.New("signing a delivery: the secret is empty")
	}
	u, err := c.parse(d.URL)
	if err != nil {
		return nil, err
	}
	custom := maps.Clone(d.Headers)
	maps.DeleteFunc(custom, func(name, _ string) bool { return matchesName(webhookHeaders, name) })
	if err := CheckHeaders(custom); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, cmp.Or(d.Method, http.MethodPost), u.String(), bytes.NewReader(d.Body))
	if err != nil {
		return nil, fmt.Errorf("building a delivery: %w", err)
	}
	for name, value := range custom {
		req.Header.Set(name, value)
	}
	trace.Inject(ctx, req.Header)
	return req, d.SetHeaders(req.Header)
}

// SetHeaders sets the headers of a delivery with its signature, without the headers that
// the partner chose.
func (d Delivery) SetHeaders(h http.Header) error {
	if len(d.Body) > 0 {
		h.Set("Content-Type", "application/json")
	}
	h.Set("User-Agent", userAgent)
	h.Set("X-Heliograph-Delivery", d.ID)
	for name, value := range d.Signed {
		h.Set(name, value)
	}
	if d.Signed != nil {
		return nil
	}
	return d.sign(h)
}

// excerptHeader returns the headers that help a partner to understand an attempt.
func excerptHeader(h http.Header) http.Header {
	out := http.Header{}
	for _, name := range []string{"Content-Type", "Date", "Location", "Retry-After", "Server"} {
		if v := h.Get(name); v != "" {
			out.Set(name, printable(v[:min(len(v), 200)]))
		}
	}
	return out
}

// printable converts text so that it can be stored. Postgres accepts neither NUL
// nor invalid UTF-8.
func printable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// retryAfter parses a Retry-After header (RFC 9110) with seconds or a date. It
// returns zero if it is missing, invalid or in the past.
func retryAfter(v string, now time.Time) time.Duration {
	wait := time.Duration(0)
	if n, err := strconv.ParseUint(v, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		wait = time.Duration(min(n, uint64(maxRetryAfter/time.Second))) * time.Second
	} else if at, err := http.ParseTime(v); err == nil {
		wait = at.Sub(now)
	}
	return max(0, min(wait, maxRetryAfter))
}

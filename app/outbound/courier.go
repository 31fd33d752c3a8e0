package outbound

import (
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// maxAnswer is how much of a provider's response is kept, in bytes.
const maxAnswer = 4 << 10

// CourierOptions configures a Courier.
type CourierOptions struct {
	Client *Client // calls HTTP providers
	// MailNetworks are networks that are not public, with SMTP servers that may
	// be dialled on any port, such as the deployment's own.
	MailNetworks  []netip.Prefix
	AllowLoopback bool           // development only
	Denied        []netip.Prefix // as for Client
}

// Courier hands SMS and emails to their providers. It is safe for concurrent
// use.
type Courier struct {
	client *Client
	dialer *net.Dialer    // of SMTP servers
	roots  *x509.CertPool // for SMTP servers; nil is the system's pool
}

// NewCourier returns a courier. It opens no connection.
func NewCourier(o CourierOptions) *Courier {
	g := newGuard(Options{AllowLoopback: o.AllowLoopback, Denied: o.Denied}, 25, 465, 587, 2525)
	g.permitted = o.MailNetworks
	return &Courier{client: o.Client, dialer: &net.Dialer{Timeout: 5 * time.Second, Control: g.control}}
}

// Deliver hands a message to the provider of its settings and returns the
// attempt with the provider's response. Virtual messages are accepted at once.
// The response is for administrators: it can contain addresses and the content
// of the message, but no key or password. The exchange ends within 15 seconds.
func (c *Courier) Deliver(ctx context.Context, d models.Dispatch) models.NotificationAttempt {
	start := time.Now()
	var a models.NotificationAttempt
	switch {
	case d.Virtual():
		a = models.NotificationAttempt{Provider: models.VirtualProvider, Outcome: models.OutcomeAccepted, Answer: "Accepted by the virtual provider. Nothing was sent."}
	case d.Kind == models.KindSMS:
		a = c.sendSMS(ctx, d)
	case d.Email.Mode == models.ModeAPI:
		a = c.postEmail(ctx, d)
	default:
		a = c.sendEmail(ctx, d)
	}
	a.NotificationID, a.StartedAt, a.Latency = d.ID, start, time.Since(start)
	a.Answer = printable(a.Answer[:min(len(a.Answer), maxAnswer)])
	return a
}

// call is a request to an HTTP provider.
type call struct {
	url         string
	key         models.Secret
	contentType string
	body        string
}

// post sends a request for the message d. The key is sent as Authorization and
// the id of the message as Idempotency-Key.
func (c *Courier) post(ctx context.Context, d models.Dispatch, in call) models.NotificationAttempt {
	u, err := c.client.parse(in.url)
	if err != nil {
		return models.NotificationAttempt{Provider: excerpt(in.url), Outcome: models.OutcomeRejected, Fault: models.FaultAddress, Answer: describeFault(err)}
	}
	a := models.NotificationAttempt{Provider: u.Host}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(in.body))
	if err != nil {
		a.Outcome, a.Fault, a.Answer = models.OutcomeRejected, models.FaultMessage, "The request could not be created."
		return a
	}
	req.Header.Set("Content-Type", in.contentType)
	req.Header.Set("Idempotency-Key", d.ID.String())
	if in.key != "" {
		req.Header.Set("Authorization", "Bearer "+string(in.key))
	}
	res, err := c.client.Do(d.Kind, req)
	if err != nil {
		a.Outcome, a.Fault, a.Answer = models.OutcomeUnavailable, failureClass(err), describeFault(err)
		return a
	}
	defer res.Body.Close()
	// The status decides the outcome. Keep a body that was cut short by an error.
	text, _ := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	a.Outcome, a.RetryAfter = outcomeOf(res.StatusCode), retryAfter(res.Header.Get("Retry-After"), time.Now())
	a.Answer = fmt.Sprintf("%s %s\n%s", res.Proto, res.Status, redactKey(string(text), in.key))
	if location := res.Header.Get("Location"); location != "" {
		a.Answer = fmt.Sprintf("%s %s\nLocation: %s\nRedirects are not followed: set the final URL.", res.Proto, res.Status, excerpt(location))
	}
	return a
}

// outcomeOf returns the outcome for a status. 2xx is accepted, 408, 425, 429 and
// 5xx are temporary, all others are final.
func outcomeOf(status int) string {
	switch {
	case status >= 200 && status < 300:
		return models.OutcomeAccepted
	case status >= 500, status == http.StatusRequestTimeout, status == http.StatusTooEarly, status == http.StatusTooManyRequests:
		return models.OutcomeUnavailable
	}
	return models.OutcomeRejected
}

// failureClass returns the class of the failure of an exchange.
func failureClass(err error) string {
	if f := fault.As(err); f != nil && f.Code != "" {
		return f.Code
	}
	return models.FaultAddress // refused before anything was sent
}

// describeFault returns the message of a fault with its cause, for
// administrators only.
func describeFault(err error) string {
	f := fault.As(err)
	switch {
	case f == nil:
		return err.Error()
	case f.Err != nil:
		return f.Message + "\n" + f.Err.Error()
	}
	return f.Message
}

// redactKey removes a key from a provider's response.
func redactKey(text string, key models.Secret) string {
	if key == "" {
		return text
	}
	return strings.NewReplacer(string(key), key.String(), url.QueryEscape(string(key)), key.String()).Replace(text)
}

func excerpt(text string) string { return printable(text[:min(len(text), 300)]) }

package outbound

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"time"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// Console is the client of the API console. It dials public addresses on the ports 80
// and 443 alone: it has no option that permits loopback or private networks, in
// development neither. The zero value is not usable, see NewConsole.
type Console struct{ client *Client }

// The bounds of a call of the console.
const (
	consoleTimeout = 10 * time.Second
	consoleBody    = 1<<20 + 1 // a byte more than is shown, so that the reader finds out
)

// NewConsole returns the client. Denied addresses are refused besides those that are
// not public, such as the deployment's own.
func NewConsole(denied []netip.Prefix) *Console {
	return &Console{New(Options{Denied: denied, Timeout: consoleTimeout, MaxBody: consoleBody})}
}

// Send sends one request on a connection of its own and returns the answer as it is.
// It follows no redirect and decompresses nothing. Cookies of the request are sent;
// other headers of the connection are dropped.
//
// Errors are Unavailable faults with messages for readers. Their code is FaultTarget,
// FaultDNS, FaultTimeout, FaultCertificate, FaultTLS, FaultRefused, FaultCancelled or
// FaultBroken of models.
func (c *Console) Send(r *http.Request) (*http.Response, error) {
	u, err := c.client.inspect(r.URL)
	if err != nil {
		return nil, refusedTarget(r.URL.Hostname(), err)
	}
	ctx, cancel := context.WithTimeout(r.Context(), consoleTimeout)
	out := r.Clone(ctx)
	out.URL, out.Host = u, ""
	cookies := out.Header.Values("Cookie")
	sanitise(out)
	for _, cookie := range cookies {
		out.Header.Add("Cookie", cookie)
	}
	answer, err := c.client.transports.get("").RoundTrip(out)
	if err == nil && answer.StatusCode == http.StatusSwitchingProtocols {
		answer.Body.Close()
		err = errSwitched
	}
	if err != nil {
		cancel()
		return nil, explainCall(r.Context(), u.Hostname(), err)
	}
	answer.Body = &body{http.MaxBytesReader(nil, answer.Body, consoleBody), cancel}
	return answer, nil
}

// explainCall converts the error of a call. Readers choose no host, so an unknown name
// and a refused address may be told apart.
func explainCall(ctx context.Context, host string, err error) error {
	var dns *net.DNSError
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return unavailable(models.FaultCancelled, errors.Join(ctx.Err(), err), "The call was cancelled.")
	case isDenied(err):
		return refusedTarget(host, err)
	case errors.As(err, &dns) && dns.IsNotFound:
		return unavailable(models.FaultDNS, err, "No server has the name %s. Ask the provider of the API for its address.", host)
	case errors.As(err, &dns) && !dns.IsTimeout:
		return unavailable(models.FaultDNS, err, "The name server for %s did not answer. Try again in a minute.", host)
	}
	return explainFailure(ctx, host, err)
}

// refusedTarget explains that an address is not public.
func refusedTarget(host string, err error) error {
	e := fault.New(fault.Unavailable, "%s is no public address. The console does not call private, local and loopback addresses. Use the mock server.", host)
	e.Code, e.Err = models.FaultTarget, err
	return e
}

package outbound

import (
	"cmp"
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"

	"heliograph/app/fault"
)

// Options configure a Client. The zero value is the production setting.
type Options struct {
	AllowLoopback bool           // development only: 127.0.0.0/8 and ::1 on any port, over http too
	Denied        []netip.Prefix // further addresses to refuse: the deployment's own public ones
	Ports         []uint16       // allowed beside 80 and 443

	Timeout       time.Duration // for a whole exchange, reading the body included; 0 is 10 s
	HeaderTimeout time.Duration // from request written to answer's headers; 0 is as long as Timeout
	MaxBody       int64         // bytes of an answer's body; 0 is 1 MB (1,048,576)
}

// Client is the guarded HTTP client. It is safe for concurrent use; a process
// needs one.
type Client struct {
	guard      *guard
	dialer     *net.Dialer
	transports *transports
	timeout    time.Duration
	maxBody    int64
}

// New builds a client. It opens nothing.
func New(o Options) *Client {
	g := newGuard(o, append([]uint16{80, 443}, o.Ports...)...)
	d := &net.Dialer{Timeout: 5 * time.Second, Control: g.control}
	return &Client{
		guard:      g,
		dialer:     d,
		transports: newTransports(d, o.HeaderTimeout),
		timeout:    cmp.Or(o.Timeout, 10*time.Second),
		maxBody:    cmp.Or(o.MaxBody, 1<<20),
	}
}

// Do sends req and gives the answer as it came: redirects are not followed and
// compressed bodies not expanded. Its signature uses the standard library's
// types alone, so that a rule can name it in an interface of its own.
//
// owner is whose connections may be reused, normally an organisation's id; with
// an empty owner the connection is closed after the exchange. Hop-by-hop,
// forwarding and cookie headers of req are dropped and its Host is the URL's.
// The exchange ends at Options.Timeout or at the context's deadline if that is
// sooner. The caller closes the body; reading past Options.MaxBody gives
// *http.MaxBytesError.
//
// Errors are *fault.Error: Invalid for a URL that breaks a rule, Unavailable
// for a destination that is refused, absent, slow or broken. Messages are fit
// for partners; the cause, which can name addresses, is for the log. When the
// caller cancelled, errors.Is(err, context.Canceled) holds.
func (c *Client) Do(owner string, req *http.Request) (*http.Response, error) {
	u, err := c.inspect(req.URL)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(req.Context(), c.timeout)
	out := req.Clone(ctx)
	out.URL, out.Host = u, ""
	sanitise(out)
	res, err := c.transports.get(owner).RoundTrip(out)
	if err == nil && res.StatusCode == http.StatusSwitchingProtocols {
		// The body of a 101 is the bare connection, which no deadline covers.
		res.Body.Close()
		err = errSwitched
	}
	if err != nil {
		cancel()
		return nil, explain(req.Context(), u.Hostname(), err)
	}
	res.Body = &body{http.MaxBytesReader(nil, res.Body, c.maxBody), cancel}
	return res, nil
}

// body is an answer's body that releases the exchange's timer when closed.
type body struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (b *body) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

// sanitise drops what a foreign caller must not decide: framing, connection
// handling, the claimed origin of the request, and cookies.
func sanitise(r *http.Request) {
	if r.Header == nil {
		r.Header = http.Header{}
	}
	for name := range r.Header {
		if hop(name) {
			delete(r.Header, name)
		}
	}
	r.TransferEncoding, r.Trailer, r.Close = nil, nil, false
	if r.Header.Get("User-Agent") == "" {
		r.Header.Set("User-Agent", "Heliograph/1")
	}
}

func unavailable(class string, err error, format string, args ...any) error {
	e := fault.New(fault.Unavailable, format, args...)
	e.Code, e.Err = class, err
	return e
}

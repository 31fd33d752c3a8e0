package outbound

import (
	"cmp"
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"heliograph/app/fault"
)

// Options configures a Client. The zero value is the production setting.
type Options struct {
	AllowLoopback bool           // development only: 127.0.0.0/8 and ::1 on any port, over http too
	Denied        []netip.Prefix // more addresses to refuse, such as the deployment's own public ones
	Ports         []uint16       // allowed besides 80 and 443
	// Networks are not public but may be dialled, on any port and over http, such
	// such as the deployment's own gateways. For destinations that operators
	// choose, never for partners' ones.
	Networks []netip.Prefix

	// Inside takes what goes to this installation itself, so that nothing is dialled;
	// nil for a client that knows no such addresses.
	Inside inside

	Timeout       time.Duration // of a whole exchange, including reading the body; 0 is 10 s
	HeaderTimeout time.Duration // from the written request to the response headers; 0 is Timeout
	MaxBody       int64         // bytes of a response body; 0 is 1 MB (1,048,576)

	// Idle is how many connections of one owner are kept for its next requests; 0 is 8.
	// Whoever makes many requests at once pays for each connection beyond them.
	Idle int
}

// inside takes requests to addresses of this installation within the process.
type inside interface {
	Owns(*url.URL) bool
	http.RoundTripper
}

// Client is the guarded HTTP client. It is safe for concurrent use. A process
// needs only one.
type Client struct {
	guard      *guard
	dialer     *net.Dialer
	transports *transports
	inside     inside
	timeout    time.Duration
	maxBody    int64
}

// New returns a client. It opens no connection.
func New(o Options) *Client {
	g := newGuard(o, append([]uint16{80, 443}, o.Ports...)...)
	g.permitted = o.Networks
	d := &net.Dialer{Timeout: 5 * time.Second, Control: g.control}
	return &Client{
		guard:      g,
		dialer:     d,
		transports: newTransports(d, o.HeaderTimeout, cmp.Or(o.Idle, maxIdle)),
		inside:     o.Inside,
		timeout:    cmp.Or(o.Timeout, 10*time.Second),
		maxBody:    cmp.Or(o.MaxBody, 1<<20),
	}
}

// Do sends req and returns the response unchanged: it does not follow redirects
// or decompress bodies. Its signature uses only types of the standard library,
// so that rules can declare it in their own interfaces.
//
// Connections are reused only for the same owner, normally the id of an
// organisation. With an empty owner the connection is closed after the exchange.
// Hop-by-hop, forwarding and cookie headers of req are dropped, and Host is taken
// from the URL. The exchange ends at Options.Timeout or the context's deadline,
// whichever is sooner. The caller closes the body. Reading more than
// Options.MaxBody returns *http.MaxBytesError.
//
// Errors are *fault.Error: Invalid for a URL that breaks a rule, Unavailable for
// a destination that is refused, unknown, slow or broken. Messages can be shown
// to partners. The cause may contain addresses and is for the log. If the caller
// cancelled, errors.Is(err, context.Canceled) is true.
func (c *Client) Do(owner string, req *http.Request) (*http.Response, error) {
	u, err := c.inspect(req.URL)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(req.Context(), c.timeout)
	out := req.Clone(ctx)
	out.URL, out.Host = u, ""
	sanitise(out)
	var by http.RoundTripper = c.inside
	if !c.isInside(u) {
		by = c.transports.get(owner)
	}
	res, err := by.RoundTrip(out)
	if err == nil && res.StatusCode == http.StatusSwitchingProtocols {
		// The body of a 101 response is the connection itself, which has no deadline.
		res.Body.Close()
		err = errSwitched
	}
	if err != nil {
		cancel()
		return nil, explainFailure(req.Context(), u.Hostname(), err)
	}
	res.Body = &body{http.MaxBytesReader(nil, res.Body, c.maxBody), cancel}
	return res, nil
}

// isInside reports whether an address is one of this installation.
func (c *Client) isInside(u *url.URL) bool { return c.inside != nil && c.inside.Owns(u) }

// body is a response body that releases the timer of the exchange when closed.
type body struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (b *body) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

// sanitise drops headers that callers must not set: framing, connection handling,
// the claimed origin of the request, and cookies.
func sanitise(r *http.Request) {
	if r.Header == nil {
		r.Header = http.Header{}
	}
	for name := range r.Header {
		if isHopHeader(name) {
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

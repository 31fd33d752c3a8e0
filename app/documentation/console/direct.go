package console

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"time"

	"heliograph/app/documentation/openapi/media"
)

// maxDirect is the largest body that a browser is handed to send, in bytes. Larger ones
// are sent from here.
const maxDirect = 256 << 10

// Direct is a call of the mock server for a browser to send. Credentials are
// placeholders, which the browser replaces with what was entered: they never come here.
type Direct struct {
	Method string      `json:"method"`
	URL    string      `json:"url"`
	Header [][2]string `json:"header"`
	Body   string      `json:"body,omitempty"` // base64
	// IsJSON marks a body in which values are escaped as JSON has them.
	IsJSON bool `json:"json,omitempty"`
	// Fields are the names of the fields that hold credentials, by their placeholders.
	Fields map[string]string `json:"fields"`
}

// unsettable lists the headers, in lower case, that browsers set themselves (WHATWG
// Fetch, 2.2.2) besides those that [IsBlocked] knows.
var unsettable = []string{
	"accept-charset", "accept-encoding", "access-control-request-headers", "access-control-request-method", "cookie", "cookie2", "date", "dnt",
	"origin", "referer", "set-cookie", "user-agent",
}

// Direct returns the call for a browser to send, and false where a browser cannot send
// it: it has a header or a method that browsers keep to themselves, or a large body.
// Fields are the names of the fields of credentials, by their placeholders.
func (c *Call) Direct(fields map[string]string) (Direct, bool) {
	if c.Method == http.MethodTrace || len(c.Body) > maxDirect || len(c.Body) > 0 && (c.Method == http.MethodGet || c.Method == http.MethodHead) {
		return Direct{}, false
	}
	d := Direct{Method: c.Method, URL: c.URL, Body: base64.StdEncoding.EncodeToString(c.Body), IsJSON: media.KindOf(c.Type) == media.JSON, Fields: fields}
	for _, h := range c.Header {
		if slices.Contains(unsettable, strings.ToLower(h.Name)) {
			return Direct{}, false
		}
		d.Header = append(d.Header, [2]string{h.Name, h.Value})
	}
	if c.Type != "" {
		d.Header = append(d.Header, [2]string{"Content-Type", c.Type})
	}
	return d, true
}

// Placeholders returns the placeholders of a scheme: of its secret, and of the name that
// belongs to it or "".
func (s Scheme) Placeholders() (secret, user string) {
	if s.Kind == "basic" {
		return s.Placeholder, userPlaceholder
	}
	return s.Placeholder, ""
}

// Arrived is an answer that a browser received from the mock server.
type Arrived struct {
	Status int
	Header http.Header
	Body   []byte
	Took   time.Duration
	// Failure is why there is no answer: FailureTimeout, FailureCancelled or
	// FailureBroken; empty for an answer.
	Failure string
}

package outbound

import (
	"net/http"
	"time"
)

// NewPortal returns the client of a command that calls a portal at an address that its
// user gives, such as heliograph import in a pipeline. The address may be private, so
// that nothing guards it: processes that serve others must not use it. Redirects are
// not followed, because a token would go with them.
func NewPortal(timeout time.Duration) *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = timeout
	return &http.Client{
		Transport: t, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

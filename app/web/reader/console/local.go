package console

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/console"
)

// local answers a request of the mock server in this process. Cookies and headers of
// the reader's own request do not go with it.
func (h *Handlers) local(c echo.Context, r *http.Request) (*http.Response, error) {
	own := c.Request()
	r.RemoteAddr, r.RequestURI = net.JoinHostPort(c.RealIP(), "0"), r.URL.RequestURI()
	r.Host = own.Host
	w := &recorder{header: http.Header{}, status: http.StatusOK}
	h.Local.ServeHTTP(w, r)
	w.header.Set("Content-Length", strconv.Itoa(w.body.Len()))
	return &http.Response{StatusCode: w.status, Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len())}, nil
}

// recorder keeps a response, up to what the console reads of one.
type recorder struct {
	header  http.Header
	body    bytes.Buffer
	status  int
	written bool
}

// Header returns the header of the response.
func (w *recorder) Header() http.Header { return w.header }

// WriteHeader keeps the status.
func (w *recorder) WriteHeader(status int) {
	if !w.written && status >= 200 {
		w.status, w.written = status, true
	}
}

// Write keeps a part of the body.
func (w *recorder) Write(data []byte) (int, error) {
	w.written = true
	if room := console.MaxAnswer + 1 - w.body.Len(); room > 0 {
		w.body.Write(data[:min(len(data), room)])
	}
	return len(data), nil
}

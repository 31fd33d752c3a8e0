package reader_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"
)

// line is a connection to a server on which answers to htmx fail or arrive slowly.
type line struct {
	http.Handler
	status atomic.Int64 // of every answer; 0 is what the handler says
	slow   atomic.Bool
	pages  atomic.Bool // slow answers are whole pages too
}

// hangUp is the status of a connection that ends without an answer.
const hangUp = -1

func (l *line) fail(status int) { l.status.Store(int64(status)) }

// pieces is how many parts a slow answer arrives in, and pause the time between two.
const (
	pieces = 60
	pause  = 30 * time.Millisecond
)

func (l *line) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status := int(l.status.Load())
	switch {
	case r.Header.Get("HX-Request") == "" && !(l.pages.Load() && strings.HasPrefix(r.URL.Path, "/docs/")):
		l.Handler.ServeHTTP(w, r)
	case status == hangUp:
		panic(http.ErrAbortHandler)
	case status != 0:
		w.Header().Set("X-Request-Id", "line")
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("HX-Push-Url", "false")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(`<div class="flash" id="flash"><div class="alert bad" role="alert"><strong>` + http.StatusText(status) + `</strong></div></div>`))
	case l.slow.Load():
		r.Header.Del("Accept-Encoding") // a browser would inflate many pieces at once
		answer := httptest.NewRecorder()
		l.Handler.ServeHTTP(answer, r)
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.Code)
		body := answer.Body.Bytes()
		for i := range pieces {
			_, _ = w.Write(body[i*len(body)/pieces : (i+1)*len(body)/pieces])
			w.(http.Flusher).Flush()
			time.Sleep(pause)
		}
	default:
		l.Handler.ServeHTTP(w, r)
	}
}

package page

import (
	"io"
	"net/http"
	"time"
)

// The server ends requests after half a minute. A file may take longer, as long as
// its client keeps up an average pace.
const (
	slowest = 16 << 10 // bytes a second
	grace   = 30 * time.Second
)

// Pace extends the deadlines of a connection as bytes are transferred.
type Pace struct {
	control *http.ResponseController
	begun   time.Time
	moved   int64
}

// NewPace begins to extend the deadlines of a response's connection.
func NewPace(w http.ResponseWriter) *Pace {
	p := &Pace{control: http.NewResponseController(w), begun: time.Now()}
	p.Move(0)
	return p
}

// Move records that n bytes were read or written. Connections without deadlines are
// left alone.
func (p *Pace) Move(n int) {
	p.moved += int64(n)
	due := p.begun.Add(grace + time.Duration(p.moved/slowest)*time.Second)
	_ = p.control.SetReadDeadline(due)
	_ = p.control.SetWriteDeadline(due.Add(grace))
}

// paced is a response that is written at the pace of its client.
type paced struct {
	http.ResponseWriter
	pace *Pace
}

// Paced returns a response that may take as long as its client keeps up its pace.
func Paced(w http.ResponseWriter) http.ResponseWriter { return paced{w, NewPace(w)} }

// Write writes at the pace of the client.
func (p paced) Write(b []byte) (int, error) {
	n, err := p.ResponseWriter.Write(b)
	p.pace.Move(n)
	return n, err
}

// pacedBody is the body of a request that may take as long as its client keeps up
// its pace.
type pacedBody struct {
	io.ReadCloser
	pace *Pace
}

// Read reads the bytes that have arrived.
func (b pacedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.pace.Move(n)
	return n, err
}

package api

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"heliograph/app/fault"
	webpage "heliograph/app/web/page"
)

// incoming is a request body.
type incoming struct {
	io.Closer
	pace *webpage.Pace
	body io.Reader
}

// incoming returns the body of a request, read at the pace of its client.
func (c *call) incoming() incoming {
	return incoming{c.request.Body, webpage.NewPace(c.writer), c.request.Body}
}

// Read reads the bytes that have arrived. The error is a fault if the body exceeds
// the limit of the surface.
func (i incoming) Read(p []byte) (int, error) {
	n, err := i.body.Read(p)
	i.pace.Move(n)
	var limit *http.MaxBytesError
	if errors.As(err, &limit) {
		err = tooLarge(limit.Limit)
	}
	return n, err
}

// drain reads the rest of a refused body: most clients read no response until they
// have sent everything.
func (i incoming) drain() { _, _ = io.Copy(io.Discard, i) }

// file is a response with stored bytes. It closes them.
type file struct {
	body        io.ReadSeekCloser
	contentType string
	name        string // suggested to browsers
	sha256      string // lower hexadecimal
	size        int64  // bytes
	modified    time.Time
	ranges      bool // whether ranges are served (RFC 9110, section 14)
}

var byteRange = regexp.MustCompile(`^bytes=(?:([0-9]{1,18})-([0-9]{0,18})|-[0-9]{1,18})$`)

func (f file) write(w http.ResponseWriter, r *http.Request) error {
	defer f.body.Close()
	if f.ranges {
		if err := f.clip(w, r); err != nil {
			return err
		}
	}
	h := w.Header()
	h.Set("Content-Type", f.contentType)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.name}))
	h.Set("ETag", `"`+f.sha256+`"`)
	h.Set("Cache-Control", "private, no-cache")
	out := webpage.Paced(w)
	if f.ranges {
		http.ServeContent(out, r, "", f.modified, f.body)
		return nil
	}
	h.Set("Content-Length", strconv.FormatInt(f.size, 10))
	_, err := io.Copy(out, f.body)
	return err
}

// clip keeps the conditions of a request that this API supports: one range within
// the file, if its ETag is unchanged. A range beyond the end is a fault. Any other
// condition is ignored and the whole file is served.
func (f file) clip(w http.ResponseWriter, r *http.Request) error {
	for _, name := range []string{"If-None-Match", "If-Match", "If-Modified-Since", "If-Unmodified-Since"} {
		r.Header.Del(name)
	}
	asked := r.Header.Get("Range")
	one := byteRange.FindStringSubmatch(asked)
	if one == nil {
		r.Header.Del("Range")
		return nil
	}
	start, _ := strconv.ParseInt(one[1], 10, 64)
	if end, err := strconv.ParseInt(one[2], 10, 64); err == nil && end < start {
		r.Header.Del("Range") // no range at all (RFC 9110, 14.1.1)
		return nil
	}
	if start < f.size && asked != "bytes=-0" {
		return nil
	}
	w.Header().Set("Content-Range", "bytes */"+strconv.FormatInt(f.size, 10))
	return &fault.Error{Kind: fault.Invalid, Message: "Invalid range",
		Fields: []fault.Field{{Name: "Range", Message: fmt.Sprintf("the file has %d bytes: ask for some of them", f.size)}}}
}

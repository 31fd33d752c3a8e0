package page

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
)

// Content is a response that was prepared before the request: a static file or a
// page of documentation. Its headers are prepared too, because such responses are
// most of the traffic.
type Content struct {
	plain, zipped *encoding
	vary          []string // nil when the answer is the same for all
	cacheControl  []string
	contentType   []string
}

type encoding struct {
	body         []byte
	etag, length []string
}

// File holds the bytes and the headers of a Content.
type File struct {
	// Body may be nil where Gzip is given: it is then inflated for each of the
	// few clients that do not take gzip.
	Body []byte
	// Gzip is Body compressed, or nil where compressing gains nothing.
	Gzip         []byte
	ContentType  string
	CacheControl string
	// Varies names the request header, besides Accept-Encoding, that chose
	// this file among others of its address; empty when there are none.
	Varies string
	// ETag is the strong, quoted validator of Body (RFC 9110, 8.8.3).
	ETag string
}

// Cache-Control of content that never changes at its address, and of other content.
const (
	Forever    = "public, max-age=31536000, immutable"
	Revalidate = "public, no-cache"
)

// headerPreloaded is sent by htmx when it preloads a page.
const headerPreloaded = "Hx-Preloaded"

var (
	gzipEncoding = []string{"gzip"}
	varyEncoding = []string{echo.HeaderAcceptEncoding}
	// preloaded is the Cache-Control of an answer that is asked for before it is
	// wanted: it is good for as long as a pointer rests on a link.
	preloaded = []string{"private, max-age=30"}
)

// Prepare prepares a file. The file's slices are kept and must not change.
func Prepare(f File) *Content {
	c := &Content{
		plain:        newEncoding(f.Body, f.ETag),
		cacheControl: []string{f.CacheControl},
		contentType:  []string{f.ContentType},
	}
	if f.Gzip != nil {
		c.vary = varyEncoding
	}
	if f.Varies != "" {
		c.vary = []string{strings.Join(append(slices.Clone(c.vary), f.Varies), ", ")}
	}
	if f.Body == nil {
		// The last four bytes are the length of what was compressed (RFC 1952, 2.3.1).
		size := binary.LittleEndian.Uint32(f.Gzip[len(f.Gzip)-4:])
		c.plain.length[0] = strconv.Itoa(int(size))
	}
	if f.Gzip != nil {
		// Another representation needs another strong tag.
		c.zipped = newEncoding(f.Gzip, strings.TrimSuffix(f.ETag, `"`)+`-gzip"`)
	}
	return c
}

func newEncoding(body []byte, etag string) *encoding {
	return &encoding{body: body, etag: []string{etag}, length: []string{strconv.Itoa(len(body))}}
}

// Serve responds with the content, or with 304 if the client has it.
func (content *Content) Serve(c echo.Context) error {
	r, res := c.Request(), c.Response()
	header, chosen := res.Header(), content.plain
	if content.vary != nil {
		header[echo.HeaderVary] = content.vary
	}
	if content.zipped != nil && acceptsGzip(r) {
		chosen = content.zipped
	}
	header["Etag"] = chosen.etag
	header[echo.HeaderCacheControl] = content.cacheControl
	if r.Header[headerPreloaded] != nil {
		header[echo.HeaderCacheControl] = preloaded
	}
	if match := strings.Join(r.Header["If-None-Match"], ","); match != "" && (match == "*" || strings.Contains(match, chosen.etag[0])) {
		res.WriteHeader(http.StatusNotModified)
		return nil
	}
	if chosen == content.zipped {
		header[echo.HeaderContentEncoding] = gzipEncoding
	}
	header[echo.HeaderContentType] = content.contentType
	header[echo.HeaderContentLength] = chosen.length
	res.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return nil
	}
	if chosen.body == nil {
		return inflate(res, content.zipped.body)
	}
	_, err := res.Write(chosen.body)
	return err
}

func inflate(w io.Writer, zipped []byte) error {
	z, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return err
	}
	_, err = io.Copy(w, z)
	return err
}

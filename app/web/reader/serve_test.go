package reader_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
)

func unzip(t *testing.T, zipped io.Reader) []byte {
	t.Helper()
	z, err := gzip.NewReader(zipped)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

const longPage = "/docs/business-messaging/3.0/send-message"

func TestRepresentations(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	plain := p.ask("GET", longPage)
	zipped := p.ask("GET", longPage, "Accept-Encoding", "br;q=1, gzip;q=0.8")
	if zipped.Header().Get("Content-Encoding") != "gzip" || plain.Header().Get("Content-Encoding") != "" {
		t.Errorf("encodings %v and %v", zipped.Header(), plain.Header())
	}
	body := zipped.Body.Bytes()
	if got := unzip(t, bytes.NewReader(body)); !bytes.Equal(got, plain.Body.Bytes()) {
		t.Error("the compressed page is another page")
	}
	if len(body) > 40_000 {
		t.Errorf("the longest page takes %d bytes", len(body))
	}
	for name, w := range map[string]*httptest.ResponseRecorder{"plain": plain, "gzip": zipped} {
		h := w.Header()
		if h.Get("Vary") != "Accept-Encoding, Cookie, HX-Request, HX-Target, Accept" || h.Get("Cache-Control") != "public, no-cache" || h.Get("Content-Type") != "text/html; charset=UTF-8" {
			t.Errorf("%s: headers %v", name, h)
		}
		if h.Get("Set-Cookie") != "" || h.Get("Etag") == "" || strings.HasPrefix(h.Get("Etag"), "W/") {
			t.Errorf("%s: headers %v", name, h)
		}
		if h.Get("Content-Length") != strconv.Itoa(w.Body.Len()) && name == "plain" {
			t.Errorf("%s: a length of %s for %d bytes", name, h.Get("Content-Length"), w.Body.Len())
		}
	}
	if plain.Header().Get("Etag") == zipped.Header().Get("Etag") {
		t.Error("two representations share a strong tag")
	}
	if w := p.ask("GET", longPage, "Accept-Encoding", "gzip;q=0, identity"); w.Header().Get("Content-Encoding") != "" {
		t.Error("gzip was refused and sent all the same")
	}
	head := p.ask("HEAD", longPage, "Accept-Encoding", "gzip")
	if head.Code != 200 || head.Body.Len() > 0 || head.Header().Get("Content-Length") != strconv.Itoa(len(body)) {
		t.Errorf("HEAD: %d %v with %d bytes", head.Code, head.Header(), head.Body.Len())
	}
}

func TestConditionalRequests(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	for _, encoding := range []string{"gzip", "identity"} {
		tag := p.ask("GET", longPage, "Accept-Encoding", encoding).Header().Get("Etag")
		for _, match := range []string{tag, `"another", ` + tag, "W/" + tag, "*"} {
			w := p.ask("GET", longPage, "Accept-Encoding", encoding, "If-None-Match", match)
			if w.Code != http.StatusNotModified || w.Body.Len() > 0 || w.Header().Get("Etag") != tag {
				t.Errorf("%s, If-None-Match %s: %d with %d bytes", encoding, match, w.Code, w.Body.Len())
			}
		}
		if w := p.ask("GET", longPage, "If-None-Match", `"another"`); w.Code != http.StatusOK {
			t.Errorf("another tag: %d", w.Code)
		}
	}
}

// A release replaces the pages at once, and only those that changed are new to
// a cache.
func TestReleaseReplacesPages(t *testing.T) {
	t.Parallel()
	p := publish(t)
	im := editorial.Import{ProductSlug: "lamps", Product: content.Product{Name: "Lamps", Summary: "Signals by light."}}
	p.release(t, im, "")
	before := p.ask("GET", "/docs/lamps")
	p.refresh(t)
	if w := p.ask("GET", "/docs/lamps", "If-None-Match", before.Header().Get("Etag")); w.Code != http.StatusNotModified {
		t.Errorf("nothing was released and the page is another: %d", w.Code)
	}
	im.Product.Name = "Mirrors"
	p.release(t, im, "")
	if w := p.ask("GET", "/docs/lamps", "If-None-Match", before.Header().Get("Etag")); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<h1>Mirrors</h1>") {
		t.Errorf("after a release the page is the old one: %d", w.Code)
	}
}

// Readers who come together for a page that nobody has made yet get one page.
func TestManyReadersAtOnce(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	tags := make([]string, 32)
	var readers sync.WaitGroup
	for i := range tags {
		readers.Go(func() { tags[i] = p.ask("GET", longPage).Header().Get("Etag") })
	}
	readers.Wait()
	for _, tag := range tags {
		if tag == "" || tag != tags[0] {
			t.Fatalf("readers of one page got %v", tags)
		}
	}
}

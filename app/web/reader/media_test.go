package reader_test

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

// text is what is served: each byte is known by its place.
var text = func() string {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "%03d,", i)
	}
	return b.String()
}()

// served uploads the text and returns a reader's browser and the public address.
func served(t *testing.T) (*webtest.Client, string) {
	t.Helper()
	site := webtest.New(t, nil)
	if a := site.SignInAdmin(t, identity.Editor).Once().UploadFiles("/admin/media/upload", "files", [2]string{"numbers.txt", text}); a.Status != 200 {
		t.Fatalf("the upload gives %d", a.Status)
	}
	var id string
	if err := site.DB.QueryRow(t.Context(), `select id from gallery_items where name = 'numbers.txt'`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return site.Client(t), "/media/" + url.PathEscape(id) + "/numbers.txt"
}

// Ranges are answered as RFC 9110 says and as nginx does: sixty requests, each with the
// bytes that a plain cut of the text gives.
func TestRanges(t *testing.T) {
	t.Parallel()
	c, address := served(t)
	whole := c.Get(address)
	tag, size := whole.Header.Get("ETag"), len(text)
	if whole.Status != 200 || whole.Body != text || whole.Header.Get("Accept-Ranges") != "bytes" || strings.HasPrefix(tag, "W/") {
		t.Fatalf("the whole file gives %d with %v", whole.Status, whole.Header)
	}
	asked := 0
	check := func(asks string, status int, want string, headers ...string) {
		t.Helper()
		asked++
		r := c.With("Range", asks)
		for i := 0; i < len(headers); i += 2 {
			r = r.With(headers[i], headers[i+1])
		}
		a := r.Get(address)
		if a.Status != status || status != http.StatusRequestedRangeNotSatisfiable && a.Body != want {
			t.Errorf("%s %v gives %d with %d bytes, want %d with %d", asks, headers, a.Status, len(a.Body), status, len(want))
		}
		if status == http.StatusRequestedRangeNotSatisfiable && a.Header.Get("Content-Range") != fmt.Sprintf("bytes */%d", size) {
			t.Errorf("%s names the size as %q", asks, a.Header.Get("Content-Range"))
		}
	}
	for _, from := range []int{0, 1, 7, 999, 2000, size - 2, size - 1} {
		for _, to := range []int{from, from + 1, from + 99, size - 1, size + 500} {
			check(fmt.Sprintf("bytes=%d-%d", from, to), 206, text[from:min(to+1, size)])
		}
		check(fmt.Sprintf("bytes=%d-", from), 206, text[from:])
	}
	for _, last := range []int{1, 5, 1000, size, size + 9} {
		check(fmt.Sprintf("bytes=-%d", last), 206, text[max(0, size-last):])
	}
	for _, beyond := range []string{fmt.Sprintf("bytes=%d-", size), fmt.Sprintf("bytes=%d-%d", size+1, size+2), "bytes=99999-100000", fmt.Sprintf("bytes=%d-,%d-", size, size+1)} {
		check(beyond, 416, "")
	}
	check("bytes=0-9", 206, text[:10], "If-Range", tag)
	check("bytes=0-9", 200, text, "If-Range", `"another"`)
	check("bytes=0-9", 200, text, "If-Range", "W/"+tag)
	check("lines=0-9", 200, text)
	check("bytes=0-9", 304, "", "If-None-Match", tag)
	check("bytes=0-9", 206, text[:10], "If-None-Match", `"another"`)
	check("bytes=0-9", 412, "", "If-Match", `"another"`)
	if head := c.With("Range", "bytes=0-9").Head(address); head.Status != 206 || head.Body != "" || head.Header.Get("Content-Length") != "10" {
		t.Errorf("HEAD of a range gives %d with %v", head.Status, head.Header)
	}
	if asked < 55 {
		t.Errorf("only %d ranges were asked for", asked)
	}
}

// Several ranges come as parts, each with its place.
func TestManyRanges(t *testing.T) {
	t.Parallel()
	c, address := served(t)
	for _, asks := range [][][2]int{{{0, 9}, {20, 29}}, {{3990, 3999}, {0, 0}}, {{5, 5}, {6, 6}, {7, 7}}, {{0, 99}, {50, 149}}} {
		var list []string
		for _, r := range asks {
			list = append(list, fmt.Sprintf("%d-%d", r[0], r[1]))
		}
		a := c.With("Range", "bytes="+strings.Join(list, ",")).Get(address)
		kind, with, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
		if a.Status != 206 || kind != "multipart/byteranges" || err != nil {
			t.Errorf("%v gives %d as %q: %v", list, a.Status, kind, err)
			continue
		}
		parts := multipart.NewReader(bytes.NewReader([]byte(a.Body)), with["boundary"])
		for _, r := range asks {
			p, err := parts.NextPart()
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(p)
			if err != nil || string(body) != text[r[0]:r[1]+1] || p.Header.Get("Content-Range") != fmt.Sprintf("bytes %d-%d/%d", r[0], r[1], len(text)) {
				t.Errorf("%v: %q at %s: %v", r, body, p.Header.Get("Content-Range"), err)
			}
		}
		if _, err := parts.NextPart(); err != io.EOF {
			t.Errorf("%v has more parts", list)
		}
	}
}

// What is served runs nowhere.
func TestFilesAreInert(t *testing.T) {
	t.Parallel()
	c, address := served(t)
	a := c.Get(address)
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Content-Type": "text/plain; charset=UTF-8"} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if policy := a.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "sandbox") || !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("the policy is %q", policy)
	}
}

// An answer that refuses a range names the size of the file, as nginx does.
func TestRefusedRangesNameTheSize(t *testing.T) {
	t.Parallel()
	c, address := served(t)
	for _, asked := range []string{"bytes=5-2", "bytes=a-b", "bytes=-", "bytes=1", "bytes=99999-", "bytes=18446744073709551616-"} {
		if a := c.With("Range", asked).Get(address); a.Status != 416 || a.Header.Get("Content-Range") != fmt.Sprintf("bytes */%d", len(text)) {
			t.Errorf("%s gives %d with %q", asked, a.Status, a.Header.Get("Content-Range"))
		}
	}
}

package reader_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/db/models"
)

// mostMemory is what a call may allocate at most, from its form to its result.
const mostMemory = 16 << 20

// Whatever a server answers, a call allocates at most 16 MiB. The test measures the
// whole process, so that no other runs beside it.
func TestHostileAnswersTakeLittleMemory(t *testing.T) { //nolint:paralleltest // it measures the process
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	if _, err := z.Write(make([]byte, 64<<20)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	u := &upstream{}
	site := newSite(t, u)
	if err := site.Settings.SaveConsole(t.Context(), models.ConsoleSettings{Shown: true}, "admin:1"); err != nil {
		t.Fatal(err)
	}
	const path = "/console/lamps/1.0/get-lamp"
	handler := site.Server.Handler()
	page := httptest.NewRecorder()
	handler.ServeHTTP(page, httptest.NewRequest(http.MethodGet, path, nil))
	cookies := page.Result().Cookies() //nolint:bodyclose // a recorder has nothing to close
	read, err := goquery.NewDocumentFromReader(page.Body)
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{"_csrf": {read.Find("#console-call [name=_csrf]").AttrOr("value", "")}, "v.path.id": {"7"}, "server": {"default"}}.Encode()
	call := func() (string, uint64) {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form))
		for name, value := range map[string]string{"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true", "HX-Target": "console-result", "Sec-Fetch-Site": "same-origin"} {
			r.Header.Set(name, value)
		}
		for _, cookie := range cookies {
			r.AddCookie(cookie)
		}
		w := &beginning{ResponseRecorder: httptest.NewRecorder()}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		handler.ServeHTTP(w, r)
		runtime.ReadMemStats(&after)
		return w.Body.String(), after.TotalAlloc - before.TotalAlloc
	}
	u.body = `{"id":7}`
	call() // compiles the checks
	for _, one := range []struct {
		name, encoding string
		body           func() io.Reader
		want           string
	}{
		{"an endless body", "", func() io.Reader { return endless{} }, "The answer is too large."},
		{"a bomb", "gzip", func() io.Reader { return bytes.NewReader(bomb.Bytes()) }, "The answer is too large."},
		{"an endless bomb", "gzip", func() io.Reader { return io.MultiReader(bytes.NewReader(bomb.Bytes()), endless{}) }, "The answer is too large."},
	} {
		u.answer = func(*http.Request) *http.Response {
			header := http.Header{"Content-Type": {"application/json"}}
			if one.encoding != "" {
				header.Set("Content-Encoding", one.encoding)
			}
			return &http.Response{StatusCode: http.StatusOK, Header: header, Body: io.NopCloser(one.body())}
		}
		text, took := call()
		t.Logf("%s: %d KiB", one.name, took>>10)
		if !strings.Contains(text, one.want) {
			t.Errorf("%s: the result lacks %q: %.300s", one.name, one.want, text)
		}
		if took > mostMemory {
			t.Errorf("%s: the call allocates %d KiB, want at most %d", one.name, took>>10, mostMemory>>10)
		}
	}
}

// beginning keeps the first bytes of an answer.
type beginning struct{ *httptest.ResponseRecorder }

func (b *beginning) Write(p []byte) (int, error) {
	if room := 16<<10 - b.Body.Len(); room > 0 {
		_, _ = b.ResponseRecorder.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

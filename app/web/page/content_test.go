package page

import (
	"bytes"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
)

// A file that is kept compressed only is answered as if it were kept whole.
func TestContentInflates(t *testing.T) {
	t.Parallel()
	body := []byte(strings.Repeat("Flashes of sunlight. ", 5000))
	var zipped bytes.Buffer
	if err := Compress(&zipped, body); err != nil {
		t.Fatal(err)
	}
	f := File{Gzip: zipped.Bytes(), ContentType: "text/plain", ETag: `"1"`}
	small := Prepare(f)
	f.Body = body
	whole := Prepare(f)
	for _, method := range []string{"GET", "HEAD"} {
		for _, encoding := range []string{"", "gzip", "gzip;q=0"} {
			var answers [2]*httptest.ResponseRecorder
			for i, content := range []*Content{small, whole} {
				r := httptest.NewRequest(method, "/", nil)
				r.Header.Set("Accept-Encoding", encoding)
				answers[i] = httptest.NewRecorder()
				if err := content.Serve(echo.New().NewContext(r, answers[i])); err != nil {
					t.Fatal(err)
				}
			}
			got, want := answers[0], answers[1]
			if !bytes.Equal(got.Body.Bytes(), want.Body.Bytes()) || got.Header().Get("Content-Length") != want.Header().Get("Content-Length") {
				t.Errorf("%s accepting %q: %d bytes, %v; want %d bytes, %v", method, encoding, got.Body.Len(), got.Header(), want.Body.Len(), want.Header())
			}
			if encoding == "" && got.Header().Get("Content-Length") != strconv.Itoa(len(body)) {
				t.Errorf("a length of %s for %d bytes", got.Header().Get("Content-Length"), len(body))
			}
		}
	}
}

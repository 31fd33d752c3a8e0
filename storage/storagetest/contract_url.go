package storagetest

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"heliograph/app/fault"
	"heliograph/storage"
)

func testURL(t *testing.T, s storage.Store) {
	key, body := storage.UploadKey(randomID()), randomBytes(3000)
	if _, err := s.Put(t.Context(), key, bytes.NewReader(body), storage.PutOptions{ContentType: "application/zip"}); err != nil {
		t.Fatal(err)
	}
	link, err := s.URL(t.Context(), key, storage.MaxURLLife)
	if err != nil {
		t.Fatal(err)
	}
	answer, got := fetch(t, link, "")
	if answer.StatusCode != http.StatusOK || !bytes.Equal(got, body) || answer.Header.Get("Content-Type") != "application/zip" {
		t.Errorf("GET of a link: status %d, %d bytes of type %s", answer.StatusCode, len(got), answer.Header.Get("Content-Type"))
	}
	answer, got = fetch(t, link, "bytes=1000-1999")
	if answer.StatusCode != http.StatusPartialContent || !bytes.Equal(got, body[1000:2000]) {
		t.Errorf("GET of a range: status %d, %d bytes", answer.StatusCode, len(got))
	}

	other := put(t, s, []byte("not for the holder of this link"))
	unsigned, _, _ := strings.Cut(link, "?")
	for name, forged := range map[string]string{
		"another key":    strings.Replace(link, key.String(), other.String(), 1),
		"no signature":   unsigned,
		"other lifetime": lengthen(t, link),
	} {
		if answer, _ := fetch(t, forged, ""); answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s: status %d, want 403", name, answer.StatusCode)
		}
	}

	link, err = s.URL(t.Context(), storage.UploadKey(randomID()), time.Second*30)
	if err != nil {
		t.Fatal(err)
	}
	if answer, _ := fetch(t, link, ""); answer.StatusCode != http.StatusNotFound {
		t.Errorf("GET of a missing object: status %d, want 404", answer.StatusCode)
	}
	for _, life := range []time.Duration{-1, 0, time.Second - 1, storage.MaxURLLife + 1} {
		_, err := s.URL(t.Context(), key, life)
		wantKind(t, "URL for "+life.String(), err, fault.Invalid)
	}
}

// lengthen adds a digit to the time at which a link ends.
func lengthen(t *testing.T, link string) string {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	for _, name := range []string{"expires", "X-Amz-Expires"} {
		if query.Has(name) {
			query.Set(name, query.Get(name)+"0")
		}
	}
	u.RawQuery = query.Encode()
	return u.String()
}

func fetch(t *testing.T, link, byteRange string) (*http.Response, []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, link, nil)
	if err != nil {
		t.Fatal(err)
	}
	if byteRange != "" {
		request.Header.Set("Range", byteRange)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, body
}

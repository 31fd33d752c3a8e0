package sample

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math/big"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"heliograph/app/documentation/openapi/media"
)

// received is a request as a server sees it, and as a sample promises it.
type received struct {
	Method, Path string
	Query        url.Values
	Header       map[string]string // of the document's; Content-Type without parameters for forms
	Body         any               // JSON with exact numbers, text, or url.Values
	Files        map[string][]file
	Types        map[string][]string // content types of parts, as far as they are of partTypes
}

// partTypes are content types that no client gives a part by itself.
var partTypes = []string{"application/json", "text/x-odd", "image/x-odd"}

// file is a part of a multipart body.
type file struct{ Name, Content string }

// clients are headers that programs send on their own; the headers of caching go with
// conditions.
var clients = []string{
	"Accept", "Accept-Encoding", "Accept-Language", "Cache-Control", "Connection", "Content-Length", "Pragma", "Expect", "Http2-Settings",
	"Priority", "Sec-Fetch-Mode", "Te", "Upgrade", "User-Agent",
}

// recorder is a server that keeps what arrives, by the first segment of the
// path, and answers with an empty JSON object.
type recorder struct {
	*httptest.Server
	mu    sync.Mutex
	calls map[string][]received
}

func newRecorder(t *testing.T) *recorder {
	t.Helper()
	rec := &recorder{calls: map[string][]received{}}
	rec.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		script, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		got := read(t, r)
		got.Path = "/" + rest
		rec.mu.Lock()
		rec.calls[script] = append(rec.calls[script], got)
		rec.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{}") // a client that has gone fails its own trial
	}))
	t.Cleanup(rec.Close)
	return rec
}

func read(t *testing.T, r *http.Request) received {
	got := received{Method: r.Method, Query: r.URL.Query(), Header: map[string]string{}}
	for name, values := range r.Header {
		got.Header[name] = strings.Join(values, "\n")
	}
	for _, name := range clients {
		delete(got.Header, name)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Errorf("reading the body of %s: %v", r.URL, err)
	}
	contentType, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch media.KindOf(contentType) {
	case media.Form:
		got.Header["Content-Type"] = contentType
		if got.Body, err = url.ParseQuery(string(body)); err != nil {
			t.Errorf("form of %s: %v", r.URL, err)
		}
	case media.Multipart:
		got.Header["Content-Type"] = contentType
		got.readParts(t, multipart.NewReader(strings.NewReader(string(body)), params["boundary"]))
	case media.JSON:
		got.Body = exact(t, string(body))
	default:
		if len(body) > 0 {
			got.Body = string(body)
		}
	}
	return got
}

// readParts reads the parts of a form. A part that fetch calls blob is a value.
func (r *received) readParts(t *testing.T, parts *multipart.Reader) {
	values := url.Values{}
	r.Body, r.Files = values, map[string][]file{}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Errorf("parts of %s: %v", r.Path, err)
			return
		}
		data, err := io.ReadAll(part)
		if err != nil {
			t.Errorf("reading the part %s: %v", part.FormName(), err)
		}
		if name := part.FileName(); name == "" || name == "blob" {
			values.Add(part.FormName(), string(data))
		} else {
			r.Files[part.FormName()] = append(r.Files[part.FormName()], file{name, string(data)})
		}
		if own, _, _ := strings.Cut(part.Header.Get("Content-Type"), ";"); slices.Contains(partTypes, own) {
			r.addType(part.FormName(), own)
		}
	}
}

func (r *received) addType(name, contentType string) {
	if r.Types == nil {
		r.Types = map[string][]string{}
	}
	r.Types[name] = append(r.Types[name], contentType)
}

// exact reads JSON with its numbers as fractions.
func exact(t *testing.T, text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil || d.More() {
		t.Errorf("not JSON (%v): %s", err, text)
	}
	return fractions(v)
}

func fractions(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, _ := new(big.Rat).SetString(v.String())
		return "number " + f.RatString()
	case []any:
		for i := range v {
			v[i] = fractions(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = fractions(v[key])
		}
	}
	return v
}

// promised is what the request of a sample says a server receives, its address
// being below base.
func promised(t *testing.T, r *request, base string) received {
	t.Helper()
	u, err := url.Parse(strings.TrimPrefix(r.url, base))
	if err != nil {
		t.Fatal(err)
	}
	want := received{Method: r.method, Path: u.Path, Query: u.Query(), Header: map[string]string{}}
	for _, h := range r.withCookie(r.withType()) {
		want.Header[http.CanonicalHeaderKey(h.name)] = h.value
	}
	if r.user != "" {
		want.Header["Authorization"] = "Basic " + base64.StdEncoding.EncodeToString([]byte(r.user))
	}
	if r.body == nil {
		return want
	}
	switch r.body.kind {
	case media.JSON:
		want.Body = exact(t, string(r.body.value.JSON()))
	case media.Text:
		want.Body = r.body.text
	case media.Binary:
		want.Body = everyByte
	default:
		want.Header["Content-Type"] = r.body.contentType
		values := url.Values{}
		for _, p := range r.body.pairs {
			if slices.Contains(partTypes, p.media) {
				want.addType(p.name, p.media)
			}
			if !p.file {
				values.Add(p.name, p.value)
				continue
			}
			if want.Files == nil {
				want.Files = map[string][]file{}
			}
			want.Files[p.name] = append(want.Files[p.name], file{path.Base(p.value), everyByte})
		}
		want.Body = values
		if r.body.kind == media.Multipart && want.Files == nil {
			want.Files = map[string][]file{}
		}
	}
	return want
}

// withoutCookie is what arrives when a browser has no cookie to add.
func (r received) withoutCookie() received {
	r.Header = maps.Clone(r.Header)
	delete(r.Header, "Cookie")
	return r
}

// fill puts a value into the place of a placeholder.
func (r received) fill(placeholder, value string) received {
	r.Path = strings.ReplaceAll(r.Path, placeholder, value)
	r.Header = maps.Clone(r.Header)
	for name, text := range r.Header {
		r.Header[name] = strings.ReplaceAll(text, placeholder, value)
	}
	for _, list := range r.Query {
		for i := range list {
			list[i] = strings.ReplaceAll(list[i], placeholder, value)
		}
	}
	if body, ok := r.Body.(map[string]any); ok {
		for name := range body {
			if body[name] == placeholder {
				body[name] = value
			}
		}
	}
	return r
}

// everyByte is what the files hold that samples send.
var everyByte = func() string {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	return string(all)
}()

package console

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

// parameter describes a parameter of a test.
func parameter(in, name, kind, style string, explode bool) model.Input {
	return model.Input{In: in, Name: name, Style: style, Explode: explode, Field: &model.Field{Name: name, Path: in + "." + name, Type: kind}}
}

// endpoint has one parameter in its path, and others.
func endpoint(inputs ...model.Input) *model.Endpoint {
	id := parameter("path", "id", "string", "simple", false)
	return &model.Endpoint{
		ID: "send", Method: "POST", Path: "/a/{id}", PathParts: []model.PathPart{{Text: "/a/"}, {Text: "{id}", Parameter: "id", Anchor: "path.id"}},
		Inputs: append([]model.Input{id}, inputs...), Bodies: []model.Body{{ContentType: "application/json"}},
	}
}

func TestValuesAreWrittenInTheirStyle(t *testing.T) {
	t.Parallel()
	document := parameter("query", "pet", "string", "form", true)
	document.Media = "application/json"
	for name, c := range map[string]struct {
		in   model.Input
		text string
		want string // the query
	}{
		"a text":               {parameter("query", "q", "string", "form", true), "a b&c=d", "q=a%20b%26c%3Dd"},
		"a list":               {parameter("query", "q", "array of string", "form", true), "a\nb,c", "q=a&q=b%2Cc"},
		"a list in one":        {parameter("query", "q", "array of string", "form", false), "a\nb,c", "q=a,b%2Cc"},
		"a list with pipes":    {parameter("query", "q", "array of string", "pipeDelimited", false), "a\nb", "q=a|b"},
		"a list with blanks":   {parameter("query", "q", "array of string", "spaceDelimited", false), "a\nb", "q=a%20b"},
		"an object":            {parameter("query", "q", "object", "form", true), `{"a":1,"b":"x y"}`, "a=1&b=x%20y"},
		"an object in one":     {parameter("query", "q", "object", "form", false), `{"a":1,"b":2}`, "q=a,1,b,2"},
		"a deep object":        {parameter("query", "q", "object", "deepObject", true), `{"a":{"b":12345678901234567890}}`, "q[a][b]=12345678901234567890"},
		"a word as a document": {document, "cat", "pet=%22cat%22"},
		"an object as one":     {document, `{"name": "cat"}`, "pet=%7B%22name%22%3A%22cat%22%7D"},
	} {
		call, err := Build(endpoint(c.in), "https://api.example.com", Entry{Values: map[string]string{"path.id": "1", "query." + c.in.Name: c.text}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := "https://api.example.com/a/1?" + c.want; call.URL != want {
			t.Errorf("%s is sent to %s, want %s", name, call.URL, want)
		}
	}
}

func TestPathValues(t *testing.T) {
	t.Parallel()
	for style, want := range map[string]string{"simple": "1,2", "label": ".1.2", "matrix": ";id=1;id=2"} {
		e := endpoint()
		e.Inputs[0].Style, e.Inputs[0].Explode, e.Inputs[0].Field.Type = style, true, "array of integer"
		call, err := Build(e, "https://api.example.com/v1", Entry{Values: map[string]string{"path.id": "1\n2"}})
		if err != nil || call.URL != "https://api.example.com/v1/a/"+want {
			t.Errorf("%s: %v, %v, want %s", style, call, err, want)
		}
	}
	for value, want := range map[string]string{"a/b": "a%2Fb", "a?b#c": "a%3Fb%23c", "../x": "..%2Fx", "@evil.example": "@evil.example", "é": "%C3%A9"} {
		call, err := Build(endpoint(), "https://api.example.com", Entry{Values: map[string]string{"path.id": value}})
		if err != nil || call.URL != "https://api.example.com/a/"+want {
			t.Errorf("%q: %v, %v, want %s", value, call, err, want)
		}
	}
	for _, value := range []string{"", ".", ".."} {
		if _, err := Build(endpoint(), "https://api.example.com", Entry{Values: map[string]string{"path.id": value}}); fault.KindOf(err) != fault.Invalid {
			t.Errorf("the path value %q is sent", value)
		}
	}
}

// What belongs to the transport is refused by name, and what breaks a header by value.
func TestSmuggledHeaders(t *testing.T) {
	t.Parallel()
	names := []string{
		"Host", "host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Expect", "Trailer", "Upgrade", "TE", "Via", "Forwarded", "Cookie",
		"Proxy-Authorization", "Proxy-Connection", "Sec-Fetch-Site", "Sec-WebSocket-Key", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "HTTP2-Settings",
		"X-HTTP-Method-Override", "X-Original-URL", "X-Rewrite-URL", "a b", "a:b", "a\r\nHost", "",
	}
	for _, name := range names {
		e := endpoint(parameter("header", name, "string", "simple", false))
		if call, err := Build(e, "https://api.example.com", Entry{Values: map[string]string{"path.id": "1", "header." + name: "x"}}); fault.KindOf(err) != fault.Invalid {
			t.Errorf("the header %q is sent: %v", name, call)
		}
	}
	for _, value := range []string{"a\r\nHost: evil.example", "a\nb", "a\x00b"} {
		e := endpoint(parameter("header", "X-Trace", "string", "simple", false))
		if call, err := Build(e, "https://api.example.com", Entry{Values: map[string]string{"path.id": "1", "header.X-Trace": value}}); fault.KindOf(err) != fault.Invalid {
			t.Errorf("the value %q is sent: %v", value, call)
		}
	}
	if _, err := Build(endpoint(), "https://api.example.com", Entry{Values: map[string]string{"path.id": "1", "header.X-Extra": "x"}}); fault.KindOf(err) != fault.Invalid {
		t.Error("a header that the contract does not have is sent")
	}
}

func TestCredentialsAreSentAndNotShown(t *testing.T) {
	t.Parallel()
	const secret = `planted"key&1`
	for name, c := range map[string]struct {
		scheme model.AuthScheme
		user   string
		raw    string
		sent   func(r *http.Request) string
		want   string
	}{
		"a header": {model.AuthScheme{Name: "k", Kind: "apiKey", In: "header", Field: "apikey"}, "", "", func(r *http.Request) string { return r.Header.Get("apikey") }, secret},
		"a query":  {model.AuthScheme{Name: "k", Kind: "apiKey", In: "query", Field: "key"}, "", "", func(r *http.Request) string { return r.URL.Query().Get("key") }, secret},
		"a cookie": {model.AuthScheme{Name: "k", Kind: "apiKey", In: "cookie", Field: "sid"}, "", "", func(r *http.Request) string { return r.Header.Get("Cookie") }, "sid=" + secret},
		"a bearer": {model.AuthScheme{Name: "k", Kind: "bearer", In: "header", Field: "Authorization"}, "", "", func(r *http.Request) string { return r.Header.Get("Authorization") }, "Bearer " + secret},
		"basic": {model.AuthScheme{Name: "k", Kind: "basic", In: "header", Field: "Authorization"}, "asha", "", func(r *http.Request) string {
			user, password, _ := r.BasicAuth()
			return user + ":" + password
		}, "asha:" + secret},
		"the body": {model.AuthScheme{Name: "k", Kind: "apiKey", In: "query", Field: "key"}, "", `{"key":"<API_KEY>"}`, func(r *http.Request) string {
			data, err := io.ReadAll(r.Body)
			if err != nil {
				return err.Error()
			}
			return r.URL.RawQuery + string(data)
		}, `{"key":"planted\"key\u00261"}`},
	} {
		e := endpoint()
		e.Auth = [][]model.AuthScheme{{c.scheme}}
		entry := Entry{Values: map[string]string{"path.id": "1"}, Credentials: map[string]Credential{"k": {User: c.user, Secret: secret}}, ContentType: "application/json", Raw: c.raw}
		call, err := Build(e, "https://api.example.com", entry)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		head, body := call.Shown()
		if shown := head + body + call.URL + call.Sample(e, "curl", nil); strings.Contains(shown, "planted") {
			t.Errorf("%s is shown:\n%s", name, shown)
		}
		r, err := call.request(t.Context())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := c.sent(r); got != c.want {
			t.Errorf("%s is sent as %q, want %q", name, got, c.want)
		}
		result := &Result{Call: call, Header: []Header{{Name: "X-Echo", Value: "got " + secret}}, Body: []byte(`{"echo":"planted\"key\u00261"} ` + secret)}
		result.hide()
		if echoed := result.Header[0].Value + string(result.Body); strings.Contains(echoed, "planted") {
			t.Errorf("%s comes back: %s", name, echoed)
		}
	}
}

// A credential that nobody entered is not sent, not even its placeholder.
func TestMissingCredential(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"header", "query", "cookie"} {
		e := endpoint()
		e.Auth = [][]model.AuthScheme{{{Name: "k", Kind: "apiKey", In: in, Field: "key"}}}
		call, err := Build(e, "https://api.example.com", Entry{Values: map[string]string{"path.id": "1"}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := call.request(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r.Header.Get("key") != "" || r.URL.RawQuery != "" || r.Header.Get("Cookie") != "" {
			t.Errorf("a placeholder is sent in the %s: %v %v", in, r.URL, r.Header)
		}
	}
}

func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	if _, err := z.Write(make([]byte, 64<<20)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		encoding string
		body     io.Reader
		code     string
	}{
		"an endless body": {"", endless{}, codeLarge},
		"a bomb":          {"gzip", &bomb, codeLarge},
		"no gzip":         {"gzip", strings.NewReader("plain"), codeDecoding},
		"another coding":  {"br", strings.NewReader("plain"), codeDecoding},
	} {
		r := &Result{Call: &Call{}}
		header := http.Header{}
		if c.encoding != "" {
			header.Set("Content-Encoding", c.encoding)
		}
		r.read(&http.Response{StatusCode: 200, Header: header, Body: io.NopCloser(c.body)})
		if r.Failure == nil || r.Failure.Code != c.code || len(r.Body) > MaxAnswer {
			t.Errorf("%s: %+v with %d bytes, want %s", name, r.Failure, len(r.Body), c.code)
		}
	}
	r := &Result{Call: &Call{}}
	r.read(&http.Response{StatusCode: 302, Header: http.Header{"Location": {"http://127.0.0.1/"}}, Body: http.NoBody})
	if r.Failure == nil || r.Failure.Code != codeRedirect || r.Status != 302 {
		t.Errorf("a redirect is %+v", r.Failure)
	}
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestMultipartBody(t *testing.T) {
	t.Parallel()
	e := endpoint()
	e.Bodies = []model.Body{{ContentType: "multipart/form-data", Root: &model.Field{Children: []*model.Field{
		{Name: "meta", Type: "object", Children: []*model.Field{{Name: "a", Type: "string"}}}, {Name: "files", Type: "array of file"}, {Name: "note", Type: "string"},
	}}}}
	call, err := Build(e, "https://api.example.com", Entry{Values: map[string]string{"path.id": "1"}, ContentType: "multipart/form-data", Parts: []Part{
		{Name: "meta", Data: []byte(`{"a":"b"}`)}, {Name: "note", Data: []byte("x")},
		{Name: "files", FileName: "a\".txt", ContentType: "text/plain", Data: []byte("1")}, {Name: "files", FileName: "b.png", Data: []byte("2")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"name=\"meta\"\r\nContent-Type: application/json\r\n\r\n{\"a\":\"b\"}", "name=\"note\"\r\n\r\nx",
		"name=\"files\"; filename=\"a%22.txt\"\r\nContent-Type: text/plain", "name=\"files\"; filename=\"b.png\"\r\nContent-Type: application/octet-stream",
	} {
		if !strings.Contains(string(call.Body), want) {
			t.Errorf("the body lacks %q:\n%s", want, call.Body)
		}
	}
	shown := call.Sample(e, "curl", []Part{
		{Name: "meta", Data: []byte(`{"a":"b;c"}`)}, {Name: "files", FileName: "a.txt", ContentType: "text/plain"}, {Name: "files", FileName: "b.png", ContentType: "image/png"}, {Name: "note", Data: []byte("@x")},
	})
	for _, want := range []string{`--form 'meta="{\"a\":\"b;c\"}";type=application/json'`, `--form 'files=@a.txt;type=text/plain'`, `--form 'files=@b.png;type=image/png'`, "--form-string 'note=@x'"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the sample lacks %s:\n%s", want, shown)
		}
	}
	if files := FileFields(e.Bodies[0]); len(files) != 1 || !files["files"] {
		t.Errorf("files: %v", files)
	}
	if n := readJSON("12345678901234567890"); n.Display() != "12345678901234567890" || !n.Is(tree.KindNumber) {
		t.Errorf("a large number is %v", n)
	}
}

package spec

import (
	"context"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// nasty are values that have a meaning to shells, to curl or to URLs.
var nasty = []string{
	`it's "quoted"`, "$(id) `id` $HOME ${PATH}", `back\slash \n \\`, "line\nbreak", "@/etc/passwd", "</etc/passwd", "a;type=text/html",
	"a&b=c#d?e", "100% %41", "[1-3]{a,b}", "..", "é漢😀", "!history", "-o x", "a+b c", "'", "''", "*", "~",
}

// received is what a server saw of a call.
type received struct {
	Method, Path, Query, Header, Body string
	Form                              url.Values
	File                              string
}

// recorder is a server that tells what arrives.
func recorder(t *testing.T) (string, chan received) {
	t.Helper()
	calls := make(chan received, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := received{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header.Get("X-Nasty")}
		switch t, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); t {
		case "application/x-www-form-urlencoded":
			if err := r.ParseForm(); err == nil {
				got.Form = r.PostForm
			}
		case "multipart/form-data":
			if form, err := multipart.NewReader(r.Body, params["boundary"]).ReadForm(1 << 20); err == nil {
				got.Form = form.Value
				for name := range form.File {
					got.File = name
				}
			}
		default:
			body, _ := io.ReadAll(r.Body) // a short body fails the comparison
			got.Body = string(body)
		}
		calls <- got
	}))
	t.Cleanup(server.Close)
	return server.URL, calls
}

// run executes a sample with a shell, in a folder that has path/to/file.
func run(t *testing.T, sample string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "path", "to"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "path", "to", "file"), []byte("content"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, "sh", "-c", sample+" --silent --show-error --noproxy '*'")
	command.Dir = dir
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s\n%v: %s", sample, err, out)
	}
}

// nastyDocument has one operation for each kind of body, full of one value.
func nastyDocument(value string) string {
	v := string(str(value).json())
	parameters := fmt.Sprintf(`"parameters":[{"name":"p","in":"path","required":true,"schema":{"type":"string"},"example":%[1]s},
		{"name":"q[x]","in":"query","required":true,"schema":{"type":"string"},"example":%[1]s},
		{"name":"list","in":"query","required":true,"schema":{"type":"array"},"example":["a",%[1]s]},
		{"name":"X-Nasty","in":"header","required":true,"schema":{"type":"string"},"example":%[1]s}]`, v)
	operation := func(id, media string) string {
		return fmt.Sprintf(`{"operationId":%q,%s,"requestBody":{"content":{%q:{"schema":{"type":"object","required":["file"],"properties":{"file":{"type":"string","format":"binary"}}},"example":{"k":%s}}}},"responses":{"200":{"description":"ok"}}}`, id, parameters, media, v)
	}
	return fmt.Sprintf(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{
		"/json/{p}":{"post":%s},"/form/{p}":{"post":%s},"/multi/{p}":{"put":%s},
		"/text/{p}":{"patch":{"operationId":"text",%s,"requestBody":{"content":{"text/plain":{"example":%s}}},"responses":{"200":{"description":"ok"}}}},
		"/file/{p}":{"post":{"operationId":"file",%s,"requestBody":{"content":{"image/png":{}}},"responses":{"200":{"description":"ok"}}}}}}`,
		operation("json", "application/json"), operation("form", "application/x-www-form-urlencoded"), operation("multi", "multipart/form-data"), parameters, v, parameters)
}

func TestCURLSendsWhatItShows(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed: skipped")
	}
	server, calls := recorder(t)
	for _, value := range nasty {
		api := compiled(t, []byte(nastyDocument(value)))
		for _, id := range []string{"json", "form", "multi", "text", "file"} {
			e := api.endpoint(t, id)
			run(t, CURL(e, server))
			got := <-calls
			header := strings.Join(strings.Fields(value), " ")
			want := received{
				Method: e.Method, Path: "/" + id + "/" + value, Header: header,
				Query: url.Values{"q[x]": {value}}.Encode() + "|" + url.Values{"list": {"a", value}}.Encode(),
			}
			query, err := url.ParseQuery(got.Query)
			if err != nil {
				t.Fatal(err)
			}
			got.Query = url.Values{"q[x]": query["q[x]"]}.Encode() + "|" + url.Values{"list": query["list"]}.Encode()
			switch id {
			case "json":
				want.Body = object(member{"k", str(value)}).pretty()
			case "form":
				want.Form = url.Values{"k": {value}}
			case "multi":
				want.Form, want.File = url.Values{"k": {value}}, "file"
			case "text":
				want.Body = value
			case "file":
				want.Body = "content"
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%q %s (-want +got):\n%s\n%s", value, id, diff, CURL(e, server))
			}
		}
	}
}

func TestCURLPlaceholders(t *testing.T) {
	t.Parallel()
	document := `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"security":[%s],
		"components":{"securitySchemes":{"key":{"type":"apiKey","in":"query","name":"key"},"head":{"type":"apiKey","in":"header","name":"apikey"},
		"cook":{"type":"apiKey","in":"cookie","name":"sid"},"basic":{"type":"http","scheme":"basic"},"token":{"type":"oauth2","flows":{}}}},
		"paths":{"/a/{some-id}":{"head":{"operationId":"a","parameters":[{"name":"some-id","in":"path","required":true,"schema":{"type":"string"}},
		{"name":"to","in":"query","required":true,"schema":{"type":"string"}},{"name":"opt","in":"query","schema":{"type":"string"},"example":"x"},
		{"name":"apikey","in":"header","required":true,"schema":{"type":"string"}}],"responses":{"200":{"description":"ok"}}}}}}`
	for scheme, want := range map[string][]string{
		`{"key":[]}`:   {`--url 'https://api.example.com/a/<some-id>?key=<API_KEY>&to=<to>'`, `--header 'apikey: <apikey>'`},
		`{"head":[]}`:  {`--url 'https://api.example.com/a/<some-id>?to=<to>'`, `--header 'apikey: <API_KEY>'`},
		`{"cook":[]}`:  {`--cookie 'sid=<API_KEY>'`, `--head`},
		`{"basic":[]}`: {`--user '<USERNAME>:<PASSWORD>'`},
		`{"token":[]}`: {`--header 'Authorization: Bearer <ACCESS_TOKEN>'`},
	} {
		lines := strings.Split(CURL(compiled(t, []byte(fmt.Sprintf(document, scheme))).endpoint(t, "a"), "https://api.example.com/"), " \\\n  ")
		lines[0] = strings.TrimPrefix(lines[0], "curl ")
		for _, line := range want {
			if !slices.Contains(lines, line) {
				t.Errorf("%s: no line %q in %q", scheme, line, lines)
			}
		}
	}
}

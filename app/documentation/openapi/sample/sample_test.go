package sample

import (
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/spectest"
	"heliograph/app/documentation/openapi/tree"
)

var update = flag.Bool("update", false, "write the golden files again")

// nasty are values that have a meaning to shells, to languages, to clients or
// to URLs.
var nasty = []string{
	`it's "quoted"`, "$(id) `id` $HOME ${PATH}", `back\slash \n \\ \u0041 \x41 \101`, "line\nbreak\r\nand\ttab", "@/etc/passwd", "</etc/passwd",
	"a;type=text/html", "a&b=c#d?e", "100% %41 %s %d", "[1-3]{a,b}", "..", "é漢😀", "!history", "-o x", "a+b c", "'", "''", `'''`, `"""`, "*", "~",
	"${x} #{x} {x} {{x}} $x {$x}", "</script><!--", "?> <?php", "*/ // # --", "JSON\nJSON;\nEOF", "\u0001\u0007\u001b[0m\u007f", "\u200b\u2060\ufeff\u2028",
	"<API_KEY> <b>", `\`, `\\`, "trailing\\", `""`, "true", "null", "0",
}

// nastyDocument has one operation for each kind of body, full of one value.
func nastyDocument(value string) string {
	v := string(tree.String(value).JSON())
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

// hostileTrials are the operations of nastyDocument for every nasty value, with
// what a server must receive told by the value alone, and the operations of odd.yaml.
func hostileTrials(t *testing.T) []trial {
	t.Helper()
	list := trialsOf(t, spectest.ReadFile(t, "testdata/odd.yaml"))
	for _, value := range nasty {
		segment := value
		if value == ".." {
			segment = "p" // many clients take it out of the path
		}
		header := strings.Trim(strings.Map(func(r rune) rune {
			if r < ' ' || r == 0x7f {
				return ' '
			}
			return r
		}, value), " ")
		header = ascii(header)
		for _, one := range trialsOf(t, []byte(nastyDocument(value))) {
			id := one.endpoint.ID
			want := &received{
				Method: one.endpoint.Method, Path: "/" + id + "/" + segment,
				Query:  url.Values{"q[x]": {value}, "list": {"a", value}},
				Header: map[string]string{"X-Nasty": header},
			}
			switch id {
			case "json":
				want.Header["Content-Type"], want.Body = "application/json", map[string]any{"k": value}
			case "form":
				want.Header["Content-Type"], want.Body = "application/x-www-form-urlencoded", url.Values{"k": {value}}
			case "multi":
				lines := strings.ReplaceAll(strings.ReplaceAll(value, "\r\n", "\n"), "\n", "\r\n")
				want.Header["Content-Type"], want.Body = "multipart/form-data", url.Values{"k": {lines}}
				want.Files = map[string][]file{"file": {{"file", everyByte}}}
			case "text":
				want.Header["Content-Type"], want.Body = "text/plain", value
			case "file":
				want.Header["Content-Type"], want.Body = "image/png", everyByte
			}
			one.name, one.want = fmt.Sprintf("%s of %q", id, value), want
			list = append(list, one)
		}
	}
	return list
}

// ascii percent-encodes the other characters.
func ascii(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c > 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// publishedTrials are the operations that the portal is seeded with.
func publishedTrials(t *testing.T) []trial {
	t.Helper()
	var list []trial
	for _, document := range corpus.Seeds(t) {
		list = append(list, trialsOf(t, document.Data)...)
	}
	return list
}

func trialsOf(t *testing.T, document []byte) []trial {
	t.Helper()
	var list []trial
	for _, c := range spectest.Compile(t, document).Categories {
		for _, e := range c.Endpoints {
			for i, choice := range Choices(e) {
				list = append(list, trial{name: e.ID + " " + choice.ContentType + " " + choice.Example.Name, endpoint: e, choice: i})
			}
		}
	}
	return list
}

// samples writes a sample for every choice.
func samples(e *model.Endpoint, language, server string) []string {
	var list []string
	for i := range Choices(e) {
		text, _ := Write(e, server, language, i)
		list = append(list, text)
	}
	return list
}

// TestSampleGoldens shows what each language makes of one call of every kind.
func TestSampleGoldens(t *testing.T) {
	t.Parallel()
	api := spectest.Compile(t, spectest.ReadFile(t, "testdata/odd.yaml"))
	for _, l := range Languages() {
		var b strings.Builder
		for _, id := range []string{"json", "form", "multipart", "texts", "download", "head", "options", "delete", "patch", "binary"} {
			e := spectest.Endpoint(t, api, id)
			fmt.Fprintf(&b, "=== %s %s\n%s\n\n", e.Method, e.ID, samples(e, l.Slug, e.Servers[0].URL)[0])
		}
		golden := filepath.Join("testdata", l.Slug+".txt")
		if *update {
			if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(string(spectest.ReadFile(t, golden)), b.String()); diff != "" {
			t.Errorf("%s: run with -update when this is meant (-want +got):\n%s", l.Slug, diff)
		}
	}
}

func TestSampleChoices(t *testing.T) {
	t.Parallel()
	api := spectest.Compile(t, spectest.ReadFile(t, "testdata/odd.yaml"))
	e := spectest.Endpoint(t, api, "multipart")
	var names []string
	for _, c := range Choices(e) {
		names = append(names, c.ContentType+" "+c.Example.Name)
	}
	if diff := cmp.Diff([]string{"multipart/form-data one", "multipart/form-data three"}, names); diff != "" {
		t.Error(diff)
	}
	if list := Choices(spectest.Endpoint(t, api, "empty")); len(list) != 1 || list[0] != (Choice{}) {
		t.Errorf("without a body: %v", list)
	}
	for _, c := range []struct {
		language string
		choice   int
		ok       bool
	}{{"go", 1, true}, {"go", 2, false}, {"go", -1, false}, {"ruby", 0, false}, {"", 0, false}} {
		if text, ok := Write(e, "https://api.example.com", c.language, c.choice); ok != c.ok || ok != (text != "") {
			t.Errorf("%s %d: %t, %q", c.language, c.choice, ok, text)
		}
	}
}

// A sample reads JSON only if every success has a body: else it prints what
// came, which may be nothing.
func TestSamplesTakeEmptyAnswers(t *testing.T) {
	t.Parallel()
	document := `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"post":{"operationId":"a",
		"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object"}}}}%s}}}}}`
	for _, c := range []struct {
		others string
		json   bool
	}{
		{``, true},
		{`,"404":{"description":"no"}`, true},
		{`,"201":{"description":"made","content":{"application/json":{"schema":{"type":"object"}}}}`, true},
		{`,"202":{"description":"taken"}`, false},
	} {
		e := spectest.Endpoint(t, spectest.Compile(t, []byte(fmt.Sprintf(document, c.others))), "a")
		for _, language := range []string{"javascript", "nodejs", "python"} {
			if text := samples(e, language, "https://api.example.com")[0]; strings.Contains(text, "response.json()") != c.json {
				t.Errorf("%s with %q: want JSON read: %t\n%s", language, c.others, c.json, text)
			}
		}
	}
}

// TestSamplePlaceholders finds the credential of each kind of scheme, as it is
// written, in every language.
func TestSamplePlaceholders(t *testing.T) {
	t.Parallel()
	document := `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"security":[%s],
		"components":{"securitySchemes":{"key":{"type":"apiKey","in":"query","name":"key"},"head":{"type":"apiKey","in":"header","name":"apikey"},
		"cook":{"type":"apiKey","in":"cookie","name":"sid"},"basic":{"type":"http","scheme":"basic"},"token":{"type":"oauth2","flows":{}}}},
		"paths":{"/a/{some-id}":{"head":{"operationId":"a","parameters":[{"name":"some-id","in":"path","required":true,"schema":{"type":"string"}},
		{"name":"to","in":"query","required":true,"schema":{"type":"string"}},{"name":"opt","in":"query","schema":{"type":"string"},"example":"x"},
		{"name":"apikey","in":"header","required":true,"schema":{"type":"string"}}],"responses":{"200":{"description":"ok"}}}}}}`
	for scheme, want := range map[string][]string{
		`{"key":[]}`:   {`/a/<some-id>?key=`, `&to=<to>`, `<API_KEY>`, `<apikey>`},
		`{"head":[]}`:  {`https://api.example.com/a/<some-id>?to=<to>`, `<API_KEY>`},
		`{"cook":[]}`:  {`sid`, `<API_KEY>`},
		`{"basic":[]}`: {`<USERNAME>`, `<PASSWORD>`},
		`{"token":[]}`: {`Bearer `, `<ACCESS_TOKEN>`},
	} {
		e := spectest.Endpoint(t, spectest.Compile(t, []byte(fmt.Sprintf(document, scheme))), "a")
		for _, l := range Languages() {
			text := samples(e, l.Slug, "https://api.example.com/")[0]
			want := want
			if l.Slug == "javascript" && scheme == `{"cook":[]}` { // the browser holds it
				want = []string{`credentials: "include"`}
			} else if l.Slug == "javascript" {
				want = append(slices.Clip(want), "belongs on a server")
			}
			if i := slices.IndexFunc(want, func(part string) bool { return !strings.Contains(text, part) }); i >= 0 {
				t.Errorf("%s %s: no %q in\n%s", l.Slug, scheme, want[i], text)
			}
		}
	}
}

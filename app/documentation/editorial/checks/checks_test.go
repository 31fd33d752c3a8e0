package checks_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial/checks"
	"heliograph/db/models"
)

// run returns the findings of one check as "field:line message".
func run(t *testing.T, check string, i checks.Item, w *checks.World) string {
	t.Helper()
	var b strings.Builder
	for _, f := range checks.Run(i, w) {
		if f.Check == check {
			b.WriteString(f.Field + ":" + string(rune('0'+f.Line)) + " " + f.Message + "\n")
		}
	}
	return b.String()
}

func guide(t *testing.T, text string) checks.Item {
	t.Helper()
	return checks.Item{ID: 9, Kind: content.KindGuide, Slug: "begin", Path: "/productguide/letters/begin", Content: marshal(t, content.Guide{Title: "Begin", Summary: "First steps.", Text: text})}
}

// expect holds what a check finds in texts of a guide; an empty want is nothing.
func expect(t *testing.T, check string, cases map[string]string) {
	t.Helper()
	w := &checks.World{Pages: map[string]checks.Page{
		"/docs/letters/1.0/send":       {Exists: true},
		"/productguide/letters/begin":  {},
		"/productguide/letters/go-on":  {Exists: true, Anchors: map[string]bool{"stamps": true}},
		"/productguide/letters/gone":   {},
		"/docs/letters/1.0/with(mark)": {Exists: true},
	}}
	for text, want := range cases {
		got := run(t, check, guide(t, text), w)
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s in %q: %q, want %q", check, text, got, want)
		}
	}
}

func TestMarkup(t *testing.T) {
	t.Parallel()
	expect(t, "markup", map[string]string{
		"A word[^1].\n\n[^1]: The note.": "text:1 Pages have no footnotes: readers see [^1] as you typed it.",
		"A word.\n\nAnother[^note].":     "text:3 Pages have no footnotes",
		"`[^1]` and `a[^b]`.":            "",
		"```\n[^1]\n```":                 "",
		"A [^ b] and x^2.":               "",
	})
}

func TestLinks(t *testing.T) {
	t.Parallel()
	expect(t, "links", map[string]string{
		"[Send](/docs/letters/1.0/send)":                 "",
		"[Send](/docs/letters/1.0/send?lang=go#body.to)": "", // fields have anchors of their own
		"[On](go-on)":                                             "",
		"A word[^1].\n\n[^1]: The note.":                          "",
		"[On](go-on#stamps \"Stamps\")":                           "",
		"[On](./go-on#ink)":                                       "text:1 The page /productguide/letters/go-on has no heading with the anchor #ink.",
		"One.\n\n[On](gone)":                                      "text:3 Readers find no page at /productguide/letters/gone",
		"[On](/productguide/letters/never)":                       "Readers find no page at /productguide/letters/never",
		"## Post it\n\n[There](#post-it)":                         "",
		"## Post it\n\n[There](#send-it)":                         "text:3 This page has no heading with the anchor #send-it.",
		"<!-- once: mail-it -->\n## Post it\n\n[There](#mail-it)": "",
		"[x](https://www.example.com/a?b=c#d)":                    "",
		"[x](http://intranet/a)":                                  "no complete host name",
		"[x](javascript:alert)":                                   "start it with https://",
		"[x](mailto:asha@example.com)":                            "",
		"[x](mailto:)":                                            "names nobody",
		"[x](https://exa mple.com)":                               "", // not a link of Markdown
		"[x](http://[::1/)":                                       "is not an address",
		"[x]()":                                                   "A link has no address.",
		"`[x](gone)`":                                             "",
		"```\n[x](gone)\n```":                                     "",
		"~~~md\n[x](gone)\n~~~\n[y](gone)":                        "text:4 Readers find no page",
		"[x]\n\n[x]: gone":                                        "text:3 Readers find no page",
		"![A stamp](/media/stamp.png)":                            "",
	})
}

func TestLinksListsPaths(t *testing.T) {
	t.Parallel()
	got := checks.Links(guide(t, "[a](go-on#x) [b](go-on) [c](../sms/otp) [d](https://example.com) [e](#x) ![f](/media/f.png)"))
	if strings.Join(got, " ") != "/productguide/letters/go-on /productguide/sms/otp" {
		t.Errorf("links: %v", got)
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	expect(t, "images", map[string]string{
		"![A stamp in blue](/media/a.png)": "",
		"One.\n![](/media/a.png)":          "text:2 The image /media/a.png has no description.",
		"![a.png](/media/a.png)":           "does not say what the image",
		"![Screenshot](/media/a.png)":      "does not say what the image",
		"`![](/media/a.png)`":              "",
	})
	expect(t, "headings", map[string]string{
		"## One\n\n### Two\n\n## Three":    "",
		"## One\n\n#### Two":               "text:3 The heading “Two” leaves out a level: use ###.",
		"### One\n\n## Two":                "",
		"```\n## One\n#### Two\n```\n## A": "",
	})
	expect(t, "code", map[string]string{
		"```json\n{\"a\": 1}\n```":             "",
		"```json\n{\"a\": 1,}\n```":            "text:2 The JSON of a code block cannot be parsed",
		"One\n\n```json\n{\n\"a\" 1\n}\n```":   "text:5 The JSON",
		"```json\n{\"a\": …}\n```":             "",
		"```python\n{\"a\": 1,}\n```":          "",
		"```json title=\"a.json\"\n[1, 2\n```": "cannot be parsed",
	})
	expect(t, "terms", map[string]string{
		"Sign in and send a request.":       "",
		"First.\nLog in with your e-mail.":  "text:2 Write “sign in” in place of “Log in”.",
		"The field `login` is a name.":      "",
		"[Sign in](/login) to go on.":       "",
		"```\nlogin\n```":                   "",
		"The gaps of a template are filled": "Write “variable”",
	})
}

const frame = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{},"parameters":{"Id":{"name":"id","in":"path","required":true,"schema":{"type":"string"}}},"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"apikey"}}}}`

func world(t *testing.T) *checks.World {
	t.Helper()
	return &checks.World{
		Parts: []models.LiveItem{
			{ID: 1, Kind: content.KindVersion, Slug: "1.0", Content: marshal(t, content.Version{Label: content.Current, Frame: []byte(frame)})},
			{ID: 2, Kind: content.KindSchema, Slug: "letter", Content: marshal(t, content.Schema{Name: "Letter", Raw: []byte(`{"type":"object","properties":{"id":{"type":"integer"}}}`)})},
		},
		Operations: []models.OperationEntry{{ID: 3, Kind: content.KindEndpoint, Slug: "send-letter", OperationID: "sendLetter", Method: "POST", Path: "/letters"}},
	}
}

func TestOperations(t *testing.T) {
	t.Parallel()
	const ok = `"responses":{"200":{"description":"ok"}}`
	for _, c := range []struct{ check, method, path, raw, want string }{
		{"contract", "GET", "/letters", `{` + ok + `}`, ""},
		{"contract", "POST", "/letters", `{` + ok + `}`, "POST /letters is also the endpoint send-letter"},
		{"contract", "GET", "/letters/{id}", `{` + ok + `}`, "{id}, which is not declared"},
		{"contract", "GET", "/letters/{id}", `{"parameters":[{"$ref":"#/components/parameters/Id"}],` + ok + `}`, ""},
		{"contract", "GET", "/letters/{id}", `{"parameters":[{"name":"id","in":"path","schema":{}}],` + ok + `}`, "path parameter id must be required"},
		{"contract", "GET", "/letters", `{"parameters":[{"name":"id","in":"path","required":true}],` + ok + `}`, "which does not have it"},
		{"contract", "GET", "/letters/{letter}", `{"parameters":[{"name":"id","x-name":"letter","in":"path","required":true}],` + ok + `}`, ""},
		{"contract", "GET", "/letters", `{"requestBody":{},` + ok + `}`, "GET requests have no body"},
		{"contract", "GET", "/letters", `{"responses":{"404":{"description":"no"}}}`, "no successful response"},
		{"contract", "GET", "/letters", `{"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Stamp"}}}}}}`, "no schema with the name Stamp"},
		{"contract", "GET", "/letters", `{"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Letter"}}}}}}`, ""},
		{"security", "GET", "/letters", `{` + ok + `}`, "says which credentials are needed"},
		{"security", "GET", "/letters", `{"security":[],` + ok + `}`, ""},
		{"security", "GET", "/letters", `{"security":[{"key":[]}],` + ok + `}`, ""},
		{"security", "GET", "/letters", `{"security":[{"token":[]}],` + ok + `}`, "no credentials with the name token"},
		{"examples", "GET", "/letters", `{"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object"}}}}}}`, "The response 200 has no example"},
		{"examples", "GET", "/letters", `{"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object"},"example":{}}}}}}`, ""},
		{"matching", "GET", "/letters", `{"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Letter"},"example":{"id":"x"}}}}}}`, "Response 200: Line 2, column 9"},
		{"matching", "GET", "/letters", `{"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Letter"},"example":{"id":1}}}}}}`, ""},
		{"descriptions", "GET", "/letters", `{"parameters":[{"name":"limit","in":"query","schema":{}}],` + ok + `}`, "The parameter limit has no description"},
		{"descriptions", "POST", "/l", `{"requestBody":{"content":{"application/json":{"schema":{"properties":{"a":{"type":"string"},"b":{"type":"string"}}}}}},` + ok + `}`, "The body fields a, b have no description"},
	} {
		item := checks.Item{ID: 9, Kind: content.KindEndpoint, Slug: "x", Path: "/docs/letters/1.0/x", Content: marshal(t, content.Endpoint{
			OperationID: "x", Name: "X", Purpose: "Sends.", Method: c.method, Path: c.path, Raw: []byte(c.raw),
		})}
		got := run(t, c.check, item, world(t))
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s of %s %s %s: %q, want %q", c.check, c.method, c.path, c.raw, got, c.want)
		}
	}
}

// Nothing of what people type may stop the checks.
func TestBrokenContents(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{content.KindProduct, content.KindVersion, content.KindGuide, content.KindCategory, content.KindEndpoint, content.KindCallback, content.KindSchema, "other"} {
		for _, raw := range []string{``, `{}`, `null`, `{"raw":true,"frame":1,"text":7}`, `{"raw":{"parameters":[null,{"$ref":"#/x"}],"responses":[],"properties":{"a":null}}}`, `{"raw":"x"}`} {
			checks.Run(checks.Item{Kind: kind, Path: "/x", Content: []byte(raw)}, &checks.World{})
		}
	}
}

// The colours stand in the style sheet, and each can be read in both themes.
func TestContrast(t *testing.T) {
	t.Parallel()
	css, err := os.ReadFile("../../../../static/css/tints.css")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`\.accent-(\w+), body:has\(> \.accent-\w+\) \{ --h`).FindAllStringSubmatch(string(css), -1)
	if len(names) < 8 {
		t.Fatalf("the style sheet has the colours %v", names)
	}
	product := func(accent string) checks.Item {
		return checks.Item{Kind: content.KindProduct, Content: marshal(t, content.Product{Name: "L", Summary: "S.", Description: "D.", Accent: accent})}
	}
	for _, name := range names {
		if got := run(t, "contrast", product(name[1]), &checks.World{}); got != "" {
			t.Errorf("%s: %s", name[1], got)
		}
	}
	if got := run(t, "contrast", product("beige"), &checks.World{}); !strings.Contains(got, "no accent colour with the name beige") {
		t.Errorf("an unknown colour: %q", got)
	}
}

// A version recommends one that readers can open.
func TestRecommendedVersionsExist(t *testing.T) {
	t.Parallel()
	w := &checks.World{Pages: map[string]checks.Page{"/docs/letters/2.0": {Exists: true}, "/docs/letters/9.9": {}}}
	for to, want := range map[string]string{"": "", "2.0": "", "9.9": "migrate_to:0 Readers find no version 9.9.", "1.0": "migrate_to:0 The version recommends itself."} {
		i := checks.Item{ID: 9, Kind: content.KindVersion, Slug: "1.0", Path: "/docs/letters/1.0", Content: marshal(t, content.Version{Label: content.Deprecated, Description: "Old.", MigrateTo: to})}
		if got := run(t, "links", i, w); want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("a version that recommends %q: %q, want %q", to, got, want)
		}
		if links := checks.Links(i); to == "2.0" && (len(links) != 1 || links[0] != "/docs/letters/2.0") {
			t.Errorf("the version leads to %q", links)
		}
	}
}

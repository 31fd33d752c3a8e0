package ui

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files again")

func show(t *testing.T, c templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(templ.WithChildren(context.Background(), templ.Raw("<p>Child</p>")), &b); err != nil {
		t.Fatal(err)
	}
	// One element on a line makes a difference easy to find.
	return strings.ReplaceAll(b.String(), "><", ">\n<") + "\n"
}

func TestComponents(t *testing.T) {
	t.Parallel()
	here := Link{Label: "Keys", Href: "/account/keys"}
	for name, c := range map[string]templ.Component{
		"alert":      Alert(Bad, "The import failed"),
		"badge":      Badge(Info, "New in 3.1"),
		"breadcrumb": Breadcrumb([]Link{here, {Label: "First", Current: true}}),
		"busy":       busyButton("Importing"),
		"button":     Submit(Danger, "Revoke the key"),
		"checks":     CheckField(Checks{Name: "channels", Label: "Channels", Values: []string{"sms"}, Options: []Option{{"messaging", "Messaging"}, {"sms", "SMS"}}, Hint: "What for", Error: "Choose one"}),
		"chart":      BarChart(sampleChart),
		"code":       CodeBlock(sampleCode),
		"disclosure": Disclosure("More", true),
		"empty":      Empty("No keys yet", "Make one.", here),
		"errors":     ErrorSummary(sampleInputs),
		"gallery":    Components(),
		"filter":     FilterBar(sampleFilter),
		"cells":      DataTable(sampleCells),
		"list":       ListView(sampleList),
		"question":   QuestionPart("Revoke Shop", sampleQuestion),
		"post":       PostButton(Post{Action: "/admin/logout", CSRF: "token", Label: "Sign out", Values: []Pair{{Key: "reason", Value: "done"}}}),
		"select":     SelectField(Select{Name: "role", Label: "Role", Value: "editor", Options: []Option{{"viewer", "Viewer"}, {"editor", "Editor"}}, Hint: "What they may do", Error: "Choose one"}),
		"input":      TextField(sampleInputs[2]),
		"radios":     RadioField(sampleRadios),
		"secret":     SecretField(Input{Name: "api_key", Label: "API key", Value: "never sent back"}, true),
		"key-values": KeyValues(samplePairs),
		"lifecycle":  LifecycleBadge(Deprecated),
		"link":       LinkButton(Primary, here),
		"logo":       Logo(),
		"flashes":    Flashes("H3"),
		"method":     Method("POST"),
		"pager":      Pager(Link{}, here),
		"password":   TextField(Input{Name: "password", Label: "Password", Type: "password", Value: "never sent back", Required: true}),
		"prose":      Prose("<p>Read <em>this</em>.</p>"),
		"status":     Status("404"),
		"table":      DataTable(sampleTable),
		"text-area":  TextAreaField(sampleArea),
		"tabs":       Tabs("Response examples", samplePanels()),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, file := show(t, c), filepath.Join("testdata", name+".html")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-golden +rendered)\n%s", diff)
			}
		})
	}
}

func TestNothingIsShownForNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]templ.Component{
		"prose":     Prose(""),
		"pager":     Pager(Link{}, Link{}),
		"lifecycle": LifecycleBadge(""),
		"errors":    ErrorSummary([]Input{{Name: "fine"}}),
	} {
		if got := strings.TrimSpace(show(t, c)); got != "" {
			t.Errorf("%s without content writes %q", name, got)
		}
	}
}

func TestTextIsEscaped(t *testing.T) {
	t.Parallel()
	bad := `"><script>alert(1)</script>`
	for name, c := range map[string]templ.Component{
		"badge": Badge(Good, bad),
		"code":  CodeBlock(Code{Title: bad, Language: "json", Text: bad}),
		"input": TextField(Input{Name: "n", Label: bad, Value: bad, Hint: bad, Error: bad}),
		"pairs": KeyValues([]Pair{{Key: bad, Value: bad}}),
		"link":  LinkButton(Plain, Link{Label: bad, Href: "javascript:alert(1)"}),
	} {
		if got := show(t, c); strings.Contains(got, "<script") || strings.Contains(got, "javascript:") {
			t.Errorf("%s lets markup through: %s", name, got)
		}
	}
}

func TestHighlightKeepsTheText(t *testing.T) {
	t.Parallel()
	codes := []Code{sampleCode, sampleJSON, {Language: "http", Text: "HTTP/1.1 200 OK\nX-Key: <API_KEY>\n"}, {Language: "json"}}
	for _, language := range []string{"shell", "javascript", "python", "java", "php", "csharp", "go", "json", "http", "text", "no such", ""} {
		for _, text := range []string{"print 1", "a\r\nb\r", "'\"`<?php \\", "\xff\x00\u2028é", "\n\n", "/* <A"} {
			codes = append(codes, Code{Language: language, Text: text})
		}
	}
	for _, code := range codes {
		var b strings.Builder
		for _, s := range highlight(code.Language, code.Text) {
			b.WriteString(s.Text)
		}
		if b.String() != code.Text {
			t.Errorf("%s comes out as %q", code.Language, b.String())
		}
	}
}

func TestHighlight(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		language, code string
		want           []span
	}{
		{"json", `{"key": "a <API_KEY>", "n": [-1.5e3, null]}`, []span{{"", `{`}, {"k", `"key"`}, {"", `: `}, {"s", `"a `}, {"p", `<API_KEY>`}, {"s", `"`}, {"", `, `}, {"k", `"n"`}, {"", `: [`}, {"n", `-1.5e3`}, {"", `, `}, {"n", `null`}, {"", `]}`}}},
		{"shell", "curl --fail 'https://example.com/<phone-number-id>' -d '-n'", []span{{"", "curl "}, {"f", "--fail"}, {"", " "}, {"s", "'https://example.com/"}, {"p", "<phone-number-id>"}, {"s", "'"}, {"", " "}, {"f", "-d"}, {"", " "}, {"s", "'-n'"}}},
		{"shell", `curl --data-raw '{"to": "<PHONE>"}'`, []span{{"", "curl "}, {"f", "--data-raw"}, {"", " "}, {"s", "'"}, {"", "{"}, {"k", `"to"`}, {"", ": "}, {"s", `"`}, {"p", "<PHONE>"}, {"s", `"`}, {"", "}"}, {"s", "'"}}},
		{"java", `HttpResponse<String> r; // <API_KEY>`, []span{{"", "HttpResponse<String> r; "}, {"c", "// <API_KEY>"}}},
	} {
		if diff := cmp.Diff(tt.want, highlight(tt.language, tt.code)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.language, diff)
		}
	}
}

// Long addresses break after slashes and underscores, quoted or not.
func TestAddressesBreak(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"curl 'https://example.com/a_b/c'": "https://example.com/<wbr>a_<wbr>b/<wbr>c",
		"curl --url https://example.com/a": "https://example.com/<wbr>a",
		"cat a/b":                          "cat a/b",
	} {
		var b strings.Builder
		if err := codeText(Code{Language: "shell", Text: code}).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s is written %s", code, b.String())
		}
	}
}

func TestAccentClass(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"teal": "accent-teal", "amber": "accent-amber", "": "accent-theme", "red; x": "accent-theme", "amber coral": "accent-theme"} {
		if got := AccentClass(name); got != want {
			t.Errorf("AccentClass(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestLayFlashes(t *testing.T) {
	t.Parallel()
	row, width := layFlashes("a?E")
	want := []flash{{0, 4}, {8, 14}, {32, 4}}
	if diff := cmp.Diff(want, row); diff != "" || width != 36 {
		t.Errorf("width %d, want 36 (-want +got)\n%s", width, diff)
	}
}

// Code within prose looks as all code does.
func TestCodeInProse(t *testing.T) {
	t.Parallel()
	text := HTML("<p>a</p>\n<pre data-title=\"a &amp; b\"><code class=\"language-go\">if a &lt; b {}\n</code></pre>\n<pre><code class=\"language-nothing\">x</code></pre><pre><code>y</code></pre>\n<pre>z</pre>")
	var b bytes.Buffer
	if err := Prose(text).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	got := doc.Find("figure.code").Map(func(_ int, s *goquery.Selection) string {
		return s.Find("figcaption span").Text() + ": " + s.Find("pre").Text()
	})
	if diff := cmp.Diff([]string{"a & b: if a < b {}", "Code: x", "Text: y"}, got); diff != "" {
		t.Errorf("code (-want +got)\n%s", diff)
	}
	if doc.Find("figure .k").Text() != "if" || doc.Find("p").Text() != "a" || doc.Find(".prose > pre").Text() != "z" {
		t.Error("prose lost a part, or colour")
	}
}

// Long code is shown plain, for colours would cost seconds of a processor.
func TestLongCodeIsPlain(t *testing.T) {
	t.Parallel()
	const member = `{"<a>": 1},`
	for length, coloured := range map[int]bool{mostColoured - 100: true, mostColoured + 100: false} {
		code := "[" + strings.Repeat(member, length/len(member)) + "]"
		if !coloured {
			code += strings.Repeat(" ", 100)
		}
		var b strings.Builder
		if err := codeText(Code{Language: "json", Text: code}).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "<i ") != coloured || strings.Contains(b.String(), "<a>") || !strings.Contains(b.String(), "&lt;a&gt;") {
			t.Errorf("%d bytes are written %.200s", len(code), b.String())
		}
	}
}

// Only an id that is too long for its column is broken.
func TestLongIdsAreBroken(t *testing.T) {
	t.Parallel()
	long := "IN.ENT." + strings.Repeat("z", 128)
	shown := show(t, DataTable(Table{Columns: []Column{{Label: "Recipient"}}, Rows: [][]Cell{{{Text: long, Mono: true}}, {{Text: "IN.13491208655302741918", Mono: true}}, {{Text: strings.Repeat("A sentence. ", 10)}}}}))
	if n := strings.Count(shown, "long"); n != 1 || !strings.Contains(shown, long) {
		t.Errorf("%d cells are broken:\n%s", n, shown)
	}
}

// A throttle drops the events that come while it holds: without another request the
// states after the first one were never shown.
func TestRefreshAsksAfterTheLastEvent(t *testing.T) {
	t.Parallel()
	got := Refresh(List, "/list", "keys", "messages throttle:2s")["hx-trigger"]
	if want := "sse:sync, sse:end, sse:keys, sse:messages throttle:2s, sse:messages delay:2s"; got != want {
		t.Errorf("the trigger is %q, want %q", got, want)
	}
}

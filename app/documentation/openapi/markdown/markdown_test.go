package markdown

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"
)

func TestRender(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"":                                "",
		"a *b* **c** ~~d~~":               "<p>a <em>b</em> <strong>c</strong> <del>d</del></p>\n",
		"# A\n\n### B":                    "<h3>A</h3>\n<h5>B</h5>\n",
		"### A\n\n###### B":               "<h3>A</h3>\n<h6>B</h6>\n",
		"```go\nx < 1\n```":               "<pre><code class=\"language-go\">x &lt; 1\n</code></pre>\n",
		"    x < 1":                       "<pre><code>x &lt; 1\n</code></pre>\n",
		"```go title=\"a.go\"\nx\n```":    "<pre data-title=\"a.go\"><code class=\"language-go\">x\n</code></pre>\n",
		"```go tab=\"Go\"\nx\n```":        "<pre data-title=\"Go\"><code class=\"language-go\">x\n</code></pre>\n",
		"> [!NOTE]\n> a *b*\n>\n> c":      "<div class=\"alert info\" role=\"note\"><strong class=\"alert-title\">Note</strong>\n<p>a <em>b</em></p>\n<p>c</p>\n</div>\n",
		"> [!CAUTION]\n>\n> a":            "<div class=\"alert bad\" role=\"note\"><strong class=\"alert-title\">Caution</strong>\n<p>a</p>\n</div>\n",
		"> [!NOTE] a":                     "<blockquote>\n<p>[!NOTE] a</p>\n</blockquote>\n",
		"> [!OTHER]\n> a":                 "<blockquote>\n<p>[!OTHER]\na</p>\n</blockquote>\n",
		"[a](/docs)":                      "<p><a href=\"/docs\">a</a></p>\n",
		"[a](#body.x)":                    "<p><a href=\"#body.x\">a</a></p>\n",
		"[a](https://b.example)":          "<p><a href=\"https://b.example\" rel=\"noopener nofollow\">a</a></p>\n",
		"https://b.example":               "<p><a href=\"https://b.example\" rel=\"noopener nofollow\">https://b.example</a></p>\n",
		"[a](//b.example)":                "<p><a href=\"//b.example\" rel=\"noopener nofollow\">a</a></p>\n",
		"![a](/media/1)":                  "<p><img src=\"/media/1\" alt=\"a\"></p>\n",
		"![a](https://b.example/x.png)":   "<p><a href=\"https://b.example/x.png\" rel=\"noopener nofollow\">a</a></p>\n",
		"| a | b |\n|---|--:|\n| 1 | 2 |": "<table>\n<thead>\n<tr>\n<th>a</th>\n<th align=\"right\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td data-label=\"a\">1</td>\n<td align=\"right\" data-label=\"b\">2</td>\n</tr>\n</tbody>\n</table>\n",
		"3. a\n4. b":                      "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>\n",
	} {
		if got := Render(source); got != want {
			t.Errorf("%q:\ngot  %q\nwant %q", source, got, want)
		}
	}
}

// The body of a page has ids, links to its sections and tabs.
func TestRenderPage(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"# A *b*":        `<h2 id="a-b"><a href="#a-b" class="anchor">A <em>b</em></a></h2>`,
		"## [a](/b) c":   `<h2 id="a-c"><a href="/b">a</a> c</h2>`,
		"# A\n\n## a\n":  "<h2 id=\"a\"><a href=\"#a\" class=\"anchor\">A</a></h2>\n<h3 id=\"a-2\"><a href=\"#a-2\" class=\"anchor\">a</a></h3>",
		"# Main":         `<h2 id="section-main"><a href="#section-main" class="anchor">Main</a></h2>`,
		"# Search kinds": `<h2 id="section-search-kinds"><a href="#section-search-kinds" class="anchor">Search kinds</a></h2>`,
		"<!-- once: b-1, c -->\n## A\n\n<!-- once: a, <i> -->\n## C\n": `<h2 id="a"><span id="c"></span><span id="b-1"></span><a href="#a" class="anchor">A</a></h2>` + "\n\n" + `<h2 id="c-2"><a href="#c-2" class="anchor">C</a></h2>`,
		"# !":             `<h2 id="section"><a href="#section" class="anchor">!</a></h2>`,
		"# Ключ <script>": `<h2 id="ключ"><a href="#%D0%BA%D0%BB%D1%8E%D1%87" class="anchor">Ключ </a></h2>`,
		"```go tab=\"Go\"\nx\n```\n```py tab=\"Py\"\ny\n```\n\nz": `<div class="tabs" role="group" aria-label="Language">
<details name="code-0-go" open=""><summary class="tab">Go</summary><div class="tab-panel" id="code-0-go"><pre data-title="Go"><code class="language-go">x
</code></pre>
</div></details>
<details name="code-0-go"><summary class="tab">Py</summary><div class="tab-panel" id="code-1-py"><pre data-title="Py"><code class="language-py">y
</code></pre>
</div></details>
</div>
<p>z</p>`,
	} {
		if got, _ := RenderPage(source, ""); strings.TrimSpace(got) != want {
			t.Errorf("%q:\ngot  %s\nwant %s", source, got, want)
		}
	}
	_, headings := RenderPage("# A `b`\n\n### C\n\n# D", "")
	if diff := cmp.Diff([]Heading{{2, "a-b", "A b"}, {4, "c", "C"}, {2, "d", "D"}}, headings); diff != "" {
		t.Errorf("headings (-want +got)\n%s", diff)
	}
}

func TestRenderDescription(t *testing.T) {
	t.Parallel()
	const source = "# Life of it\n\n| HTTP | Code | Over |\n|---|---|---|\n| 400 | 4, `80007` | 9 |\n| 403 | 4 | x |\n| 500 | `10` to `12` | x |\n\n## Life of it\n\n| Error |\n|---|\n| 77 |\n"
	text, headings := RenderDescription(source)
	if diff := cmp.Diff([]Heading{{3, "about-life-of-it", "Life of it"}, {4, "about-life-of-it-2", "Life of it"}}, headings); diff != "" {
		t.Errorf("the headings (-want +got):\n%s", diff)
	}
	page, err := goquery.NewDocumentFromReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"error-4": "4, 80007", "error-80007": "4, 80007", "error-77": "77"} {
		if got := page.Find("td code#" + id).Parent().Text(); got != want {
			t.Errorf("%s is in %q, want %q", id, got, want)
		}
	}
	if n := page.Find("code[id]").Length(); n != 3 {
		t.Errorf("%d codes have ids, want 3:\n%s", n, text)
	}
}

// The requested tab comes first, with its panel.
func TestRenderPageTab(t *testing.T) {
	t.Parallel()
	source := "```go tab=\"Go\"\nx\n```\n```py tab=\"Py\"\ny\n```\n```js tab=\"Js\"\nz\n```"
	for tab, want := range map[string]string{"": "Go Py Js", "Go": "Go Py Js", "Py": "Py Go Js", "Js": "Js Go Py", "C#": "Go Py Js"} {
		text, _ := RenderPage(source, tab)
		var order []string
		for _, m := range regexp.MustCompile(`<details name="code-[^"]*"( open="")?><summary class="tab">(\w+)</summary><div class="tab-panel" id="([^"]*)">`).FindAllStringSubmatch(text, -1) {
			if (m[1] != "") != (len(order) == 0) || !strings.HasSuffix(m[3], strings.ToLower(m[2])) {
				t.Errorf("%q: tab %d is %s", tab, len(order), m[0])
			}
			order = append(order, m[2])
		}
		if got := strings.Join(order, " "); got != want {
			t.Errorf("%q: tabs are %s, want %s", tab, got, want)
		}
	}
}

// Elements, attributes and classes that rendered Markdown may have.
var (
	harmlessElements   = strings.Fields("p br hr h2 h3 h4 h5 h6 strong em del code pre blockquote ul ol li table thead tbody tr th td a img div details summary")
	harmlessAttributes = strings.Fields("href rel src alt align start class role id name open aria-label data-title data-label")
	harmlessClasses    = regexp.MustCompile(`^(alert (info|good|warn|bad)|alert-title|tabs|tab-panel|tab|anchor|language-[\w+#-]+)$`)
)

// checkHarmless fails the test if the rendered text has an element, attribute or
// address that can run code.
func checkHarmless(t *testing.T, source, text string) {
	t.Helper()
	page, err := goquery.NewDocumentFromReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	page.Find("body *").Each(func(_ int, e *goquery.Selection) {
		if !slices.Contains(harmlessElements, goquery.NodeName(e)) {
			t.Errorf("%q has the element %s", source, goquery.NodeName(e))
		}
		for _, a := range e.Nodes[0].Attr {
			value := strings.ToLower(strings.TrimSpace(a.Val))
			scheme, _, ok := strings.Cut(value, ":")
			switch {
			case !slices.Contains(harmlessAttributes, a.Key),
				a.Key == "href" && ok && !strings.ContainsAny(scheme, "/?#") && !slices.Contains([]string{"http", "https", "mailto", "tel"}, scheme),
				a.Key == "class" && !harmlessClasses.MatchString(a.Val),
				a.Key == "id" && ids[a.Val],
				a.Key == "src" && (!strings.HasPrefix(value, "/") || strings.HasPrefix(value, "//") || strings.HasPrefix(value, `/\`)):
				t.Errorf("%q has %s=%q", source, a.Key, a.Val)
			}
			if a.Key == "id" {
				ids[a.Val] = true
			}
		}
	})
}

func TestRenderIsSafe(t *testing.T) {
	t.Parallel()
	for _, source := range hostile {
		checkHarmless(t, source, Render(source))
		text, _ := RenderPage(source, "")
		checkHarmless(t, source, text)
	}
}

var hostile = []string{
	"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "a <b onclick=alert(1)>b</b>",
	"[a](javascript:alert(1))", "[a](JaVaScRiPt:alert(1))", "[a](javascript&#58;alert(1))", "[a](&#x6A;avascript:alert(1))",
	"[a](java\tscript:alert(1))", "[a](data:text/html,<script>alert(1)</script>)", "[a](vbscript:x)", "<javascript:alert(1)>",
	"![a](javascript:alert(1))", "![a](\"onerror=alert(1))", "![\" onerror=\"alert(1)](/x)", "[a](/x \"onmouseover=alert(1)\")",
	"![a](//b.example/x)", "![a](/\\b.example/x)", "![a](\\\\b.example/x)", "![a](data:image/svg+xml,<svg/>)",
	"<a href=\"javascript:alert(1)\">a</a>", "<div hx-get=/x hx-trigger=load>", "<p style=\"position:fixed\">", "<iframe src=//b.example>",
	"<form action=//b.example><input>", "<style>*{}</style>", "<base href=//b.example>", "<meta http-equiv=refresh>",
	"`<script>`", "```<script>\nx\n```", "# <script>", "[a]: javascript:alert(1)\n\n[a]", "<!-- --><script>", "<math><mi//xlink:href=\"data:x,<script>\">",
	"```go tab=\"<script>\"\nx\n```", "```\" hx-get=\"/x\" tab=\"a\"\nx\n```", "```go title=\"a'onload='b\"\nx\n```",
	"> [!NOTE]\n> <div hx-get=/x style=a>", "| \"onload=a | b |\n|---|---|\n| c | d |", "# \"><script>\n\n# \"><script>", "# a\n\n# a\n\n# a-2",
}

// patience is far more than rendering takes, so that only a text exceeds it when its time
// explodes.
const patience = 2 * time.Minute

// Repeated markers do not take the parser more than patience.
func TestRenderIsQuick(t *testing.T) {
	t.Parallel()
	for _, part := range []string{">", "[", "![", "*a ", "_a ", "`", "<", "a](", "- ", "\n- a", "| a ", "**a", "~~", "&", "1. ", "[a](", "# a\n\n", "```a tab=\"b\"\n```\n", "> [!NOTE]\n\n", "<a ", "http://", "\\", "\n> - "} {
		start := time.Now()
		RenderPage(strings.Repeat(part, maxMarkdown/len(part)), "")
		if took := time.Since(start); took > patience {
			t.Errorf("%q repeated took %s", part, took)
		}
	}
	if got := Render(strings.Repeat("<", maxMarkdown+1)); !strings.HasPrefix(got, "<pre>&lt;&lt;") {
		t.Errorf("a long text is %.40s", got)
	}
}

func TestLead(t *testing.T) {
	t.Parallel()
	for source, want := range map[string][2]string{
		"":                                      {"", ""},
		"Sends a bell.":                         {"Sends a bell.", ""},
		"Sends a bell.\nTwice.\n\nIt rings.\n":  {"Sends a bell.\nTwice.", "It rings."},
		"## Limits\n\nNone.":                    {"", "## Limits\n\nNone."},
		"Sends one of:\n\n- bells\n\nIt rings.": {"Sends one of:\n\n- bells", "It rings."},
		"Sends one of:\n\n- bells":              {"Sends one of:\n\n- bells", ""},
		"Sends:\n\n## Limits":                   {"Sends:", "## Limits"},
	} {
		if lead, rest := Lead(source); lead != want[0] || rest != want[1] {
			t.Errorf("Lead(%q) = %q, %q, want %q", source, lead, rest, want)
		}
	}
}

// Headings in Indian scripts keep their vowel signs in their ids, so that different words
// have different ids. The ids that they had lead to them still.
func TestAnchorsKeepMarks(t *testing.T) {
	t.Parallel()
	html, headings := RenderPage("## किताब\n\n## कातिब\n\n## हिन्दी में\n\n## தமிழ் மொழி\n\n## e\u0301t\u00e9\n", "")
	var ids []string
	for _, h := range headings {
		ids = append(ids, h.ID)
	}
	if got, want := strings.Join(ids, " "), "किताब कातिब हिन्दी-में தமிழ்-மொழி été"; got != want {
		t.Errorf("the ids are %q, want %q", got, want)
	}
	for _, was := range []string{"क-त-ब", "क-त-ब-2", "ह-न-द-म", "தம-ழ-ம-ழ"} {
		if !strings.Contains(html, `<span id="`+was+`"></span>`) {
			t.Errorf("nothing has the id %s", was)
		}
	}
}

func TestUncommented(t *testing.T) {
	t.Parallel()
	in := "<!-- once: a -->\n## A\n\n<!-- two\nlines -->\n```html\n<!-- shown -->\n```\nAn <!-- inner --> one."
	if got, want := Uncommented(in), "## A\n\n```html\n<!-- shown -->\n```\nAn <!-- inner --> one."; got != want {
		t.Errorf("Uncommented gives %q, want %q", got, want)
	}
}

package spec

import (
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
)

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"":                                "",
		"a *b* **c** ~~d~~":               "<p>a <em>b</em> <strong>c</strong> <del>d</del></p>\n",
		"# A\n\n### B":                    "<h3>A</h3>\n<h5>B</h5>\n",
		"### A\n\n###### B":               "<h3>A</h3>\n<h6>B</h6>\n",
		"```go\nx < 1\n```":               "<pre><code>x &lt; 1\n</code></pre>\n",
		"[a](/docs)":                      "<p><a href=\"/docs\">a</a></p>\n",
		"[a](#body.x)":                    "<p><a href=\"#body.x\">a</a></p>\n",
		"[a](https://b.example)":          "<p><a href=\"https://b.example\" rel=\"noopener nofollow\">a</a></p>\n",
		"https://b.example":               "<p><a href=\"https://b.example\" rel=\"noopener nofollow\">https://b.example</a></p>\n",
		"[a](//b.example)":                "<p><a href=\"//b.example\" rel=\"noopener nofollow\">a</a></p>\n",
		"![a](/media/1)":                  "<p><img src=\"/media/1\" alt=\"a\"></p>\n",
		"![a](https://b.example/x.png)":   "<p><a href=\"https://b.example/x.png\" rel=\"noopener nofollow\">a</a></p>\n",
		"| a | b |\n|---|--:|\n| 1 | 2 |": "<table>\n<thead>\n<tr>\n<th>a</th>\n<th align=\"right\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td align=\"right\">2</td>\n</tr>\n</tbody>\n</table>\n",
		"3. a\n4. b":                      "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>\n",
	} {
		if got := Markdown(source); got != want {
			t.Errorf("%q:\ngot  %q\nwant %q", source, got, want)
		}
	}
}

// TestMarkdownIsSafe parses what hostile sources become: no element, attribute
// or address may act.
func TestMarkdownIsSafe(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "a <b onclick=alert(1)>b</b>",
		"[a](javascript:alert(1))", "[a](JaVaScRiPt:alert(1))", "[a](javascript&#58;alert(1))", "[a](&#x6A;avascript:alert(1))",
		"[a](java\tscript:alert(1))", "[a](data:text/html,<script>alert(1)</script>)", "[a](vbscript:x)", "<javascript:alert(1)>",
		"![a](javascript:alert(1))", "![a](\"onerror=alert(1))", "![\" onerror=\"alert(1)](/x)", "[a](/x \"onmouseover=alert(1)\")",
		"![a](//b.example/x)", "![a](/\\b.example/x)", "![a](\\\\b.example/x)", "![a](data:image/svg+xml,<svg/>)",
		"<a href=\"javascript:alert(1)\">a</a>", "<div hx-get=/x hx-trigger=load>", "<p style=\"position:fixed\">", "<iframe src=//b.example>",
		"<form action=//b.example><input>", "<style>*{}</style>", "<base href=//b.example>", "<meta http-equiv=refresh>",
		"`<script>`", "```<script>\nx\n```", "# <script>", "[a]: javascript:alert(1)\n\n[a]", "<!-- --><script>", "<math><mi//xlink:href=\"data:x,<script>\">",
	} {
		page, err := goquery.NewDocumentFromReader(strings.NewReader(Markdown(source)))
		if err != nil {
			t.Fatal(err)
		}
		page.Find("body *").Each(func(_ int, e *goquery.Selection) {
			if !contains(strings.Fields("p br hr h3 h4 h5 h6 strong em del code pre blockquote ul ol li table thead tbody tr th td a img"), goquery.NodeName(e)) {
				t.Errorf("%q has the element %s", source, goquery.NodeName(e))
			}
			for _, a := range e.Nodes[0].Attr {
				value := strings.ToLower(strings.TrimSpace(a.Val))
				switch {
				case !contains([]string{"href", "rel", "src", "alt", "align", "start"}, a.Key),
					a.Key == "href" && strings.HasPrefix(value, "javascript"), a.Key == "href" && strings.HasPrefix(value, "data"), a.Key == "href" && strings.HasPrefix(value, "vbscript"),
					a.Key == "src" && (!strings.HasPrefix(value, "/") || strings.HasPrefix(value, "//") || strings.HasPrefix(value, `/\`)):
					t.Errorf("%q has %s=%q", source, a.Key, a.Val)
				}
			}
		})
	}
}

// TestMarkdownIsQuick holds texts that multiply to patience.
func TestMarkdownIsQuick(t *testing.T) {
	t.Parallel()
	for _, part := range []string{">", "[", "![", "*a ", "_a ", "`", "<", "a](", "- ", "\n- a", "| a ", "**a", "~~", "&", "1. ", "[a](", "<a ", "http://", "\\", "\n> - "} {
		start := time.Now()
		Markdown(strings.Repeat(part, maxMarkdown/len(part)))
		if took := time.Since(start); took > patience {
			t.Errorf("%q repeated took %s", part, took)
		}
	}
	if got := Markdown(strings.Repeat("<", maxMarkdown+1)); !strings.HasPrefix(got, "<pre>&lt;&lt;") {
		t.Errorf("a long text is %.40s", got)
	}
}

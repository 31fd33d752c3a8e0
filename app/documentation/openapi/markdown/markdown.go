// Package markdown renders Markdown as HTML that is safe to show in a page. It
// is the only renderer of Markdown, and its output is the only HTML that no
// template writes.
package markdown

import (
	"bufio"
	"bytes"
	"html"
	"regexp"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

const (
	maxMarkdown = 64 << 10 // bytes
	maxMarkers  = 32       // quotes and lists within each other, on one line
	maxLinks    = 2000     // link destinations; the parser's time grows with their square
)

// externalRel is the rel attribute of links to other hosts.
const externalRel = "noopener nofollow"

// Heading is a heading of a rendered text.
type Heading struct {
	Level int    // 2 or more, because the title of the page is level 1
	ID    string // the anchor
	Text  string // plain text
}

var (
	fragments    = newMarkdown(&pageTransformer{top: 3})
	descriptions = newMarkdown(&pageTransformer{top: 3, described: true})
	pages        = newMarkdown(&pageTransformer{top: 2, whole: true})
)

func newMarkdown(t *pageTransformer) goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
			extension.Strikethrough, extension.Linkify,
		),
		goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(t, 1000))),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(blockRenderer{}, 100))),
	)
}

// policy lists the elements and attributes that may appear in a page.
var policy = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "strong", "em", "del", "code", "pre", "blockquote",
		"ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "details", "summary")
	for element, classes := range map[string]string{
		"div": `alert (good|warn|bad|info)|tabs|tab-panel`, "strong": `alert-title`, "summary": `tab`,
		"a": `anchor`, "code": `language-[A-Za-z0-9+#_-]{1,40}`,
	} {
		p.AllowAttrs("class").Matching(regexp.MustCompile(`^(` + classes + `)$`)).OnElements(element)
	}
	p.AllowAttrs("role").Matching(regexp.MustCompile(`^(note|group)$`)).OnElements("div")
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N}-]*$`)).OnElements("h2", "h3", "h4", "h5", "h6", "div", "span")
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^error-[0-9]{1,7}$`)).OnElements("code")
	p.AllowAttrs("aria-label").OnElements("div")
	p.AllowAttrs("name").Matching(regexp.MustCompile(`^code-[\p{L}\p{N}-]*$`)).OnElements("details")
	p.AllowAttrs("open").Matching(regexp.MustCompile(`^$`)).OnElements("details")
	p.AllowAttrs("data-title").OnElements("pre")
	p.AllowAttrs("data-label").OnElements("td")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|center|right)$`)).OnElements("th", "td")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("rel").Matching(regexp.MustCompile(`^` + externalRel + `$`)).OnElements("a")
	p.AllowAttrs("src").Matching(regexp.MustCompile(`^/[^/\\]`)).OnElements("img")
	p.AllowAttrs("alt").OnElements("img")
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	return p
}()

// Render renders CommonMark with GFM tables, strikethrough and autolinks as
// safe HTML.
//
// A quote with the first line [!NOTE], [!TIP], [!IMPORTANT], [!WARNING] or
// [!CAUTION] is a callout, as on GitHub. A fence may give its code a title:
// ```python title="receiver.py".
//
// HTML in the source is dropped. Headings start at h3, whatever level the source
// starts with, and have no ids. Links to other hosts have rel="noopener
// nofollow". Images of other hosts become links, so that a page requests nothing
// from other hosts. Text that would take the parser too long is shown
// unrendered: over 64 KiB, over 2,000 links, or quotes and lists over 32 deep in
// a line.
func Render(source string) string {
	text, _ := render(fragments, source, "")
	return text
}

// RenderDescription renders the main description of a page like [Render], with
// anchors. Headings have ids (about-…) and link to themselves. Codes in table
// columns named Code or Error have ids as well (error-404). The headings are
// returned in order.
func RenderDescription(source string) (string, []Heading) {
	return render(descriptions, source, "")
}

// RenderPage renders a text that is the body of a page. Headings start at h2,
// have ids and link to themselves. Consecutive fences with a label
// (```go tab="Go") become one block with tabs, and the one labelled tab comes
// first. A comment before a heading keeps the ids that it had under earlier names:
// <!-- once: an-id, another-id -->. The headings are returned in order.
func RenderPage(source, tab string) (string, []Heading) { return render(pages, source, tab) }

func render(m goldmark.Markdown, source, tab string) (string, []Heading) {
	if source == "" {
		return "", nil
	}
	var b bytes.Buffer
	pc := parser.NewContext()
	pc.Set(tabKey, tab)
	if excessive(source) || convert(m, []byte(source), &b, pc) != nil {
		return "<pre>" + html.EscapeString(source) + "</pre>", nil
	}
	headings, _ := pc.Get(headingsKey).([]Heading)
	return string(policy.SanitizeBytes(b.Bytes())), headings
}

func convert(m goldmark.Markdown, source []byte, b *bytes.Buffer, pc parser.Context) error {
	doc := m.Parser().Parse(text.NewReader(source), parser.WithContext(pc))
	w := writers.Get().(*bufio.Writer)
	defer writers.Put(w)
	w.Reset(b)
	return m.Renderer().Render(w, source, doc)
}

// writers are the buffers that the renderer writes to; it would make one for each
// text otherwise.
var writers = sync.Pool{New: func() any { return bufio.NewWriter(nil) }}

// excessive reports whether a source exceeds a limit.
func excessive(source string) bool {
	if len(source) > maxMarkdown || strings.Count(source, "](") > maxLinks {
		return true
	}
	for line := range strings.Lines(source) {
		markers := 0
		for rest := line; ; markers++ {
			marker := blockMarker.FindString(rest)
			if marker == "" {
				break
			}
			if markers > maxMarkers {
				return true
			}
			rest = rest[len(marker):]
		}
	}
	return false
}

// blockMarker matches the start of a quote or a list item.
var blockMarker = regexp.MustCompile(`^[ \t]*(>|[-+*][ \t]|[0-9]{1,9}[.)][ \t])`)

package spec

import (
	"bytes"
	"html"
	"net/url"
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

const (
	topHeading  = 3        // the page has h1 and h2
	maxMarkdown = 64 << 10 // bytes
	maxMarkers  = 32       // quotes and lists within each other, on one line
	maxLinks    = 2000     // link destinations; the parser's time grows with their square
)

// externalRel is what every link to another host says.
const externalRel = "noopener nofollow"

var renderer = goldmark.New(
	goldmark.WithExtensions(
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
		extension.Strikethrough, extension.Linkify,
	),
	goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(pageTransformer{}, 1000))),
)

var policy = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "h3", "h4", "h5", "h6", "strong", "em", "del", "code", "pre", "blockquote",
		"ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td")
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

// Markdown renders CommonMark with GFM tables, strikethrough and autolinks as
// HTML that is safe to put into a page: it is the only renderer of Markdown,
// and its output the only HTML that is not written by a template.
//
// HTML within the source is dropped. Headings begin at h3, whatever the source
// begins with, and have no ids. Links to other hosts carry rel="noopener
// nofollow"; images of other hosts become links, so that a page asks no other
// host for anything. Text that would keep the parser busy is shown as it is:
// over 64 KiB, over 2,000 links, or quotes and lists over 32 deep in a line.
func Markdown(source string) string {
	if source == "" {
		return ""
	}
	var b bytes.Buffer
	if excessive(source) || renderer.Convert([]byte(source), &b) != nil {
		return "<pre>" + html.EscapeString(source) + "</pre>"
	}
	return string(policy.SanitizeBytes(b.Bytes()))
}

// excessive reports whether a source is beyond the caps.
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

// blockMarker begins a quote or a list item.
var blockMarker = regexp.MustCompile(`^[ \t]*(>|[-+*][ \t]|[0-9]{1,9}[.)][ \t])`)

// pageTransformer fits a text into a page.
type pageTransformer struct{}

// Transform shifts headings, marks links and replaces images of other hosts.
func (pageTransformer) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	top := 6
	var headings []*ast.Heading
	var images []*ast.Image
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker never fails
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			headings = append(headings, n)
			top = min(top, n.Level)
		case *ast.Link:
			mark(n, n.Destination)
		case *ast.AutoLink:
			if n.AutoLinkType == ast.AutoLinkURL {
				n.SetAttributeString("rel", []byte(externalRel))
			}
		case *ast.Image:
			if external(n.Destination) {
				images = append(images, n)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, h := range headings {
		h.Level = min(max(h.Level-top+topHeading, topHeading), 6)
	}
	for _, image := range images {
		replace(image)
	}
}

// mark tells a link to another host to keep its distance.
func mark(n ast.Node, destination []byte) {
	if external(destination) {
		n.SetAttributeString("rel", []byte(externalRel))
	}
}

// external reports whether a destination is, or might be, another host.
func external(destination []byte) bool {
	u, err := url.Parse(string(destination))
	return err != nil || u.Scheme != "" || u.Host != "" || bytes.HasPrefix(destination, []byte(`/\`))
}

// replace puts a link in the place of an image.
func replace(image *ast.Image) {
	link := ast.NewLink()
	link.Destination = image.Destination
	mark(link, link.Destination)
	for child := image.FirstChild(); child != nil; {
		next := child.NextSibling()
		link.AppendChild(link, child)
		child = next
	}
	image.Parent().ReplaceChild(image.Parent(), image, link)
}

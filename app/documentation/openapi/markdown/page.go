package markdown

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"golang.org/x/text/unicode/norm"
)

// A transformer stores the headings of a page under headingsKey and reads the
// label of the first tab from tabKey.
var (
	headingsKey = parser.NewContextKey()
	tabKey      = parser.NewContextKey()
)

// framed lists the prefixes of ids in the frame around every page.
var framed = []string{"contents", "live", "main", "nav", "page", "search"}

// pageTransformer adapts a text to its page.
type pageTransformer struct {
	top       int  // level of the uppermost heading
	whole     bool // the text is the body of the page: headings have ids, fences become tabs
	described bool // the text is the main description: headings and error codes have ids
}

// found holds the nodes that the transformer changes.
type found struct {
	headings []*ast.Heading
	images   []*ast.Image
	quotes   []*ast.Blockquote
	fences   []*ast.FencedCodeBlock
	tables   []*east.Table
}

// Transform shifts headings, marks links, labels cells, replaces images of
// other hosts, and makes callouts and tabs.
func (t *pageTransformer) Transform(doc *ast.Document, reader text.Reader, pc parser.Context) {
	source := reader.Source()
	f := survey(doc, source)
	top := 6
	for _, h := range f.headings {
		top = min(top, h.Level)
	}
	taken, before := anchors{}, anchors{}
	var headings []Heading
	for _, h := range f.headings {
		h.Level = min(max(h.Level-top+t.top, t.top), 6)
		switch {
		case t.whole:
			headings = append(headings, linkHeading(h, "", source, taken, before))
		case t.described:
			headings = append(headings, linkHeading(h, "about ", source, taken, before))
		}
	}
	for _, table := range f.tables {
		label(table, source)
		if t.described {
			anchorCodes(table, source, taken)
		}
	}
	pc.Set(headingsKey, headings)
	for _, image := range f.images {
		replace(image)
	}
	for _, quote := range f.quotes {
		callOut(quote, source)
	}
	if t.whole {
		for _, t := range group(f.fences, source, taken) {
			t.first(pc.Get(tabKey).(string), source)
		}
	}
}

func survey(doc *ast.Document, source []byte) (f found) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker never fails
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			f.headings = append(f.headings, n)
		case *ast.Blockquote:
			f.quotes = append(f.quotes, n)
		case *ast.FencedCodeBlock:
			f.fences = append(f.fences, n)
		case *east.Table:
			f.tables = append(f.tables, n)
		case *ast.Link:
			mark(n, n.Destination)
		case *ast.AutoLink:
			if n.AutoLinkType == ast.AutoLinkURL {
				n.SetAttributeString("rel", []byte(externalRel))
			}
		case *ast.Image:
			if external(n.Destination) {
				f.images = append(f.images, n)
			}
		}
		return ast.WalkContinue, nil
	})
	return f
}

// linkHeading gives a heading an id that starts with the given words, and makes
// its text a link to itself unless the text contains a link. Ids once left out the vowel
// signs of Indian scripts and other marks. Those ids, which were makes, still lead here.
func linkHeading(h *ast.Heading, begins string, source []byte, taken, were anchors) Heading {
	words := plainWords(h, source)
	id, was := taken.make(begins+norm.NFC.String(words), isWord), were.make(begins+words, isLetter)
	h.SetAttributeString("id", []byte(id))
	earlier := earlierAnchors(h, source)
	if was != id {
		earlier = append(earlier, was)
	}
	linked := false
	_ = ast.Walk(h, func(n ast.Node, _ bool) (ast.WalkStatus, error) { // the walker never fails
		switch n.(type) {
		case *ast.Link, *ast.AutoLink, *ast.Image:
			linked = true
		}
		return ast.WalkContinue, nil
	})
	if !linked && h.HasChildren() {
		link := ast.NewLink()
		link.Destination = []byte("#" + id)
		link.SetAttributeString("class", []byte("anchor"))
		move(h, link)
		h.AppendChild(h, link)
	}
	for _, name := range earlier {
		if taken[name] == 0 && h.HasChildren() {
			place := ast.NewString([]byte(`<span id="` + name + `"></span>`))
			place.SetCode(true) // written as it is
			h.InsertBefore(h, h.FirstChild(), place)
			taken[name]++
		}
	}
	return Heading{Level: h.Level, ID: id, Text: words}
}

// onceComment matches a comment before a heading with the ids that it had under
// earlier names, so that links to them still lead here.
var onceComment = regexp.MustCompile(`^<!-- once: ([\p{L}\p{N}][\p{L}\p{M}\p{N}-]*(?:, [\p{L}\p{N}][\p{L}\p{M}\p{N}-]*)*) -->\s*$`)

// earlierAnchors returns the ids that a heading had.
func earlierAnchors(h *ast.Heading, source []byte) []string {
	block, ok := h.PreviousSibling().(*ast.HTMLBlock)
	if !ok || block.Lines().Len() != 1 {
		return nil
	}
	line := block.Lines().At(0)
	match := onceComment.FindSubmatch(line.Value(source))
	if match == nil {
		return nil
	}
	return strings.Split(string(match[1]), ", ")
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// isWord reports whether a character is part of a word: a letter, a digit, a mark on one
// of them, or what joins them.
func isWord(r rune) bool { return isLetter(r) || unicode.IsMark(r) || r == '\u200c' || r == '\u200d' }

// anchors creates ids that are unique on the page. Each name remembers its
// next number, so that equal headings take no longer than others.
type anchors map[string]int

func (taken anchors) make(words string, is func(rune) bool) string {
	name := strings.Join(strings.FieldsFunc(strings.ToLower(words), func(r rune) bool { return !is(r) }), "-")
	if first, _, _ := strings.Cut(name, "-"); name == "" || slices.Contains(framed, first) {
		name = strings.TrimSuffix("section-"+name, "-")
	}
	id := name
	for taken[id] > 0 {
		taken[name]++
		id = name + "-" + strconv.Itoa(taken[name])
	}
	taken[id]++
	return id
}

// plainWords returns the plain text of a node.
func plainWords(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker never fails
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Value(source))
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(source))
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// label adds the title of its column to each cell of a table, for narrow
// screens.
func label(table *east.Table, source []byte) {
	var columns []string
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		i := 0
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			if row.Kind() == east.KindTableHeader {
				columns = append(columns, plainWords(cell, source))
			} else if i < len(columns) && columns[i] != "" {
				cell.SetAttributeString("data-label", []byte(columns[i]))
			}
			i++
		}
	}
}

// mark sets the rel attribute of a link to another host.
func mark(n ast.Node, destination []byte) {
	if external(destination) {
		n.SetAttributeString("rel", []byte(externalRel))
	}
}

// external reports whether a destination is or might be on another host.
func external(destination []byte) bool {
	u, err := url.Parse(string(destination))
	return err != nil || u.Scheme != "" || u.Host != "" || bytes.HasPrefix(destination, []byte(`/\`))
}

// replace replaces an image by a link.
func replace(image *ast.Image) {
	link := ast.NewLink()
	link.Destination = image.Destination
	mark(link, link.Destination)
	move(image, link)
	image.Parent().ReplaceChild(image.Parent(), image, link)
}

// move moves the children of one node to another.
func move(from, to ast.Node) {
	for child := from.FirstChild(); child != nil; {
		next := child.NextSibling()
		to.AppendChild(to, child)
		child = next
	}
}

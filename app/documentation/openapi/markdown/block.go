package markdown

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

var (
	kindCallout = ast.NewNodeKind("Callout")
	kindTabs    = ast.NewNodeKind("Tabs")
)

// callout is a quote with a tone and a title, such as a warning.
type callout struct {
	ast.BaseBlock
	tone, title string
}

func (*callout) Kind() ast.NodeKind             { return kindCallout }
func (c *callout) Dump(source []byte, deep int) { ast.DumpHelper(c, source, deep, nil, nil) }

// tabs holds alternative fences, shown one at a time. The ids belong to its
// children, in order.
type tabs struct {
	ast.BaseBlock
	ids []string
}

func (*tabs) Kind() ast.NodeKind             { return kindTabs }
func (t *tabs) Dump(source []byte, deep int) { ast.DumpHelper(t, source, deep, nil, nil) }

// callouts maps the first line of a quote to its callout.
var callouts = map[string]callout{
	"[!NOTE]":      {tone: "info", title: "Note"},
	"[!TIP]":       {tone: "good", title: "Tip"},
	"[!IMPORTANT]": {tone: "info", title: "Important"},
	"[!WARNING]":   {tone: "warn", title: "Warning"},
	"[!CAUTION]":   {tone: "bad", title: "Caution"},
}

// callOut replaces a quote that starts with a callout line by the callout.
func callOut(quote *ast.Blockquote, source []byte) {
	first, ok := quote.FirstChild().(*ast.Paragraph)
	if !ok || first.Lines().Len() == 0 {
		return
	}
	line := first.Lines().At(0)
	kind, ok := callouts[string(bytes.TrimSpace(line.Value(source)))]
	if !ok {
		return
	}
	for child := first.FirstChild(); child != nil; {
		next := child.NextSibling()
		text, isText := child.(*ast.Text)
		first.RemoveChild(first, child)
		if isText && (text.SoftLineBreak() || text.HardLineBreak()) {
			break
		}
		child = next
	}
	if !first.HasChildren() {
		quote.RemoveChild(quote, first)
	}
	c := &callout{tone: kind.tone, title: kind.title}
	move(quote, c)
	quote.Parent().ReplaceChild(quote.Parent(), quote, c)
}

// group joins consecutive fences that have a label.
func group(fences []*ast.FencedCodeBlock, source []byte, taken anchors) (list []*tabs) {
	for _, fence := range fences {
		if info(fence, source, "tab") == "" {
			continue
		}
		t, ok := fence.PreviousSibling().(*tabs)
		if !ok {
			t = &tabs{}
			list = append(list, t)
			fence.Parent().InsertBefore(fence.Parent(), fence, t)
		}
		t.ids = append(t.ids, taken.make("code "+strconv.Itoa(len(taken))+" "+info(fence, source, "tab"), isLetter))
		t.AppendChild(t, fence)
	}
	return list
}

// first moves the tab with the label, if there is one, before the others.
func (t *tabs) first(label string, source []byte) {
	i := 0
	for fence := t.FirstChild(); fence != nil; fence = fence.NextSibling() {
		if i > 0 && info(fence.(*ast.FencedCodeBlock), source, "tab") == label {
			t.RemoveChild(t, fence)
			t.InsertBefore(t, t.FirstChild(), fence)
			id := t.ids[i]
			t.ids = slices.Insert(slices.Delete(t.ids, i, i+1), 0, id)
			return
		}
		i++
	}
}

var infoPart = regexp.MustCompile(`\b(tab|title)="([^"]*)"`)

// info returns a named value of the info string of a fence: ```go tab="Go".
func info(fence *ast.FencedCodeBlock, source []byte, name string) string {
	if fence.Info == nil {
		return ""
	}
	for _, part := range infoPart.FindAllSubmatch(fence.Info.Segment.Value(source), -1) {
		if string(part[1]) == name {
			return string(part[2])
		}
	}
	return ""
}

// blockRenderer writes the blocks that goldmark does not have, and fences with
// titles.
type blockRenderer struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (blockRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, renderFence)
	r.Register(kindCallout, renderCallout)
	r.Register(kindTabs, renderTabs)
}

func renderFence(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		writeFence(w, source, n.(*ast.FencedCodeBlock), info(n.(*ast.FencedCodeBlock), source, "tab"))
	}
	return ast.WalkSkipChildren, nil
}

// writeFence writes code with its own title, or the given one if it has none.
func writeFence(w util.BufWriter, source []byte, fence *ast.FencedCodeBlock, title string) {
	if own := info(fence, source, "title"); own != "" {
		title = own
	}
	var b strings.Builder
	b.WriteString("<pre")
	if title != "" {
		b.WriteString(` data-title="` + asText(title) + `"`)
	}
	b.WriteString("><code")
	if language := fence.Language(source); len(language) > 0 {
		b.WriteString(` class="language-` + asText(string(language)) + `"`)
	}
	b.WriteString(">")
	for i := range fence.Lines().Len() {
		line := fence.Lines().At(i)
		b.WriteString(asText(string(line.Value(source))))
	}
	b.WriteString("</code></pre>\n")
	_, _ = w.WriteString(b.String()) // a buffer does not fail
}

func renderCallout(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	c := n.(*callout)
	if entering {
		_, _ = w.WriteString(`<div class="alert ` + c.tone + `" role="note"><strong class="alert-title">` + c.title + "</strong>\n")
	} else {
		_, _ = w.WriteString("</div>\n")
	}
	return ast.WalkContinue, nil
}

func renderTabs(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	t := n.(*tabs)
	if !entering {
		return ast.WalkContinue, nil
	}
	var fences []*ast.FencedCodeBlock
	for child := t.FirstChild(); child != nil; child = child.NextSibling() {
		fences = append(fences, child.(*ast.FencedCodeBlock))
	}
	_, _ = w.WriteString(`<div class="tabs" role="group" aria-label="Language">` + "\n")
	for i, fence := range fences {
		name, open := info(fence, source, "tab"), ""
		if i == 0 {
			open = ` open=""`
		}
		_, _ = w.WriteString(`<details name="` + t.ids[0] + `"` + open + `><summary class="tab">` + asText(name) + `</summary><div class="tab-panel" id="` + t.ids[i] + `">`)
		writeFence(w, source, fence, name)
		_, _ = w.WriteString("</div></details>\n")
	}
	_, _ = w.WriteString("</div>\n")
	return ast.WalkSkipChildren, nil
}

func asText(s string) string { return string(util.EscapeHTML([]byte(s))) }

// Package checks finds what is wrong with the content of an item before readers see
// it: links that do not work, missing descriptions and examples, examples that do
// not match their schemas, images without a description, colours that cannot be
// read, words that the glossary avoids, and operations that contradict themselves.
//
// It is pure: an item and what surrounds it go in, findings come out. Each finding
// belongs to a check. A product decides for each check whether its findings block a
// release, warn or are left out.
package checks

import (
	"encoding/json"
	"slices"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/db/models"
)

// Level is the effect of a check in a product.
type Level string

// The levels of a check.
const (
	Block Level = "block" // findings keep a change set from review and release
	Warn  Level = "warn"  // findings are shown
	Off   Level = "off"   // nothing is shown
)

// Levels lists the levels, the strictest first.
var Levels = []Level{Block, Warn, Off}

// Check is a kind of finding.
type Check struct {
	Name  string
	Label string
	Hint  string // what it finds
	Level Level  // in products that have not chosen another
}

// The names of the checks.
const (
	nameLinks        = "links"
	nameContract     = "contract"
	nameSecurity     = "security"
	nameMatching     = "matching"
	nameExamples     = "examples"
	nameDescriptions = "descriptions"
	nameImages       = "images"
	nameHeadings     = "headings"
	nameCode         = "code"
	nameMarkup       = "markup"
	nameContrast     = "contrast"
	nameTerms        = "terms"
)

// All lists the checks in the order in which pages show them.
var All = []Check{
	{nameLinks, "Links", "Links and anchors within the documentation lead to a page that readers can open. Links to other hosts are well formed.", Block},
	{nameContract, "Contract", "Operation ids, methods and paths are unique in their version. Path parameters are declared. References name a schema that exists.", Block},
	{nameMatching, "Examples match", "Examples match their schemas.", Block},
	{nameImages, "Images", "Images have a description for people who do not see them.", Block},
	{nameContrast, "Contrast", "The accent colour can be read in both themes, with a ratio of 4.5 to 1.", Block},
	{nameSecurity, "Security", "Operations say which credentials they need, or that they need none.", Warn},
	{nameExamples, "Examples", "Bodies and successful responses have an example.", Warn},
	{nameDescriptions, "Descriptions", "Items, parameters and fields have a description.", Warn},
	{nameHeadings, "Headings", "Headings leave out no level.", Warn},
	{nameCode, "Code", "Code blocks in JSON can be parsed.", Warn},
	{nameMarkup, "Markup", "Texts use only the Markdown that pages show: no footnotes.", Warn},
	{nameTerms, "Words", "Texts use the words of the glossary.", Warn},
}

// Get returns a check by its name.
func Get(name string) (c Check, ok bool) {
	i := slices.IndexFunc(All, func(c Check) bool { return c.Name == name })
	if i < 0 {
		return c, false
	}
	return All[i], true
}

// IsTyped reports whether forms show what a check finds while somebody types.
func IsTyped(name string) bool { return name == nameMatching }

// Item is the content of an item at the address that readers will find it at.
type Item struct {
	ID      int64
	Kind    string
	Slug    string
	Path    string // of its page
	Content json.RawMessage
}

// World holds what the items of a version are checked against, or the items of a
// product. It is not safe for concurrent use.
type World struct {
	// Pages holds what the links of [Links] lead to, by path. A path that is
	// missing has no page.
	Pages map[string]Page
	// Parts are the version with its schemas, Operations its endpoints and
	// callbacks. Both are empty for products, guides and versions.
	Parts      []models.LiveItem
	Operations []models.OperationEntry

	parts *parts // as they are read
	hash  string
}

// Page is a page that a link can lead to.
type Page struct {
	Exists bool
	// Anchors are the ids on the page; nil leaves anchors unchecked.
	Anchors map[string]bool
}

// Run returns the findings of every check in an item, in the order of All.
func Run(i Item, w *World) []models.CheckFinding {
	f := &finder{item: i, world: w}
	f.read()
	descriptionChecks{f}.describe()
	links, texts, contracts := linkChecks{f}, textChecks{f}, contractChecks{f}
	for _, t := range f.texts {
		links.links(t)
		texts.images(t)
		texts.headings(t)
		texts.blocks(t)
		texts.markup(t)
		texts.terms(t)
	}
	links.recommends()
	f.contrast()
	contracts.contract()
	contracts.matching()
	slices.SortStableFunc(f.found, func(a, b models.CheckFinding) int { return place(a.Check) - place(b.Check) })
	return f.found
}

func place(name string) int {
	return slices.IndexFunc(All, func(c Check) bool { return c.Name == name })
}

// text is a text of an item.
type text struct {
	field    string // JSON name in the content
	line     int    // of its first line in the field, counting from zero
	source   string
	markdown bool
}

// finder collects the findings of an item.
type finder struct {
	item  Item
	world *World
	// The content, in the struct of its kind.
	product  content.Product
	version  content.Version
	endpoint content.Endpoint
	schema   content.Schema
	category content.Category
	guide    content.Guide
	raw      *tree.Node // of an operation or a schema, with the lines of its source; nil where it cannot be read
	texts    []text
	found    []models.CheckFinding
}

// add adds a finding. A line of zero means the field as a whole.
func (f *finder) add(check, field string, line int, message string) {
	f.found = append(f.found, models.CheckFinding{Check: check, Field: field, Line: line, Message: message})
}

func (f *finder) isOperation() bool {
	return f.item.Kind == content.KindEndpoint || f.item.Kind == content.KindCallback
}

// read reads the content and collects its texts. A content that cannot be read is
// refused by other rules.
func (f *finder) read() {
	into := map[string]any{
		content.KindProduct: &f.product, content.KindVersion: &f.version, content.KindEndpoint: &f.endpoint, content.KindCallback: &f.endpoint,
		content.KindSchema: &f.schema, content.KindCategory: &f.category, content.KindGuide: &f.guide,
	}[f.item.Kind]
	if into == nil || json.Unmarshal(f.item.Content, into) != nil {
		return
	}
	plain := func(field, source string) { f.texts = append(f.texts, text{field: field, source: source}) }
	prose := func(field, source string) {
		f.texts = append(f.texts, text{field: field, source: source, markdown: true})
	}
	switch f.item.Kind {
	case content.KindProduct:
		plain("summary", f.product.Summary)
		prose("description", f.product.Description)
	case content.KindVersion:
		prose("description", f.version.Description)
		prose("release_notes", f.version.Notes)
	case content.KindCategory:
		prose("description", f.category.Description)
	case content.KindGuide:
		plain("summary", f.guide.Summary)
		prose("text", f.guide.Text)
	case content.KindSchema:
		f.readRaw(f.schema.Raw)
	default:
		plain("name", f.endpoint.Name)
		prose("purpose", f.endpoint.Purpose)
		f.readRaw(f.endpoint.Raw)
	}
}

// readRaw reads the source of an operation or a schema as the editor shows it, and
// collects the descriptions below it.
func (f *finder) readRaw(raw json.RawMessage) {
	node, err := tree.Read(raw)
	if err != nil {
		return
	}
	if node, err = tree.Read([]byte(node.Pretty())); err != nil {
		return
	}
	f.raw = node
	f.readDescriptions(node, f.isOperation())
}

// readDescriptions collects the descriptions below a node. The description of an
// operation itself is its purpose already.
func (f *finder) readDescriptions(n *tree.Node, isOperation bool) {
	for _, m := range n.Members {
		switch {
		case m.Key == "description" && m.Value.Is(tree.KindString):
			if !isOperation {
				f.texts = append(f.texts, text{field: "raw", line: int(m.Value.Line) - 1, source: m.Value.Text, markdown: true})
			}
		case m.Key == "example", m.Key == "examples", m.Key == "default", m.Key == "const", m.Key == "enum":
		case m.Key == "properties" && m.Value.Is(tree.KindObject):
			for _, p := range m.Value.Members { // a field may be called description
				f.readDescriptions(p.Value, false)
			}
		default:
			f.readDescriptions(m.Value, false)
		}
	}
	for _, item := range n.Items {
		f.readDescriptions(item, false)
	}
}

// lineOf returns the line of a text's line in its field, counting from one. The
// source of an operation holds a description in one line.
func (t text) lineOf(line int) int {
	if t.field == "raw" {
		return t.line + 1
	}
	return line + 1
}

// list names some things in a sentence.
func list(names []string) string {
	const most = 5
	if len(names) > most {
		names = append(slices.Clone(names[:most]), "and others")
	}
	return strings.Join(names, ", ")
}

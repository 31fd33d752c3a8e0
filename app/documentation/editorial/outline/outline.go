// Package outline shows an operation or a schema of an API description as the
// rows of a form, and writes what was typed into the rows back. Everything that
// no input changes stays as it was: the order of keys, unknown keys and the text
// of numbers.
package outline

import (
	"hash/fnv"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/tree"
)

// maxRows is the number of rows that an outline shows. What lies beyond them is
// edited as source.
const maxRows = 400

// The types of inputs.
const (
	lineInput   = "line"     // one line of text
	textInput   = "text"     // several lines
	Markdown    = "markdown" // several lines with markup
	choiceInput = "choice"   // one of Options
	checkInput  = "check"    // "true" or empty
	codeInput   = "code"     // a value as JSON
)

// Outline is an operation or a schema as rows.
type Outline struct {
	Root  *tree.Node // a copy, which Apply changes
	Rows  []*Row
	IsCut bool // whether there are more rows than are shown
	// Open holds the pointers of the rows that are open.
	Open []string
	// Done says what the last action did, empty where the rows show it.
	Done string

	count   int
	inputs  []*Input
	actions map[string]func() *tree.Node
	lists   map[string][]*tree.Node // the parts that have an order, by the pointer of what holds them
	sources Sources
	focus   *tree.Node
	deed    deed
}

// Sources holds what an operation can refer to in its version.
type Sources struct {
	// Schema returns a schema by its name, nil for an unknown one.
	Schema func(name string) *tree.Node
	// Schemes names the security schemes, Responses and Parameters what else endpoints
	// share.
	Schemes, Responses, Parameters []string
	// Path is the path of an endpoint. A new parameter takes the first of its names
	// that has none.
	Path string
}

// Row is a part of an outline: a parameter, a field, a status code …
type Row struct {
	At      string // JSON pointer of its value
	Title   string // name of a field, a status code, a content type
	Note    string // type of a field, in words
	Refers  string // name of the schema that it refers to
	Inputs  []*Input
	Rows    []*Row
	Actions []rowAction
	IsGroup bool // a heading with rows below it
	IsNew   bool // just added
	// IsShared marks what is written once in the version.
	IsShared bool
	// List is the pointer of what the row has a place in, empty for rows with
	// a fixed place.
	List string
	// Follows is the verb of the last action where its author goes on with this row:
	// up, down or place, which moved it, or delete, which removed the one before it.
	Follows string
}

// rowAction is something to do with a row.
type rowAction struct {
	Do    string // what Apply takes
	Label string
}

// Input is a value of a row.
type Input struct {
	Name    string // of the form's field
	Label   string
	Hint    string
	Type    string
	Value   string
	Options []string
	Error   string

	// CheckedBy is the JSON pointer of the media type with the schema that an example has
	// to match, empty for other inputs.
	CheckedBy string

	set func(text string) error
}

// IsJSON reports whether an input is JSON, and not the text of an example in
// another content type.
func (in *Input) IsJSON() bool {
	return in.Type == codeInput && (in.CheckedBy == "" || strings.Contains(strings.ToLower(in.CheckedBy), "json"))
}

// Prefix begins the names of all inputs of an outline.
const Prefix = "in:"

// ID names the control of an input in a page, by the name of the input.
func ID(name string) string {
	sum := fnv.New64a()
	sum.Write([]byte(name)) //nolint:errcheck // a hash never fails
	return "row-" + strconv.FormatUint(sum.Sum64(), 36)
}

// Operation outlines an operation object.
func Operation(root *tree.Node, sources Sources) *Outline {
	o := start(root, sources)
	if o.Root.Is(tree.KindObject) {
		rows := operationRows{newContentRows(o)}
		o.Rows = []*Row{rows.settings(), parameterRows{rows.schemaRows}.parameters(), rows.body(), rows.responses()}
	}
	mark(o.Rows)
	return o
}

// Schema outlines a schema object.
func Schema(root *tree.Node, sources Sources) *Outline {
	o := start(root, sources)
	row := newSchemaRows(o).schema("", o.Root, nil)
	row.Title = "Schema"
	o.Rows = []*Row{row}
	mark(o.Rows)
	return o
}

func start(root *tree.Node, sources Sources) *Outline {
	if sources.Schema == nil {
		sources.Schema = func(string) *tree.Node { return nil }
	}
	return &Outline{Root: clone(root), sources: sources, actions: map[string]func() *tree.Node{}, lists: map[string][]*tree.Node{}}
}

func clone(n *tree.Node) *tree.Node {
	if n == nil {
		return nil
	}
	c := *n
	c.Items, c.Members = make([]*tree.Node, len(n.Items)), make([]tree.Member, len(n.Members))
	for i, item := range n.Items {
		c.Items[i] = clone(item)
	}
	for i, m := range n.Members {
		c.Members[i] = tree.Member{Key: m.Key, Value: clone(m.Value)}
	}
	return &c
}

// Inputs lists the inputs of all rows.
func (o *Outline) Inputs() []*Input { return o.inputs }

// Apply writes the typed values of inputs into the root, by their names, then
// does an action of a row, empty for none. Inputs without a typed value stay. Rows
// above the one of the action are open then.
// It returns whether all values could be written; the others have an error, and
// the root is then to be dropped.
func (o *Outline) Apply(typed map[string]string, do string) bool {
	ok := true
	o.deed = readDeed(do)
	act := o.act(o.deed)
	at := o.deed.at
	if o.deed.moves() {
		at = tree.Parent(at)
	}
	for ; at != ""; at = tree.Parent(at) {
		o.Open = append(o.Open, at)
	}
	o.follow(func() {
		for _, in := range o.inputs {
			text, sent := typed[in.Name]
			text = plainLines(text)
			if !sent || text == plainLines(in.Value) {
				continue
			}
			in.Value = text
			if err := in.set(text); err != nil {
				in.Error, ok = err.Error(), false
			}
		}
		if ok && act != nil {
			o.focus = act()
		}
	})
	return ok
}

// Again outlines the changed root. The row of the last action is new or moved.
func (o *Outline) Again(outline func(*tree.Node, Sources) *Outline) *Outline {
	next := outline(o.Root, o.sources)
	next.Open, next.Done = o.Open, o.Done
	if o.focus != nil {
		next.point(next.Rows, find(o.Root, o.focus, ""), o.deed)
	}
	return next
}

// find returns the pointer of a node.
func find(root, node *tree.Node, at string) string {
	if root == node {
		return at
	}
	for i, item := range root.Items {
		if found := find(item, node, below(at, itoa(i))); found != "" {
			return found
		}
	}
	for _, m := range root.Members {
		if found := find(m.Value, node, below(at, m.Key)); found != "" {
			return found
		}
	}
	return ""
}

func below(at, key string) string { return at + "/" + tree.Escape(key) }

func plainLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

package validate

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

const (
	// resource is the address of the document within the compiler.
	resource = "mem:///doc"
	// operationsKey is the member of the document that holds the compiled
	// operations, each with the parameters of its path.
	operationsKey = "x-heliograph-operations"
	maxPaths      = graph.MaxApplications
	maxChain      = graph.MaxChain
)

// side compiles schemas for one direction.
type side struct {
	root       map[string]any
	operations map[string]any
	compiler   *jsonschema.Compiler
	nodes      map[string]*node
	word       string // readOnly for requests, writeOnly for responses
	failure    string // why nothing can be compiled, "" when all is well
}

func newSide(root *tree.Node, word string) *side {
	s := &side{operations: map[string]any{}, nodes: map[string]*node{}, word: word}
	s.root, _ = root.Plain().(map[string]any)
	if s.root == nil {
		s.root = map[string]any{}
	}
	s.root[operationsKey] = s.operations
	s.compiler = jsonschema.NewCompiler()
	s.compiler.DefaultDraft(jsonschema.Draft2020)
	s.compiler.UseLoader(jsonschema.SchemeURLLoader{})
	s.compiler.AssertFormat()
	if err := s.compiler.AddResource(resource, s.root); err != nil {
		s.failure = "the document cannot be compiled"
	}
	return s
}

// fragment writes a pointer as a reference within the document.
func fragment(pointer string) string {
	return "#" + (&url.URL{Fragment: pointer}).EscapedFragment()
}

// checker checks values against a schema.
type checker struct {
	schema     *jsonschema.Schema // nil: every value is valid
	node       *node
	isMeasured bool // the work of each check is computed first

	word           string                    // readOnly or writeOnly
	forbidden      map[string]string         // names of members with word, by the pointer of their refusal
	discriminators map[string]*discriminator // by the pointer of their schema
}

// checker compiles the schema at a pointer. A schema that cannot be checked
// accepts everything, and a warning says why.
func (s *side) checker(pointer string) (*checker, []Warning) {
	c := &checker{node: s.node(pointer), word: s.word, forbidden: map[string]string{}, discriminators: map[string]*discriminator{}}
	warnings, refusal := s.prepare(c)
	refusal = cmp.Or(s.failure, refusal)
	if refusal == "" {
		compiled, err := s.compiler.Compile(resource + fragment(pointer))
		if err == nil {
			c.schema = compiled
			return c, warnings
		}
		refusal = "it is not valid JSON Schema 2020-12"
	}
	return c, append(warnings, Warning{pointer, "The schema is not checked: " + refusal + "."})
}

// prepare builds every schema that a checker reaches, lists their warnings, and
// returns why the schema cannot be checked, "" when it can.
func (s *side) prepare(c *checker) (warnings []Warning, refusal string) {
	seen := map[*node]bool{c.node: true}
	reached := []*node{c.node}
	for i := 0; i < len(reached); i++ {
		n := reached[i]
		if !n.isBuilt {
			s.build(n)
		}
		warnings = append(warnings, n.warnings...)
		if n.refusal != "" && refusal == "" {
			refusal = n.refusal
		}
		for _, to := range n.edges() {
			if !seen[to] {
				seen[to] = true
				reached = append(reached, to)
			}
		}
	}
	isHiding := false
	for _, n := range reached {
		if d := newDiscriminator(n); d != nil {
			c.discriminators[n.pointer] = d
		}
		c.isMeasured = c.isMeasured || !n.isPlain()
		isHiding = isHiding || len(n.hidden) > 0
		if n.measure(0) > maxPaths && refusal == "" {
			refusal = "it applies too many schemas to one value; simplify its allOf, anyOf and oneOf"
		}
	}
	if refusal == "" && isHiding {
		for _, n := range reached {
			s.strip(n)
			for name := range n.hidden {
				c.forbidden[n.refusalOf(name)] = name
			}
		}
	}
	slices.SortStableFunc(warnings, func(a, b Warning) int { return strings.Compare(a.Pointer, b.Pointer) })
	return warnings, refusal
}

// measure counts the applications of schemas to one value that one application
// of this schema makes, at most maxPaths+1. Each schema is counted once, so it
// takes linear time. A schema that applies itself to the same value counts as
// over the limit.
func (n *node) measure(depth int) int {
	if n.paths > 0 {
		return n.paths
	}
	if n.isOpen || depth > maxChain {
		return maxPaths + 1
	}
	n.isOpen = true
	total := n.weight
	for _, to := range n.inPlace {
		total = min(total+to.measure(depth+1), maxPaths+1)
		n.rank = max(n.rank, to.rank+1)
	}
	n.isOpen, n.paths = false, total
	return total
}

// hide finds the members of a schema that this direction must not have.
func (s *side) hide(n *node) {
	properties, _ := n.object["properties"].(map[string]any)
	for name, property := range properties {
		if s.isMarked(property) {
			if n.hidden == nil {
				n.hidden = map[string]bool{}
			}
			n.hidden[name] = true
		}
	}
}

// isMarked reports whether a schema, or one that it refers to, has the word of
// this direction.
func (s *side) isMarked(schema any) bool {
	for range 20 {
		object, _ := schema.(map[string]any)
		if object[s.word] == true {
			return true
		}
		ref, _ := object["$ref"].(string)
		pointer, ok := s.target(ref)
		if ref == "" || !ok {
			return false
		}
		schema = s.at(pointer)
	}
	return false
}

// strip refuses the hidden members of a schema and requires none of them, here
// and in the branches that apply to the same object.
func (s *side) strip(n *node) {
	if n.isStripped {
		return
	}
	n.isStripped = true
	names := map[string]bool{}
	n.addHidden(names, map[*node]bool{})
	if len(names) == 0 {
		return
	}
	s.release(n, names, map[*node]bool{})
	if len(n.hidden) == 0 {
		return
	}
	dependent, ok := n.object["dependentSchemas"].(map[string]any)
	if !ok {
		dependent = map[string]any{}
		n.object["dependentSchemas"] = dependent
	}
	for name := range n.hidden {
		dependent[name] = false
	}
}

// refusalOf returns the pointer of the schema that refuses a hidden member.
func (n *node) refusalOf(name string) string {
	return n.pointer + "/dependentSchemas/" + tree.Escape(name)
}

// addHidden collects the hidden members of a schema and of what it includes.
func (n *node) addHidden(names map[string]bool, seen map[*node]bool) {
	if seen[n] {
		return
	}
	seen[n] = true
	for name := range n.hidden {
		names[name] = true
	}
	for _, to := range n.all {
		to.addHidden(names, seen)
	}
}

// release removes names from required, in a schema and in its own branches.
func (s *side) release(n *node, names map[string]bool, seen map[*node]bool) {
	if seen[n] || n.object == nil {
		return
	}
	seen[n] = true
	if required, ok := n.object["required"].([]any); ok {
		n.object["required"] = slices.DeleteFunc(slices.Clone(required), func(name any) bool {
			word, _ := name.(string)
			return names[word]
		})
	}
	for _, to := range n.inPlace {
		if to != n.ref {
			s.release(to, names, seen)
		}
	}
}

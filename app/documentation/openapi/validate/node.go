package validate

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/tree"
)

// node is a schema with its edges to other schemas. It tells what a check
// costs and which types text may become.
type node struct {
	pointer string
	object  map[string]any // nil for true and false
	isBuilt bool

	ref     *node
	all     []*node // $ref and allOf
	choices [][]*node
	inPlace []*node // every schema that applies to the same value

	properties map[string]*node
	members    []*node // patternProperties and unevaluatedProperties
	additional *node
	names      *node
	prefix     []*node
	items      *node
	elements   []*node // contains and unevaluatedItems

	hidden     map[string]bool // members that this direction must not have
	isStripped bool
	warnings   []Warning
	refusal    string // why the schema is not checked

	weight int // of one application
	paths  int // applications to one value that one application makes, itself included
	rank   int // above the ranks of the schemas in place
	isOpen bool

	allowed types // known when isTyped
	isTyped bool
}

// node returns the schema at a pointer, its edges not built.
func (s *side) node(pointer string) *node {
	n := s.nodes[pointer]
	if n == nil {
		n = &node{pointer: pointer, weight: 1}
		n.object, _ = s.at(pointer).(map[string]any)
		s.nodes[pointer] = n
	}
	return n
}

// build makes the edges of a schema and removes what cannot be checked.
func (s *side) build(n *node) {
	n.isBuilt = true
	if n.object == nil {
		return
	}
	delete(n.object, "$schema") // every schema is JSON Schema 2020-12
	for _, key := range []string{"$id", "$dynamicRef", "$recursiveRef"} {
		if _, has := n.object[key].(string); has {
			n.refusal = "it uses " + key
		}
	}
	s.buildPatterns(n)
	s.buildReference(n)
	child := func(parts ...string) *node {
		pointer := n.pointer
		for _, p := range parts {
			pointer += "/" + tree.Escape(p)
		}
		return s.node(pointer)
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := n.object[key].([]any)
		var branches []*node
		for i := range list {
			branches = append(branches, child(key, strconv.Itoa(i)))
		}
		n.inPlace = append(n.inPlace, branches...)
		if key == "allOf" {
			n.all = append(n.all, branches...)
		} else if len(branches) > 0 {
			n.choices = append(n.choices, branches)
		}
	}
	one := func(key string) *node {
		if n.object[key] == nil {
			return nil
		}
		return child(key)
	}
	for _, key := range []string{"not", "if", "then", "else"} {
		n.inPlace = appendNode(n.inPlace, one(key))
	}
	for _, key := range keysOf(n.object["dependentSchemas"]) {
		n.inPlace = append(n.inPlace, child("dependentSchemas", key))
	}
	n.properties = map[string]*node{}
	for _, key := range keysOf(n.object["properties"]) {
		n.properties[key] = child("properties", key)
	}
	for _, key := range keysOf(n.object["patternProperties"]) {
		n.members = append(n.members, child("patternProperties", key))
	}
	n.members = appendNode(n.members, one("unevaluatedProperties"))
	n.additional, n.names, n.items = one("additionalProperties"), one("propertyNames"), one("items")
	prefix, _ := n.object["prefixItems"].([]any)
	for i := range prefix {
		n.prefix = append(n.prefix, child("prefixItems", strconv.Itoa(i)))
	}
	n.elements = appendNode(appendNode(nil, one("contains")), one("unevaluatedItems"))
	enum, _ := n.object["enum"].([]any)
	required, _ := n.object["required"].([]any)
	n.weight += (len(enum) + len(required)) / 64
	s.hide(n)
}

// buildReference makes the edge of $ref, or removes one without a target.
func (s *side) buildReference(n *node) {
	ref, ok := n.object["$ref"].(string)
	if !ok {
		return
	}
	pointer, ok := s.target(ref)
	if !ok {
		delete(n.object, "$ref")
		n.warn("The $ref %.80q has no target. It accepts any value.", ref)
		return
	}
	n.object["$ref"] = fragment(pointer)
	n.ref = s.node(pointer)
	n.all = append(n.all, n.ref)
	n.inPlace = append(n.inPlace, n.ref)
}

// buildPatterns removes the patterns that RE2 lacks.
func (s *side) buildPatterns(n *node) {
	if pattern, ok := n.object["pattern"].(string); ok && !compiles(pattern) {
		delete(n.object, "pattern")
		n.warn("The pattern %.80q uses what RE2 lacks. It is not checked.", pattern)
	}
	patterns, _ := n.object["patternProperties"].(map[string]any)
	for _, pattern := range keysOf(n.object["patternProperties"]) {
		if !compiles(pattern) {
			delete(patterns, pattern)
			delete(n.object, "additionalProperties")
			delete(n.object, "unevaluatedProperties")
			n.warn("The pattern %.80q of patternProperties uses what RE2 lacks. Members beyond properties are not checked.", pattern)
		}
	}
}

func compiles(pattern string) bool {
	_, err := regexp.Compile(pattern)
	return err == nil
}

func (n *node) warn(format string, args ...any) {
	n.warnings = append(n.warnings, Warning{n.pointer, fmt.Sprintf(format, args...)})
}

// edges lists every schema that a schema leads to.
func (n *node) edges() []*node {
	list := slices.Concat(n.inPlace, n.members, n.prefix, n.elements)
	for _, name := range slices.Sorted(maps.Keys(n.properties)) {
		list = append(list, n.properties[name])
	}
	return appendNode(appendNode(appendNode(list, n.additional), n.names), n.items)
}

func appendNode(list []*node, n *node) []*node {
	if n == nil {
		return list
	}
	return append(list, n)
}

// isPlain reports whether a schema applies at most one other schema to the
// same value, and one to each member or item, so that a check is linear.
func (n *node) isPlain() bool {
	return len(n.inPlace) <= 1 && len(n.members) == 0 && len(n.elements) == 0 && n.names == nil
}

// keysOf lists the keys of an object in order, none of anything else.
func keysOf(value any) []string {
	object, _ := value.(map[string]any)
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// at returns the value at a pointer, nil where there is none.
func (s *side) at(pointer string) any { return valueAt(s.root, tree.Tokens(pointer)) }

// target returns the pointer that a reference within the document names.
func (s *side) target(ref string) (string, bool) {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok || pointer != "" && pointer[0] != '/' {
		return "", false
	}
	for _, p := range []string{pointer, tree.Unescape(pointer)} {
		if s.at(p) != nil {
			return p, true
		}
	}
	return "", false
}

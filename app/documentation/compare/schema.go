package compare

import (
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
)

// maxPairs caps the pairs of schemas of one comparison.
const maxPairs = 300_000

// finding is a change of a schema, at a path from the schema.
type finding struct {
	kind, segment string
	before, after string
	level         Level // instead of the rule's, if set
	reason        string
}

// edge goes from a pair of schemas to one within them.
type edge struct {
	segment string
	field   bool // a member that readers see as a field
	// changed reports that the field itself has a finding already.
	changed bool
	to      pairKey
}

// pairKey identifies a pair of schemas and who writes the value.
type pairKey struct {
	before, after *flat
	direction     direction
}

// node is the comparison of a pair of schemas, without what is within them.
type node struct {
	schema   string // its name
	findings []finding
	edges    []edge
}

// differ compares the schemas of two documents. It remembers each pair.
type differ struct {
	before, after *flattener
	nodes         map[pairKey]*node
	incomplete    bool
}

func (d *differ) node(key pairKey) *node {
	if known := d.nodes[key]; known != nil {
		return known
	}
	n := &node{schema: key.after.name}
	if len(d.nodes) >= maxPairs {
		d.incomplete = true
		return n
	}
	d.nodes[key] = n
	if key.before.never || key.after.never {
		if key.before.never != key.after.never {
			n.add("type-changed", "", typeWords(key.before), typeWords(key.after))
		}
		return n
	}
	n.values(key.before, key.after)
	n.keywords(key.before, key.after)
	d.members(n, key)
	d.rest(n, key)
	d.items(n, key)
	d.groups(n, key)
	d.conditions(n, key)
	return n
}

func (n *node) add(kind, segment, before, after string) {
	n.findings = append(n.findings, finding{kind: kind, segment: segment, before: before, after: after})
}

// members compares the properties of objects.
func (d *differ) members(n *node, key pairKey) {
	b, a := key.before, key.after
	old := lists.By(b.props, func(p member) string { return p.name })
	for _, p := range a.props {
		segment := "." + naming.Anchor(p.name)
		after := d.after.join(p.schemas)
		was, ok := old[p.name]
		if !ok {
			if after.never {
				continue
			}
			kind := "field-added"
			if a.required[p.name] && after.words["default"] == nil {
				kind = "required-field"
			}
			n.add(kind, segment, "", typeWords(after))
			continue
		}
		delete(old, p.name)
		before := d.before.join(was.schemas)
		changed := false
		if b.required[p.name] != a.required[p.name] {
			changed = true
			kind := "became-required"
			if b.required[p.name] {
				kind = "became-optional"
			}
			n.add(kind, segment, requiredWord(b.required[p.name]), requiredWord(a.required[p.name]))
		}
		n.edges = append(n.edges, edge{segment, true, changed, pairKey{before, after, key.direction}})
	}
	for _, p := range b.props {
		if _, gone := old[p.name]; !gone {
			continue
		}
		before := d.before.join(p.schemas)
		if before.never {
			continue
		}
		kind := "field-removed"
		if b.required[p.name] {
			kind = "required-field-removed"
		}
		f := finding{kind: kind, segment: "." + naming.Anchor(p.name), before: typeWords(before)}
		if closed(a) && key.direction == request {
			f.level, f.reason = Breaking, "The server refuses members that are not listed."
		}
		n.findings = append(n.findings, f)
	}
	for name := range a.required {
		if !b.required[name] && !has(b.props, name) && !has(a.props, name) {
			n.add("became-required", "."+naming.Anchor(name), "optional", "required")
		}
	}
	for name := range b.required {
		if !a.required[name] && !has(b.props, name) && !has(a.props, name) {
			n.add("became-optional", "."+naming.Anchor(name), "required", "optional")
		}
	}
}

func has(list []member, name string) bool {
	return slices.ContainsFunc(list, func(m member) bool { return m.name == name })
}

func requiredWord(required bool) string {
	if required {
		return "required"
	}
	return "optional"
}

// closed reports whether objects may have listed members only.
func closed(s *flat) bool { return s.rest.Is(tree.KindBool) && s.rest.Text == "false" }

// rest compares additionalProperties and patternProperties.
func (d *differ) rest(n *node, key pairKey) {
	b, a := key.before, key.after
	switch {
	case closed(b) && !closed(a):
		n.add("members-opened", "", "", "")
	case !closed(b) && closed(a):
		n.add("members-closed", "", "", "")
	case b.rest.Is(tree.KindObject) || a.rest.Is(tree.KindObject):
		field := b.rest.Is(tree.KindObject) && a.rest.Is(tree.KindObject)
		n.edges = append(n.edges, edge{".*", field, false, pairKey{d.before.flatten(b.rest), d.after.flatten(a.rest), key.direction}})
	}
	for _, p := range a.patterns {
		i := slices.IndexFunc(b.patterns, func(m member) bool { return m.name == p.name })
		if i < 0 {
			n.add("condition-added", ".*", "", p.name)
			continue
		}
		n.edges = append(n.edges, edge{".*", true, false, pairKey{d.before.join(b.patterns[i].schemas), d.after.join(p.schemas), key.direction}})
	}
	for _, p := range b.patterns {
		if !has(a.patterns, p.name) {
			n.add("condition-removed", ".*", p.name, "")
		}
	}
}

// mayBe reports whether values can have a type.
func (to *flat) mayBe(name string) bool {
	return len(to.types) == 0 || slices.Contains(to.types, name)
}

// items compares what arrays hold. Items add nothing to the place.
func (d *differ) items(n *node, key pairKey) {
	b, a := key.before, key.after
	if b.mayBe("array") && a.mayBe("array") && (b.items != nil || a.items != nil) {
		n.edges = append(n.edges, edge{"", false, false, pairKey{d.before.flatten(b.items), d.after.flatten(a.items), key.direction}})
	}
	for i := range max(len(b.prefix), len(a.prefix)) {
		var before, after *tree.Node
		if i < len(b.prefix) {
			before = b.prefix[i]
		}
		if i < len(a.prefix) {
			after = a.prefix[i]
		}
		n.edges = append(n.edges, edge{"." + naming.Anchor(itoa(i)), true, false, pairKey{d.before.flatten(before), d.after.flatten(after), key.direction}})
	}
}

// groups compares the forms of oneOf and anyOf.
func (d *differ) groups(n *node, key pairKey) {
	b, a := key.before, key.after
	for i := range max(len(b.groups), len(a.groups)) {
		switch {
		case i >= len(b.groups):
			n.add("forms-set", "", "", formNames(a.groups[i]))
		case i >= len(a.groups):
			n.add("forms-lifted", "", formNames(b.groups[i]), "")
		default:
			d.group(n, b.groups[i], a.groups[i], key.direction)
		}
	}
}

func (d *differ) group(n *node, b, a group, dir direction) {
	if b.word != a.word {
		n.add("condition-changed", "", b.word, a.word)
	}
	partners := matchForms(b.forms, a.forms)
	used := map[int]bool{}
	for i, f := range a.forms {
		at, ok := partners[i]
		if !ok {
			n.add("form-added", ":"+f.name, "", typeWords(d.after.flatten(f.node)))
			continue
		}
		used[at] = true
		n.edges = append(n.edges, edge{":" + f.name, false, false, pairKey{d.before.flatten(b.forms[at].node), d.after.flatten(f.node), dir}})
	}
	for i, f := range b.forms {
		if !used[i] {
			n.add("form-removed", ":"+f.name, typeWords(d.before.flatten(f.node)), "")
		}
	}
}

// matchForms maps forms of the newer group to forms of the older: by reference,
// by name, and where as many are left on both sides, by order.
func matchForms(before, after []form) map[int]int {
	partners, taken := map[int]int{}, map[int]bool{}
	match := func(same func(b, a form) bool) {
		for i, a := range after {
			if _, done := partners[i]; done {
				continue
			}
			for j, b := range before {
				if !taken[j] && same(b, a) {
					partners[i], taken[j] = j, true
					break
				}
			}
		}
	}
	match(func(b, a form) bool { ref := a.node.Str("$ref"); return ref != "" && b.node.Str("$ref") == ref })
	match(func(b, a form) bool {
		return b.name == a.name && (b.node.Str("$ref") == "" || a.node.Str("$ref") == "" || !strings.HasPrefix(a.name, "form-"))
	})
	if len(after) == len(before) {
		match(func(b, a form) bool { return b.node.Str("$ref") == "" && a.node.Str("$ref") == "" })
	}
	return partners
}

func formNames(g group) string {
	return strings.Join(lists.Map(g.forms, func(f form) string { return f.name }), ", ")
}

// conditions compares what holds of some values only. Changes within are risky
// in both directions.
func (d *differ) conditions(n *node, key pairKey) {
	seen := map[string]int{}
	nth := func(list []member, name string, skip int) *member {
		for i := range list {
			if list[i].name == name {
				if skip == 0 {
					return &list[i]
				}
				skip--
			}
		}
		return nil
	}
	for _, c := range key.after.condition {
		was := nth(key.before.condition, c.name, seen[c.name])
		seen[c.name]++
		if was == nil {
			n.add("condition-added", "", "", c.name)
			continue
		}
		n.edges = append(n.edges, edge{"", false, false, pairKey{d.before.flatten(was.schemas[0]), d.after.flatten(c.schemas[0]), condition}})
	}
	counts := map[string]int{}
	for _, c := range key.before.condition {
		if counts[c.name]++; counts[c.name] > seen[c.name] {
			n.add("condition-removed", "", c.name, "")
		}
	}
}

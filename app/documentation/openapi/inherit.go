package openapi

import (
	"slices"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
)

// inherit returns an operation with the parameters and servers of its path,
// which are marked.
func inherit(root, item, operation *tree.Node) *tree.Node {
	raw := operation.Without()
	if raw.Get("servers") == nil && len(item.List("servers")) > 0 {
		raw.Set("servers", tree.Array(marked(item.List("servers"))...))
	}
	shared, own := item.List("parameters"), raw.List("parameters")
	if len(shared) == 0 {
		return raw
	}
	taken := identities(root, own)
	shared = slices.DeleteFunc(slices.Clone(shared), func(p *tree.Node) bool { return taken[identity(root, p)] })
	if len(shared) > 0 {
		raw.Set("parameters", tree.Array(append(marked(shared), own...)...))
	}
	return raw
}

func marked(list []*tree.Node) []*tree.Node {
	copies := make([]*tree.Node, len(list))
	for i, n := range list {
		copies[i] = n
		if n.Is(tree.KindObject) {
			copies[i] = n.Without()
			copies[i].Set(inheritedKey, tree.Bool(true))
		}
	}
	return copies
}

// identity identifies a parameter by its name and place.
func identity(root, parameter *tree.Node) string {
	p := root.Follow(parameter)
	if p == nil {
		return "$ref\x00" + parameter.Str("$ref")
	}
	return p.Str("in") + "\x00" + p.Str("name")
}

func identities(root *tree.Node, parameters []*tree.Node) map[string]bool {
	return lists.SetBy(parameters, func(p *tree.Node) string { return identity(root, p) })
}

// unmark removes the marks from parameters and servers of an operation. It
// returns the members that were marked, as JSON.
func unmark(raw *tree.Node, key string) (was map[*tree.Node]string) {
	list := raw.List(key)
	if !slices.ContainsFunc(list, isMarked) {
		return nil
	}
	was = map[*tree.Node]string{}
	copies := make([]*tree.Node, len(list))
	for i, n := range list {
		copies[i] = n
		if isMarked(n) {
			copies[i] = n.Without(inheritedKey)
			was[copies[i]] = string(copies[i].JSON())
		}
	}
	raw.Set(key, tree.Array(copies...))
	return was
}

func isMarked(n *tree.Node) bool { return n.Get(inheritedKey) != nil }

// hoist decides whether a Path Item keeps its parameters or servers. It does
// when all of its operations have them or replace them; they are then removed
// from the operations. Otherwise each operation keeps them, and the Path Item
// has none.
func hoist(root, item *tree.Node, key string, list []*entry) {
	shared := item.List(key)
	if len(shared) == 0 {
		return
	}
	for _, e := range list {
		if !e.covers(root, key, shared) {
			lend(root, item, key)
			return
		}
	}
	written := lists.SetBy(shared, func(n *tree.Node) string { return string(n.JSON()) })
	for _, e := range list {
		marks := e.marks[key]
		own := slices.DeleteFunc(slices.Clone(e.node.List(key)), func(n *tree.Node) bool {
			text, was := marks[n]
			return was && written[text]
		})
		switch {
		case len(own) == len(e.node.List(key)):
		case len(own) == 0:
			e.node.Remove(key)
		default:
			e.node.Set(key, tree.Array(own...))
		}
	}
}

// lend moves parameters or servers of a Path Item to the base operations within
// it.
func lend(root, item *tree.Node, key string) {
	for i, m := range item.Members {
		if slices.Contains(methods, m.Key) && m.Value.Is(tree.KindObject) {
			base := inherit(root, item, m.Value)
			unmark(base, key)
			item.Members[i].Value = base
		}
	}
	item.Remove(key)
}

// covers reports whether an operation has or replaces the parameters or servers
// of its path.
func (e *entry) covers(root *tree.Node, key string, shared []*tree.Node) bool {
	own, marks := e.node.List(key), e.marks[key]
	if key == "servers" {
		return e.node.Get(key) != nil && (len(marks) == 0 || len(own) == len(marks) && slices.EqualFunc(own, shared, (*tree.Node).Equal))
	}
	taken := identities(root, own)
	return !slices.ContainsFunc(shared, func(p *tree.Node) bool { return !taken[identity(root, p)] })
}

package merge

import (
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/tree"
)

// Trees merges two versions of a part of an API description: objects member by
// member, parameters by place and name, and other lists element by element. The
// results differ in the places that both changed: one has theirs there, the other
// mine. Overlaps holds the pointers of these places, with parameters by name.
func Trees(base, theirs, mine *tree.Node) (withTheirs, withMine *tree.Node, overlaps []string) {
	m := &merger{}
	withTheirs, withMine = m.node("", base, theirs, mine)
	return withTheirs, withMine, m.overlaps
}

// merger collects the places that both sides changed.
type merger struct{ overlaps []string }

// node merges a value. A nil one is not there.
func (m *merger) node(at string, base, theirs, mine *tree.Node) (withTheirs, withMine *tree.Node) {
	switch {
	case theirs.Equal(mine) || mine.Equal(base):
		return theirs, theirs
	case theirs.Equal(base):
		return mine, mine
	case base == nil && theirs.Is(tree.KindObject) && mine.Is(tree.KindObject) && isMap(at):
		base = tree.Object()
	}
	if theirs != nil && mine != nil && base.Is(theirs.Kind) && base.Is(mine.Kind) && !refersElsewhere(base, theirs, mine) {
		switch base.Kind {
		case tree.KindObject:
			if v := (versions{membersOf(base), membersOf(theirs), membersOf(mine)}); !v.isReplaced() {
				return m.keyed(at, base.Kind, v)
			}
		case tree.KindArray:
			for _, read := range []func(*tree.Node) *keyed{itemsByIdentity, itemsByValue} {
				if v := (versions{read(base), read(theirs), read(mine)}); v.base != nil && v.theirs != nil && v.mine != nil && !v.isReplaced() {
					return m.keyed(at, base.Kind, v)
				}
			}
		case tree.KindString:
			if left, right, overlap := Texts(base.Text, theirs.Text, mine.Text); !overlap {
				return tree.String(left), tree.String(right)
			}
		}
	}
	m.overlaps = append(m.overlaps, at)
	return theirs, mine
}

// maps are the objects with members that have names of their own, so that two authors
// can each add one.
var maps = map[string]bool{
	"properties": true, "patternProperties": true, "responses": true, "examples": true, "headers": true, "content": true, "links": true, "callbacks": true,
	"schemas": true, "parameters": true, "requestBodies": true, "securitySchemes": true, "variables": true, "mapping": true, "scopes": true, "$defs": true, "definitions": true, "encoding": true,
}

func isMap(at string) bool { return maps[at[strings.LastIndex(at, "/")+1:]] }

// refersElsewhere reports whether a side changed the reference of an object. The
// members beside it then no longer belong to what they were written for.
func refersElsewhere(base, theirs, mine *tree.Node) bool {
	return base.Kind == tree.KindObject && (base.Str("$ref") != theirs.Str("$ref") || base.Str("$ref") != mine.Str("$ref"))
}

// keyed are the parts of an object or a list by their keys, in order.
type keyed struct {
	keys  []string
	parts map[string]tree.Member
}

func (k *keyed) add(key string, part tree.Member) bool {
	if _, known := k.parts[key]; known {
		return false
	}
	k.keys = append(k.keys, key)
	k.parts[key] = part
	return true
}

func membersOf(n *tree.Node) *keyed {
	k := &keyed{parts: map[string]tree.Member{}}
	for _, m := range n.Members {
		k.add(m.Key, m)
	}
	return k
}

// itemsByIdentity reads a list of elements that name themselves, as parameters and
// servers do; nil for another list.
func itemsByIdentity(n *tree.Node) *keyed {
	k := &keyed{parts: map[string]tree.Member{}}
	for _, item := range n.Items {
		id := identity(item)
		if id == "" || !k.add(id, tree.Member{Value: item}) {
			return nil
		}
	}
	return k
}

func identity(item *tree.Node) string {
	switch {
	case item.Str("$ref") != "":
		return item.Str("$ref")
	case item.Str("name") != "" && item.Str("in") != "":
		return item.Str("in") + " " + item.Str("name")
	case item.Str("url") != "":
		return item.Str("url")
	}
	return ""
}

// itemsByValue reads a list of elements that differ; nil for another list.
func itemsByValue(n *tree.Node) *keyed {
	k := &keyed{parts: map[string]tree.Member{}}
	for _, item := range n.Items {
		if !k.add(string(item.JSON()), tree.Member{Value: item}) {
			return nil
		}
	}
	return k
}

// versions are the parts of the three versions of a value.
type versions struct{ base, theirs, mine *keyed }

// isReplaced reports whether both sides took a part out and put others in. They may
// have given it two names, or one may have changed what the other took out.
func (v versions) isReplaced() bool {
	added := func(k *keyed) (list []string) {
		for _, key := range k.keys {
			if _, known := v.base.parts[key]; !known {
				list = append(list, key)
			}
		}
		return list
	}
	removed := slices.ContainsFunc(v.base.keys, func(key string) bool {
		_, inTheirs := v.theirs.parts[key]
		_, inMine := v.mine.parts[key]
		return !inTheirs && !inMine
	})
	return removed && !slices.Equal(added(v.theirs), added(v.mine))
}

// keyed merges the parts of an object or of a list.
func (m *merger) keyed(at string, kind tree.Kind, v versions) (withTheirs, withMine *tree.Node) {
	left, right := &tree.Node{Kind: kind}, &tree.Node{Kind: kind}
	leftKeys, rightKeys, isOpen := v.orders()
	if isOpen {
		m.overlaps = append(m.overlaps, at)
	}
	merged := map[string][2]*tree.Node{}
	for _, key := range leftKeys {
		l, r := m.node(at+"/"+tree.Escape(key), v.base.parts[key].Value, v.theirs.parts[key].Value, v.mine.parts[key].Value)
		merged[key] = [2]*tree.Node{l, r}
	}
	for n, keys := range [][]string{leftKeys, rightKeys} {
		into := []*tree.Node{left, right}[n]
		for _, key := range keys {
			switch value := merged[key][n]; {
			case value == nil:
			case kind == tree.KindArray:
				into.Items = append(into.Items, value)
			default:
				into.Members = append(into.Members, tree.Member{Key: key, Value: value})
			}
		}
	}
	return left, right
}

// orders returns the keys of both sides in the order that one of them changed. If
// both changed it in different ways, the two results differ and the order is open.
func (v versions) orders() (left, right []string, isOpen bool) {
	common := func(k *keyed) (list []string) {
		for _, key := range k.keys {
			_, inBase := v.base.parts[key]
			_, inTheirs := v.theirs.parts[key]
			_, inMine := v.mine.parts[key]
			if inBase && inTheirs && inMine {
				list = append(list, key)
			}
		}
		return list
	}
	was, their, my := common(v.base), common(v.theirs), common(v.mine)
	switch {
	case slices.Equal(their, my) || slices.Equal(my, was):
		left = joined(v.theirs, v.mine)
		return left, left, false
	case slices.Equal(their, was):
		left = joined(v.mine, v.theirs)
		return left, left, false
	}
	return joined(v.theirs, v.mine), joined(v.mine, v.theirs), true
}

// joined returns the keys of a, and those that only b has after the ones that stand
// before them in b.
func joined(a, b *keyed) []string {
	keys := slices.Clone(a.keys)
	place := 0
	for _, key := range b.keys {
		if at := slices.Index(keys, key); at >= 0 {
			place = at + 1
			continue
		}
		for place < len(keys) { // after what a has added in the same place
			if _, both := b.parts[keys[place]]; both {
				break
			}
			place++
		}
		keys = slices.Insert(keys, place, key)
		place++
	}
	return keys
}

package outline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/tree"
)

// shift moves a part of an object or a list to the place of another part of it.
func shift(parent *tree.Node, from, to int) {
	if parent.Is(tree.KindArray) {
		part := parent.Items[from]
		parent.Items = slices.Insert(slices.Delete(parent.Items, from, from+1), to, part)
		return
	}
	part := parent.Members[from]
	parent.Members = slices.Insert(slices.Delete(parent.Members, from, from+1), to, part)
}

// position returns where a part stands in its object or list, -1 for nowhere.
func position(parent, part *tree.Node) int {
	if parent.Is(tree.KindArray) {
		return slices.Index(parent.Items, part)
	}
	return slices.IndexFunc(parent.Members, func(m tree.Member) bool { return m.Value == part })
}

// ordered adds the actions that move and delete a part of an object or a list.
func (b builder) ordered(r *Row, parent, part *tree.Node, remove func()) {
	r.List = tree.Parent(r.At)
	b.lists[r.List] = append(b.lists[r.List], part)
	at := position(parent, part)
	to := func(place int) func() *tree.Node {
		return func() *tree.Node {
			shift(parent, position(parent, part), place)
			return part
		}
	}
	if at > 0 {
		b.action(r, "up", "Move up", to(at-1))
	}
	if at < len(parent.Items)+len(parent.Members)-1 {
		b.action(r, "down", "Move down", to(at+1))
	}
	b.action(r, "delete", "Delete", func() *tree.Node {
		b.Done = r.Title + " is deleted."
		list := b.lists[r.List]
		i := slices.Index(list, part)
		remove()
		if list = slices.Delete(slices.Clone(list), i, i+1); len(list) == 0 {
			return nil
		}
		return list[min(i, len(list)-1)]
	})
}

// deed is an action that a form asks for: a verb with a row.
type deed struct{ verb, number, at string }

// readDeed reads an action. A row is placed by the number that it gets among the
// rows of its list, as in "place:2:/parameters/0".
func readDeed(do string) (d deed) {
	d.verb, d.at, _ = strings.Cut(do, ":")
	if d.verb == "place" {
		d.number, d.at, _ = strings.Cut(d.at, ":")
	}
	return d
}

func (d deed) moves() bool { return d.verb == "up" || d.verb == "down" || d.verb == "place" }

// act returns what an action does, nil for an unknown one.
func (o *Outline) act(d deed) func() *tree.Node {
	if d.verb != "place" {
		return o.actions[d.verb+":"+d.at]
	}
	list := o.lists[tree.Parent(d.at)]
	parent, part := o.Root.At(tree.Parent(d.at)), o.Root.At(d.at)
	to, err := strconv.Atoi(d.number)
	if from := slices.Index(list, part); from < 0 || err != nil || to < 0 || to >= len(list) {
		return nil
	}
	return func() *tree.Node {
		shift(parent, position(parent, part), position(parent, list[to]))
		return part
	}
}

// follow does something to the root. Rows that are open stay open wherever their
// values are then.
func (o *Outline) follow(change func()) {
	var nodes []*tree.Node
	for _, at := range o.Open {
		if n := o.Root.At(at); n != nil && at != "" {
			nodes = append(nodes, n)
		}
	}
	change()
	o.Open = nil
	for _, n := range nodes {
		if at := find(o.Root, n, ""); at != "" && !slices.Contains(o.Open, at) {
			o.Open = append(o.Open, at)
		}
	}
}

// point marks the row of the last action, which is at a pointer.
func (o *Outline) point(rows []*Row, at string, by deed) {
	beside := map[string]int{}
	for _, r := range rows {
		beside[r.List]++
		switch {
		case r.At != at || r.At == "" || r.IsGroup:
		case by.verb == "delete":
			r.Follows = by.verb
		case by.moves():
			r.Follows = by.verb
			o.Done = fmt.Sprintf("%s is now %d of %d.", r.Title, beside[r.List], len(o.lists[r.List]))
		default:
			r.IsNew = true
		}
		o.point(r.Rows, at, by)
	}
}

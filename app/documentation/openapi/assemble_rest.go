package openapi

import (
	"fmt"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

// share decides whether each Path Item that refers to another one still may:
// its operations must be the same as the other's. Otherwise it becomes a Path Item
// of its own.
func (a *assembler) share() error {
	for _, s := range a.shared {
		items := a.root.Get(s.key)
		kept := items.Get(s.path)
		target, at := sharedItem(a.root, kept)
		isRead := slices.ContainsFunc(kept.Members, isPlace)
		kept = tree.Object(slices.DeleteFunc(slices.Clone(kept.Members), isPlace)...)
		items.Set(s.path, kept)
		if target == nil || !isRead && len(s.list) == 0 && s.key == "webhooks" {
			continue
		}
		same, err := a.isSame(s, target, at)
		if err != nil {
			return err
		}
		if same {
			continue
		}
		item, err := a.item(s.key, s.path, template(target), s.list)
		if err != nil {
			return err
		}
		if len(item.Members) == 0 {
			items.Remove(s.path)
			continue
		}
		for _, m := range kept.Members {
			if m.Key != "$ref" && item.Get(m.Key) == nil && !slices.Contains(methods, m.Key) {
				item.Append(m.Key, m.Value)
			}
		}
		items.Set(s.path, item)
	}
	return nil
}

// isPlace reports whether a member of a Path Item marks where an operation was.
func isPlace(m tree.Member) bool {
	return slices.Contains(methods, m.Key) && m.Value.Is(tree.KindNull)
}

// isSame reports whether the operations of a Path Item are still the same as in the
// one that it refers to, at the pointer, and then places them there.
func (a *assembler) isSame(s *sharing, target *tree.Node, at string) (bool, error) {
	copies := make([]*entry, len(s.list))
	for i, e := range s.list {
		c := *e
		c.node, c.Node = e.node.Without(), e.Node.Without()
		if c.original != "" && numbered(c.ID, c.original) {
			c.ID = c.original
		}
		copies[i] = &c
	}
	item, err := a.item(s.key, s.path, template(target), copies)
	if err != nil || !item.Equal(target) {
		return false, err
	}
	for i, c := range copies {
		s.list[i].Pointer = at + strings.TrimPrefix(c.Pointer, "/"+s.key+"/"+tree.Escape(s.path))
	}
	return true, nil
}

// schemas puts schemas into the components.
func (a *assembler) schemas(list []Schema) error {
	components := a.root.Get("components")
	if len(list) == 0 || components != nil && !components.Is(tree.KindObject) {
		return nil
	}
	byName := map[string]*tree.Node{}
	var given, known []string
	for _, s := range list {
		n, err := tree.Read(s.Raw)
		if err != nil {
			return fmt.Errorf("reading the schema %s: %w", s.Name, err)
		}
		if byName[s.Name] != nil {
			return fault.New(fault.Conflict, "There are two schemas with the name %s. Rename one of them.", s.Name)
		}
		byName[s.Name] = n
		given = append(given, s.Name)
	}
	for _, m := range components.Entries("schemas") {
		known = append(known, m.Key)
		if byName[m.Key] == nil {
			byName[m.Key] = m.Value
		}
	}
	schemas := tree.Object()
	for _, name := range order(given, known) {
		schemas.Append(name, byName[name])
	}
	if components == nil {
		components = tree.Object()
		a.root.Set("components", components)
	}
	components.Set("schemas", schemas)
	return nil
}

// tags puts the tags into the document.
func (a *assembler) tags(list []Tag) error {
	if len(list) == 0 {
		return nil
	}
	kept := map[string]*tree.Node{}
	var given, known []string
	for _, n := range a.root.List("tags") {
		known = append(known, n.Str("name"))
		kept[n.Str("name")] = n
	}
	made := map[string][]*tree.Node{}
	for _, t := range list {
		n := tree.Object()
		if len(t.Raw) > 0 && string(t.Raw) != "null" { // a category may have no Tag Object
			var err error
			if n, err = decode(t.Raw, "the category "+t.Name); err != nil {
				return err
			}
		}
		setText(n, "name", t.Name)
		setText(n, "description", t.Description)
		if made[t.Name] == nil {
			given = append(given, t.Name)
		}
		made[t.Name] = append(made[t.Name], n)
	}
	tags := tree.Array()
	for _, name := range order(given, known) {
		if made[name] == nil {
			made[name] = []*tree.Node{kept[name]}
		}
		tags.Items = append(tags.Items, made[name]...)
	}
	a.root.Set("tags", tags)
	return nil
}

// FrameCallbacks lists the callbacks that the frame of a document holds itself,
// beside the ones of the parts. The root is the one of [Assemble].
func FrameCallbacks(root *tree.Node, p Parts) []Placed {
	r := &reader{source: &source{root: root}, ids: map[string]bool{}, slugs: map[string]bool{}}
	known := map[string]bool{}
	for _, op := range slices.Concat(p.Operations, p.Callbacks) {
		r.ids[op.ID], r.slugs[op.Slug] = true, true
	}
	for _, op := range p.Callbacks {
		known[op.Path+"\x00"+strings.ToLower(op.Method)] = true
	}
	var list []Placed
	for _, m := range root.Entries("webhooks") {
		item, pointer := m.Value, "/webhooks/"+tree.Escape(m.Key)
		if shared, at := sharedItem(root, item); shared != nil {
			item, pointer = shared, at
		}
		for _, o := range item.Members {
			if !slices.Contains(methods, o.Key) || !o.Value.Is(tree.KindObject) || known[m.Key+"\x00"+o.Key] {
				continue
			}
			raw := inherit(root, item, o.Value)
			op := r.operation(operationPlace{m.Key, o.Key, pointer + "/" + o.Key, true}, raw)
			unmark(raw, "parameters")
			unmark(raw, "servers")
			list = append(list, Placed{Operation: op, Route: m.Key, Pointer: pointer + "/" + o.Key, Node: raw})
		}
	}
	return list
}

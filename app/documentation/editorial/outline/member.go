package outline

import (
	"slices"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
	"heliograph/app/lists"
)

// member is a key of an object that a row is for: a property, a status code.
type member struct {
	parent *tree.Node // the object that has the key
	value  *tree.Node
	schema *tree.Node // the object that it is a property of, nil for other members
}

func (m *member) index() int { return position(m.parent, m.value) }

func (m *member) key() string {
	if i := m.index(); i >= 0 {
		return m.parent.Members[i].Key
	}
	return ""
}

// rename gives the member another key. Check says what is wrong with a key.
func (m *member) rename(check func(key string) string) func(string) error {
	return func(key string) error {
		if key == "" {
			return fault.New(fault.Invalid, "Enter a name.")
		}
		if wrong := check(key); wrong != "" {
			return fault.New(fault.Invalid, "%s", wrong)
		}
		if other := m.parent.Get(key); other != nil && other != m.value {
			return fault.New(fault.Invalid, "There is another one named %s.", key)
		}
		before := m.key()
		m.parent.Members[m.index()].Key = key
		for _, name := range m.schema.List("required") {
			if name.Is(tree.KindString) && name.Text == before {
				name.Text = key
			}
		}
		return nil
	}
}

func anyName(string) string { return "" }

func (m *member) isRequired() bool {
	return tree.Contains(m.schema.List("required"), tree.String(m.key()))
}

// require puts the property into the required ones or takes it out.
func (m *member) require(text string) error {
	list := m.schema.Get("required")
	if text != "" {
		if !list.Is(tree.KindArray) {
			list = tree.Array()
			m.schema.Set("required", list)
		}
		list.Items = append(list.Items, tree.String(m.key()))
		return nil
	}
	m.forget()
	return nil
}

// forget takes the property out of the required ones.
func (m *member) forget() {
	list, key := m.schema.Get("required"), m.key()
	if !list.Is(tree.KindArray) {
		return
	}
	kept := lists.Where(list.Items, func(name *tree.Node) bool { return !name.Is(tree.KindString) || name.Text != key })
	if len(kept) == len(list.Items) {
		return
	}
	if list.Items = kept; len(kept) == 0 {
		m.schema.Remove("required")
	}
}

// delete takes the member out of its object.
func (m *member) delete() {
	if m.schema != nil {
		m.forget()
	}
	m.parent.Remove(m.key())
}

// moves adds the actions that move and delete a member.
func (b builder) moves(r *Row, m *member) { b.ordered(r, m.parent, m.value, m.delete) }

// itemMoves adds the actions that move and delete an item of a list.
func (b builder) itemMoves(r *Row, list, item *tree.Node, emptied func()) {
	b.ordered(r, list, item, func() {
		at := position(list, item)
		if list.Items = slices.Delete(list.Items, at, at+1); len(list.Items) == 0 {
			emptied()
		}
	})
}

// fresh returns a key that an object does not have yet.
func fresh(n *tree.Node, key string) string {
	for i := 2; ; i++ {
		if n.Get(key) == nil {
			return key
		}
		base := key
		if i > 2 {
			base = key[:len(key)-len(itoa(i-1))]
		}
		key = base + itoa(i)
	}
}

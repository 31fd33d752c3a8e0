package validate

import (
	"container/heap"
)

// meter counts how often schemas are applied to the values of a document. It
// adds up how often each schema is reached at a value in place of following
// each way to it, so counting is cheap even where checking is not.
type meter struct{ left int }

// applied is a schema and how often it is applied to one value.
type applied map[*node]int

// fits returns the work of a check of a value, and reports whether it stays within a
// limit.
func (c *checker) fits(value any, limit int) (work int, ok bool) {
	if !c.isMeasured || c.schema == nil {
		return 0, true
	}
	m := &meter{left: limit}
	ok = m.count(value, applied{c.node: 1})
	return limit - m.left, ok
}

// count takes the work of a value from what is left.
func (m *meter) count(value any, at applied) bool {
	if !m.spread(at) {
		return false
	}
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			next := applied{}
			for n, times := range at {
				if n.names != nil && !m.spend(n.names.paths, times) {
					return false
				}
				n.ofMember(name, func(to *node) { next.add(to, times) })
			}
			if len(next) > 0 && !m.count(member, next) {
				return false
			}
		}
	case []any:
		for i, item := range v {
			next := applied{}
			for n, times := range at {
				n.ofItem(i, func(to *node) { next.add(to, times) })
			}
			if len(next) > 0 && !m.count(item, next) {
				return false
			}
		}
	}
	return true
}

// spread follows the schemas that apply to the same value, those that lead to
// others first.
func (m *meter) spread(at applied) bool {
	open := make(queue, 0, len(at))
	for n := range at {
		open = append(open, n)
	}
	heap.Init(&open)
	for len(open) > 0 {
		n, _ := heap.Pop(&open).(*node)
		times := at[n]
		if !m.spend(n.weight, times) {
			return false
		}
		for _, to := range n.inPlace {
			if at.add(to, times) {
				heap.Push(&open, to)
			}
		}
	}
	return true
}

func (m *meter) spend(weight, times int) bool {
	if times > m.left/weight {
		return false
	}
	m.left -= weight * times
	return true
}

// add counts further applications and reports whether they are the first. No
// count is beyond 2^40, which is over every limit.
func (a applied) add(n *node, times int) bool {
	before := a[n]
	a[n] = min(before+times, 1<<40)
	return before == 0
}

// ofMember calls visit for each schema that applies to a member of an object.
func (n *node) ofMember(name string, visit func(*node)) {
	if p := n.properties[name]; p != nil {
		visit(p)
	} else if n.additional != nil {
		visit(n.additional)
	}
	for _, p := range n.members {
		visit(p)
	}
}

// ofItem calls visit for each schema that applies to an item of an array.
func (n *node) ofItem(i int, visit func(*node)) {
	if i < len(n.prefix) {
		visit(n.prefix[i])
	} else if n.items != nil {
		visit(n.items)
	}
	for _, p := range n.elements {
		visit(p)
	}
}

// queue orders schemas so that each comes before those that it leads to.
type queue []*node

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].rank > q[j].rank }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push adds a schema.
func (q *queue) Push(x any) {
	if n, ok := x.(*node); ok {
		*q = append(*q, n)
	}
}

// Pop removes the last schema.
func (q *queue) Pop() any {
	n := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return n
}

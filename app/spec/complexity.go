package spec

// maxPaths is how many branches a validator may have to try at one value. A
// kilobyte of nested allOf can ask for millions, and validation cannot be
// interrupted.
const maxPaths = 10_000

// pathCounter counts, for each schema, the branches that apply to one value.
type pathCounter struct {
	root *node
	done map[*node]int
	open map[*node]bool
	calm bool // no schema of the document is over the cap
}

func newPathCounter(root *node) *pathCounter {
	p := &pathCounter{root: root, done: map[*node]int{}, open: map[*node]bool{}, calm: true}
	_ = walk(root, place{part: partDocument}, func(n *node, at place) error { // visit never fails
		if at.part == partSchema && p.inPlace(n) > maxPaths {
			p.calm = false
		}
		return nil
	})
	return p
}

// excessive reports whether any value of a schema has over maxPaths branches,
// or the schema applies itself in a circle.
func (p *pathCounter) excessive(schema *node) bool {
	if p.calm {
		return false
	}
	seen := map[*node]bool{}
	queue := []*node{schema}
	for len(queue) > 0 {
		n := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if n == nil || seen[n] {
			continue
		}
		seen[n] = true
		if p.inPlace(n) > maxPaths {
			return true
		}
		if ref := n.get("$ref"); ref.is(kindString) {
			queue = append(queue, target(p.root, ref.text))
		}
		for _, r := range grammar[partSchema] {
			child := n.get(r.key)
			if child == nil {
				continue
			}
			if r.shape == one {
				queue = append(queue, child)
				continue
			}
			queue = append(queue, child.items...)
			for _, m := range child.members {
				queue = append(queue, m.value)
			}
		}
	}
	return false
}

// inPlace counts the branches at the value itself.
func (p *pathCounter) inPlace(n *node) int {
	if n == nil {
		return 1
	}
	if known, ok := p.done[n]; ok {
		return known
	}
	if p.open[n] {
		return maxPaths + 1
	}
	p.open[n] = true
	total := 1
	add := func(n *node) { total = min(total+p.inPlace(n), maxPaths+1) }
	if ref := n.get("$ref"); ref.is(kindString) {
		total = p.inPlace(target(p.root, ref.text))
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		for _, branch := range n.list(key) {
			add(branch)
		}
	}
	for _, key := range []string{"not", "if", "then", "else"} {
		if branch := n.get(key); branch != nil {
			add(branch)
		}
	}
	for _, m := range n.entries("dependentSchemas") {
		add(m.value)
	}
	delete(p.open, n)
	p.done[n] = total
	return total
}

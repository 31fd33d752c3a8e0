package graph

import (
	"strconv"
	"strings"
	"sync"

	"heliograph/app/documentation/openapi/tree"
)

// index finds what a tree does not say by itself: where a node is, and which
// schema an anchor names. It is made when it is first asked.
type index struct {
	root    *tree.Node
	once    sync.Once
	parents map[*tree.Node]link
	anchors map[string]*tree.Node
}

// link leads from a node to the one that holds it.
type link struct {
	parent *tree.Node
	token  string
}

// build visits every node once, without recursion.
func (x *index) build() {
	x.parents, x.anchors = map[*tree.Node]link{}, map[string]*tree.Node{}
	for open := []*tree.Node{x.root}; len(open) > 0; {
		n := open[len(open)-1]
		open = open[:len(open)-1]
		for i, item := range n.Items {
			if _, known := x.parents[item]; !known {
				x.parents[item] = link{n, strconv.Itoa(i)}
				open = append(open, item)
			}
		}
		for _, m := range n.Members {
			if _, known := x.parents[m.Value]; !known {
				x.parents[m.Value] = link{n, tree.Escape(m.Key)}
				open = append(open, m.Value)
			}
		}
		for _, key := range []string{"$anchor", "$dynamicAnchor"} {
			if name := n.Str(key); name != "" && x.anchors[name] == nil {
				x.anchors[name] = n
			}
		}
	}
}

func (x *index) pointer(n *tree.Node) string {
	x.once.Do(x.build)
	var parts []string
	for n != nil && n != x.root {
		up, known := x.parents[n]
		if !known {
			return ""
		}
		parts = append(parts, up.token)
		n = up.parent
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(parts[i])
	}
	return b.String()
}

func (x *index) anchor(name string) *tree.Node {
	x.once.Do(x.build)
	return x.anchors[name]
}

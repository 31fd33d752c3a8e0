package tree

import (
	"net/url"
	"strings"
)

// Parent returns the JSON pointer of a value's parent.
func Parent(pointer string) string {
	return pointer[:max(strings.LastIndexByte(pointer, '/'), 0)]
}

// Target follows a reference within the document. It returns nil where there is
// no value.
func (n *Node) Target(ref string) *Node {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	if to := n.At(pointer); to != nil {
		return to
	}
	return n.At(Unescape(pointer))
}

// Follow resolves from, a node of the document n, and further references behind
// it. It returns from if it is no reference, and nil if a reference has no
// target or is circular.
func (n *Node) Follow(from *Node) *Node {
	for range maxFollow {
		ref := from.Get("$ref")
		if !ref.Is(KindString) {
			return from
		}
		from = n.Target(ref.Text)
	}
	return nil
}

// Unescape decodes percent-encoding. Invalid encoding stays as it is.
func Unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

// maxFollow is the longest chain of references.
const maxFollow = 100

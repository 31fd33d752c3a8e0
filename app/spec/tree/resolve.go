package tree

import (
	"net/url"
	"strings"
)

// Parent returns the JSON pointer of the value that holds the one of a pointer.
func Parent(pointer string) string {
	return pointer[:max(strings.LastIndexByte(pointer, '/'), 0)]
}

// Target follows a reference within the document, nil when it leads nowhere.
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

// Follow resolves from, a node of the document n, and the references behind it.
// It returns from if it is no reference, and nil if a reference leads nowhere or
// in a circle.
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

// Unescape undoes percent-encoding; a broken one is left as it is.
func Unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

// maxFollow is how many references in a row are followed.
const maxFollow = 100

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
func (root *Node) Target(ref string) *Node {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	if n := root.At(pointer); n != nil {
		return n
	}
	return root.At(Unescape(pointer))
}

// Follow resolves a reference within a document, and references behind it. It
// returns n where there is none, and nil where it leads nowhere or in a circle.
func (root *Node) Follow(n *Node) *Node {
	for range maxFollow {
		ref := n.Get("$ref")
		if !ref.Is(KindString) {
			return n
		}
		n = root.Target(ref.Text)
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

package tree

import (
	"fmt"
	"strings"
)

// locate returns the line and the column of the value at a JSON pointer, both from
// one. A value that is missing has the place of the one that it is missing in.
// The result is zero where the tree was not read from a text.
func locate(root *Node, pointer string) (line, column int) {
	for {
		if n := root.At(pointer); n != nil {
			return int(n.Line), int(n.Column)
		}
		at := strings.LastIndexByte(pointer, '/')
		if at < 0 {
			return 0, 0
		}
		pointer = pointer[:at]
	}
}

// WithPlace puts the place of a value before a message about it, as the reader of
// a text does before what it refuses: "Line 4, column 7: …".
func WithPlace(root *Node, pointer, message string) string {
	line, column := locate(root, pointer)
	if line == 0 {
		return message
	}
	return fmt.Sprintf("Line %d, column %d: %s", line, column, message)
}

package tree

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// jsonReader decodes JSON in one pass, so that limits apply before memory is
// allocated and every value has its position.
type jsonReader struct {
	data   []byte
	next   int // offset of the next byte
	budget budget

	offset int // up to here lines and characters are counted
	line   int
	column int // characters of the line before the offset
}

// decodeJSON reads one JSON value (RFC 8259). Duplicate keys are refused.
func decodeJSON(data []byte) (*Node, error) {
	r := &jsonReader{data: data, line: 1}
	r.skip()
	n, err := r.value(1)
	if err != nil {
		return nil, err
	}
	r.skip()
	if r.next < len(data) {
		return nil, r.fail("text follows the end of the JSON document; remove it")
	}
	return n, nil
}

// place returns the line and column of an offset, in characters. Offsets must not
// decrease.
func (r *jsonReader) place(offset int) (line, column int) {
	for ; r.offset < offset; r.offset++ {
		switch c := r.data[r.offset]; {
		case c == '\n':
			r.line++
			r.column = 0
		case utf8.RuneStart(c):
			r.column++
		}
	}
	return r.line, r.column + 1
}

// fail makes an error at the next byte.
func (r *jsonReader) fail(format string, args ...any) error {
	line, column := r.place(min(r.next, len(r.data)))
	return Invalid(line, column, format, args...)
}

// unexpected returns the error for a byte that JSON does not allow.
func (r *jsonReader) unexpected(want string) error {
	if r.next >= len(r.data) {
		return r.fail("the JSON document ends too early; close what is open")
	}
	return r.fail("this is not JSON: %q stands where %s is expected", r.data[r.next], want)
}

// skip moves to the next byte that is not white space.
func (r *jsonReader) skip() {
	for r.next < len(r.data) {
		switch r.data[r.next] {
		case ' ', '\t', '\r', '\n':
			r.next++
		default:
			return
		}
	}
}

// take skips the next byte if it is the given one.
func (r *jsonReader) take(c byte) bool {
	if r.next < len(r.data) && r.data[r.next] == c {
		r.next++
		return true
	}
	return false
}

// value reads a value at the next byte.
func (r *jsonReader) value(depth int) (*Node, error) {
	line, column := r.place(min(r.next, len(r.data)))
	if err := r.budget.spend(line, column, depth); err != nil {
		return nil, err
	}
	n := &Node{Line: int32(line), Column: int32(column)}
	if r.next >= len(r.data) {
		return nil, r.unexpected("a value")
	}
	var err error
	switch c := r.data[r.next]; {
	case c == '{':
		return n, r.object(n, depth)
	case c == '[':
		return n, r.array(n, depth)
	case c == '"':
		n.Kind = KindString
		if n.Text, err = r.text(); err == nil {
			err = checkText(line, column, n.Text)
		}
		return n, err
	case c == '-' || c >= '0' && c <= '9':
		n.Kind = KindNumber
		if n.Text, err = r.number(); err == nil {
			err = checkNumber(line, column, n.Text)
		}
		return n, err
	}
	return n, r.word(n)
}

// word reads true, false or null.
func (r *jsonReader) word(n *Node) error {
	rest := r.data[r.next:]
	switch {
	case bytes.HasPrefix(rest, []byte("true")):
		n.Kind, n.Text = KindBool, "true"
	case bytes.HasPrefix(rest, []byte("false")):
		n.Kind, n.Text = KindBool, "false"
	case !bytes.HasPrefix(rest, []byte("null")):
		return r.unexpected("a value")
	}
	r.next += max(len(n.Text), len("null"))
	return nil
}

// number reads a number as it is written.
func (r *jsonReader) number() (string, error) {
	start := r.next
	for r.next < len(r.data) && strings.IndexByte("+-.0123456789eE", r.data[r.next]) >= 0 {
		r.next++
	}
	literal := string(r.data[start:r.next])
	if len(literal) <= maxNumber && !jsonNumber.MatchString(literal) {
		r.next = start
		return "", r.fail("this is not JSON: %.20q is not a number", literal)
	}
	return literal, nil
}

// text reads a string.
func (r *jsonReader) text() (string, error) {
	start := r.next
	r.next++
	for escaped := false; r.next < len(r.data); r.next++ {
		switch c := r.data[r.next]; {
		case c == '"':
			r.next++
			if !escaped {
				return string(r.data[start+1 : r.next-1]), nil
			}
			var s string
			if err := json.Unmarshal(r.data[start:r.next], &s); err != nil {
				r.next = start
				return "", r.fail("this is not JSON: a text has an unknown escape")
			}
			return s, nil
		case c == '\\':
			escaped = true
			r.next++
		case c < ' ':
			return "", r.fail("this is not JSON: a text has a control character; escape it")
		}
	}
	return "", r.unexpected("the end of a text")
}

func (r *jsonReader) object(n *Node, depth int) error {
	n.Kind = KindObject
	r.next++
	var seen map[string]bool
	for r.skip(); !r.take('}'); r.skip() {
		if len(n.Members) > 0 {
			if !r.take(',') {
				return r.unexpected("a comma or the end of an object")
			}
			r.skip()
		}
		if r.next >= len(r.data) || r.data[r.next] != '"' {
			return r.unexpected("a key")
		}
		line, column := r.place(r.next)
		key, err := r.text()
		if err != nil {
			return err
		}
		seen = manyKeys(n, seen)
		if seen[key] || seen == nil && n.Get(key) != nil {
			return Invalid(line, column, "the key %.80q appears twice in one object; keep one", key)
		}
		if err := checkText(line, column, key); err != nil {
			return err
		}
		r.skip()
		if !r.take(':') {
			return r.unexpected("a colon")
		}
		r.skip()
		value, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		if seen != nil {
			seen[key] = true
		}
		n.Members = append(n.Members, Member{Key: key, Value: value})
	}
	return nil
}

// fewKeys is how many keys are compared one by one.
const fewKeys = 16

// manyKeys returns the set of an object's keys once it has many of them.
func manyKeys(n *Node, seen map[string]bool) map[string]bool {
	if seen != nil || len(n.Members) < fewKeys {
		return seen
	}
	seen = make(map[string]bool, 2*fewKeys)
	for _, m := range n.Members {
		seen[m.Key] = true
	}
	return seen
}

func (r *jsonReader) array(n *Node, depth int) error {
	n.Kind = KindArray
	r.next++
	for r.skip(); !r.take(']'); r.skip() {
		if len(n.Items) > 0 {
			if !r.take(',') {
				return r.unexpected("a comma or the end of a list")
			}
			r.skip()
		}
		value, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		n.Items = append(n.Items, value)
	}
	return nil
}

package spec

import (
	"bytes"
	"encoding/json"
	"strconv"

	"errors"
)

// jsonReader decodes JSON token by token, so that caps hold before memory is
// taken and every value knows its place.
type jsonReader struct {
	data   []byte
	tokens *json.Decoder
	budget budget

	offset    int // up to here lines are counted
	line      int
	lineStart int
}

// decodeJSON reads one JSON value (RFC 8259); duplicate keys are refused.
func decodeJSON(data []byte) (*node, error) {
	r := &jsonReader{data: data, tokens: json.NewDecoder(bytes.NewReader(data)), line: 1}
	r.tokens.UseNumber()
	n, err := r.value(1)
	if err != nil {
		return nil, err
	}
	if _, err := r.tokens.Token(); !atEnd(err) {
		line, column := r.place(int(r.tokens.InputOffset()))
		return nil, invalidAt(line, column, "text follows the end of the JSON document; remove it")
	}
	return n, nil
}

// next returns the next token and its place.
func (r *jsonReader) next() (json.Token, int, int, error) {
	start := int(r.tokens.InputOffset())
	for start < len(r.data) && bytes.IndexByte([]byte(" \t\r\n:,"), r.data[start]) >= 0 {
		start++
	}
	token, err := r.tokens.Token()
	line, column := r.place(start)
	if err == nil {
		return token, line, column, nil
	}
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax) && !atEnd(err):
		line, column = r.place(max(int(syntax.Offset)-1, start))
		return nil, line, column, invalidAt(line, column, "this is not JSON: %s", syntax)
	case atEnd(err):
		line, column = r.place(len(r.data))
		return nil, line, column, invalidAt(line, column, "the JSON document ends too early; close what is open")
	}
	return nil, line, column, invalidAt(line, column, "this is not JSON: %s", err)
}

// place turns an offset into line and column. Offsets may only grow.
func (r *jsonReader) place(offset int) (int, int) {
	for ; r.offset < min(offset, len(r.data)); r.offset++ {
		if r.data[r.offset] == '\n' {
			r.line++
			r.lineStart = r.offset + 1
		}
	}
	return r.line, max(offset-r.lineStart, 0) + 1
}

func (r *jsonReader) value(depth int) (*node, error) {
	token, line, column, err := r.next()
	if err != nil {
		return nil, err
	}
	return r.from(token, depth, line, column)
}

// from makes the node that begins with a token.
func (r *jsonReader) from(token json.Token, depth, line, column int) (*node, error) {
	if err := r.budget.spend(line, column, depth); err != nil {
		return nil, err
	}
	n := &node{line: int32(line), column: int32(column)}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return n, r.object(n, depth)
		}
		return n, r.array(n, depth)
	case string:
		n.kind, n.text = kindString, t
		return n, checkText(line, column, t)
	case json.Number:
		n.kind, n.text = kindNumber, t.String()
		return n, checkNumber(line, column, n.text)
	case bool:
		n.kind, n.text = kindBool, strconv.FormatBool(t)
	}
	return n, nil
}

func (r *jsonReader) object(n *node, depth int) error {
	n.kind = kindObject
	seen := map[string]bool{}
	for r.tokens.More() {
		token, line, column, err := r.next()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		if seen[key] {
			return invalidAt(line, column, "the key %.80q appears twice in one object; keep one", key)
		}
		seen[key] = true
		if err := checkText(line, column, key); err != nil {
			return err
		}
		value, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		n.members = append(n.members, member{key, value})
	}
	_, _, _, err := r.next()
	return err
}

func (r *jsonReader) array(n *node, depth int) error {
	n.kind = kindArray
	for r.tokens.More() {
		value, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, value)
	}
	_, _, _, err := r.next()
	return err
}

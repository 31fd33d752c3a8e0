package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
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
func decodeJSON(data []byte) (*Node, error) {
	r := &jsonReader{data: data, tokens: json.NewDecoder(bytes.NewReader(data)), line: 1}
	r.tokens.UseNumber()
	n, err := r.value(1)
	if err != nil {
		return nil, err
	}
	if _, err := r.tokens.Token(); !atEnd(err) {
		line, column := r.place(int(r.tokens.InputOffset()))
		return nil, Invalid(line, column, "text follows the end of the JSON document; remove it")
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
		return nil, line, column, Invalid(line, column, "this is not JSON: %s", syntax)
	case atEnd(err):
		line, column = r.place(len(r.data))
		return nil, line, column, Invalid(line, column, "the JSON document ends too early; close what is open")
	}
	return nil, line, column, Invalid(line, column, "this is not JSON: %s", err)
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

func (r *jsonReader) value(depth int) (*Node, error) {
	token, line, column, err := r.next()
	if err != nil {
		return nil, err
	}
	return r.from(token, depth, line, column)
}

// from makes the node that begins with a token.
func (r *jsonReader) from(token json.Token, depth, line, column int) (*Node, error) {
	if err := r.budget.spend(line, column, depth); err != nil {
		return nil, err
	}
	n := &Node{Line: int32(line), Column: int32(column)}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return n, r.object(n, depth)
		}
		return n, r.array(n, depth)
	case string:
		n.Kind, n.Text = KindString, t
		return n, checkText(line, column, t)
	case json.Number:
		n.Kind, n.Text = KindNumber, t.String()
		return n, checkNumber(line, column, n.Text)
	case bool:
		n.Kind, n.Text = KindBool, strconv.FormatBool(t)
	}
	return n, nil
}

func (r *jsonReader) object(n *Node, depth int) error {
	n.Kind = KindObject
	seen := map[string]bool{}
	for r.tokens.More() {
		token, line, column, err := r.next()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		if seen[key] {
			return Invalid(line, column, "the key %.80q appears twice in one object; keep one", key)
		}
		seen[key] = true
		if err := checkText(line, column, key); err != nil {
			return err
		}
		value, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		n.Members = append(n.Members, Member{key, value})
	}
	_, _, _, err := r.next()
	return err
}

func (r *jsonReader) array(n *Node, depth int) error {
	n.Kind = KindArray
	for r.tokens.More() {
		value, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		n.Items = append(n.Items, value)
	}
	_, _, _, err := r.next()
	return err
}

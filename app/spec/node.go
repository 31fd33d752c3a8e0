package spec

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// kind is the JSON type of a node.
type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
)

// node is one value of a document. Objects keep the order of their keys.
type node struct {
	kind    kind
	line    int32
	column  int32
	text    string // string: the value; number and bool: the literal
	items   []*node
	members []member
}

type member struct {
	key   string
	value *node
}

func str(s string) *node { return &node{kind: kindString, text: s} }

func object(members ...member) *node { return &node{kind: kindObject, members: members} }

func array(items ...*node) *node { return &node{kind: kindArray, items: items} }

func number(literal string) *node { return &node{kind: kindNumber, text: literal} }

func boolean(b bool) *node { return &node{kind: kindBool, text: strconv.FormatBool(b)} }

func (n *node) is(k kind) bool { return n != nil && n.kind == k }

// get returns the member of an object, nil when there is none.
func (n *node) get(key string) *node {
	if !n.is(kindObject) {
		return nil
	}
	for i := range n.members {
		if n.members[i].key == key {
			return n.members[i].value
		}
	}
	return nil
}

// str returns the string member of an object, "" when there is none.
func (n *node) str(key string) string {
	if v := n.get(key); v.is(kindString) {
		return v.text
	}
	return ""
}

// truth reports whether the member of an object is true.
func (n *node) truth(key string) bool {
	v := n.get(key)
	return v.is(kindBool) && v.text == "true"
}

// list returns the items of an array member, nil when there is none.
func (n *node) list(key string) []*node {
	if v := n.get(key); v.is(kindArray) {
		return v.items
	}
	return nil
}

// entries returns the members of an object member, nil when there is none.
func (n *node) entries(key string) []member {
	if v := n.get(key); v.is(kindObject) {
		return v.members
	}
	return nil
}

// set replaces or appends a member.
func (n *node) set(key string, value *node) {
	for i := range n.members {
		if n.members[i].key == key {
			n.members[i].value = value
			return
		}
	}
	n.members = append(n.members, member{key, value})
}

// remove deletes a member.
func (n *node) remove(key string) {
	for i := range n.members {
		if n.members[i].key == key {
			n.members = append(n.members[:i:i], n.members[i+1:]...)
			return
		}
	}
}

// without returns a shallow copy of an object that lacks some members.
func (n *node) without(keys ...string) *node {
	c := &node{kind: n.kind, line: n.line, column: n.column}
	for _, m := range n.members {
		if !contains(keys, m.key) {
			c.members = append(c.members, m)
		}
	}
	return c
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}

// at follows a JSON pointer (RFC 6901), nil when it leads nowhere.
func (n *node) at(pointer string) *node {
	for _, token := range tokens(pointer) {
		switch {
		case n.is(kindObject):
			n = n.get(token)
		case n.is(kindArray):
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n.items) {
				return nil
			}
			n = n.items[i]
		default:
			return nil
		}
	}
	return n
}

// tokens splits a JSON pointer into its unescaped tokens.
func tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	list := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, t := range list {
		list[i] = strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
	}
	return list
}

// escape makes a key fit for a JSON pointer.
func escape(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

// plain returns the value as the types of encoding/json with json.Number.
func (n *node) plain() any {
	switch n.kind {
	case kindBool:
		return n.text == "true"
	case kindNumber:
		return json.Number(n.text)
	case kindString:
		return n.text
	case kindArray:
		list := make([]any, len(n.items))
		for i, v := range n.items {
			list[i] = v.plain()
		}
		return list
	case kindObject:
		m := make(map[string]any, len(n.members))
		for _, v := range n.members {
			m[v.key] = v.value.plain()
		}
		return m
	}
	return nil
}

// json writes the value compactly, keys in order.
func (n *node) json() json.RawMessage {
	var b bytes.Buffer
	n.write(&b)
	return b.Bytes()
}

// pretty writes the value indented by two spaces.
func (n *node) pretty() string {
	var b bytes.Buffer
	if err := json.Indent(&b, n.json(), "", "  "); err != nil {
		return string(n.json())
	}
	return b.String()
}

// display writes the value as readers see it in a line: strings bare.
func (n *node) display() string {
	if n == nil {
		return ""
	}
	if n.kind == kindString {
		return n.text
	}
	return string(n.json())
}

func (n *node) write(b *bytes.Buffer) {
	switch n.kind {
	case kindNull:
		b.WriteString("null")
	case kindBool, kindNumber:
		b.WriteString(n.text)
	case kindString:
		writeString(b, n.text)
	case kindArray:
		b.WriteByte('[')
		for i, v := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			v.write(b)
		}
		b.WriteByte(']')
	case kindObject:
		b.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				b.WriteByte(',')
			}
			writeString(b, m.key)
			b.WriteByte(':')
			m.value.write(b)
		}
		b.WriteByte('}')
	}
}

// writeString writes a JSON string and leaves <, > and & as they are.
func writeString(b *bytes.Buffer, s string) {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string and a buffer cannot fail
	b.Truncate(b.Len() - 1)
}

// equal reports whether two values are the same, key order included.
func (n *node) equal(o *node) bool {
	if n == o {
		return true
	}
	if n == nil || o == nil || n.kind != o.kind || n.text != o.text ||
		len(n.items) != len(o.items) || len(n.members) != len(o.members) {
		return false
	}
	for i := range n.items {
		if !n.items[i].equal(o.items[i]) {
			return false
		}
	}
	for i := range n.members {
		if n.members[i].key != o.members[i].key || !n.members[i].value.equal(o.members[i].value) {
			return false
		}
	}
	return true
}

package tree

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"heliograph/app/lists"
)

// Kind is the JSON type of a node.
type Kind uint8

// The kinds of JSON values.
const (
	KindNull Kind = iota
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// Node is one value of a document. Objects keep the order of their keys.
type Node struct {
	Kind    Kind
	Line    int32
	Column  int32
	Text    string // string: the value; number and bool: the literal
	Items   []*Node
	Members []Member
}

// Member is a key of an object and its value.
type Member struct {
	Key   string
	Value *Node
}

// String returns a text value.
func String(s string) *Node { return &Node{Kind: KindString, Text: s} }

// Object returns an object with the members.
func Object(members ...Member) *Node { return &Node{Kind: KindObject, Members: members} }

// Array returns an array of the items.
func Array(items ...*Node) *Node { return &Node{Kind: KindArray, Items: items} }

// Null returns the null value.
func Null() *Node { return &Node{} }

// Number returns a number that is written as the literal.
func Number(literal string) *Node { return &Node{Kind: KindNumber, Text: literal} }

// Bool returns a boolean value.
func Bool(b bool) *Node { return &Node{Kind: KindBool, Text: strconv.FormatBool(b)} }

// Is reports whether the value exists and has the kind.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// Get returns the member of an object, nil when there is none.
func (n *Node) Get(key string) *Node {
	if !n.Is(KindObject) {
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Key == key {
			return n.Members[i].Value
		}
	}
	return nil
}

// Str returns the string member of an object, "" when there is none.
func (n *Node) Str(key string) string {
	if v := n.Get(key); v.Is(KindString) {
		return v.Text
	}
	return ""
}

// True reports whether the member of an object is true.
func (n *Node) True(key string) bool {
	v := n.Get(key)
	return v.Is(KindBool) && v.Text == "true"
}

// List returns the items of an array member, nil when there is none.
func (n *Node) List(key string) []*Node {
	if v := n.Get(key); v.Is(KindArray) {
		return v.Items
	}
	return nil
}

// Entries returns the members of an object member, nil when there is none.
func (n *Node) Entries(key string) []Member {
	if v := n.Get(key); v.Is(KindObject) {
		return v.Members
	}
	return nil
}

// Set replaces or appends a member.
func (n *Node) Set(key string, value *Node) {
	for i := range n.Members {
		if n.Members[i].Key == key {
			n.Members[i].Value = value
			return
		}
	}
	n.Members = append(n.Members, Member{key, value})
}

// Append adds a member that the object does not have yet.
func (n *Node) Append(key string, value *Node) {
	n.Members = append(n.Members, Member{Key: key, Value: value})
}

// Child returns the member of a name, an object that it adds where there is none.
func (n *Node) Child(key string) *Node {
	if v := n.Get(key); v != nil {
		return v
	}
	v := Object()
	n.Append(key, v)
	return v
}

// Remove deletes a member.
func (n *Node) Remove(key string) {
	for i := range n.Members {
		if n.Members[i].Key == key {
			n.Members = append(n.Members[:i:i], n.Members[i+1:]...)
			return
		}
	}
}

// Without returns a shallow copy of an object that lacks some members.
func (n *Node) Without(keys ...string) *Node {
	c := &Node{Kind: n.Kind, Line: n.Line, Column: n.Column}
	for _, m := range n.Members {
		if !slices.Contains(keys, m.Key) {
			c.Members = append(c.Members, m)
		}
	}
	return c
}

// At follows a JSON pointer (RFC 6901). It returns nil where there is no value.
func (n *Node) At(pointer string) *Node {
	for _, token := range Tokens(pointer) {
		switch {
		case n.Is(KindObject):
			n = n.Get(token)
		case n.Is(KindArray):
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n.Items) {
				return nil
			}
			n = n.Items[i]
		default:
			return nil
		}
	}
	return n
}

// Tokens splits a JSON pointer into its unescaped tokens.
func Tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	list := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, t := range list {
		list[i] = strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
	}
	return list
}

// Escape escapes a key for a JSON pointer.
func Escape(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

// Plain returns the value as the types of encoding/json with json.Number.
func (n *Node) Plain() any {
	switch n.Kind {
	case KindBool:
		return n.Text == "true"
	case KindNumber:
		return json.Number(n.Text)
	case KindString:
		return n.Text
	case KindArray:
		list := make([]any, len(n.Items))
		for i, v := range n.Items {
			list[i] = v.Plain()
		}
		return list
	case KindObject:
		m := make(map[string]any, len(n.Members))
		for _, v := range n.Members {
			m[v.Key] = v.Value.Plain()
		}
		return m
	}
	return nil
}

// JSON writes the value compactly, keys in order.
func (n *Node) JSON() json.RawMessage {
	var b bytes.Buffer
	n.write(&b)
	return b.Bytes()
}

// Pretty writes the value indented by two spaces.
func (n *Node) Pretty() string {
	var b bytes.Buffer
	if err := json.Indent(&b, n.JSON(), "", "  "); err != nil {
		return string(n.JSON())
	}
	return b.String()
}

// Form writes the members of an object as a form (WHATWG URL). A list repeats its key,
// and an object is compact JSON.
func (n *Node) Form() string {
	var pairs []string
	for _, m := range n.Members {
		for _, item := range m.Value.Values() {
			pairs = append(pairs, url.QueryEscape(m.Key)+"="+url.QueryEscape(item.Display()))
		}
	}
	return strings.Join(pairs, "&")
}

// Display writes the value for readers in one line, strings without quotes.
func (n *Node) Display() string {
	if n == nil {
		return ""
	}
	switch n.Kind {
	case KindString, KindNumber, KindBool:
		return n.Text
	}
	return string(n.JSON())
}

func (n *Node) write(b *bytes.Buffer) {
	switch n.Kind {
	case KindNull:
		b.WriteString("null")
	case KindBool, KindNumber:
		b.WriteString(n.Text)
	case KindString:
		writeString(b, n.Text)
	case KindArray:
		b.WriteByte('[')
		for i, v := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			v.write(b)
		}
		b.WriteByte(']')
	case KindObject:
		b.WriteByte('{')
		for i, m := range n.Members {
			if i > 0 {
				b.WriteByte(',')
			}
			writeString(b, m.Key)
			b.WriteByte(':')
			m.Value.write(b)
		}
		b.WriteByte('}')
	}
}

// writeString writes a JSON string and leaves <, > and & as they are.
func writeString(b *bytes.Buffer, s string) {
	if !needsEscape(s) {
		b.WriteByte('"')
		b.WriteString(s)
		b.WriteByte('"')
		return
	}
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string and a buffer cannot fail
	b.Truncate(b.Len() - 1)
}

// needsEscape reports whether JSON may write a text differently from the text
// itself.
func needsEscape(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// Equal reports whether two values are the same, key order included.
func (n *Node) Equal(o *Node) bool {
	if n == o {
		return true
	}
	if n == nil || o == nil || n.Kind != o.Kind || n.Text != o.Text ||
		len(n.Items) != len(o.Items) || len(n.Members) != len(o.Members) {
		return false
	}
	for i := range n.Items {
		if !n.Items[i].Equal(o.Items[i]) {
			return false
		}
	}
	for i := range n.Members {
		if n.Members[i].Key != o.Members[i].Key || !n.Members[i].Value.Equal(o.Members[i].Value) {
			return false
		}
	}
	return true
}

// Elements returns the items of an array, none of other values.
func (n *Node) Elements() []*Node {
	if n.Is(KindArray) {
		return n.Items
	}
	return nil
}

// Texts writes values for readers, each in one line.
func Texts(list []*Node) []string {
	return lists.Map(list, func(n *Node) string { return n.Display() })
}

// Values returns the items of an array, or the value itself.
func (n *Node) Values() []*Node {
	if n.Is(KindArray) {
		return n.Items
	}
	return []*Node{n}
}

// Contains reports whether a list has a value.
func Contains(list []*Node, v *Node) bool {
	return slices.ContainsFunc(list, func(o *Node) bool { return o.Equal(v) })
}

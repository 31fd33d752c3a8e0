package editorial

import (
	"bytes"
	"encoding/json"

	"heliograph/app/documentation/editorial/merge"
	"heliograph/app/documentation/openapi/tree"
)

// mergeResult is one content that continues from two versions of another.
type mergeResult struct {
	Content  json.RawMessage // with mine where both changed the same place and nothing else was chosen
	Taken    []string        // fields that only theirs changed
	Joined   []string        // fields that both changed, in different places
	Chosen   []string        // fields that overlap and that somebody decided
	Overlaps []Overlap       // other fields that both changed in the same place
}

// Overlap is a field of the content that two authors changed in the same place. A
// missing field is nil.
type Overlap struct {
	Field              string
	Base, Theirs, Mine json.RawMessage
	// WithTheirs and WithMine hold what only one side changed, and in the places that
	// both changed theirs or mine.
	WithTheirs, WithMine json.RawMessage
	Places               []string // pointers into a part of an API description
}

// mergeContents applies the changes from base to mine to theirs: field by field,
// within texts line by line, and within API descriptions place by place. Fields that
// overlap take the value of chosen; those that chosen does not name are overlaps.
func mergeContents(base, theirs, mine json.RawMessage, chosen map[string]json.RawMessage) (done mergeResult, err error) {
	b, err := readMembers(base)
	if err != nil {
		return done, err
	}
	t, err := readMembers(theirs)
	if err != nil {
		return done, err
	}
	m, err := readMembers(mine)
	if err != nil {
		return done, err
	}
	var out bytes.Buffer
	for _, name := range union(t.names, m.names, b.names) {
		o := Overlap{Field: name, Base: b.values[name], Theirs: t.values[name], Mine: m.values[name]}
		value, isChosen := chosen[name]
		switch {
		case bytes.Equal(o.Theirs, o.Mine):
			value = o.Mine
		case bytes.Equal(o.Mine, o.Base):
			value = o.Theirs
			done.Taken = append(done.Taken, name)
		case bytes.Equal(o.Theirs, o.Base):
			value = o.Mine
		case o.join():
			value = o.WithMine
			done.Joined = append(done.Joined, name)
		case isChosen:
			done.Chosen = append(done.Chosen, name)
		default:
			value = o.WithMine
			done.Overlaps = append(done.Overlaps, o)
		}
		addMember(&out, name, value)
	}
	if out.Len() == 0 {
		out.WriteByte('{')
	}
	out.WriteByte('}')
	done.Content = out.Bytes()
	return done, nil
}

// join merges within a field that both changed, and reports whether no place of it
// was changed by both.
func (o *Overlap) join() bool {
	o.WithTheirs, o.WithMine = o.Theirs, o.Mine
	var base, theirs, mine string
	if json.Unmarshal(o.Base, &base) == nil && json.Unmarshal(o.Theirs, &theirs) == nil && json.Unmarshal(o.Mine, &mine) == nil {
		left, right, overlaps := merge.Texts(base, theirs, mine)
		o.WithTheirs, o.WithMine = o.written(left, theirs, mine), o.written(right, theirs, mine)
		return !overlaps
	}
	b, t, m := readNode(o.Base), readNode(o.Theirs), readNode(o.Mine)
	if b == nil || t == nil || m == nil {
		return false
	}
	left, right, places := merge.Trees(b, t, m)
	o.WithTheirs, o.WithMine, o.Places = o.writtenNode(left, t, m), o.writtenNode(right, t, m), places
	return len(places) == 0
}

// written returns a text as JSON: the JSON of a side which has it, because approvals are
// for exact bytes.
func (o *Overlap) written(text, theirs, mine string) json.RawMessage {
	switch text {
	case mine:
		return o.Mine
	case theirs:
		return o.Theirs
	}
	raw, _ := json.Marshal(text) // a string has no error
	return raw
}

func (o *Overlap) writtenNode(n, theirs, mine *tree.Node) json.RawMessage {
	switch {
	case n.Equal(mine):
		return o.Mine
	case n.Equal(theirs):
		return o.Theirs
	}
	raw, err := json.Marshal(n.JSON()) // escaped as contents are
	if err != nil {
		return o.Mine
	}
	return raw
}

// readNode reads an object, nil for what is none.
func readNode(raw json.RawMessage) *tree.Node {
	n, err := tree.Read(raw)
	if err != nil || !n.Is(tree.KindObject) {
		return nil
	}
	return n
}

// addMember adds a member to an object that is being written, nothing for nil.
func addMember(out *bytes.Buffer, name string, value json.RawMessage) {
	if value == nil {
		return
	}
	separator := byte(',')
	if out.Len() == 0 {
		separator = '{'
	}
	key, _ := json.Marshal(name) // a string has no error
	out.WriteByte(separator)
	out.Write(key)
	out.WriteByte(':')
	out.Write(value)
}

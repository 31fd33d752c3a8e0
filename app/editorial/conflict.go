package editorial

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"heliograph/app/fault"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Stale is the detail of a save that started from a revision that is no longer
// the head. A page can show all three contents, so that nothing is lost.
type Stale struct {
	Base   models.Revision // what the author started from; its id is zero for a new item
	Theirs models.Revision // the head now
	Mine   json.RawMessage // what was to be saved
	Fields []Overlap       // where theirs and mine differ from the base in another way
}

// Error names the two revisions, for the log.
func (s *Stale) Error() string {
	return fmt.Sprintf("based on revision %d, the head is %d", s.Base.ID, s.Theirs.ID)
}

// stale returns the Conflict of a save. It returns nil when the head has the
// same content, because the save was sent twice.
func (w *writer) stale(ctx context.Context, item models.Item, e Edit) error {
	s := &Stale{Mine: e.Content}
	var err error
	if s.Theirs, err = w.revision(ctx, item.Head()); err != nil {
		return err
	}
	if bytes.Equal(s.Theirs.ContentHash, sum(e.Content)) {
		return nil
	}
	if e.Base != 0 {
		if s.Base, err = w.revision(ctx, e.Base); err != nil {
			return err
		}
		if s.Base.ItemID != item.ID {
			return fault.New(fault.Invalid, "Revision %d is not one of the %s %s.", e.Base, item.Kind, item.Slug)
		}
	}
	if _, s.Fields, err = merge(s.Base.Content, s.Theirs.Content, e.Content, nil); err != nil {
		return err
	}
	return &fault.Error{Kind: fault.Conflict, Code: "stale", Err: s,
		Message: fmt.Sprintf("The %s %s was saved after you opened it. Compare both and save again.", item.Kind, item.Slug)}
}

// revision returns a revision; of id zero an empty one.
func (w *writer) revision(ctx context.Context, id int64) (models.Revision, error) {
	if id == 0 {
		return models.Revision{Content: json.RawMessage("{}")}, nil
	}
	r, err := queries.RevisionGet(ctx, w.tx, id)
	if err != nil {
		return r, fmt.Errorf("reading revision %d: %w", id, err)
	}
	return r, nil
}

// Overlap is a field of the content that two authors changed in different ways.
// A missing field is nil.
type Overlap struct {
	Field              string
	Base, Theirs, Mine json.RawMessage
}

// Merged returns theirs with the changes of mine. Fields that both changed are
// those of mine.
func (s *Stale) Merged() (json.RawMessage, error) {
	chosen := map[string]json.RawMessage{}
	for _, o := range s.Fields {
		chosen[o.Field] = o.Mine
	}
	content, _, err := merge(s.Base.Content, s.Theirs.Content, s.Mine, chosen)
	return content, err
}

// merge applies the changes from base to mine to theirs, field by field. Where
// both changed a field in different ways, chosen decides. Fields that chosen
// does not name are overlaps.
func merge(base, theirs, mine json.RawMessage, chosen map[string]json.RawMessage) (json.RawMessage, []Overlap, error) {
	b, err := readMembers(base)
	if err != nil {
		return nil, nil, err
	}
	t, err := readMembers(theirs)
	if err != nil {
		return nil, nil, err
	}
	m, err := readMembers(mine)
	if err != nil {
		return nil, nil, err
	}
	var overlaps []Overlap
	var out bytes.Buffer
	add := func(name string, value json.RawMessage) {
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
	for _, name := range union(t.names, m.names, b.names) {
		was, their, my := b.values[name], t.values[name], m.values[name]
		value, isChosen := chosen[name]
		switch {
		case bytes.Equal(their, my) || bytes.Equal(my, was):
			add(name, their)
		case bytes.Equal(their, was):
			add(name, my)
		case isChosen:
			add(name, value)
		default:
			overlaps = append(overlaps, Overlap{name, was, their, my})
		}
	}
	if out.Len() == 0 {
		out.WriteByte('{')
	}
	out.WriteByte('}')
	return out.Bytes(), overlaps, nil
}

// members holds the fields of a JSON object in order, with compact values.
type members struct {
	names  []string
	values map[string]json.RawMessage
}

func readMembers(raw json.RawMessage) (members, error) {
	m := members{values: map[string]json.RawMessage{}}
	if len(raw) == 0 {
		return m, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return m, fmt.Errorf("reading content: %w", err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return m, fmt.Errorf("reading content: %w", err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return m, fmt.Errorf("reading content: %w", err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, value); err != nil {
			return m, fmt.Errorf("reading content: %w", err)
		}
		m.names = append(m.names, name.(string))
		m.values[name.(string)] = compact.Bytes()
	}
	return m, nil
}

// union lists names in the order in which they first appear.
func union(lists ...[]string) (all []string) {
	seen := map[string]bool{}
	for _, list := range lists {
		for _, name := range list {
			if !seen[name] {
				seen[name] = true
				all = append(all, name)
			}
		}
	}
	return all
}

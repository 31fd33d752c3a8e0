package editorial

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"heliograph/app/fault"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// Stale is the detail of a save that started from a revision that is no longer
// the head. A page can show all three contents, so that nothing is lost.
type Stale struct {
	Base   models.Revision // what the author started from; its id is zero for a new item
	Theirs models.Revision // the head now
	Mine   json.RawMessage // what was to be saved
	Merge  mergeResult     // of theirs and mine
}

// Error names the two revisions, for the log.
func (s *Stale) Error() string {
	return fmt.Sprintf("based on revision %d, the head is %d", s.Base.ID, s.Theirs.ID)
}

// stale returns the Conflict of a save. It returns nil when the head has the
// same content, because the save was sent twice.
func (d drafter) stale(ctx context.Context, item models.Item, e Edit) error {
	s := &Stale{Mine: e.Content}
	var err error
	if s.Theirs, err = d.revision(ctx, item.Head()); err != nil {
		return err
	}
	if bytes.Equal(s.Theirs.ContentHash, sum(e.Content)) {
		return nil
	}
	if e.Base != 0 {
		if s.Base, err = d.revision(ctx, e.Base); err != nil {
			return err
		}
		if s.Base.ItemID != item.ID {
			return fault.New(fault.Invalid, "Revision %d is not one of the %s %s.", e.Base, item.Kind, item.Slug)
		}
	}
	if s.Merge, err = mergeContents(s.Base.Content, s.Theirs.Content, e.Content, nil); err != nil {
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

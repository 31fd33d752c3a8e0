package compare

import (
	"slices"
	"strings"
)

// maxVisits caps the fields that the walk of one body or parameter visits.
const maxVisits = 20_000

// hop is a field on the way of a walk.
type hop struct {
	parent  *hop
	text    string
	schema  string // the nearest named schema
	field   bool
	changed bool
	key     pairKey
}

func (h *hop) place(root string) string {
	size := len(root)
	for at := h; at != nil; at = at.parent {
		size += len(at.text)
	}
	text := make([]byte, size)
	end := size
	for at := h; at != nil; at = at.parent {
		end -= len(at.text)
		copy(text[end:], at.text)
	}
	copy(text, root)
	return string(text)
}

// walker collects the changes of one operation.
type walker struct {
	differ *differ
	op     *Operation
	prefix string // of places, within what an operation has sent back

	kept []keptFields
}

// keptFields are the fields without a change of one walk.
type keptFields struct {
	root string
	hops []*hop
}

// walk compares the schemas of a parameter, a header or a body at a place.
// Each pair of schemas is visited once, where it is first met.
func (w *walker) walk(place string, key pairKey) {
	root := &hop{key: key}
	seen := map[pairKey]bool{key: true}
	var kept []*hop
	for queue := []*hop{root}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		n := w.differ.node(at.key)
		if n.schema != "" {
			at.schema = n.schema
		}
		own := at.changed
		for _, f := range n.findings {
			own = own || f.segment == ""
			w.emit(f, at, place)
		}
		w.count(at, own, &kept)
		for _, e := range n.edges {
			next := &hop{at, e.segment, at.schema, e.field, e.changed, e.to}
			if seen[e.to] || len(seen) > maxVisits {
				w.differ.incomplete = w.differ.incomplete || !seen[e.to]
				w.count(next, e.changed || w.differ.changes(e.to), &kept)
				continue
			}
			seen[e.to] = true
			queue = append(queue, next)
		}
	}
	w.kept = append(w.kept, keptFields{w.prefix + place, kept})
}

// changes reports whether a pair has a change itself.
func (d *differ) changes(key pairKey) bool {
	return slices.ContainsFunc(d.node(key).findings, func(f finding) bool { return f.segment == "" })
}

// count counts a field once, by whether it has a change itself.
func (w *walker) count(at *hop, changed bool, kept *[]*hop) {
	switch {
	case !at.field:
	case changed:
		w.op.Fields.Changed++
	default:
		w.op.Fields.Unchanged++
		*kept = append(*kept, at)
	}
}

func (w *walker) emit(f finding, at *hop, root string) {
	c := w.change(f.kind, at.place(root)+f.segment, at.key.direction)
	c.Before, c.After, c.Schema = f.before, f.after, at.schema
	if f.level != "" {
		c.Level, c.Reason = f.level, f.reason
	}
	switch f.kind {
	case "field-added", "required-field":
		w.op.Fields.Added++
	case "field-removed", "required-field-removed":
		w.op.Fields.Removed++
	}
	w.op.Changes = append(w.op.Changes, c)
}

// maxText bounds the values of a change, in bytes.
const maxText = 2000

// change makes a change of a kind.
func (w *walker) change(kind, place string, dir direction) Change {
	r := rules[kind]
	level, reason, advice := r.in(dir)
	if w.prefix != "" {
		place = strings.TrimSuffix(w.prefix+place, ".")
	}
	return Change{Kind: kind, Class: r.class, Level: level, Place: place, Title: r.title, Reason: reason, Advice: advice}
}

// delta is a value before and after a change.
type delta struct{ before, after string }

// add adds a change that is not one of a schema.
func (w *walker) add(kind, place string, dir direction, values delta) {
	c := w.change(kind, place, dir)
	c.Before, c.After = values.before, values.after
	w.op.Changes = append(w.op.Changes, c)
}

// finish counts the changes and names the fields that have none.
func (w *walker) finish(key string) {
	op := w.op
	seen := map[string]int{}
	for i := range op.Changes {
		c := &op.Changes[i]
		c.seal(key)
		if seen[c.Fingerprint]++; seen[c.Fingerprint] > 1 {
			c.seal(key + " " + itoa(seen[c.Fingerprint])) // the same once more
		}
		c.Before, c.After = cut(c.Before), cut(c.After)
		op.Levels.add(c.Level, 1)
	}
	if len(op.Changes) == 0 {
		return
	}
	op.Class = Changed
	named := map[string]bool{}
	for _, k := range w.kept {
		for _, h := range k.hops {
			if place := h.place(k.root); !named[place] {
				named[place] = true
				op.UnchangedFields = append(op.UnchangedFields, place)
			}
		}
	}
}

// cut shortens a long value for readers.
func cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	end := maxText
	for end > 0 && text[end]&0xC0 == 0x80 {
		end--
	}
	return text[:end] + " …"
}

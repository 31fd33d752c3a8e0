// Package difference shows how two contents of an item differ.
package difference

import (
	"encoding/json"
	"strconv"
	"strings"

	"heliograph/app/diff"
	"heliograph/app/documentation/editorial/fields"
	view "heliograph/views/documentation/difference"
)

// Between lists the fields of a kind that differ between two contents. An
// empty content has no fields.
func Between(kind string, before, after json.RawMessage) (list []view.Difference, err error) {
	was, err := fields.Values(kind, before)
	if err != nil {
		return nil, err
	}
	is, err := fields.Values(kind, after)
	if err != nil {
		return nil, err
	}
	for _, f := range fields.Of(kind) {
		if was[f.Name] != is[f.Name] {
			d := OfField(f, was[f.Name], is[f.Name])
			if f.Type == fields.Markdown && was[f.Name] != "" && is[f.Name] != "" {
				d.Rendered = sideBySide(was[f.Name], is[f.Name])
			}
			list = append(list, d)
		}
	}
	return list, nil
}

// OfField compares two values of a field: texts line by line, others whole.
func OfField(f fields.Field, before, after string) view.Difference {
	d := view.Difference{Label: f.Label, Name: f.Name}
	if f.Type == fields.Check {
		words := map[string]string{"true": "Yes", "": "No"}
		d.Before, d.After = words[before], words[after]
		return d
	}
	if f.Type != fields.Markdown && f.Type != fields.Code {
		d.Before, d.After = before, after
		return d
	}
	hunks := diff.Lines(before, after)
	for _, h := range hunks {
		d.Hunks = append(d.Hunks, diffLines(h))
	}
	added, removed := diff.Count(hunks)
	d.Summary = counted(added, removed)
	return d
}

var lineKinds = map[diff.Kind]string{diff.Added: "added", diff.Removed: "removed", diff.Same: "same"}

func diffLines(h diff.Hunk) (list []view.DiffLine) {
	for _, l := range h.Lines {
		line := view.DiffLine{Kind: lineKinds[l.Kind], Old: l.Old, New: l.New}
		for _, p := range l.Parts {
			line.Parts = append(line.Parts, view.DiffPart{Text: p.Text, Changed: p.Changed})
		}
		list = append(list, line)
	}
	return list
}

// counted says how many lines a difference has.
func counted(added, removed int) string {
	var parts []string
	for _, n := range []struct {
		count int
		word  string
	}{{added, "added"}, {removed, "removed"}} {
		if n.count == 1 {
			parts = append(parts, "1 line "+n.word)
		} else if n.count > 1 {
			parts = append(parts, strconv.Itoa(n.count)+" lines "+n.word)
		}
	}
	return strings.Join(parts, ", ")
}

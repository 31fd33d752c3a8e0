package reader

import (
	"slices"
	"strings"

	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// leastShared is the number of endpoints from which a change of a schema shows once.
const leastShared = 3

// sharing identifies a change of a schema wherever it shows.
type sharing struct{ schema, field, title, level, before, after string }

func sharingOf(c views.ComparedChange) sharing {
	return sharing{c.Schema, c.Place[strings.LastIndexByte(c.Place, '.')+1:], c.Title, c.Level.Label, textOf(c.Before), textOf(c.After)}
}

// textOf is a value without its marks.
func textOf(list []views.Word) string {
	var b strings.Builder
	for _, w := range list {
		b.WriteString(w.Text)
	}
	return b.String()
}

// share takes changes of schemas out of the endpoints that have the same one, and tells
// each once. Endpoints without further changes are named there alone.
func share(view *views.ComparePage) (list []views.SharedChange) {
	lists := []*[]views.ComparedOperation{&view.Operations, &view.Callbacks}
	endpoints := map[sharing]int{}
	for _, ops := range lists {
		for _, op := range *ops {
			seen := map[sharing]bool{}
			for _, c := range op.Changes {
				if key := sharingOf(c); c.Schema != "" && !seen[key] {
					seen[key] = true
					endpoints[key]++
				}
			}
		}
	}
	places := map[sharing]int{} // in the list
	for _, ops := range lists {
		kept := (*ops)[:0]
		for _, op := range *ops {
			own := slices.DeleteFunc(slices.Clone(op.Changes), func(c views.ComparedChange) bool { return endpoints[sharingOf(c)] >= leastShared && c.Schema != "" })
			anchor := ""
			if len(own) == 0 {
				anchor = op.ID
			}
			for _, c := range op.Changes {
				key := sharingOf(c)
				if c.Schema == "" || endpoints[key] < leastShared {
					continue
				}
				at, known := places[key]
				if !known {
					at = len(list)
					places[key] = at
					list = append(list, views.SharedChange{Name: c.Schema + "." + key.field, Change: c, In: ui.Counted(endpoints[key], "endpoint", "endpoints")})
				}
				list[at].Where = append(list[at].Where, views.SharedPlace{Link: ui.Link{Label: op.Link.Label, Href: op.Link.Href}, ID: c.ID, Operation: anchor, Place: c.Place})
				anchor = ""
			}
			if op.Changes = own; len(own) > 0 {
				kept = append(kept, op)
			}
		}
		*ops = kept
	}
	return list
}

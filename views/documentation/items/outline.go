package items

import (
	"github.com/a-h/templ"

	"heliograph/views/ui"
)

// Outline shows the parts of an operation or a schema.
type Outline struct {
	// IsSource shows the parts as one text among the entries of the form.
	IsSource bool
	Field    string // that holds the source
	As       string
	Action   string // where actions with rows are sent
	Raw      string // the source, which the rows are written into
	Open     string // the rows that are open
	IsCut    bool   // whether there are more rows
	Rows     []OutlineRow
}

// OutlineRow is a parameter, a field, a status …
type OutlineRow struct {
	At, Title, Note string
	IsGroup, Open   bool
	List            string // what the row has a place in, empty for a fixed one
	Focus           bool   // whether its heading gets the focus
	Marks           []string
	Refers          ui.Link
	Shared          ui.Link // where the row is written once for many
	Used            string
	Entries         []Entry
	Actions         []OutlineAction
	Rows            []OutlineRow
}

// OutlineAction is something to do with a row.
type OutlineAction struct {
	Do, Label string
	Focus     bool
}

// runs returns rows in lists of those that have a place in the same list.
func runs(rows []OutlineRow) (list [][]OutlineRow) {
	for i, r := range rows {
		if i == 0 || r.List != rows[i-1].List {
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], r)
	}
	for _, run := range list {
		if len(run) == 1 {
			run[0].List = "" // one has no order
		}
	}
	return list
}

func (r OutlineRow) lists() templ.Attributes {
	if r.List == "" {
		return nil
	}
	return templ.Attributes{"data-list": r.List}
}

// does makes a button send the form to an action in place.
func (o Outline) does(do string) templ.Attributes {
	return templ.Attributes{
		"type": "submit", "name": "do", "value": do, "formaction": o.Action, "formnovalidate": true,
		"hx-post": o.Action, "hx-target": itemRegion.Selector(), "hx-swap": "outerHTML", "hx-push-url": "false", "hx-disabled-elt": "this",
	}
}

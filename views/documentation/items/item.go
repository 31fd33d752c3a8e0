// Package items renders the form of an item and what is known of it.
package items

import (
	"cmp"
	"slices"

	"github.com/a-h/templ"

	"heliograph/views/documentation/drafts"
	"heliograph/views/documentation/quality"
	"heliograph/views/documentation/rebase"
	"heliograph/views/documentation/threads"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Entry is a field of an item in its form or, where it is only read, its value.
type Entry struct {
	Name, Label, Hint, Error string
	// ID names the control in the page where the name cannot.
	ID    string
	Value string
	Focus bool // takes the focus
	// IsTechnical folds the field.
	IsTechnical bool
	// Kind is line, text, markdown, choice, check, number, date or code.
	Kind     string
	Options  []ui.Option
	Required bool
	Rows     int
	// Suggest completes a line from a list.
	Suggest []string
	Text    ui.HTML // Markdown as it is read
	// Code is the language of a text that the code editor shows: markdown, json, or
	// data for JSON or YAML. It is empty for a plain text.
	Code string
}

func (e Entry) id() string { return "field-" + cmp.Or(e.ID, e.Name) }

// described ties a control to its hint and its error.
func (e Entry) described() templ.Attributes {
	attributes, by := templ.Attributes{}, ""
	if e.Hint != "" {
		by = e.id() + "-hint"
	}
	if e.Error != "" {
		by += " " + e.id() + "-error"
		attributes["aria-invalid"] = "true"
	}
	if by != "" {
		attributes["aria-describedby"] = by
	}
	if e.Focus {
		attributes["autofocus"] = true
	}
	if e.Code != "" {
		attributes["data-code"] = e.Code
	}
	if len(e.Suggest) > 0 {
		attributes["list"] = e.id() + "-list"
	}
	return attributes
}

// inputsOf lists the fields for the summary of errors.
func inputsOf(entries []Entry) (list []ui.Input) {
	for _, e := range entries {
		list = append(list, ui.Input{Name: cmp.Or(e.ID, e.Name), Error: e.Error})
	}
	return list
}

// invalid lists the fields and rows of a form for the summary of errors.
func (f ItemForm) invalid() []ui.Input {
	list := inputsOf(f.Entries)
	if f.Outline != nil {
		list = append(list, inputsOfRows(f.Outline.Rows)...)
	}
	return list
}

func inputsOfRows(rows []OutlineRow) (list []ui.Input) {
	for _, r := range rows {
		list = append(list, inputsOf(r.Entries)...)
		list = append(list, inputsOfRows(r.Rows)...)
	}
	return list
}

// ItemForm is the form of an item.
type ItemForm struct {
	Action, CSRF string
	// Base is the revision that the form began with.
	Base string
	// Hidden values are sent along, such as the address of a new item.
	Hidden  []ui.Pair
	Problem string
	More    ui.Link // beside the problem
	Slug    *ui.Input
	Entries []Entry
	Submit  string
	// Preview is the address that renders the text, empty for a form without
	// Markdown.
	Preview string
	// Outline holds the parts of an operation or a schema, nil for other kinds.
	Outline *Outline
	// Autosave is the address that saves the form while somebody types, empty for
	// one that is not saved by itself. Name then tells this form from others.
	Autosave, Name string
	// State is the outcome of the last save, Next leads on from it, and Checks is the
	// address that checks the examples.
	State, Checks string
	Next          ui.Link
	// Unsaved names the form for the copy of unsaved text that the browser keeps.
	Unsaved string
}

func (f ItemForm) hasTechnical() bool {
	return slices.ContainsFunc(f.Entries, func(e Entry) bool { return e.IsTechnical })
}

// isTechnicalWrong reports whether a folded field has to be corrected.
func (f ItemForm) isTechnicalWrong() bool {
	return slices.ContainsFunc(f.Entries, func(e Entry) bool { return e.IsTechnical && e.Error != "" })
}

// ItemPage edits an item, or shows it to those who only read.
type ItemPage struct {
	layout.Frame
	Mark  ui.Mark
	Note  string
	Links []ui.Link
	// Next leads to the review of what was saved.
	Next ui.Link
	// Below leads to a new item within this one; it is missing for most kinds.
	Below ui.Link
	// Request is what a reviewer asked for, of a change set that was sent back.
	Request threads.Remark
	Form    ItemForm
	// Read is the content for those who may not edit, with the reason.
	Read     []Entry
	Reason   string
	Shown    Shown
	Facts    []ui.Pair
	Checks   []drafts.Finding // of its code; nil lets the page ask for them
	Threads  []threads.Thread
	Comment  ui.Ask           // begins a thread
	Quality  quality.Findings // of the draft
	Presence string           // the address that says who else is there
	Users    []ui.Link        // endpoints that use the schema
	Lacks    []string         // what has to change before the item can be published
	Actions  []ui.Link
	Undo     ui.Post // of the last save of the draft
	// Conflict holds what was saved meanwhile, on the page of a conflict.
	Conflict *rebase.Conflict
}

// Shown is the text of a form as readers will see it.
type Shown struct {
	Title string
	Lead  string
	Text  ui.HTML
}

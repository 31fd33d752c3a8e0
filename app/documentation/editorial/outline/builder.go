package outline

import (
	"strings"

	"heliograph/app/documentation/openapi/tree"
)

// builder adds rows, inputs and actions to an outline.
type builder struct{ *Outline }

func newSchemaRows(o *Outline) schemaRows { return schemaRows{builder{o}} }

func newContentRows(o *Outline) contentRows { return contentRows{newSchemaRows(o)} }

// mark drops what cannot be shown.
func mark(rows []*Row) {
	for _, r := range rows {
		for _, in := range r.Inputs {
			if in.Type == lineInput && strings.Contains(in.Value, "\n") {
				in.Type = textInput
			}
		}
		mark(r.Rows)
	}
}

// row begins a row, nil where the outline is full.
func (b builder) row(at, title string) *Row {
	if b.count++; b.count > maxRows {
		b.IsCut = true
		return nil
	}
	return &Row{At: at, Title: title}
}

func (b builder) input(r *Row, at string, in Input) *Input {
	in.Name = Prefix + at + "#" + in.Name
	r.Inputs = append(r.Inputs, &in)
	b.inputs = append(b.inputs, &in)
	return &in
}

// action adds an action. Its function returns the node that is new.
func (b builder) action(r *Row, verb, label string, act func() *tree.Node) {
	do := verb + ":" + r.At
	r.Actions = append(r.Actions, rowAction{do, label})
	b.actions[do] = act
}

package reference

import (
	"cmp"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/model"
)

// whole writes a body or a schema with its members.
func (w *writer) whole(f *model.Field) {
	if f.Schema != "" && w.shown[f.Schema] {
		w.block("%s, as above", kindOf(f))
		return
	}
	w.shown[f.Schema] = true
	w.block("%s", below(f.Description, 4))
	if f.Type != "object" || f.Schema != "" {
		w.block("%s", kindOf(f))
	}
	w.block("%s", limitsOf(f))
	w.members(f, "")
	w.WriteString("\n")
}

func (w *writer) fields(list []*model.Field) {
	for _, f := range list {
		w.field(f, "")
	}
	w.WriteString("\n")
}

// field writes a field and its members as items of nested lists.
func (w *writer) field(f *model.Field, indent string) {
	words := []string{kindOf(f)}
	for _, note := range []struct {
		holds bool
		word  string
	}{{f.Required, "required"}, {f.Deprecated, "deprecated"}, {f.ReadOnly, "read only"}, {f.WriteOnly, "write only"}} {
		if note.holds {
			words = append(words, note.word)
		}
	}
	w.WriteString(indent + "- `" + f.Name + "` (" + strings.Join(words, ", ") + ")\n")
	indent += "  "
	w.lines(f.Description, indent)
	w.lines(limitsOf(f), indent)
	w.members(f, indent)
}

func (w *writer) members(f *model.Field, indent string) {
	if f.Recursive != "" {
		w.lines("Repeats `"+f.Recursive+"`.", indent)
	}
	if f.Truncated {
		w.lines("Further members are left out.", indent)
	}
	for _, child := range f.Children {
		w.field(child, indent)
	}
	if len(f.Variants) == 0 {
		return
	}
	w.lines("One of:", indent)
	if indent == "" {
		w.WriteString("\n")
	}
	for _, v := range f.Variants {
		w.WriteString(indent + "- " + v.Name + "\n")
		w.lines(v.Field.Description, indent+"  ")
		w.members(v.Field, indent+"  ")
	}
}

// lines writes a text within an item of a list.
func (w *writer) lines(s, indent string) {
	for line := range strings.Lines(strings.TrimSpace(s)) {
		if line = strings.TrimSpace(line); line != "" {
			w.WriteString(indent + line + "\n")
		} else {
			w.WriteString("\n")
		}
	}
}

func kindOf(f *model.Field) string {
	if f.Schema == "" {
		return TypeWords(f)
	}
	return TypeWords(f) + " `" + f.Schema + "`"
}

// emptyText stands for a value that is an empty text.
const emptyText = `""`

// limitsOf lists the constraints of a field in a sentence.
func limitsOf(f *model.Field) string {
	parts := f.Constraints[:len(f.Constraints):len(f.Constraints)]
	if len(f.Enum) > 0 {
		values := slices.Clone(f.Enum)
		for i, v := range values {
			values[i] = cmp.Or(v, emptyText)
		}
		parts = append(parts, "one of `"+strings.Join(values, "`, `")+"`")
	}
	if f.Default != "" {
		parts = append(parts, "default `"+f.Default+"`")
	}
	if f.Example != "" {
		parts = append(parts, "example `"+f.Example+"`")
	}
	return strings.Join(parts, "; ")
}

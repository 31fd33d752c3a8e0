package console

import (
	"heliograph/app/documentation/console"
	"heliograph/app/documentation/openapi/sample"
	views "heliograph/views/reader/console"
	"heliograph/views/ui"
)

// mostSample is the longest body with a sample, in bytes, and mostCode the longest
// sample: some languages write each value of JSON on a line of its own, indented by its
// depth.
const (
	mostSample = 64 << 10
	mostCode   = 4 * mostSample
)

const tooLong = "The body is too long to show as a sample."

// indentedLength returns about how long JSON becomes that has each value on a line of its
// own, indented by four blanks for each level.
func indentedLength(text string) int {
	length, depth, isString := len(text), 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			isString = !isString
		case isString && c == '\\':
			i++ // the next character is escaped
		case isString:
		case c == '[' || c == '{':
			depth++
			length += 4 * depth
		case c == ']' || c == '}':
			depth = max(0, depth-1)
			length += 4 * depth
		case c == ',':
			length += 4 * depth
		}
	}
	return length
}

// newSample writes the call of the form as a program.
func (h *Handlers) newSample(t target, a asked, action string) views.Sample {
	s := views.Sample{Action: action, Language: ui.Select{Name: langField, Value: a.language}}
	var chosen sample.Language
	for _, l := range sample.Languages() {
		s.Language.Options = append(s.Language.Options, ui.Option{Value: l.Slug, Label: l.Name})
		if l.Slug == a.language {
			chosen = l
		}
	}
	length := len(a.entry.Raw)
	for _, p := range a.entry.Parts {
		if p.FileName == "" { // samples name files only
			length += len(p.Data)
		}
	}
	if length > mostSample || indentedLength(a.entry.Raw) > mostCode {
		s.Problem = tooLong
		return s
	}
	a.entry.Credentials = nil
	call, err := console.Build(t.e, h.base(t, a.entry.Server), a.entry)
	if err != nil {
		s.Problem = "The sample appears when the fields are complete."
		return s
	}
	text := call.Sample(t.e, a.language, a.entry.Parts)
	if len(text) > mostCode {
		s.Problem = tooLong
		return s
	}
	s.Code = ui.Code{Title: chosen.Title, Language: chosen.Syntax, Text: text}
	return s
}

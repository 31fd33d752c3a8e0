package portal

import (
	"strings"

	"heliograph/app/spec"
)

// endpointText is the reference of an endpoint as Markdown: its page, with the
// first example of each body.
func endpointText(s site, at place, e *spec.Endpoint, c choice) string {
	w := newWriter(e.Name, at.name()+" · "+e.Category, s.url+at.endpoint(e))
	w.notice(at, e)
	if e.Deprecated {
		w.block("**Deprecated.**")
	}
	path := ""
	for _, part := range e.PathParts {
		path += part.Text
	}
	w.block("`%s %s`", e.Method, s.base(e, c.server)+path)
	w.block("%s", demote(e.Purpose, 2))
	w.auth(e.Auth)
	for _, g := range e.Parameters {
		w.block("## %s", places[g.In])
		w.fields(g.Fields)
	}
	for i, b := range e.Bodies {
		if i == 0 {
			w.block("## Body%s", map[bool]string{true: " (required)"}[b.Required])
			w.block("%s", demote(b.Description, 3))
		}
		w.body(b)
	}
	sample := s.sample(e, c, 0)
	w.block("## Example in %s", sample.Title)
	w.code(sample.Language, sample.Text)
	w.block("## Responses")
	for _, r := range e.Responses {
		w.response(at, r)
	}
	return w.String()
}

func (w *writer) auth(alternatives [][]spec.AuthScheme) {
	w.block("## Authentication")
	schemes := newAuth(alternatives)
	if len(schemes) == 0 {
		w.block("None. Anyone can call it.")
	}
	for i, a := range schemes {
		line := a.Name
		switch {
		case a.Joined:
			line = "and " + line
		case i > 0:
			line = "or " + line
		}
		if a.Sends != "" {
			line += ": `" + a.Sends + "`"
		}
		if len(a.Scopes) > 0 {
			line += ", needs `" + strings.Join(a.Scopes, "`, `") + "`"
		}
		w.WriteString("- " + line + "\n")
	}
	w.WriteString("\n")
}

func (w *writer) body(b spec.Body) {
	w.block("`%s`", b.ContentType)
	if b.Root != nil {
		w.whole(b.Root)
	}
}

func (w *writer) response(at place, r spec.Response) {
	w.block("### %s %s", r.Status, r.Title)
	w.block("%s", demote(r.Description, 4))
	if !strings.HasPrefix(r.Status, "2") {
		for _, f := range newErrors(at.version, r) {
			line := "- `" + f.Code + "` " + strings.Join(append([]string{f.Cause}, f.Cases...), "; ")
			if f.Remedy != "" {
				line += ". " + f.Remedy
			}
			w.WriteString(line + "\n")
		}
		w.WriteString("\n")
	}
	if len(r.Headers) > 0 {
		w.block("Headers:")
		w.fields(r.Headers)
	}
	for _, b := range r.Bodies {
		w.body(b)
		if len(b.Examples) > 0 {
			w.code(syntax(b.ContentType), b.Examples[0].Value)
		}
	}
}

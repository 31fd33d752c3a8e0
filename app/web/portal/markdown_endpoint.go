package portal

import (
	"strings"

	"heliograph/app/spec/model"
)

// endpointText is the reference of an endpoint or a callback as Markdown: its page, with the
// first example of each body.
func endpointText(s *site, at place, e reference, c choice) string {
	w := newWriter(e.Name, at.name()+" · "+e.Category, s.url+at.endpoint(e.op))
	w.notice(at, e.op)
	if e.Deprecated {
		w.block("**Deprecated.**")
	}
	if e.Callback {
		w.received(s, at, e.Endpoint)
	} else {
		path := ""
		for _, part := range e.PathParts {
			path += part.Text
		}
		w.block("`%s %s`", e.Method, s.base(e.Endpoint, c.server)+path)
	}
	w.block("%s", demote(e.Purpose, 2))
	if !e.Callback {
		w.auth(e.Auth)
	}
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
	if e.Callback {
		w.payloads(e.Endpoint)
		w.block("## Your answer")
	} else {
		sample := s.sample(e.Endpoint, c, 0)
		w.block("## Example in %s", sample.Title)
		w.code(sample.Language, sample.Text)
		w.block("## Responses")
	}
	for _, r := range e.Responses {
		w.response(at, r)
	}
	return w.String()
}

// received says where a callback goes, and where to read how it is received.
func (w *writer) received(s *site, at place, e *model.Endpoint) {
	w.block("`%s` to %s: sent by us, not called by you.", e.Method, receiver)
	if g := at.callbackGuide(); g.Exists() {
		w.block("Guide: [%s](%s)", g.Label, s.url+asText(g.Href))
	}
}

// payloads writes the examples of what a callback carries.
func (w *writer) payloads(e *model.Endpoint) {
	for _, b := range e.Bodies {
		for _, example := range b.Examples {
			w.block("## Example: %s", exampleTitle(example))
			w.code(syntax(b.ContentType), example.Value)
		}
	}
}

func (w *writer) auth(alternatives [][]model.AuthScheme) {
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

func (w *writer) body(b model.Body) {
	w.block("`%s`", b.ContentType)
	if b.Root != nil {
		w.whole(b.Root)
	}
}

func (w *writer) response(at place, r model.Response) {
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

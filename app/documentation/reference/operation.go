package reference

import (
	"context"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/documentation/published"
)

// Choice selects the language of samples and the server that they call, by their
// indexes in [sample.Languages] and in the servers of the endpoint.
type Choice struct{ Language, Server int }

// Operation returns the page of an endpoint or a callback, with the first example
// of each body. [published.IsBroken] holds of the error when it cannot be
// compiled.
func (s Site) Operation(ctx context.Context, at Place, op *published.Operation, c Choice) (string, error) {
	e, err := at.Version.Endpoint(ctx, op)
	if err != nil {
		return "", err
	}
	return s.operation(at, op, e, c), nil
}

// operations returns the pages of all operations of a compiled version.
func (s Site) operations(at Place, api *model.API) (list []string) {
	for _, c := range slices.Concat(api.Categories, api.Callbacks) {
		for _, e := range c.Endpoints {
			if op := at.Version.Operation(e.Slug); op != nil {
				list = append(list, s.operation(at, op, e, Choice{}))
			}
		}
	}
	return list
}

// operation returns the page of a compiled endpoint or callback.
func (s Site) operation(at Place, op *published.Operation, e *model.Endpoint, c Choice) string {
	var page strings.Builder
	for _, section := range s.sections(at, op, e, c) {
		page.WriteString(section.Text)
	}
	return page.String()
}

// Section is a part of the page of an operation.
type Section struct {
	Name string // one of SectionNames, empty for what comes first
	Text string // Markdown
}

// SectionNames lists the sections of an operation's page, in their order.
var SectionNames = []string{"parameters", "request", "code", "responses"}

// Sections returns the page of an endpoint or a callback in parts, with its
// compiled form. Together the parts are what [Site.Operation] returns.
func (s Site) Sections(ctx context.Context, at Place, op *published.Operation, c Choice) ([]Section, *model.Endpoint, error) {
	e, err := at.Version.Endpoint(ctx, op)
	if err != nil {
		return nil, nil, err
	}
	return s.sections(at, op, e, c), e, nil
}

func (s Site) sections(at Place, op *published.Operation, e *model.Endpoint, c Choice) []Section {
	var list []Section
	w := s.newWriter(e.Name, at.Name()+" · "+e.Category, at.Operation(op))
	end := func(name string) {
		list = append(list, Section{name, w.String()})
		w.Reset()
	}
	w.notice(at, op)
	if !at.Version.Served(op) {
		w.block("**%s.**", NotServed)
	}
	w.head(at, e, c)
	end("")
	for _, g := range e.Parameters {
		w.block("## %s", ParameterTitle(g.In))
		w.fields(g.Fields)
	}
	end("parameters")
	for i, b := range e.Bodies {
		if i == 0 {
			w.block("## Body%s", map[bool]string{true: " (required)"}[b.Required])
			w.block("%s", below(b.Description, 3))
		}
		w.body(b)
	}
	end("request")
	responses := "## Responses"
	if e.Callback {
		w.payloads(e)
		responses = "## Your answer"
	} else {
		w.sample(e, c)
	}
	end("code")
	w.block("%s", responses)
	for _, r := range e.Responses {
		w.response(at.Version, r)
	}
	end("responses")
	return list
}

// head writes what is called, its purpose and its authentication.
func (w *writer) head(at Place, e *model.Endpoint, c Choice) {
	if e.Deprecated {
		w.block("**Deprecated.**")
	}
	if e.Callback {
		w.receiver(at, e)
	} else {
		path := ""
		for _, part := range e.PathParts {
			path += part.Text
		}
		w.block("`%s %s`", e.Method, w.site.Base(e, c.Server)+path)
		w.block("Mock: `%s %s`", e.Method, w.site.URL+at.MockPath()+path)
		if e.Unchecked {
			w.block("Validation is off for a schema of this endpoint, because it cannot be checked with bounded effort. The mock server accepts any value there.")
		}
		w.block("Client libraries: [this call in each language](%s)", w.site.textURL(at.CallPath(e.Slug)))
	}
	w.block("%s", below(e.Purpose, 2))
	if !e.Callback {
		w.auth(e.Auth)
	}
}

// sample writes a call of the endpoint with its first body.
func (w *writer) sample(e *model.Endpoint, c Choice) {
	l := sample.Languages()[c.Language]
	text, _ := sample.Write(e, w.site.Base(e, c.Server), l.Slug, 0)
	w.block("## Example in %s", l.Name)
	w.code(l.Syntax, text)
}

// receiver writes where a callback is sent, and the guide about receiving it.
func (w *writer) receiver(at Place, e *model.Endpoint) {
	w.block("`%s` to %s: sent by us, not called by you.", e.Method, Receiver)
	if g := at.CallbackGuide(); g != nil {
		w.block("Guide: [%s](%s)", g.Title, w.site.textURL(GuidePath(at.Product, g)))
	}
}

// payloads writes the examples of what a callback carries.
func (w *writer) payloads(e *model.Endpoint) {
	for _, b := range e.Bodies {
		for _, example := range b.Examples {
			w.block("## Example: %s", ExampleTitle(example))
			w.code(Syntax(b.ContentType), example.Value)
		}
	}
}

func (w *writer) auth(alternatives [][]model.AuthScheme) {
	w.block("## Authentication")
	schemes := Schemes(alternatives)
	switch {
	case len(schemes) > 0:
	case alternatives == nil:
		w.block("The documentation does not say yet how calls authenticate.")
	default:
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

func (w *writer) response(v *published.Version, r model.Response) {
	w.block("### %s %s", r.Status, r.Title)
	w.block("%s", below(r.Description, 4))
	if !strings.HasPrefix(r.Status, "2") {
		for _, f := range ErrorCodes(v, r) {
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
			w.code(Syntax(b.ContentType), b.Examples[0].Value)
		}
	}
}

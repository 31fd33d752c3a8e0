package portal

import (
	"cmp"
	"strings"

	"heliograph/app/reference"
	"heliograph/app/spec/markdown"
	"heliograph/app/spec/model"
	"heliograph/app/spec/sample"
	views "heliograph/views/portal"
	"heliograph/views/ui"
)

// newEndpointPage returns the page of an endpoint or a callback, with samples
// in the language that the reader chose.
func newEndpointPage(s *site, at place, e compiledOperation, a asked) views.EndpointPage {
	nearest, lost := findField(anchorsOf(e.Endpoint), a.field, nounOf(e.op))
	fields := 0
	for range e.Fields() {
		fields++
	}
	rows := newRows(at, nearest, fields)
	rows.since = e.past.fields
	endpoint := views.EndpointPage{
		Page:      s.frameOf(at),
		Nav:       newNav(at, e.op),
		Notice:    newNotice(at, e.op),
		Lost:      lost,
		Name:      e.Name,
		Request:   views.RequestLine{Method: e.Method, Path: rows.path(e.PathParts)},
		Published: newPublished(at),
		Since:     views.Since{Since: e.past.since, Changed: e.past.changed},
	}
	endpoint.Path = at.endpoint(e.op)
	lead, rest := behaviour(e.Purpose)
	endpoint.Purpose = at.prose(lead)
	endpoint.Behaviour, endpoint.Topics = at.sections(rest)
	endpoint.Recent = e.recent
	endpoint.Lost.Entry = e.past.entryOf(lost.Field)
	s.addFrame(&endpoint, at, e)
	s.addExports(&endpoint.Page, at, e.op)
	if e.Callback {
		addCallback(&endpoint, at, e)
	} else {
		s.addCall(&endpoint, e.Endpoint, a)
	}
	if !at.version.Served(e.op) {
		endpoint.Unserved = true
		endpoint.Title = e.Name + " (not served yet) – " + at.name()
		endpoint.Badges = append(endpoint.Badges, views.Badge{Tone: ui.Warn, Label: reference.NotServed})
	}
	if e.Deprecated {
		endpoint.Badges = append(endpoint.Badges, views.Badge{Tone: ui.Warn, Label: "Deprecated"})
	}
	if at.version.Label == string(ui.Beta) {
		endpoint.Badges = append(endpoint.Badges, views.Badge{Tone: ui.Info, Label: "Beta"})
	}
	for _, g := range e.Parameters {
		endpoint.ParameterGroups = append(endpoint.ParameterGroups, views.ParameterGroup{
			ID: g.In, Title: reference.ParameterTitle(g.In), Fields: rows.fields(g.Fields, 1),
		})
	}
	if len(e.Bodies) > 0 {
		endpoint.BodyRequired, endpoint.BodyNote = e.Bodies[0].Required, at.prose(e.Bodies[0].Description)
		endpoint.Bodies = rows.bodies("body", e.Bodies)
	}
	endpoint.Responses = rows.responses(e.Responses)
	return endpoint
}

// addCall adds servers, authentication and samples to the page of an endpoint.
func (s *site) addCall(endpoint *views.EndpointPage, e *model.Endpoint, a asked) {
	endpoint.Request.Server = s.texts.Base(e, a.server)
	endpoint.Servers = a.serverLinks(e.Servers)
	endpoint.Auth = newAuth(e.Auth)
	endpoint.Languages = a.languageLinks(e.Servers)
	endpoint.Samples = s.samples(e, a.choice)
	addExamples(&endpoint.Nav, endpoint.Samples)
	endpoint.Samples = append(endpoint.Samples, s.causes(e, a.choice)...)
	endpoint.Repeating = newRepeating(e)
}

// newRepeating finds the headers that matter for retries: Idempotency-Key of
// requests, and Retry-After of error responses.
func newRepeating(e *model.Endpoint) (r views.Repeating) {
	for _, g := range e.Parameters {
		for _, f := range g.Fields {
			if g.In == "header" && strings.EqualFold(f.Name, "Idempotency-Key") {
				r.Key = ui.Link{Label: f.Name, Href: f.Path}
			}
		}
	}
	for _, answer := range e.Responses {
		for _, h := range answer.Headers {
			if strings.HasPrefix(answer.Status, "4") && strings.EqualFold(h.Name, "Retry-After") {
				r.Waits = append(r.Waits, ui.Link{Label: answer.Status, Href: h.Path})
			}
		}
	}
	return r
}

// addFrame adds title, addresses, breadcrumbs and neighbours to the page.
func (s *site) addFrame(endpoint *views.EndpointPage, at place, e compiledOperation) {
	endpoint.HasNav = true
	endpoint.Title = e.Name + " – " + at.name()
	endpoint.Description = markdown.Summary(e.Purpose)
	if endpoint.Description == "" {
		endpoint.Description = e.Name + ": " + reference.OperationLine(e.op) + " of " + at.name() + "."
	}
	endpoint.Text, endpoint.Address = reference.TextPath(at.endpoint(e.op)), s.url+at.endpoint(e.op)
	endpoint.Canonical = s.canonical(at.product, at.home(e.op).reference().Nearest(e.op))

	endpoint.Crumbs = append(crumbs(at.product), ui.Link{Label: at.version.Slug, Href: at.path()})
	for _, c := range at.version.Groups() {
		if c.Name == e.Category {
			endpoint.Crumbs = append(endpoint.Crumbs, ui.Link{Label: c.Name, Href: at.category(c)})
		}
	}
	endpoint.Crumbs = append(endpoint.Crumbs, ui.Link{Label: e.Name, Current: true})

	previous, next := at.version.Neighbours(e.op)
	endpoint.Previous = ui.Link{Label: "Overview", Href: at.path()}
	if previous != nil {
		endpoint.Previous = ui.Link{Label: previous.Name, Href: at.endpoint(previous)}
	}
	if next != nil {
		endpoint.Next = ui.Link{Label: next.Name, Href: at.endpoint(next)}
	}
}

// samples writes a call for each example of the body, or one call without a
// body.
func (s *site) samples(e *model.Endpoint, c choice) []views.Sample {
	var list []views.Sample
	for i, body := range sample.Choices(e) {
		label := cmp.Or(body.ContentType, e.Name)
		if body.Example.Value != "" {
			label = reference.ExampleTitle(body.Example)
		}
		code := s.sample(e, c, i)
		list = append(list, views.Sample{Label: label, Code: code, Replace: replacements(e, code.Text), Example: body.Example.Name, With: companions(e, body)})
	}
	return list
}

// causes writes a call for each example of an error whose request the document
// names. Their placeholders are those of the other calls.
func (s *site) causes(e *model.Endpoint, c choice) (list []views.Sample) {
	l := languages[c.language]
	for _, r := range e.Responses {
		for i, x := range examplesOf(r) {
			if text, ok := sample.WriteCause(e, s.texts.Base(e, c.server), l.Slug, x.Cause); ok {
				list = append(list, views.Sample{
					Label: r.Status + " · " + reference.ExampleTitle(x), Code: ui.Code{Title: l.Title, Language: l.Syntax, Text: text},
					Example: x.Name, Status: r.Status, With: []string{panelOf(r, i)},
				})
			}
		}
	}
	return list
}

// sample writes the call that sends one of the bodies of an endpoint.
func (s *site) sample(e *model.Endpoint, c choice, body int) ui.Code {
	l := languages[c.language]
	text, _ := sample.Write(e, s.texts.Base(e, c.server), l.Slug, body)
	return ui.Code{Title: l.Title, Language: l.Syntax, Text: text}
}

package reader

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"heliograph/app/documentation/card"
	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/web/page"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// Operation is the address of an endpoint or a callback.
var Operation = Address{path: "/docs/:product/:version/:endpoint", find: func(s *site, in parameters) source {
	at, ok := findVersion(s, in)
	if !ok {
		return nil
	}
	return s.operations[at.version][in.Param("endpoint")]
}}

type operationSource struct {
	place
	operation *published.Operation
}

// operationsOf returns the endpoints and callbacks of a version by their slugs.
func operationsOf(at place) map[string]source {
	all := at.version.Operations()
	bySlug := make(map[string]source, len(all))
	for _, op := range all {
		bySlug[op.Slug] = operationSource{at, op}
	}
	return bySlug
}

// Readers receive a callback, so that it has no sample of a call.
func (src operationSource) samples(bool) ([]model.Server, bool) {
	return src.version.ServersOf(src.operation), !src.operation.Callback
}

// read compiles the operation if the address names a call, a status or a field.
func (src operationSource) read(r *http.Request, query url.Values, a asked) (asked, error) {
	a.field = fieldIn(query)
	if query.Get(exampleName)+query.Get(statusName)+a.field == "" {
		return a, nil
	}
	e, err := src.version.Endpoint(r.Context(), src.operation)
	if err != nil {
		return a, err
	}
	x := newExchange(e)
	a.call, a.answer = x.find(query.Get(exampleName), query.Get(statusName), a.field)
	return a, nil
}

func (src operationSource) view(ctx context.Context, s *site, a asked) (page.View, error) {
	e, err := src.compile(ctx, src.operation)
	if err != nil {
		return page.View{}, err
	}
	endpoint := newEndpointPage(s, src.place, e, a)
	return page.View{Frame: endpoint.Page, Body: views.Endpoint(endpoint)}, nil
}

func (src operationSource) markdown(ctx context.Context, s *site, c choice) (string, error) {
	return s.texts.Operation(ctx, src.reference(), src.operation, reference.Choice{Language: c.language, Server: c.server})
}

func (src operationSource) draw(shown *card.Card) {
	shown.Method, shown.Path = src.operation.Method, src.operation.Path
}

// compiledOperation is a compiled operation with its entry of the index.
type compiledOperation struct {
	*model.Endpoint
	op     *published.Operation
	past   past
	recent []views.RecentChange
}

func (at place) compile(ctx context.Context, op *published.Operation) (compiledOperation, error) {
	e, err := at.version.Endpoint(ctx, op)
	if err != nil {
		return compiledOperation{}, err
	}
	return compiledOperation{e, op, pastOf(ctx, at, op), at.recent(ctx, op)}, nil
}

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
	x := newExchange(e.Endpoint)
	rows.hrefs, rows.open = x.panels(a.choice)
	endpoint := views.EndpointPage{
		Page:      s.frameOf(at),
		Nav:       newNav(at, e.op, a.filter),
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
	endpoint.Behaviour, endpoint.Topics = sectionsOf(at, rest)
	endpoint.Recent = e.recent
	endpoint.Lost.Entry = e.past.entryOf(lost.Field)
	addFrame(s, &endpoint, at, e)
	s.addExports(&endpoint.Page, at, e.op)
	if e.Callback {
		addCallback(&endpoint, at)
	} else {
		addExample(s, &endpoint, at, e.Endpoint, x, a.choice)
	}
	addExchange(s, &endpoint, e.Endpoint, x, a.choice)
	endpoint.Sample.Simulator = simulatorLink(at.product.Slug, e.op, x, a.choice)
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
	endpoint.Open = rows.open
	if a.region != ui.Samples {
		addFields(&endpoint, rows, e)
	}
	return endpoint
}

// addFields adds parameters, body and responses. They are most of the work, and
// the samples alone do without them.
func addFields(endpoint *views.EndpointPage, rows *rows, e compiledOperation) {
	for _, g := range e.Parameters {
		endpoint.ParameterGroups = append(endpoint.ParameterGroups, views.ParameterGroup{
			ID: g.In, Title: reference.ParameterTitle(g.In), Fields: rows.fields(g.Fields, 1),
		})
	}
	if len(e.Bodies) > 0 {
		endpoint.BodyRequired, endpoint.BodyNote = e.Bodies[0].Required, rows.at.prose(e.Bodies[0].Description)
		endpoint.Bodies = rows.bodies("body", e.Bodies)
	}
	endpoint.Responses = rows.responses(e.Responses)
}

// addExample adds servers, authentication and languages of samples to the page of an endpoint.
func addExample(s *site, endpoint *views.EndpointPage, at place, e *model.Endpoint, x exchange, c choice) {
	endpoint.Request.Server = s.texts.Base(e, c.server)
	endpoint.Mock = views.Mock{URL: s.url + at.reference().MockPath() + pathOf(e), Guide: ui.Link{Label: "Mock server", Href: reference.MockGuide}, Unchecked: e.Unchecked}
	keep := queryOf(x.keptBy(c))
	endpoint.Servers = c.serverLinks(e.Servers, keep)
	endpoint.Console = s.newConsole(endpoint.Path)
	endpoint.Auth, endpoint.IsOpen = newEndpointAuth(e), e.Auth != nil
	endpoint.Languages = c.languageLinks(e.Servers, keep)
	endpoint.Repeating = newRepeating(e)
	if language := s.library(at.product.Product, languages[c.language].Slug); language != "" && !s.draft {
		endpoint.Library = ui.Link{Label: "SDK", Href: at.reference().CallPath(e.Slug) + "?" + langName + "=" + language}
		endpoint.Raw = ui.Link{Label: "Request", Href: "?" + c.query(e.Servers) + keep, Current: true}
	}
}

// pathOf returns the path of an endpoint with its placeholders.
func pathOf(e *model.Endpoint) string {
	var path strings.Builder
	for _, part := range e.PathParts {
		path.WriteString(part.Text)
	}
	return path.String()
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
func addFrame(s *site, endpoint *views.EndpointPage, at place, e compiledOperation) {
	endpoint.HasNav, endpoint.First = true, ui.Samples
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

// sampleOf writes the call that sends one of the bodies of an endpoint.
func sampleOf(s *site, e *model.Endpoint, c choice, body int) ui.Code {
	l := languages[c.language]
	text, _ := sample.Write(e, s.texts.Base(e, c.server), l.Slug, body)
	return ui.Code{Title: l.Title, Quiet: l.Title == l.Name, Language: l.Syntax, Text: text}
}

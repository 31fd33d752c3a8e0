package search

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/db/models"
)

// page is the endpoint that rows are made of, and what they share.
type page struct {
	*writer
	endpoint *model.Endpoint
	row      models.SearchRow
	seen     map[string]bool // fields of answers that are there already
}

func (w *writer) endpoint(e *model.Endpoint) {
	v := w.version
	p := &page{writer: w, endpoint: e, seen: map[string]bool{}, row: models.SearchRow{
		ItemID: v.Items[e.Slug], Method: e.Method, Path: e.Path, URL: w.url + "/" + e.Slug,
		Breadcrumb: w.crumbs(e.Category, e.Name), Deprecated: e.Deprecated || v.deprecated(),
	}}
	if e.Callback {
		p.row.Method, p.row.Path = "", "" // nobody calls it
	}
	intro, titles := w.described(p.row, e.Purpose)
	row := p.row
	row.Kind, row.Title, row.Breadcrumb, row.Weight = "endpoint", e.Name, w.crumbs(e.Category), endpointWeight
	row.Body, row.Shape, row.Context = w.text(intro), shape(row.Path), indexed(titles...)
	row.Names, row.Alias = indexed(e.Name, e.ID), squeeze(e.ID)
	row.Others = indexed(append(takes(e), row.Path, e.Category, e.Slug)...)
	row.SearchedAs = v.SearchedAs[e.Slug]
	if e.Callback {
		row.Weight = callbackWeight
		row.Context += " " + indexed(sentWords...)
	}
	names, texts := w.fieldTexts(e)
	method := ""
	if row.Method != "" {
		method = indexed(row.Method, "request")
	}
	row.Page = &models.SearchPage{
		Headings: strings.Join([]string{method, row.Others, row.Context, indexed(row.SearchedAs...)}, " "),
		Text:     indexed(append(names, w.text(e.Purpose), v.Product.Name, v.Product.Slug)...), Fields: cut(indexed(texts...), maxFields),
	}
	w.add(row)

	for _, g := range e.Parameters {
		for _, f := range g.Fields {
			p.field(f, field{place: places[g.In], weight: inputWeight})
		}
	}
	weight := bodyWeight
	if e.Callback {
		weight = answerWeight // it is read, not written
	}
	for _, b := range e.Bodies {
		if b.Root != nil {
			p.fields(b.Root, field{place: "Body", weight: weight})
		}
		p.examples(b.Examples, "#body", "Body")
	}
	for _, r := range e.Responses {
		p.response(r)
	}
	w.table(e.Slug, p.row, e.Purpose)
	if e.Callback {
		w.schemas.sent(p)
		return
	}
	w.schemas.collect(operation(v.Operations, e.Slug), p)
}

// maxFields is the maximum size of the words of a page's fields in bytes.
const maxFields = 24000

// fieldTexts returns the names of what an endpoint is given, and the names and
// descriptions of that and of what it answers.
func (w *writer) fieldTexts(e *model.Endpoint) (names, texts []string) {
	seen := map[string]bool{}
	given := true
	var add func(f *model.Field)
	add = func(f *model.Field) {
		text := strings.Join(append([]string{f.Name, w.text(f.Description)}, f.Enum...), " ")
		if !seen[text] {
			seen[text] = true
			texts = append(texts, text)
			if given {
				names = append(names, f.Name)
			}
		}
		for _, child := range f.Children {
			add(child)
		}
		for _, v := range f.Variants {
			if v.Field != nil {
				add(v.Field)
			}
		}
	}
	addBodies := func(bodies []model.Body) {
		for _, b := range bodies {
			if b.Root != nil {
				add(b.Root)
			}
		}
	}
	for _, g := range e.Parameters {
		for _, f := range g.Fields {
			add(f)
		}
	}
	addBodies(e.Bodies)
	given = false
	for _, r := range e.Responses {
		if strings.HasPrefix(r.Status, "2") {
			addBodies(r.Bodies)
		}
	}
	return names, texts
}

// sentWords are what callbacks are called, whatever their documents say.
var sentWords = []string{"callback", "webhook", "event", "payload", "notification"}

// takes names what an endpoint can be given: the variants of its body, and the
// examples of it. Sending a message is sending an image too.
func takes(e *model.Endpoint) (names []string) {
	for _, b := range e.Bodies {
		if b.Root != nil {
			for _, v := range b.Root.Variants {
				names = append(names, v.Name)
			}
		}
		for _, example := range b.Examples {
			if !example.Generated {
				names = append(names, cmp.Or(example.Summary, example.Name))
			}
		}
	}
	return names
}

func operation(list []openapi.Operation, slug string) []byte {
	for _, o := range list {
		if o.Slug == slug {
			return o.Raw
		}
	}
	return nil
}

var places = map[string]string{"path": "Path", "query": "Query", "header": "Headers", "cookie": "Cookies"}

// field is where a field stands and what it is worth there.
type field struct {
	place  string // Body, Query, Response 200
	prefix string // of the dotted name
	weight float64
	depth  int
	shared bool // one row will do for all endpoints that have it
}

// credentials makes a row of each field that a credential goes into, and of the
// place that explains them on the page of the version, unless its description
// has a section of that title.
func (w *writer) credentials(place models.SearchRow, titles []string) {
	place.URL += "#authentication"
	seen := map[string]bool{}
	var bodies []string
	for _, category := range w.version.API.Categories {
		for _, e := range category.Endpoints {
			for _, alternative := range e.Auth {
				for _, a := range alternative {
					if a.Field == "" || seen[a.Name] {
						continue
					}
					seen[a.Name] = true
					row := place
					row.Kind, row.Title, row.Weight, row.Breadcrumb = "field", a.Field, inputWeight, w.crumbs("Authentication")
					row.Body, row.Names, row.Others = w.text(a.Description), indexed(a.Field), indexed("authentication", a.Name, a.Kind)
					w.add(row)
					bodies = append(bodies, a.Field+": "+row.Body)
				}
			}
		}
	}
	if len(bodies) > 0 && !slices.Contains(titles, "Authentication") {
		row := place
		row.Kind, row.Title, row.Weight = "guide", "Authentication", sectionWeight
		row.Names, row.Body = indexed(row.Title), strings.Join(bodies, " ")
		w.add(row)
	}
}

func (p *page) response(r model.Response) {
	place, weight := "Response "+r.Status, answerWeight
	if !strings.HasPrefix(r.Status, "2") {
		weight = faultWeight
	}
	for _, f := range r.Headers {
		p.field(f, field{place: place, weight: weight, shared: true})
	}
	for _, b := range r.Bodies {
		if b.Root != nil {
			p.fields(b.Root, field{place: place, weight: weight, shared: weight == faultWeight})
		}
		p.examples(b.Examples, "#response-"+strings.ToLower(r.Status), place)
		if weight == faultWeight {
			p.failures(r, b.Examples)
		}
	}
}

// fields makes rows of the members of a field, and of its variants.
func (p *page) fields(f *model.Field, at field) {
	for _, child := range f.Children {
		p.field(child, at)
	}
	for _, v := range f.Variants {
		if v.Field != nil {
			p.fields(v.Field, at)
		}
	}
}

// field makes a row of a field and of all below it.
func (p *page) field(f *model.Field, at field) {
	title := at.prefix + f.Name
	at.prefix = title + "."
	text := strings.Join(append([]string{p.text(f.Description)}, f.Enum...), " ")
	if p.repeats(title, text, at) {
		at.depth++
		p.fields(f, at)
		return
	}
	row := p.row
	row.Kind, row.Title, row.URL = "field", title, row.URL+"#"+f.Path
	row.Breadcrumb = p.crumbs(p.endpoint.Category, p.endpoint.Name, at.place)
	row.Body = p.text(f.Description)
	if len(f.Constraints) > 0 {
		row.Body = sentence(row.Body, strings.Join(f.Constraints, ", "))
	}
	if len(f.Enum) > 0 {
		row.Body = sentence(row.Body, "One of "+strings.Join(f.Enum, ", "))
	}
	row.Names, row.Alias, row.Others = indexed(title), squeeze(title), indexed(f.Enum...)
	row.Weight = float32(at.weight * math.Pow(deeper, float64(at.depth)))
	row.Deprecated = row.Deprecated || f.Deprecated
	p.add(row)
	at.depth++
	p.fields(f, at)
}

// repeats reports whether a field is there already: variants of a body and
// answers of an endpoint share fields, and faults look alike everywhere.
func (p *page) repeats(title, text string, at field) bool {
	seen, name := p.seen, title+" "+text
	switch {
	case at.shared:
		seen = p.shared
	case at.weight != answerWeight:
		name = at.place + " " + name // variants of a body share fields
	}
	if seen[name] {
		return true
	}
	seen[name] = true
	return false
}

// sentence adds what is not a sentence yet to a text.
func sentence(text, more string) string {
	if text != "" && !strings.HasSuffix(text, ".") {
		text += "."
	}
	return strings.TrimSpace(text + " " + strings.ToUpper(more[:1]) + more[1:] + ".")
}

// examples makes rows of the examples that the document names.
func (p *page) examples(list []model.Example, anchor, place string) {
	for _, example := range list {
		title := cmp.Or(example.Summary, example.Name)
		if example.Generated || title == "" || p.shared["example "+title+example.Value] {
			continue
		}
		p.shared["example "+title+example.Value] = true
		row := p.row
		row.Kind, row.Title, row.Weight, row.URL = "example", title, exampleWeight, row.URL+anchor
		row.Breadcrumb = p.crumbs(p.endpoint.Category, p.endpoint.Name, place)
		row.Body = strings.Join(strings.Fields(example.Value), " ")
		row.Names = indexed(title)
		p.add(row)
	}
}

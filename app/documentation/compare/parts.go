package compare

import (
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/naming"
)

// security compares the ways to authenticate.
func (p *operations) security() {
	if p.callback {
		return
	}
	b, _ := p.before.Security()
	a, _ := p.after.Security()
	open := func(list []graph.Requirement) bool {
		return len(list) == 0 || slices.ContainsFunc(list, func(r graph.Requirement) bool { return len(r.Schemes) == 0 })
	}
	switch {
	case open(b) && !open(a):
		p.add("security-required", "", request, delta{"", ways(a)})
	case !open(b) && open(a):
		p.add("security-lifted", "", request, delta{ways(b), ""})
	}
	if open(b) != open(a) {
		return
	}
	old := map[string]graph.Requirement{}
	for _, r := range b {
		old[way(r)] = r
	}
	for _, r := range a {
		was, ok := old[way(r)]
		if !ok {
			p.add("security-added", "", request, delta{"", way(r)})
			continue
		}
		delete(old, way(r))
		for i, s := range r.Schemes {
			p.scheme(was.Schemes[i], s)
		}
	}
	for _, r := range b {
		if _, gone := old[way(r)]; gone {
			p.add("security-removed", "", request, delta{way(r), ""})
		}
	}
}

// way names the schemes of a requirement.
func way(r graph.Requirement) string {
	slices.SortFunc(r.Schemes, func(a, b graph.Needed) int { return strings.Compare(a.Name, b.Name) })
	var names []string
	for _, s := range r.Schemes {
		names = append(names, s.Name)
	}
	return strings.Join(names, " and ")
}

func ways(list []graph.Requirement) string {
	var all []string
	for _, r := range list {
		if text := way(r); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, ", ")
}

func (p *operations) scheme(b, a graph.Needed) {
	for _, scope := range a.Scopes {
		if !slices.Contains(b.Scopes, scope) {
			p.add("scope-added", "", request, delta{"", scope})
		}
	}
	for _, scope := range b.Scopes {
		if !slices.Contains(a.Scopes, scope) {
			p.add("scope-removed", "", request, delta{scope, ""})
		}
	}
	before, after := schemeText(b.Scheme), schemeText(a.Scheme)
	if before != after {
		p.add("security-changed", "", request, delta{before, after})
	}
	p.text("", b.Scheme.Description(), a.Scheme.Description())
	isTold := before != after || b.Scheme.Description() != a.Scheme.Description()
	if !isTold && b.Scheme.Exists() && a.Scheme.Exists() && !sameTree(b.Scheme.Node(), a.Scheme.Node()) {
		p.add("detail-changed", "", request, delta{string(b.Scheme.Node().JSON()), string(a.Scheme.Node().JSON())})
	}
}

func schemeText(s graph.SecurityScheme) string {
	return strings.TrimSpace(strings.Join([]string{s.Type(), s.Scheme(), s.In(), s.Field()}, " "))
}

// identity returns the name by which a parameter is found in the other version.
func identity(p graph.Parameter, path string) string {
	switch p.In() {
	case "path":
		for i, name := range parameterName.FindAllString(path, -1) {
			if name == "{"+p.Name()+"}" {
				return "path " + strconv.Itoa(i)
			}
		}
	case "header":
		return "header " + strings.ToLower(p.Name())
	}
	return p.In() + " " + p.Name()
}

func shownName(p graph.Parameter) string {
	if name := p.Extension("x-name"); name != nil {
		return name.Text
	}
	return p.Name()
}

func (p *operations) parameters() {
	old := map[string]graph.Parameter{}
	for _, b := range p.before.Parameters() {
		old[identity(b, p.before.Route)] = b
	}
	for _, a := range p.after.Parameters() {
		id := identity(a, p.after.Route)
		place := a.In() + "." + naming.Anchor(shownName(a))
		b, ok := old[id]
		if !ok {
			kind := "parameter-added"
			if a.Required() {
				kind = "required-parameter"
			}
			p.op.Fields.Added++
			p.add(kind, place, p.sent(), delta{"", typeWords(p.differ.after.flatten(a.Schema().Node()))})
			continue
		}
		delete(old, id)
		p.parameter(place, b, a)
	}
	for _, b := range p.before.Parameters() {
		if _, gone := old[identity(b, p.before.Route)]; gone {
			p.op.Fields.Removed++
			p.add("parameter-removed", b.In()+"."+naming.Anchor(shownName(b)), p.sent(), delta{typeWords(p.differ.before.flatten(b.Schema().Node())), ""})
		}
	}
}

func (p *operations) parameter(place string, b, a graph.Parameter) {
	count := len(p.op.Changes)
	p.required(place, p.sent(), b.Required(), a.Required())
	if before, after := styleText(b), styleText(a); before != after {
		p.add("style-changed", place, p.sent(), delta{before, after})
	}
	if b.Name() != a.Name() || shownName(b) != shownName(a) {
		p.add("detail-changed", place, p.sent(), delta{shownName(b), shownName(a)})
	}
	p.deprecation(place, b.Object, a.Object)
	p.text(place, b.Description(), a.Description())
	p.value(place, p.sent(), b.Schema(), a.Schema())
	p.content(place, p.sent(), b.Content(), a.Content())
	p.examples(place, b.Examples(), a.Examples())
	p.field(place, len(p.op.Changes) > count)
}

// field counts a parameter or a header.
func (p *operations) field(place string, changed bool) {
	if changed {
		p.op.Fields.Changed++
		return
	}
	p.op.Fields.Unchanged++
	p.kept = append(p.kept, keptFields{p.prefix + place, []*step{nil}})
}

func (p *operations) required(place string, dir direction, b, a bool) {
	if b == a {
		return
	}
	kind := "became-required"
	if b {
		kind = "became-optional"
	}
	p.add(kind, place, dir, delta{requiredWord(b), requiredWord(a)})
}

func styleText(p graph.Parameter) string {
	text := p.Style()
	if p.Explode() {
		text += ", exploded"
	}
	if p.AllowReserved() {
		text += ", reserved characters as they are"
	}
	if p.AllowEmpty() {
		text += ", may be empty"
	}
	return text
}

// value compares two schemas, either of which may be missing.
func (p *operations) value(place string, dir direction, b, a graph.Schema) {
	if b.Exists() || a.Exists() {
		p.walk(place, pairKey{p.differ.before.flatten(b.Node()), p.differ.after.flatten(a.Node()), dir})
	}
}

func (p *operations) body() {
	b, a := p.before.Body(), p.after.Body()
	switch {
	case !b.Exists() && !a.Exists():
		return
	case !b.Exists():
		kind := "body-added"
		if a.Required() {
			kind = "required-body"
		}
		p.add(kind, "body", p.sent(), delta{"", mediaNames(a.Content())})
		return
	case !a.Exists():
		p.add("body-removed", "body", p.sent(), delta{mediaNames(b.Content()), ""})
		return
	}
	p.required("body", p.sent(), b.Required(), a.Required())
	p.text("body", b.Description(), a.Description())
	p.content("body", p.sent(), b.Content(), a.Content())
}

func mediaNames(list []graph.Named[graph.MediaType]) string {
	var names []string
	for _, m := range list {
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}

// content compares bodies by content type.
func (p *operations) content(place string, dir direction, before, after []graph.Named[graph.MediaType]) {
	old := map[string]graph.MediaType{}
	for _, m := range before {
		old[m.Name] = m.Value
	}
	for i, m := range after {
		at := mediaPlace(place, m.Name, i)
		b, ok := old[m.Name]
		if !ok {
			p.add("media-added", at, dir, delta{"", m.Name})
			continue
		}
		delete(old, m.Name)
		p.value(at, dir, b.Schema(), m.Value.Schema())
		p.examples(at, b.Examples(), m.Value.Examples())
		if !sameTree(b.Node().Get("encoding"), m.Value.Node().Get("encoding")) {
			p.add("encoding-changed", at, dir, delta{b.Node().Get("encoding").Display(), m.Value.Node().Get("encoding").Display()})
		}
	}
	for i, m := range before {
		if _, gone := old[m.Name]; gone {
			p.add("media-removed", mediaPlace(place, m.Name, i), dir, delta{m.Name, ""})
		}
	}
}

// mediaPlace returns the place of a body. The first content type adds nothing.
func mediaPlace(place, name string, i int) string {
	if i == 0 {
		return place
	}
	return place + "-" + naming.Slug(name)
}

func (p *operations) examples(place string, before, after []graph.Named[graph.Example]) {
	old := map[string]graph.Example{}
	for _, e := range before {
		old[e.Name] = e.Value
	}
	for _, e := range after {
		b, ok := old[e.Name]
		switch {
		case !ok:
			p.add("example-added", place, request, delta{"", exampleText(e.Name, e.Value)})
		case !sameTree(b.Node(), e.Value.Node()):
			p.add("example-changed", place, request, delta{exampleText(e.Name, b), exampleText(e.Name, e.Value)})
		}
		delete(old, e.Name)
	}
	for _, e := range before {
		if b, gone := old[e.Name]; gone {
			p.add("example-removed", place, request, delta{exampleText(e.Name, b), ""})
		}
	}
}

func exampleText(name string, e graph.Example) string {
	text := e.Value().Display()
	if name != "" {
		text = name + ": " + text
	}
	return text
}

package compare

import (
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/lists"
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
	for old, now := range matched(b, a, way) {
		switch {
		case old < 0:
			p.add("security-added", "", request, delta{"", way(a[now])})
		case now < 0:
			p.add("security-removed", "", request, delta{way(b[old]), ""})
		default:
			for i, s := range a[now].Schemes {
				p.scheme(b[old].Schemes[i], s)
			}
		}
	}
}

// way names the schemes of a requirement.
func way(r graph.Requirement) string {
	slices.SortFunc(r.Schemes, func(a, b graph.Needed) int { return strings.Compare(a.Name, b.Name) })
	return strings.Join(lists.Map(r.Schemes, func(s graph.Needed) string { return s.Name }), " and ")
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
	before, after := identified(p.before), identified(p.after)
	for old, now := range matched(before, after, nameOf) {
		switch {
		case old < 0:
			a := after[now].Value
			kind := "parameter-added"
			if a.Required() {
				kind = "required-parameter"
			}
			p.op.Fields.Added++
			p.add(kind, parameterPlace(a), p.sent(), delta{"", typeWords(p.differ.after.flatten(a.Schema().Node()))})
		case now < 0:
			b := before[old].Value
			p.op.Fields.Removed++
			p.add("parameter-removed", parameterPlace(b), p.sent(), delta{typeWords(p.differ.before.flatten(b.Schema().Node())), ""})
		default:
			p.parameter(parameterPlace(after[now].Value), before[old].Value, after[now].Value)
		}
	}
}

// identified returns the parameters of an operation by their identities.
func identified(o graph.Operation) (list []graph.Named[graph.Parameter]) {
	for _, p := range o.Parameters() {
		list = append(list, graph.Named[graph.Parameter]{Name: identity(p, o.Route), Value: p})
	}
	return list
}

func parameterPlace(p graph.Parameter) string { return p.In() + "." + naming.Anchor(shownName(p)) }

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
	p.kept = append(p.kept, keptFields{p.prefix + place, []*hop{nil}})
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
	return strings.Join(lists.Map(list, func(m graph.Named[graph.MediaType]) string { return m.Name }), ", ")
}

// content compares bodies by content type.
func (p *operations) content(place string, dir direction, before, after []graph.Named[graph.MediaType]) {
	for old, now := range matched(before, after, nameOf) {
		switch {
		case old < 0:
			p.add("media-added", mediaPlace(place, after[now].Name, now), dir, delta{"", after[now].Name})
		case now < 0:
			p.add("media-removed", mediaPlace(place, before[old].Name, old), dir, delta{before[old].Name, ""})
		default:
			b, a, at := before[old].Value, after[now].Value, mediaPlace(place, after[now].Name, now)
			p.value(at, dir, b.Schema(), a.Schema())
			p.examples(at, b.Examples(), a.Examples())
			if was, is := b.Node().Get("encoding"), a.Node().Get("encoding"); !sameTree(was, is) {
				p.add("encoding-changed", at, dir, delta{was.Display(), is.Display()})
			}
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
	for old, now := range matched(before, after, nameOf) {
		switch {
		case old < 0:
			p.add("example-added", place, request, delta{"", exampleText(after[now])})
		case now < 0:
			p.add("example-removed", place, request, delta{exampleText(before[old]), ""})
		case !sameTree(before[old].Value.Node(), after[now].Value.Node()):
			p.add("example-changed", place, request, delta{exampleText(before[old]), exampleText(after[now])})
		}
	}
}

func exampleText(e graph.Named[graph.Example]) string {
	text := e.Value.Value().Display()
	if e.Name != "" {
		text = e.Name + ": " + text
	}
	return text
}

package compare

import (
	"strings"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
)

func (p *operations) responses() {
	old := map[string]graph.Response{}
	for _, r := range p.before.Responses() {
		old[r.Name] = r.Value
	}
	for _, r := range p.after.Responses() {
		place := "response-" + strings.ToLower(r.Name)
		b, ok := old[r.Name]
		if !ok {
			p.add("response-added", place, p.received(), delta{"", r.Name})
			continue
		}
		delete(old, r.Name)
		p.text(place, b.Description(), r.Value.Description())
		p.headers(place, b.Headers(), r.Value.Headers())
		p.content(place, p.received(), b.Content(), r.Value.Content())
		if !sameTree(b.Node().Get("links"), r.Value.Node().Get("links")) {
			p.add("link-changed", place, p.received(), delta{b.Node().Get("links").Display(), r.Value.Node().Get("links").Display()})
		}
	}
	for _, r := range p.before.Responses() {
		if _, gone := old[r.Name]; !gone {
			continue
		}
		kind := "error-removed"
		if strings.HasPrefix(r.Name, "2") {
			kind = "response-removed"
		}
		p.add(kind, "response-"+strings.ToLower(r.Name), p.received(), delta{r.Name, ""})
	}
}

func (p *operations) headers(place string, before, after []graph.Named[graph.Header]) {
	old := map[string]graph.Header{}
	for _, h := range before {
		old[strings.ToLower(h.Name)] = h.Value
	}
	for _, h := range after {
		at := place + "-header." + naming.Anchor(h.Name)
		b, ok := old[strings.ToLower(h.Name)]
		if !ok {
			p.op.Fields.Added++
			p.add("header-added", at, p.received(), delta{"", typeWords(p.differ.after.flatten(h.Value.Schema().Node()))})
			continue
		}
		delete(old, strings.ToLower(h.Name))
		count := len(p.op.Changes)
		p.required(at, p.received(), b.Required(), h.Value.Required())
		p.text(at, b.Description(), h.Value.Description())
		p.deprecation(at, b.Object, h.Value.Object)
		p.value(at, p.received(), b.Schema(), h.Value.Schema())
		p.content(at, p.received(), b.Content(), h.Value.Content())
		p.examples(at, b.Examples(), h.Value.Examples())
		if b.Explode() != h.Value.Explode() {
			p.add("style-changed", at, p.received(), delta{explodeWord(b.Node()), explodeWord(h.Value.Node())})
		}
		p.field(at, len(p.op.Changes) > count)
	}
	for _, h := range before {
		b, gone := old[strings.ToLower(h.Name)]
		if !gone {
			continue
		}
		kind := "header-removed"
		if b.Required() {
			kind = "required-header-removed"
		}
		p.op.Fields.Removed++
		p.add(kind, place+"-header."+naming.Anchor(h.Name), p.received(), delta{typeWords(p.differ.before.flatten(b.Schema().Node())), ""})
	}
}

func explodeWord(n *tree.Node) string {
	if n.True("explode") {
		return "exploded"
	}
	return "not exploded"
}

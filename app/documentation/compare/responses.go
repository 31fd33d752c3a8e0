package compare

import (
	"strings"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
)

func (p *operations) responses() {
	before, after := p.before.Responses(), p.after.Responses()
	for old, now := range matched(before, after, nameOf) {
		switch {
		case old < 0:
			p.add("response-added", responsePlace(after[now].Name), p.received(), delta{"", after[now].Name})
		case now < 0:
			kind := "error-removed"
			if strings.HasPrefix(before[old].Name, "2") {
				kind = "response-removed"
			}
			p.add(kind, responsePlace(before[old].Name), p.received(), delta{before[old].Name, ""})
		default:
			b, a, place := before[old].Value, after[now].Value, responsePlace(after[now].Name)
			p.text(place, b.Description(), a.Description())
			p.headers(place, b.Headers(), a.Headers())
			p.content(place, p.received(), b.Content(), a.Content())
			if was, is := b.Node().Get("links"), a.Node().Get("links"); !sameTree(was, is) {
				p.add("link-changed", place, p.received(), delta{was.Display(), is.Display()})
			}
		}
	}
}

func responsePlace(status string) string { return "response-" + strings.ToLower(status) }

func (p *operations) headers(place string, before, after []graph.Named[graph.Header]) {
	place += "-header."
	for old, now := range matched(before, after, func(h graph.Named[graph.Header]) string { return strings.ToLower(h.Name) }) {
		switch {
		case old < 0:
			p.op.Fields.Added++
			p.add("header-added", place+naming.Anchor(after[now].Name), p.received(), delta{"", typeWords(p.differ.after.flatten(after[now].Value.Schema().Node()))})
		case now < 0:
			b, kind := before[old].Value, "header-removed"
			if b.Required() {
				kind = "required-header-removed"
			}
			p.op.Fields.Removed++
			p.add(kind, place+naming.Anchor(before[old].Name), p.received(), delta{typeWords(p.differ.before.flatten(b.Schema().Node())), ""})
		default:
			p.header(place+naming.Anchor(after[now].Name), before[old].Value, after[now].Value)
		}
	}
}

func (p *operations) header(at string, b, a graph.Header) {
	count := len(p.op.Changes)
	p.required(at, p.received(), b.Required(), a.Required())
	p.text(at, b.Description(), a.Description())
	p.deprecation(at, b.Object, a.Object)
	p.value(at, p.received(), b.Schema(), a.Schema())
	p.content(at, p.received(), b.Content(), a.Content())
	p.examples(at, b.Examples(), a.Examples())
	if b.Explode() != a.Explode() {
		p.add("style-changed", at, p.received(), delta{explodeWord(b.Node()), explodeWord(a.Node())})
	}
	p.field(at, len(p.op.Changes) > count)
}

func explodeWord(n *tree.Node) string {
	if n.True("explode") {
		return "exploded"
	}
	return "not exploded"
}

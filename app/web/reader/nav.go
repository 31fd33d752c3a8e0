package reader

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/web/page"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// wholeNav is the number of endpoints up to which every page of a version lists
// all of them. In larger versions the overview lists them, and other pages list
// the category of their endpoint.
const wholeNav = 150

// newNav returns the navigation of a version with the current endpoint marked.
// Without one the overview is marked. A filter leaves the endpoints that match it.
func newNav(at place, current *published.Operation, filter string) views.Nav {
	nav := views.Nav{
		Filter:    filter,
		Product:   ui.Link{Label: at.product.Name, Href: reference.ProductPath(at.product)},
		Icon:      newDrawing(at.product.Icon),
		Version:   at.version.Slug,
		Lifecycle: ui.Lifecycle(at.version.Label),
		Overview:  ui.Link{Label: "Overview", Href: at.path(), Current: current == nil},
	}
	if len(at.version.Faults) > 0 {
		nav.Errors = ui.Link{Label: "Error codes", Href: at.reference().Errors()}
	}
	if len(at.version.Schemas) > 0 {
		nav.Schemas = ui.Link{Label: "Schemas", Href: at.path() + "#schemas"}
	}
	for _, v := range at.product.VisibleVersions() {
		link := views.NavVersion{Link: ui.Link{Label: v.Slug, Href: place{at.product, v}.reference().Nearest(current), Current: v == at.version}}
		if current != nil && v.Twin(current) == nil {
			link.Note = "without this " + nounOf(current) + ": see the comparison"
			link.Href = at.removal(v, current.Slug)
		}
		nav.Versions = append(nav.Versions, link)
	}
	if len(nav.Versions) > 1 {
		nav.Compare = ui.Link{Label: "Compare versions", Href: reference.ComparePath(at.product)}
	}
	if filter != "" {
		nav.Groups = matchingGroups(at, current, filter)
		return nav
	}
	for _, c := range at.version.Groups() {
		group := views.NavGroup{Title: c.Name, Open: current != nil && c.Name == current.Category}
		if current != nil && !group.Open && len(at.version.Operations()) > wholeNav {
			group.All = ui.Link{Label: ui.Counted(len(c.Operations), nounOf(c.Operations[0]), nounOf(c.Operations[0])+"s"), Href: at.category(c)}
			nav.Groups = append(nav.Groups, group)
			continue
		}
		for _, op := range c.Operations {
			link := newNavLink(at, op)
			link.Current = op == current
			group.Links = append(group.Links, link)
		}
		nav.Groups = append(nav.Groups, group)
	}
	return nav
}

// matchingGroups returns the groups, all of them open, of the endpoints that have in name,
// path and method every word of a filter.
func matchingGroups(at place, current *published.Operation, filter string) (groups []views.NavGroup) {
	words := strings.Fields(strings.ToLower(filter))
	for _, c := range at.version.Groups() {
		group := views.NavGroup{Title: c.Name, Open: true}
		for _, op := range c.Operations {
			link := newNavLink(at, op)
			text := strings.ToLower(link.Method + " " + link.Label + " " + link.Path)
			if slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) }) {
				continue
			}
			link.Current = op == current
			group.Links = append(group.Links, link)
		}
		if len(group.Links) > 0 {
			groups = append(groups, group)
		}
	}
	return groups
}

// narrow responds with the groups of the navigation that a filter leaves, without
// the page around them.
func (s *site) narrow(c echo.Context, src source, filter string) error {
	var current *published.Operation
	if endpoint, ok := src.(operationSource); ok {
		current = endpoint.operation
	}
	nav := newNav(src.where(), current, filter)
	left := 0
	for _, g := range nav.Groups {
		left += len(g.Links)
	}
	frame := s.frameOf(src.where())
	if frame.Announcement = "Nothing matches."; left > 0 {
		frame.Announcement = ui.Counted(left, "endpoint", "endpoints")
	}
	c.Response().Header().Set(echo.HeaderCacheControl, page.Revalidate)
	return page.Render(c, http.StatusOK, page.View{Frame: frame, Body: views.NavGroups(nav)})
}

// leastKinds is the number of request examples from which the navigation lists
// them below their endpoint.
const leastKinds = 4

// addExamples lists the request examples of the current endpoint below it.
func addExamples(nav *views.Nav, x exchange) {
	var examples []ui.Link
	for _, c := range x.calls {
		if c.cause == nil && c.code.Text == "" {
			examples = append(examples, ui.Link{Label: c.label, Href: "?" + exampleName + "=" + url.QueryEscape(c.name)})
		}
	}
	if len(examples) < leastKinds {
		return
	}
	for i := range nav.Groups {
		for j := range nav.Groups[i].Links {
			if link := &nav.Groups[i].Links[j]; link.Current {
				link.Examples = examples
			}
		}
	}
}

// incoming is shown in place of the method of a callback, which readers receive.
const incoming = "IN"

func newNavLink(at place, op *published.Operation) views.NavLink {
	link := views.NavLink{Link: ui.Link{Label: op.Name, Href: at.endpoint(op)}, Method: op.Method, Path: op.Path, Deprecated: op.Deprecated, Unserved: !at.version.Served(op)}
	if op.Callback {
		link.Method, link.Path = incoming, ""
	}
	return link
}

func crumbs(p *published.Product) []ui.Link {
	return []ui.Link{{Label: "Products", Href: "/"}, {Label: p.Name, Href: reference.ProductPath(p)}}
}

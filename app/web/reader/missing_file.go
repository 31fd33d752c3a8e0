package reader

import (
	"fmt"
	"strings"

	"heliograph/app/documentation/reference"
	"heliograph/app/fault"
	"heliograph/app/lists"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// missingFile returns the fault for a file that does not exist. It names the
// nearest names that exist. What is not published and what never was are alike.
func missingFile(s *site, n fileName) error {
	p := s.snapshot.Product(n.product)
	if p == nil {
		return notFound(fmt.Sprintf("There is no product %s.", shorten(n.product)), similar(n.product, fileProducts(s)))
	}
	if len(p.VisibleVersions()) == 0 {
		return notFound(p.Name+" has no published documentation yet.", nil)
	}
	if p.Broken(n.version) != nil {
		return fault.New(fault.Unavailable, "Version %s of %s is published, but an error in its content keeps us from showing it.", n.version, p.Slug)
	}
	v := p.Version(n.version)
	if v == nil {
		list := []fault.Near{}
		for _, v := range p.VisibleVersions() {
			list = append(list, fault.Near{Name: v.Slug, URL: place{p, v}.reference().CataloguePath()})
		}
		nearest := similar(n.version, list)
		if len(nearest) == 0 {
			nearest = list[:1] // versions are few: the newest
		}
		return notFound(fmt.Sprintf("There is no version %s of %s.", shorten(n.version), p.Slug), nearest)
	}
	at := reference.Place{Product: p, Version: v}
	var list []fault.Near
	for _, op := range v.Operations() {
		list = append(list, fault.Near{Name: op.Slug, URL: at.ExamplesPath(op)})
	}
	return notFound(fmt.Sprintf("There is no endpoint %s in %s %s.", shorten(n.endpoint), p.Slug, v.Slug), similar(n.endpoint, list))
}

// emptyPart returns the fault for an address that lacks a name.
func emptyPart() error {
	return notFound("This address has an empty part, where the name of a product, a version or an endpoint belongs.", nil)
}

// fileProducts lists the products that the catalogue lists.
func fileProducts(s *site) (list []fault.Near) {
	for _, p := range s.snapshot.Products {
		if v := p.Latest(); v != nil && !p.Hidden && !p.ComingSoon {
			list = append(list, fault.Near{Name: p.Slug, URL: place{p, v}.reference().CataloguePath()})
		}
	}
	return list
}

// notFound returns a NotFound fault with the nearest names.
func notFound(message string, nearest []fault.Near) *fault.Error {
	f := fault.New(fault.NotFound, "%s The list of what is published is at /api/catalog.", message)
	if f.Nearest = nearest; len(nearest) > 0 {
		f.Message = message + " The nearest is " + nearest[0].Name + "."
	}
	return f
}

// similar returns the names that are most similar to the one wanted.
func similar(wanted string, list []fault.Near) (nearest []fault.Near) {
	links := lists.Map(list, func(near fault.Near) views.NavLink {
		return views.NavLink{Link: ui.Link{Label: near.Name, Href: near.URL}}
	})
	for _, link := range nearestOf(wanted, links, func(l views.NavLink) string { return l.Label }) {
		nearest = append(nearest, fault.Near{Name: link.Label, URL: link.Href})
	}
	return nearest
}

// shorten returns the part of a name from an address that a message repeats.
func shorten(name string) string {
	return strings.ToValidUTF8(name[:min(len(name), maxName)], "")
}

// failedFile returns the fault for a file that could not be made.
func failedFile(err error, isBroken bool) error {
	if isBroken {
		return &fault.Error{Kind: fault.Unavailable, Message: "It is published, but an error in its content keeps us from showing it. We have been notified.", Err: err}
	}
	return err
}

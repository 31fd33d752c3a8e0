package reader

import (
	"strings"

	"heliograph/app/documentation/reference"
)

// Address is where a kind of page stands. Each is declared beside its page.
type Address struct {
	// path is a pattern of Echo's router, as in the route table.
	path string
	// find returns the page by the parameters in its path, nil where there is none.
	find func(s *site, in parameters) source
}

// parameters returns the value of a parameter of a path by its name, "" for an unknown one.
// A request of Echo does.
type parameters interface{ Param(name string) string }

// named are the parameters of a path that was not requested.
type named map[string]string

// Param returns the value of a parameter.
func (n named) Param(name string) string { return n[name] }

// trimmed are parameters of which one has another value.
type trimmed struct {
	parameters
	name, value string
}

// Param returns the value of a parameter.
func (t trimmed) Param(name string) string {
	if name == t.name {
		return t.value
	}
	return t.parameters.Param(name)
}

// addresses lists all pages but those that read a query first (compare.go, changelog.go).
var addresses = []Address{Home, Sitemap, Setup, Guides, Guide, Product, Version, Errors, Schema, Operation}

// found is what was found at an address.
type found struct {
	source
	page pageSource // nil for a file
	text bool       // the page as Markdown
}

func newFound(src source, text bool) found {
	page, _ := src.(pageSource)
	return found{src, page, text}
}

// isFile reports whether a file was found. Files have no regions.
func (f found) isFile() bool { return f.text || f.page == nil }

// at finds what a request asks for. The last parameter of a page as Markdown ends in .md,
// unless another page has that name.
func (a Address) at(s *site, in parameters) (found, bool) {
	if src := a.find(s, in); src != nil {
		return newFound(src, false), true
	}
	last := a.path[strings.LastIndexByte(a.path, ':')+1:]
	page, isText := strings.CutSuffix(in.Param(last), reference.TextPath(""))
	if !isText {
		return found{}, false
	}
	src := a.find(s, trimmed{in, last, page})
	return newFound(src, true), src != nil
}

// find finds a page by a path that was not requested: a form, a picture or a redirect
// names it. Every page of the reference and every guide is available as Markdown too,
// unless another page has that address.
func (s *site) find(path string) (found, bool) {
	if src := s.findSource(path); src != nil {
		return newFound(src, false), true
	}
	page, isText := strings.CutSuffix(path, reference.TextPath(""))
	if path == homeTextPath {
		page = Home.path
	}
	if !isText {
		return found{}, false
	}
	f := newFound(s.findSource(page), true)
	return f, f.page != nil
}

func (s *site) findSource(path string) source {
	for _, a := range addresses {
		if in, ok := a.match(path); ok {
			if src := a.find(s, in); src != nil {
				return src
			}
		}
	}
	return nil
}

// match returns the parameters of a path, false if it has another pattern.
func (a Address) match(path string) (named, bool) {
	pattern, parts := strings.Split(a.path, "/"), strings.Split(path, "/")
	if len(pattern) != len(parts) {
		return nil, false
	}
	in := named{}
	for i, part := range pattern {
		if name, isParameter := strings.CutPrefix(part, ":"); isParameter {
			in[name] = parts[i]
		} else if part != parts[i] {
			return nil, false
		}
	}
	return in, true
}

// findVersion returns the version that a path names, false where there is none.
func findVersion(s *site, in parameters) (place, bool) {
	p := s.snapshot.Product(in.Param("product"))
	if p == nil || len(p.VisibleVersions()) == 0 {
		return place{}, false
	}
	v := p.Version(in.Param("version"))
	return place{p, v}, v != nil
}

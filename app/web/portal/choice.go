package portal

import (
	"net/http"
	"net/url"
	"slices"

	"heliograph/app/spec/model"
	"heliograph/app/spec/sample"
	"heliograph/views/ui"
)

// The query parameters, and the cookies of the same names, that say what a
// reader chose. A parameter is for one address and goes first; script keeps the
// cookies, so that pages stay the same for everybody.
const (
	langName   = "lang"
	serverName = "server"
)

// fieldName is the query parameter that names a field to be shown, as in
// ?field=body.to.phone. A fragment says the same, to the browser alone.
const fieldName = "field"

// maxFieldName is the longest name of a field that is looked for, in bytes.
const maxFieldName = 300

var languages = sample.Languages()

// choice is what readers choose for pages with samples: a language and one of
// the page's servers, as indexes.
type choice struct{ language, server int }

// asked is what a request wants of a page.
type asked struct {
	choice
	field string // to be shown, "" for none
}

// read finds what a request asks for: the first where it asks for none, or for
// one that there is not.
func (src source) read(r *http.Request) asked {
	var a asked
	query := url.Values{}
	if r.URL.RawQuery != "" {
		query = r.URL.Query()
	}
	if src.hasFields() {
		a.field = query.Get(fieldName)
		a.field = a.field[:min(len(a.field), maxFieldName)]
	}
	if !src.hasSamples() {
		return a
	}
	a.language = pick(r, query, langName, func(slug string) int {
		return slices.IndexFunc(languages, func(l sample.Language) bool { return l.Slug == slug })
	})
	if servers := src.servers(); len(servers) > 1 {
		a.server = pick(r, query, serverName, func(slug string) int {
			return slices.IndexFunc(servers, func(other model.Server) bool { return other.Slug == slug })
		})
	}
	return a
}

// pick reads one choice by its parameter, then by its cookie. Index is -1 for
// what cannot be chosen.
func pick(r *http.Request, query url.Values, name string, index func(slug string) int) int {
	if i := index(query.Get(name)); i >= 0 {
		return i
	}
	if cookie, err := r.Cookie(name); err == nil {
		return max(0, index(cookie.Value))
	}
	return 0
}

// languageLinks leads to the same page in each language.
func (c choice) languageLinks(servers []model.Server) []ui.Link {
	links := make([]ui.Link, len(languages))
	for i, l := range languages {
		links[i] = ui.Link{Label: l.Name, Href: choice{i, c.server}.query(servers), Current: i == c.language}
	}
	return links
}

// serverLinks leads to the same page for each server; none where there is no
// choice.
func (c choice) serverLinks(servers []model.Server) []ui.Link {
	if len(servers) < 2 {
		return nil
	}
	links := make([]ui.Link, len(servers))
	for i, server := range servers {
		links[i] = ui.Link{Label: server.Description, Href: choice{c.language, i}.query(servers), Current: i == c.server}
		if server.Description == "" {
			links[i].Label = server.URL
		}
	}
	return links
}

// query names the choice in an address, whatever cookies say.
func (c choice) query(servers []model.Server) string {
	query := "?" + langName + "=" + languages[c.language].Slug
	if len(servers) > 1 {
		query += "&" + serverName + "=" + servers[c.server].Slug
	}
	return query
}

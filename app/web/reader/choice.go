package reader

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// The query parameters of a reader's choices, and the cookies of the same
// names. A parameter applies to one address and wins. Script keeps the cookies,
// so that pages are the same for all readers.
const (
	langName   = "lang"
	serverName = "server"
)

// fieldName is the query parameter that names a field to show, as in
// ?field=body.to.phone. A fragment does the same in the browser alone.
const fieldName = "field"

// The query parameters that name a call of an endpoint and a response to it.
const (
	exampleName = "example"
	statusName  = "status"
)

// maxFieldName is the longest accepted name of a field, in bytes.
const maxFieldName = 300

var languages = sample.Languages()

// choice holds a reader's choices for pages with samples: the indexes of a
// language, of one of the page's servers, of a call, and of an answer, from 1;
// answer 0 belongs to the call (exchange.go).
type choice struct{ language, server, call, answer int }

// asked holds the parameters of a request for a page.
type asked struct {
	choice
	sampled bool      // the page has samples
	field   string    // to be shown, "" for none
	filter  string    // of the navigation, "" for none
	find    string    // words that error codes have to have, "" for all
	region  ui.Region // that is rendered alone; empty for the whole page
}

// reading is a page with more in its query than the choices of samples and the filter of
// the navigation. An error means that the page does not compile.
type reading interface {
	read(r *http.Request, query url.Values, a asked) (asked, error)
}

// sampled is a page with code in a language that readers choose: as HTML, as Markdown or
// both. The servers are the ones that its samples call.
type sampled interface {
	samples(text bool) (servers []model.Server, has bool)
}

// hasSamples reports whether the page has code in a language that readers choose.
func (f found) hasSamples() bool {
	_, has := f.samples()
	return has
}

func (f found) samples() ([]model.Server, bool) {
	if src, ok := f.source.(sampled); ok {
		return src.samples(f.text)
	}
	return nil, false
}

// read reads the choices of a request. The first language, server and call are the
// default, also for unknown values.
func (f found) read(r *http.Request) (asked, error) {
	var a asked
	var query url.Values
	if r.URL.RawQuery != "" {
		query = r.URL.Query()
		if narrowing := query[views.FilterName]; f.where().version != nil && !f.text && len(narrowing) > 0 {
			a.filter = words(narrowing[len(narrowing)-1]) // htmx appends what is typed
		}
	}
	if servers, has := f.samples(); has {
		a.sampled = true
		a.language = pick(r, query, langName, func(slug string) int {
			return slices.IndexFunc(languages, func(l sample.Language) bool { return l.Slug == slug })
		})
		if len(servers) > 1 {
			a.server = pick(r, query, serverName, func(slug string) int {
				return slices.IndexFunc(servers, func(other model.Server) bool { return other.Slug == slug })
			})
		}
	}
	if query != nil && !f.text {
		if src, ok := f.source.(reading); ok {
			return src.read(r, query, a)
		}
	}
	return a, nil
}

// words reads what a reader typed to find something, cut to the longest filter.
func words(typed string) string {
	typed = strings.TrimSpace(typed)
	return strings.ToValidUTF8(typed[:min(len(typed), views.MaxFilter)], "")
}

// fieldIn returns the field that a query names, "" for none.
func fieldIn(query url.Values) string {
	field := query.Get(fieldName)
	return field[:min(len(field), maxFieldName)]
}

// pick reads one choice from its parameter, else from its cookie. The function
// index returns -1 for unknown values.
func pick(r *http.Request, query url.Values, name string, index func(slug string) int) int {
	if value := query.Get(name); value != "" {
		if i := index(value); i >= 0 {
			return i
		}
	}
	if cookie, err := r.Cookie(name); err == nil {
		return max(0, index(cookie.Value))
	}
	return 0
}

// languageLinks links to the page in each language. keep is the rest of the query.
func (c choice) languageLinks(servers []model.Server, keep string) []ui.Link {
	links := make([]ui.Link, len(languages))
	for i, l := range languages {
		links[i] = ui.Link{Label: l.Name, Href: "?" + choice{language: i, server: c.server}.query(servers) + keep, Current: i == c.language}
	}
	return links
}

// serverLinks links to the page with each server. It is empty where there is
// only one. keep is the rest of the query.
func (c choice) serverLinks(servers []model.Server, keep string) []ui.Link {
	if len(servers) < 2 {
		return nil
	}
	links := make([]ui.Link, len(servers))
	for i, server := range servers {
		links[i] = ui.Link{Label: server.Description, Href: "?" + choice{language: c.language, server: i}.query(servers) + keep, Current: i == c.server}
		if server.Description == "" {
			links[i].Label = server.URL
		}
	}
	return links
}

// query returns language and server as the query of an address. It applies whatever
// the cookies hold.
func (c choice) query(servers []model.Server) string {
	query := langName + "=" + languages[c.language].Slug
	if len(servers) > 1 {
		query += "&" + serverName + "=" + servers[c.server].Slug
	}
	return query
}

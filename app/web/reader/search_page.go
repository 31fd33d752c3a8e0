package reader

import (
	"net/url"
	"strconv"
	"strings"

	"heliograph/app/documentation/reference"
	"heliograph/app/documentation/search"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// kindWords are the names of the kinds of results, singular and plural.
var kindWords = map[string][2]string{
	"endpoint": {"Endpoint", "Endpoints"}, "field": {"Field", "Fields"}, "schema": {"Schema", "Schemas"},
	"error": {"Error", "Error codes"}, "category": {"Category", "Categories"}, "version": {"Version", "Versions"},
	"product": {"Product", "Products"}, "guide": {"Guide", "Guides"}, "example": {"Example", "Examples"},
}

// newSearchPage returns the page without a query.
func newSearchPage(s *site, q search.Query) views.SearchPage {
	view := views.SearchPage{Page: s.frame(nil), Query: q.Text}
	view.Title, view.Page.Description = "Search", "Find guides, endpoints, fields, schemas and error codes."
	for _, h := range []ui.Link{{Label: "kind", Href: q.Kind}, {Label: "product", Href: q.Product}, {Label: "version", Href: q.Version}, {Label: "method", Href: q.Method}} {
		if h.Href != "" {
			view.Hidden = append(view.Hidden, h)
		}
	}
	if p := s.snapshot.Product(q.Product); p != nil && !p.Hidden {
		view.Title = "Search " + p.Name
	}
	if q.Text == "" {
		view.Canonical, view.Found = s.url+"/search", starters(s)
		return view
	}
	view.Title = "Search for " + q.Text
	view.Filters = filters(s, q)
	return view
}

// filters narrow a query, each by one parameter.
func filters(s *site, q search.Query) []views.SearchFilter {
	kinds, methods := []ui.Link{{Label: "All"}}, []ui.Link{{Label: "Any"}}
	for _, kind := range search.Kinds {
		kinds = append(kinds, ui.Link{Label: kindWords[kind][1], Href: kind})
	}
	for _, method := range search.Methods[:5] {
		methods = append(methods, ui.Link{Label: method, Href: method})
	}
	products, versions := []ui.Link{{Label: "All"}}, []ui.Link{{Label: "All"}}
	for _, p := range s.snapshot.Products {
		if p.Hidden || len(p.VisibleVersions()) == 0 {
			continue
		}
		products = append(products, ui.Link{Label: p.Name, Href: p.Slug})
		for _, v := range p.VisibleVersions() {
			if p.Slug == q.Product {
				versions = append(versions, ui.Link{Label: v.Slug, Href: v.Slug})
			}
		}
	}
	list := []views.SearchFilter{
		{Label: "Kind", Choices: choices(q, kinds, func(q *search.Query, value string) string { old := q.Kind; q.Kind = value; return old })},
		{Label: "Product", Choices: choices(q, products, func(q *search.Query, value string) string {
			old := q.Product
			q.Product, q.Version = value, ""
			return old
		})},
		{Label: "Version", Choices: choices(q, versions, func(q *search.Query, value string) string { old := q.Version; q.Version = value; return old })},
		{Label: "Method", Choices: choices(q, methods, func(q *search.Query, value string) string { old := q.Method; q.Method = value; return old })},
	}
	if len(versions) < 3 {
		list = append(list[:2], list[3])
	}
	return list
}

// choices links to the query with one parameter set to each value. The function
// set returns the previous value.
func choices(q search.Query, values []ui.Link, set func(q *search.Query, value string) string) []ui.Link {
	links := make([]ui.Link, len(values))
	for i, v := range values {
		changed := q
		before := set(&changed, v.Href)
		links[i] = ui.Link{Label: v.Label, Href: searchAddress(changed), Current: before == v.Href}
	}
	return links
}

// searchAddress returns the address of the search page for a query.
func searchAddress(q search.Query) string {
	values := url.Values{}
	for name, value := range map[string]string{"q": q.Text, "kind": q.Kind, "product": q.Product, "version": q.Version, "method": q.Method} {
		if value != "" {
			values.Set(name, value)
		}
	}
	return "/search?" + values.Encode()
}

// starters lists suggestions for a search without a query: the first guides and
// the latest versions.
func starters(s *site) views.SearchResults {
	group := views.SearchGroup{ID: "start", Title: "Start here"}
	for _, p := range s.snapshot.Products {
		if p.Hidden || len(p.VisibleVersions()) == 0 || len(group.Hits) == kindShown {
			continue
		}
		if g := p.OwnGuides(); len(g) > 0 && len(group.Hits) == 0 {
			group.Hits = append(group.Hits, views.SearchHit{
				Href: reference.GuidePath(p, g[0]), Kind: kindWords["guide"][0], Title: []views.TextPart{{Text: g[0].Title}}, Snippet: []views.TextPart{{Text: g[0].Summary}},
			})
		}
		at := place{p, p.Latest()}
		group.Hits = append(group.Hits, views.SearchHit{
			Href: at.path(), Kind: kindWords["version"][0], Title: []views.TextPart{{Text: at.name()}}, Snippet: []views.TextPart{{Text: p.Summary}},
		})
	}
	if len(group.Hits) == 0 {
		return views.SearchResults{Starts: true}
	}
	return views.SearchResults{Starts: true, Groups: []views.SearchGroup{group}}
}

// newSearchResults groups the results: the best ones, then the others by kind.
// Results of one kind are one group.
func newSearchResults(answer search.Answer, q search.Query) views.SearchResults {
	found := views.SearchResults{Status: countResults(answer.Total), Corrected: answer.Corrected}
	if len(answer.Results) == 0 {
		found.Nothing, found.Next = nothing(answer, q)
		if answer.Elsewhere > 0 {
			return found
		}
		found.Ask = ui.Link{Label: "Ask a question", Href: contactPath}
		if len(answer.Nearest) > 0 {
			near := views.SearchGroup{ID: "nearest", Title: "Nearest pages"}
			for _, r := range answer.Nearest {
				near.Hits = append(near.Hits, newSearchHit(r))
			}
			found.Groups = []views.SearchGroup{near}
		}
		return found
	}
	if len(answer.Exact) > 0 {
		exact := views.SearchGroup{ID: "exact", Title: "Just this name, in other products"}
		for _, r := range answer.Exact {
			exact.Hits = append(exact.Hits, newSearchHit(r))
		}
		found.Groups = append(found.Groups, exact)
	}
	if q.Kind != "" {
		all := views.SearchGroup{ID: "results", Title: kindWords[q.Kind][1]}
		for _, r := range answer.Results {
			all.Hits = append(all.Hits, newSearchHit(r))
		}
		found.Groups = append(found.Groups, all)
		return found
	}
	best := views.SearchGroup{ID: "best", Title: "Best matches"}
	for _, r := range answer.Results[:min(bestShown, len(answer.Results))] {
		best.Hits = append(best.Hits, newSearchHit(r))
	}
	found.Groups = append(found.Groups, best)
	for _, kind := range search.Kinds {
		if group := ofKind(answer.Results[len(best.Hits):], kind, q); len(group.Hits) > 0 {
			found.Groups = append(found.Groups, group)
		}
	}
	return found
}

func ofKind(results []search.Result, kind string, q search.Query) views.SearchGroup {
	words := kindWords[kind]
	group := views.SearchGroup{ID: "kind-" + kind, Title: words[1]}
	for _, r := range results {
		if r.Kind != kind {
			continue
		}
		if len(group.Hits) == kindShown {
			q.Kind = kind
			group.More = ui.Link{Label: "More " + strings.ToLower(words[1]), Href: searchAddress(q)}
			break
		}
		group.Hits = append(group.Hits, newSearchHit(r))
	}
	return group
}

func newSearchHit(r search.Result) views.SearchHit {
	hit := views.SearchHit{
		Href: hitHref(r), Kind: kindWords[r.Kind][0], Title: parts(r.Title), Breadcrumb: r.Breadcrumb,
		Snippet: parts(r.Snippet), Twins: twins(r.Twins), Deprecated: r.Deprecated, Unserved: r.Unserved && r.Kind != "version" && r.Kind != "product", Mono: r.Kind == "field" || r.Kind == "schema" || r.Kind == "error",
	}
	if r.Kind == "endpoint" {
		hit.Method, hit.Path = r.Method, r.Path
	}
	if r.Kind == "endpoint" && r.Method == "" {
		hit.Kind = "Callback"
	}
	return hit
}

// hitHref returns the address that a result links to.
func hitHref(r search.Result) string {
	page, anchor, found := strings.Cut(r.URL, "#")
	if r.Kind != "field" || !found {
		return r.URL
	}
	return fieldHref(page, anchor)
}

// twins tells how many other places say the same.
func twins(n int) string {
	if n == 0 {
		return ""
	}
	return "also in " + ui.Counted(n, "other place", "other places")
}

func parts(list []search.Part) []views.TextPart {
	shown := make([]views.TextPart, len(list))
	for i, p := range list {
		shown[i] = views.TextPart(p)
	}
	return shown
}

func countResults(n int) string {
	if n >= search.MaxTotal {
		return strconv.Itoa(search.MaxTotal) + " results or more"
	}
	return ui.Counted(n, "result", "results")
}

// nothing suggests what to try when there are no results.
func nothing(answer search.Answer, q search.Query) (string, ui.Link) {
	if answer.Elsewhere > 0 {
		wider := ui.Link{Label: "Search everything: " + countResults(answer.Elsewhere), Href: searchAddress(search.Query{Text: q.Text})}
		return "No results within these filters.", wider
	}
	try := "Check the spelling, or try a shorter or more common word."
	if q.Kind != "" || q.Product != "" || q.Method != "" {
		try = "No results within these filters, and none without them. " + try
	}
	return try, ui.Link{}
}

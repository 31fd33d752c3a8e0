package views_test

import (
	"heliograph/views/layout"
	"heliograph/views/reader"
	"heliograph/views/ui"
)

// searchPages are the search page with results of each form, with a query that
// cannot be answered, without results, and before anything was asked.
func searchPages() []page {
	rich := reader.SearchPage{
		Page: frame("Search for tempalte"), Query: "tempalte",
		Hidden: []ui.Link{{Label: "product", Href: "messages"}},
		Filters: []reader.SearchFilter{
			{Label: "Kind", Choices: []ui.Link{{Label: "All", Href: "/search?q=tempalte", Current: true}, {Label: "Guides", Href: "/search?q=tempalte&kind=guide"}}},
			{Label: "Method", Choices: []ui.Link{{Label: "Any", Href: "/search?q=tempalte", Current: true}, {Label: "POST", Href: "/search?q=tempalte&method=POST"}}},
		},
		Found: reader.SearchResults{
			Status: "3 results", Corrected: "template",
			Groups: []reader.SearchGroup{{
				ID: "best", Title: "Best matches", More: ui.Link{Label: "More endpoints", Href: "/search?q=template&kind=endpoint"},
				Hits: []reader.SearchHit{
					{Href: "/docs/messages/3.0/create-template", Method: "POST", Path: "/{account}/templates", Title: []reader.TextPart{{Text: "Create a "}, {Text: "template", Marked: true}}, Breadcrumb: []string{"Messages", "3.0"}, Deprecated: true},
					{Href: "/productguide/messages/templates", Kind: "Guide", Title: []reader.TextPart{{Text: "Templates", Marked: true}}, Snippet: []reader.TextPart{{Text: "Write a "}, {Text: "template", Marked: true}}},
					{Href: "/docs/messages/3.0/schemas/TemplateOfAVeryLongNameThatHasToWrapSomewhere", Kind: "Schema", Mono: true, Title: []reader.TextPart{{Text: "TemplateOfAVeryLongNameThatHasToWrapSomewhere"}}},
				},
			}},
		},
	}
	refused := reader.SearchPage{Page: frame("Search"), Query: "a", Problem: "Choose one of the kinds."}
	nothing := reader.SearchPage{Page: frame("Search for zz"), Query: "zz", Found: reader.SearchResults{
		Status: "0 results", Nothing: "No results within these filters.", Next: ui.Link{Label: "Search everything: 2 results", Href: "/search?q=zz"},
	}}
	return []page{
		{"search", rich.Page, reader.Search(rich)},
		{"search-refused", refused.Page, reader.Search(refused)},
		{"search-nothing", nothing.Page, reader.Search(nothing)},
		{"search-empty", layout.Page{}, reader.Search(reader.SearchPage{})},
	}
}

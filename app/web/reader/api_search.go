package reader

import (
	"html"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/search"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	views "heliograph/views/reader"
)

// searchResponse is the response of GET /api/search, as the contract of the
// Portal API documents it.
type searchResponse struct {
	Query      string         `json:"query"`
	Corrected  string         `json:"corrected,omitempty"`
	Total      int            `json:"total"`
	Results    []searchResult `json:"results"`
	Suggestion string         `json:"suggestion,omitempty"`
}

type searchResult struct {
	Kind       string   `json:"kind"`
	Title      string   `json:"title"`
	Breadcrumb []string `json:"breadcrumb"`
	URL        string   `json:"url"`
	Snippet    string   `json:"snippet"`
	Score      float32  `json:"score"`
	Product    string   `json:"product,omitempty"`
	Version    string   `json:"version,omitempty"`
	Method     string   `json:"method,omitempty"`
	Path       string   `json:"path,omitempty"`
	Deprecated bool     `json:"deprecated"`
}

// API handles GET /api/search. Programs receive JSON. Pages receive the options
// of the search dialog; without a query these are suggestions.
func (s *Search) API(c echo.Context) error {
	page.NoStore(c.Response().Header())
	if page.WantsFragment(c) {
		return s.fragment(c)
	}
	q := query(c)
	q.Limit = search.DefaultLimit
	if text := c.QueryParam("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			n = 0 // out of bounds
		}
		q.Limit = n
	}
	answer, err := s.find(c, q)
	if err != nil {
		return err
	}
	return page.JSON(c, http.StatusOK, echo.MIMEApplicationJSON, newSearchResponse(answer))
}

func (s *Search) fragment(c echo.Context) error {
	q := shown(query(c))
	if q.Product == "" {
		q.Version = "" // a choice within the product, hidden without it
	}
	found := starters(s.pages.site())
	if q.Text != "" {
		answer, err := s.find(c, q)
		switch {
		case fault.Is(err, fault.Invalid):
			found = views.SearchResults{Nothing: fault.As(err).Message}
		case err != nil:
			return err
		default:
			found = newSearchResults(answer, q)
			found.Widened = c.QueryParam("widened") != ""
		}
	}
	return page.Fragment(c, http.StatusOK, views.SearchList(found))
}

func newSearchResponse(answer search.Answer) searchResponse {
	response := searchResponse{Query: answer.Query, Corrected: answer.Corrected, Total: answer.Total, Results: []searchResult{}}
	for _, r := range answer.Results {
		response.Results = append(response.Results, searchResult{
			Kind: r.Kind, Title: search.Plain(r.Title), Breadcrumb: r.Breadcrumb, URL: hitHref(r), Snippet: markup(r.Snippet), Score: r.Score,
			Product: r.Product, Version: r.Version, Method: r.Method, Path: r.Path, Deprecated: r.Deprecated,
		})
	}
	switch {
	case len(answer.Results) > 0:
	case answer.Elsewhere > 0:
		response.Suggestion = "Remove the filters: " + countResults(answer.Elsewhere) + " without them."
	default:
		response.Suggestion = "Try a shorter or more common word."
	}
	return response
}

// markup returns a text as HTML. Everything but the marks is escaped.
func markup(parts []search.Part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Marked {
			b.WriteString("<mark>" + html.EscapeString(p.Text) + "</mark>")
		} else {
			b.WriteString(html.EscapeString(p.Text))
		}
	}
	return b.String()
}

// Package search finds things in the published documentation.
//
// Publishing writes a row for everything that readers can search for; Version and
// Product make the rows and Engine.Find queries them. Drafts and other content
// that is not public have no rows.
//
// # Ranking
//
// The score of a row is the quality of its match times the weight of the row.
// The quality is below one. From best to worst: the whole name or path, another
// name such as an operation id, the beginning of a name, words of the name, words
// of the name and its surroundings, the same by synonyms, and words anywhere. The
// weight depends on kind and place: endpoints count more than schemas, schemas
// more than fields, shallow fields more than deep ones, the latest version more
// than older ones, and deprecated things least.
//
// The surroundings of a name are other names of the thing and its place: the
// variants of an endpoint's body, its path and category, the values of a field.
// A search for "send an image" thus finds the endpoint that sends messages. If
// few rows have all words, rows that lack one word follow.
//
// Pages are ranked among them by how much of the query they meet anywhere: a word
// counts by how rare it is and by whether it stands in the title, a heading, the text
// or a field. Guides go before endpoints, the more so for a question. Fields count
// less unless the query is written as one, and so do products other than the one that it
// names. Fields and error codes that say the same in several places of a version are one
// result, and so are a guide and its sections.
//
// Authors say what people who have not read a page search it as. These phrases are
// found like headings of the page, and one that shares much with a query counts like
// part of its title.
//
// Names are searched first. Where eight endpoints and guides have all words in
// their names, only guides are searched as whole pages, and what is around names is
// searched where names and pages are few.
//
// # Misspellings
//
// If a query finds few results and the documentation lacks one of its words, the
// search runs again with the nearest words that it has, if they are alike: they share
// trigrams, as PostgreSQL's pg_trgm counts them, or have the same letters. Words of
// fewer than four letters are not corrected. Answer.Corrected holds the query of the
// results.
package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// Limits of a query and its answer: maxText in characters, the others in results.
// Matches beyond MaxTotal are not counted.
const (
	maxText      = 200
	MaxTotal     = 100
	MaxLimit     = 50
	DefaultLimit = 20
)

// Kinds lists the kinds of results in their order.
var Kinds = []string{"endpoint", "guide", "field", "schema", "error", "category", "version", "product", "example"}

// Methods lists the HTTP methods that filter results.
var Methods = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"}

// Query is a search. An empty filter matches everything; a result matches all
// filters.
type Query struct {
	Text    string // at most maxText characters
	Kind    string // one of Kinds
	Product string // slug
	Version string // slug; requires Product
	Method  string // one of Methods
	Limit   int    // results, at most MaxLimit
	PerKind int    // results of one kind; zero means Limit
}

// Answer holds the results of a search.
type Answer struct {
	Query     string // without extra spaces
	Corrected string // the corrected query of the results; empty if unchanged
	Total     int    // number of matches, at most MaxTotal
	Results   []Result
	// Elsewhere is the number of matches without filters, if there is none with
	// them.
	Elsewhere int
	// Exact are what other products call by just the name that is searched for, where the
	// filtered product has nothing of that name; at most three.
	Exact []Result
	// Nearest are pages to read where nothing is found anywhere; at most three.
	Nearest []Result
}

// Result is one match.
type Result struct {
	Kind       string
	Title      []Part
	Breadcrumb []string // from the product to the parent
	URL        string   // path on the portal, with an anchor if there is one
	Snippet    []Part   // one line around the match; may be empty
	Score      float32  // comparable within one answer
	Product    string
	Version    string // empty for a product
	Method     string // of its endpoint, if any
	Path       string // of its endpoint, if any
	Deprecated bool
	Unserved   bool // nothing serves it yet; set by readers of the answer
	Twins      int  // other places that say the same and are left out
}

// Engine answers searches. Use New to create one.
type Engine struct {
	db      db.Querier
	lexicon *db.Cache[struct{}, *lexicon]
	answers *db.Cache[Query, Answer]
	notes   chan note
}

// New returns an engine. Call it before listener.Run. Searches are recorded only
// while Run runs.
func New(q db.Querier, listener *db.Listener) *Engine {
	return &Engine{
		db:      q,
		lexicon: db.NewCache[struct{}, *lexicon](listener, time.Minute, 1, "search_synonyms", "search_words"),
		answers: db.NewCache[Query, Answer](listener, time.Minute, answerCount, "search_synonyms", "search_words"),
		notes:   make(chan note, noteCount),
	}
}

// answerCount is the number of cached answers. Readers type the same words,
// letter by letter. Answers are kept for a minute at most, or until something is
// published.
const answerCount = 1000

// few is the number of results below which other spellings are tried, and enough
// the number of which no more are looked for around names.
const (
	few    = 3
	enough = 8
)

// named is the lowest score of a result that has all words in its name, unless
// its weight is low.
const named = 0.5

// Find answers a query. The answer is shared and must not be modified. The error
// is an Invalid fault with fields q, kind, product, version, method and limit if
// the query exceeds its limits.
func (e *Engine) Find(ctx context.Context, q Query) (Answer, error) {
	q.Text = strings.Join(strings.Fields(q.Text), " ")
	if err := q.check(); err != nil {
		return Answer{}, err
	}
	answer, err := e.answers.Get(ctx, q, e.find)
	if err != nil {
		return Answer{}, fmt.Errorf("searching: %w", err)
	}
	e.note(utf8.RuneCountInString(q.Text), answer.Total)
	return answer, nil
}

func (e *Engine) find(ctx context.Context, q Query) (Answer, error) {
	known, err := e.lexicon.Get(ctx, struct{}{}, e.loadLexicon)
	if err != nil {
		return Answer{}, err
	}
	s := &session{engine: e, query: q, lexicon: known, parsed: parse(q.Text, q.Method == "")}
	answer := Answer{Query: q.Text}
	found, err := s.findWritten(ctx)
	if err == nil && found.total() < few {
		found, answer.Corrected, err = s.corrected(ctx, found)
	}
	if err == nil && found.total() < few && (len(found.rows) == 0 || found.rows[0].Score < named) {
		found.rows, err = s.partial(ctx, found.rows)
	}
	if err != nil {
		return Answer{}, err
	}
	results := s.merge(found)
	if err := queries.SearchRowFill(ctx, e.db, results); err != nil {
		return Answer{}, err
	}
	answer.Total, answer.Results = total(results), s.results(results)
	if len(results) == 0 && (q.Kind != "" || q.Product != "" || q.Method != "") {
		wider, err := e.find(ctx, Query{Text: q.Text, Limit: 1})
		if err != nil {
			return Answer{}, err
		}
		answer.Elsewhere = wider.Total
	}
	if len(results) > 0 && q.Product != "" && !strings.Contains(q.Text, " ") && !slices.ContainsFunc(answer.Results, q.isName) {
		wider, err := e.find(ctx, Query{Text: q.Text, Kind: q.Kind, Method: q.Method, Limit: mostExact})
		if err != nil {
			return Answer{}, err
		}
		for _, r := range wider.Results {
			if q.isName(r) {
				answer.Exact = append(answer.Exact, r)
			}
		}
	}
	if answer.Total+answer.Elsewhere == 0 {
		near, err := s.nearest(ctx)
		if err != nil {
			return Answer{}, err
		}
		answer.Nearest = s.results(near)
	}
	return answer, nil
}

// mostExact is how many exact names of other products are offered.
const mostExact = 3

// isName reports whether a query is the whole name of a result.
func (q Query) isName(r Result) bool {
	name := ""
	for _, part := range r.Title {
		name += part.Text
	}
	return strings.EqualFold(name, q.Text)
}

func total(results []models.SearchResult) int {
	if len(results) == 0 {
		return 0
	}
	return results[0].Total
}

func (q *Query) check() error {
	var wrong fault.Fields
	add := func(bad bool, name, message string) {
		wrong.AddIf(bad, name, message)
	}
	n := utf8.RuneCountInString(q.Text)
	add(n == 0, "q", "Enter a search text in q.")
	add(n > maxText, "q", fmt.Sprintf("Shorten q to %d characters.", maxText))
	add(strings.ContainsRune(q.Text, 0) || !utf8.ValidString(q.Text), "q", "Send q as UTF-8 text.")
	add(q.Kind != "" && !slices.Contains(Kinds, q.Kind), "kind", "Set kind to one of "+strings.Join(Kinds, ", ")+".")
	add(q.Version != "" && q.Product == "", "version", "Set product as well. A version belongs to a product.")
	add(q.Method != "" && !slices.Contains(Methods, q.Method), "method", "Set method to one of "+strings.Join(Methods, ", ")+".")
	add(q.Limit < 1 || q.Limit > MaxLimit, "limit", fmt.Sprintf("Set limit to a whole number from 1 to %d.", MaxLimit))
	add(!isSlug(q.Product), "product", "Set product to the slug of a product, as in its address.")
	add(!isSlug(q.Version), "version", "Set version to the name of a version, as in its address.")
	if err := wrong.Err(); err != nil {
		return err
	}
	q.PerKind = cmp.Or(q.PerKind, q.Limit)
	return nil
}

// isSlug reports whether text is empty or may be a slug.
func isSlug(text string) bool {
	return len(text) <= 120 && strings.Trim(strings.ToLower(text), "abcdefghijklmnopqrstuvwxyz0123456789-._") == ""
}

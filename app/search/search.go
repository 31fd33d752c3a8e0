// Package search finds things in the published documentation.
//
// Publishing writes a row for everything that a reader can look for (Version
// and Product make them); Engine.Find asks for them. Drafts, and whatever else
// is not public, have no rows.
//
// # Ranking
//
// How well a row matches is a number below one: a whole name or path, then
// another name such as an operation id, a begun name, words of the name, words
// of the name and around it, words of it by synonyms, and words anywhere. It is
// multiplied with what the row is worth by its kind and place: endpoints over
// schemas over fields, shallow fields over deep ones, the latest version over
// older ones, and what is deprecated last.
//
// Around a name are what else the thing is called and where it stands: what an
// endpoint can be given, its path and its category, the values of a field. Sending
// an image is thus the endpoint that sends messages, of which one kind is an
// image. Where next to nothing has all words, what has all but one follows.
//
// # Misspellings
//
// A query that finds next to nothing, and has a word of four letters or more
// that the documentation does not know, is asked again with the nearest words
// that it knows. The answer says so.
package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
)

// The bounds of a query and its answer: characters, results, and how far
// results are counted.
const (
	MaxText      = 200
	MaxTotal     = 100
	MaxLimit     = 50
	DefaultLimit = 20
)

// Kinds are what results can be, in the order in which they are listed.
var Kinds = []string{"endpoint", "guide", "field", "schema", "error", "category", "version", "product", "example"}

// Methods are the HTTP methods that results can be filtered by.
var Methods = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"}

// Query is what to look for. Filters are empty to take everything; a result
// matches all of them.
type Query struct {
	Text    string // at most MaxText characters
	Kind    string // one of Kinds
	Product string // slug
	Version string // slug; it needs Product
	Method  string // one of Methods
	Limit   int    // results, at most MaxLimit
	PerKind int    // results of one kind; zero is Limit
}

// Answer is what was found.
type Answer struct {
	Query     string // as it was understood
	Corrected string // the query that the results are for, where that is another
	Total     int    // how many things match, counted up to MaxTotal
	Results   []Result
	// Elsewhere counts what would be found without filters, where they leave
	// nothing.
	Elsewhere int
}

// Result is one thing that was found.
type Result struct {
	Kind       string
	Title      []Part
	Breadcrumb []string // from the product inwards
	URL        string   // path on the portal, with an anchor where there is one
	Snippet    []Part   // one line around the match; may be empty
	Score      float32  // comparable within one answer
	Product    string
	Version    string // empty for a product
	Method     string // of its endpoint; empty for none
	Path       string // of its endpoint; empty for none
	Deprecated bool
}

// Engine finds things. Use New.
type Engine struct {
	db      db.Querier
	lexicon *db.Cache[struct{}, *lexicon]
	answers *db.Cache[Query, Answer]
	notes   chan note
}

// New makes an engine; call it before listener.Run. Searches are noted only
// while Run does.
func New(q db.Querier, listener *db.Listener) *Engine {
	return &Engine{
		db:      q,
		lexicon: db.NewCache[struct{}, *lexicon](listener, time.Minute, 1, "search_synonyms", "search_words"),
		answers: db.NewCache[Query, Answer](listener, time.Minute, answerCount, "search_synonyms", "search_words"),
		notes:   make(chan note, noteCount),
	}
}

// answerCount is how many answers are kept until something is published, a
// minute at most: readers type the same words, letter by letter.
const answerCount = 1000

// few is how many results are too few to be content with a spelling.
const few = 3

// named is the least score of a result that has all words in its name, unless
// it is worth little.
const named = 0.5

// Find answers a query; the answer is shared and must not be changed. One that breaks its bounds is an Invalid fault that
// names the parameters q, kind, product, version, method and limit.
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
	results, err := s.exact(ctx)
	if err == nil && total(results) < few {
		results, answer.Corrected, err = s.mended(ctx, results)
	}
	if err == nil && total(results) < few && (len(results) == 0 || results[0].Score < named) {
		results, err = s.partly(ctx, results)
	}
	if err != nil {
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
	return answer, nil
}

func total(results []models.SearchResult) int {
	if len(results) == 0 {
		return 0
	}
	return results[0].Total
}

func (q *Query) check() error {
	var wrong []fault.Field
	add := func(bad bool, name, message string) {
		if bad {
			wrong = append(wrong, fault.Field{Name: name, Message: message})
		}
	}
	n := utf8.RuneCountInString(q.Text)
	add(n == 0, "q", "Enter what to look for in q.")
	add(n > MaxText, "q", fmt.Sprintf("Shorten q to %d characters.", MaxText))
	add(strings.ContainsRune(q.Text, 0) || !utf8.ValidString(q.Text), "q", "Send q as UTF-8 text.")
	add(q.Kind != "" && !slices.Contains(Kinds, q.Kind), "kind", "Set kind to one of "+strings.Join(Kinds, ", ")+".")
	add(q.Version != "" && q.Product == "", "version", "Set product as well: versions are named per product.")
	add(q.Method != "" && !slices.Contains(Methods, q.Method), "method", "Set method to one of "+strings.Join(Methods, ", ")+".")
	add(q.Limit < 1 || q.Limit > MaxLimit, "limit", fmt.Sprintf("Set limit to a whole number from 1 to %d.", MaxLimit))
	add(!slug(q.Product), "product", "Set product to the slug of a product, as in its address.")
	add(!slug(q.Version), "version", "Set version to the name of a version, as in its address.")
	if len(wrong) > 0 {
		return fault.InvalidFields(wrong...)
	}
	if q.PerKind == 0 {
		q.PerKind = q.Limit
	}
	return nil
}

// slug reports whether a text may be part of an address, or is empty.
func slug(text string) bool {
	return len(text) <= 120 && strings.Trim(strings.ToLower(text), "abcdefghijklmnopqrstuvwxyz0123456789-._") == ""
}

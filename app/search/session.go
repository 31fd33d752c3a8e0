package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"heliograph/db/models"
	"heliograph/db/queries"
)

// session is the work on one query.
type session struct {
	engine  *Engine
	query   Query
	lexicon *lexicon
	parsed  parsed
}

// ask looks for rows with the filters of the query.
func (s *session) ask(ctx context.Context, q models.SearchQuery) ([]models.SearchResult, error) {
	q.Kind, q.Product, q.Version = s.query.Kind, s.query.Product, s.query.Version
	q.Method = cmp.Or(s.query.Method, s.parsed.method)
	q.Limit, q.PerKind = s.query.Limit, cmp.Or(s.query.PerKind, s.query.Limit)
	return queries.SearchRowFind(ctx, s.engine.db, q)
}

// exact looks for the query as it is written. A path that is not there is
// looked for by its words.
func (s *session) exact(ctx context.Context) ([]models.SearchResult, error) {
	p := s.parsed
	if p.like != "" {
		results, err := s.ask(ctx, models.SearchQuery{Shapes: p.shapes, Like: p.like})
		if err != nil || len(results) > 0 {
			return results, err
		}
	}
	if len(p.words) == 0 && p.method == "" {
		return nil, nil // signs alone
	}
	if s.strange() {
		return s.ask(ctx, models.SearchQuery{Key: p.key}) // a name without its spaces, perhaps
	}
	return s.words(ctx, p.words)
}

// strange reports whether some word is nowhere in the documentation.
func (s *session) strange() bool {
	words := s.parsed.words
	return slices.ContainsFunc(words, func(word string) bool { return s.lexicon.strange(word, word == words[len(words)-1]) })
}

func (s *session) words(ctx context.Context, words []string) ([]models.SearchResult, error) {
	e := express(words, s.lexicon)
	return s.ask(ctx, models.SearchQuery{
		Key: strings.Join(words, ""), Name: e.name, Wide: e.wide, Text: e.text, Size: len(words),
	})
}

// any looks for rows that have some of the words.
func (s *session) any(ctx context.Context) ([]models.SearchResult, error) {
	if len(s.parsed.words) < 2 {
		return nil, nil
	}
	return s.ask(ctx, models.SearchQuery{Text: express(s.parsed.words, s.lexicon).any, Size: len(s.parsed.words)})
}

// mended looks for the query in the nearest spelling that the documentation
// knows, and keeps what was found before unless that finds more.
func (s *session) mended(ctx context.Context, before []models.SearchResult) (results []models.SearchResult, corrected string, err error) {
	words := s.lexicon.mend(s.parsed.words)
	if words == nil {
		return before, "", nil
	}
	after, err := s.words(ctx, words)
	if err != nil || total(after) <= total(before) {
		return before, "", err
	}
	s.parsed.words = words
	return after, strings.Join(words, " "), nil
}

// maxSnippet is how much of a text a result shows, in bytes.
const maxSnippet = 160

// results shows what was found.
func (s *session) results(list []models.SearchResult) []Result {
	m := newMarker(s.parsed.words, s.lexicon)
	shown := make([]Result, len(list))
	for i, r := range list {
		shown[i] = Result{
			Kind: r.Kind, Title: m.mark(r.Title), Breadcrumb: r.Breadcrumb, URL: r.URL, Snippet: m.mark(m.snippet(r.Body, maxSnippet)),
			Score: r.Score, Product: r.Product, Version: r.Version, Method: r.Method, Path: r.Path, Deprecated: r.Deprecated,
		}
	}
	return shown
}

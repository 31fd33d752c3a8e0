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

// ask returns the rows that match q and the filters of the query.
func (s *session) ask(ctx context.Context, q models.SearchQuery) ([]models.SearchResult, error) {
	q.Kind, q.Product, q.Version = s.query.Kind, s.query.Product, s.query.Version
	q.Method = cmp.Or(s.query.Method, s.parsed.method)
	q.Limit, q.PerKind = s.query.Limit, cmp.Or(s.query.PerKind, s.query.Limit)
	return queries.SearchRowFind(ctx, s.engine.db, q)
}

// exact searches for the query as written. If no path matches, it searches for the
// words of the path.
func (s *session) exact(ctx context.Context) ([]models.SearchResult, error) {
	p := s.parsed
	if p.like != "" {
		results, err := s.ask(ctx, models.SearchQuery{Shapes: p.shapes, Like: p.like})
		if err != nil || len(results) > 0 {
			// Parameter names distinguish paths of the same shape.
			slices.SortStableFunc(results, func(a, b models.SearchResult) int { return p.suffixScore(b) - p.suffixScore(a) })
			return results, err
		}
	}
	if len(p.words) == 0 && p.method == "" {
		return nil, nil // punctuation only
	}
	if s.hasMisspelledWord() {
		return s.ask(ctx, models.SearchQuery{Key: p.key}) // may be a name typed without spaces
	}
	return s.words(ctx, p.words)
}

// suffixScore returns 1 if the path of a result ends with the query, else 0.
func (p *parsed) suffixScore(r models.SearchResult) int {
	if strings.HasSuffix(strings.ToLower(r.Path), p.path) {
		return 1
	}
	return 0
}

// hasMisspelledWord reports whether a word of the query is misspelled.
func (s *session) hasMisspelledWord() bool {
	words := s.parsed.words
	return slices.ContainsFunc(words, func(word string) bool { return s.lexicon.isMisspelled(word, word == words[len(words)-1]) })
}

func (s *session) words(ctx context.Context, words []string) ([]models.SearchResult, error) {
	e := express(words, s.lexicon)
	return s.ask(ctx, models.SearchQuery{
		Key: strings.Join(words, ""), Name: e.name, Wide: e.wide, Near: e.near, Text: e.text, Either: e.either, Size: len(words),
		Written: len(words) > 1 && !strings.Contains(s.query.Text, " "), Complete: len(words) > 0 && s.lexicon.words[words[len(words)-1]] > 0,
	})
}

// partial adds rows that have all words but one, or rows that have any word if
// there is no other result.
func (s *session) partial(ctx context.Context, found []models.SearchResult) ([]models.SearchResult, error) {
	words := s.lexicon.rarest(s.parsed.words)
	if len(words) < 2 {
		return found, nil
	}
	e := express(words, s.lexicon)
	more, err := s.ask(ctx, models.SearchQuery{Text: e.most, Either: e.either, Size: len(words)})
	if err == nil && len(more)+len(found) == 0 {
		more, err = s.ask(ctx, models.SearchQuery{Text: e.any, Either: e.either, Size: len(words)})
	}
	if err != nil {
		return nil, err
	}
	return s.appendResults(found, more), nil
}

// appendResults appends more to found, without duplicates and with lower scores.
func (s *session) appendResults(found, more []models.SearchResult) []models.SearchResult {
	known, worst := map[string]bool{}, float32(1)
	for _, r := range found {
		known[r.Kind+r.URL+r.Title], worst = true, r.Score
	}
	for _, r := range more {
		r.Score *= min(1, worst/more[0].Score)
		if !known[r.Kind+r.URL+r.Title] && len(found) < s.query.Limit {
			found = append(found, r)
		}
	}
	if len(found) > 0 {
		found[0].Total = max(total(found), total(more))
	}
	return found
}

// corrected searches for the query with corrected spelling. It returns the results
// so far unless the correction finds more.
func (s *session) corrected(ctx context.Context, before []models.SearchResult) (results []models.SearchResult, corrected string, err error) {
	words := s.lexicon.correct(s.parsed.words)
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

// maxSnippet is the maximum length of a snippet in bytes.
const maxSnippet = 160

// results formats rows for readers.
func (s *session) results(list []models.SearchResult) []Result {
	m := newMarker(s.parsed.words, s.lexicon)
	shown := make([]Result, len(list))
	for i, r := range list {
		shown[i] = Result{
			Kind: r.Kind, Title: m.mark(r.Title), Breadcrumb: r.Breadcrumb, URL: r.URL, Snippet: m.mark(m.snippet(r.Body, maxSnippet)),
			Score: r.Score, Product: r.Product, Version: r.Version, Method: r.Method, Path: r.Path, Deprecated: r.Deprecated, Twins: r.Twins,
		}
	}
	return shown
}

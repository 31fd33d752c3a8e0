package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// session is the work on one query.
type session struct {
	engine  *Engine
	query   Query
	lexicon *lexicon
	parsed  parsed
	marker  *marker // of parsed.words; use marks
}

// marks returns the marker of the words of the query.
func (s *session) marks() *marker {
	if s.marker == nil || !slices.Equal(s.marker.query, s.parsed.words) {
		s.marker = newMarker(s.parsed.words, s.lexicon)
	}
	return s.marker
}

// findRows returns the rows that match q and the filters of the query.
func (s *session) findRows(ctx context.Context, q models.SearchQuery) ([]models.SearchResult, error) {
	q.Kind, q.Product, q.Version = s.query.Kind, s.query.Product, s.query.Version
	q.Method = cmp.Or(s.query.Method, s.parsed.method)
	// What is best does not depend on how much is shown.
	q.Limit, q.PerKind = max(s.query.Limit, DefaultLimit), max(cmp.Or(s.query.PerKind, s.query.Limit), enough)
	return queries.SearchRowFind(ctx, s.engine.db, q)
}

// found holds what a query found: rows by their names and what is around these,
// and whole pages.
type found struct{ rows, pages []models.SearchResult }

func (f found) total() int { return max(total(f.rows), len(f.pages)) }

// findWritten searches for the query as written. If no path matches, it searches for the
// words of the path.
func (s *session) findWritten(ctx context.Context) (found, error) {
	p := s.parsed
	if p.like != "" {
		results, err := s.findRows(ctx, models.SearchQuery{Shapes: p.shapes, Like: p.like})
		if err != nil || len(results) > 0 {
			// Parameter names distinguish paths of the same shape.
			slices.SortStableFunc(results, func(a, b models.SearchResult) int { return p.suffixScore(b) - p.suffixScore(a) })
			return found{rows: results}, err
		}
	}
	if len(p.words) == 0 && p.method == "" {
		return found{}, nil // punctuation only
	}
	if s.hasMisspelledWord() {
		results, err := s.findRows(ctx, models.SearchQuery{Key: p.key}) // may be a name typed without spaces
		return found{rows: results}, err
	}
	return s.words(ctx)
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

// words searches for the words of the query: in names, then on pages, and around
// names where both find little.
func (s *session) words(ctx context.Context) (f found, err error) {
	words := s.parsed.words
	e := newTSQueries(words, s.lexicon)
	complete := len(words) > 0 && s.lexicon.words[words[len(words)-1]] > 0
	f.rows, err = s.findRows(ctx, models.SearchQuery{
		Key: strings.Join(words, ""), Name: e.name, Size: len(words),
		Written: len(words) > 1 && !strings.Contains(s.query.Text, " "), Complete: complete,
	})
	if err == nil && s.wantsPages() && (complete || total(f.rows) < enough) {
		f.pages, err = s.pages(ctx, countPages(f.rows) >= enough)
	}
	if err == nil {
		err = s.addAround(ctx, &f, e)
	}
	return f, err
}

// addAround adds what has the words of a query around its name, unless enough is
// found.
func (s *session) addAround(ctx context.Context, f *found, e tsqueries) error {
	if total(f.rows)+len(f.pages) >= enough || e.name == "" {
		return nil
	}
	more, err := s.findRows(ctx, models.SearchQuery{Wide: e.wide, Near: e.near, Text: e.text, Either: e.either, Size: len(s.parsed.words)})
	f.rows = join(f.rows, more)
	return err
}

// countPages returns how many results are pages of their own.
func countPages(list []models.SearchResult) (n int) {
	for _, r := range list {
		if r.Kind == "endpoint" || r.Kind == "guide" {
			n++
		}
	}
	return n
}

// join returns two lists of results by their scores, each result once.
func join(a, b []models.SearchResult) []models.SearchResult {
	if len(a) == 0 || len(b) == 0 {
		return append(a, b...)
	}
	count := max(total(a), total(b))
	at := map[int64]int{}
	for i, r := range a {
		at[r.ID] = i
	}
	for _, r := range b {
		if i, known := at[r.ID]; known {
			a[i].Score = max(a[i].Score, r.Score)
		} else {
			a = append(a, r)
		}
	}
	slices.SortStableFunc(a, func(x, y models.SearchResult) int { return cmp.Compare(y.Score, x.Score) })
	a[0].Total = max(count, len(a))
	return a
}

// partial adds rows that have all words but one, or rows that have any word if
// there is no other result.
func (s *session) partial(ctx context.Context, found []models.SearchResult) ([]models.SearchResult, error) {
	words := s.lexicon.rarest(s.parsed.words)
	if len(words) < 2 {
		return found, nil
	}
	e := newTSQueries(words, s.lexicon)
	var more []models.SearchResult
	var err error
	if e.most != "" {
		more, err = s.findRows(ctx, models.SearchQuery{Text: e.most, Either: e.either, Size: len(words)})
	}
	if err == nil && len(more)+len(found) == 0 {
		more, err = s.findRows(ctx, models.SearchQuery{Text: e.any, Either: e.either, Size: len(words)})
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

// corrected searches for the query with corrected spelling, or as it is written if
// no word is near the one that is not known: it may be a name. It returns what was
// found so far unless the correction finds more.
func (s *session) corrected(ctx context.Context, before found) (after found, corrected string, err error) {
	words := s.lexicon.correct(s.parsed.words)
	if words == nil && s.hasMisspelledWord() {
		after, err = s.words(ctx)
		return found{rows: join(before.rows, after.rows), pages: after.pages}, "", err
	}
	if words == nil {
		return before, "", nil
	}
	written := s.parsed.words
	s.parsed.words = words
	after, err = s.words(ctx)
	if err != nil || after.total() <= before.total() {
		s.parsed.words = written
		return before, "", err
	}
	return after, strings.Join(words, " "), nil
}

// maxSnippet is the maximum length of a snippet in bytes.
const maxSnippet = 160

// results formats rows for readers.
func (s *session) results(list []models.SearchResult) []Result {
	m := s.marks()
	shown := make([]Result, len(list))
	for i, r := range list {
		shown[i] = Result{
			Kind: r.Kind, Title: m.mark(r.Title), Breadcrumb: r.Breadcrumb, URL: r.URL, Snippet: m.mark(m.snippet(r.Body, maxSnippet)),
			Score: r.Score, Product: r.Product, Version: r.Version, Method: r.Method, Path: r.Path, Deprecated: r.Deprecated, Twins: r.Twins,
		}
	}
	return shown
}

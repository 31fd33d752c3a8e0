package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

const (
	maxNearest = 3   // pages offered where nothing is found
	alike      = 0.4 // the least likeness of a word that is offered instead
)

// nearest returns the pages nearest to a query that finds nothing: the pages of the
// words most like its own. There are none if no word is like them.
func (s *session) nearest(ctx context.Context) ([]models.SearchResult, error) {
	var words []string
	for _, word := range s.parsed.words {
		if like := s.lexicon.mostAlike(word); like != "" && !slices.Contains(words, like) {
			words = append(words, like)
		}
	}
	if len(words) == 0 {
		return nil, nil
	}
	q := s.lexicon.pageQuery(words)
	q.Places, q.Together = placeWorths, together
	q.Some, q.Limit = strings.Join(q.Ways, " | "), maxPages
	found, err := queries.SearchPageFind(ctx, s.engine.db, q)
	if err != nil {
		return nil, err
	}
	for i := range found {
		found[i].Score *= found[i].Weight * s.kindWorth(found[i])
	}
	slices.SortStableFunc(found, func(a, b models.SearchResult) int { return cmp.Compare(b.Score, a.Score) })
	pages := map[string]bool{}
	found = slices.DeleteFunc(found, func(r models.SearchResult) bool {
		page, _, _ := strings.Cut(r.URL, "#")
		again := pages[page] || r.Kind == "error"
		pages[page] = true
		return again
	})
	found = found[:min(len(found), maxNearest)]
	return found, queries.SearchRowFill(ctx, s.engine.db, found)
}

// mostAlike returns the word of the documentation that has the most pairs of letters
// in common with word, or "" if none is alike.
func (l *lexicon) mostAlike(word string) string {
	if l.words[word] > 0 {
		return word
	}
	best, most := "", alike
	pairs := letterPairs(word)
	for _, w := range l.sorted {
		if n := likeness(pairs, letterPairs(w)); n > most || n == most && best != "" && l.words[w] > l.words[best] {
			best, most = w, n
		}
	}
	return best
}

// letterPairs returns the neighbouring letters of a word, its first and last letter
// among them.
func letterPairs(word string) []string {
	letters := []rune(" " + word + " ")
	pairs := make([]string, len(letters)-1)
	for i := range pairs {
		pairs[i] = string(letters[i : i+2])
	}
	return pairs
}

// likeness returns the share of pairs that two words have in common, from 0 to 1.
func likeness(a, b []string) float64 {
	common := 0
	for _, pair := range a {
		if slices.Contains(b, pair) {
			common++
		}
	}
	return 2 * float64(common) / float64(len(a)+len(b))
}

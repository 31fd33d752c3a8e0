package search

import (
	"context"
	"maps"
	"slices"
	"strings"

	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// lexicon holds the words of the documentation and the synonyms of terms. It is
// shared and immutable.
type lexicon struct {
	words  map[string]int // number of rows with each word
	stems  map[string]int // number of rows with the words of each stem, at most
	most   int            // of the numbers of words
	sorted []string
	// synonyms maps a term, the stems of its words joined by spaces, to the words of
	// each of its synonyms.
	synonyms map[string][][]string
	products []string // slugs of products
}

// maxPhrase is the maximum number of words in a term.
const maxPhrase = 3

func newLexicon(words []models.SearchWord, list []models.Synonym) *lexicon {
	l := &lexicon{words: make(map[string]int, len(words)), stems: make(map[string]int, len(words)), synonyms: map[string][][]string{}}
	for _, w := range words {
		l.words[w.Word] = w.Rows
		l.stems[stem(w.Word)] += w.Rows
		l.most = max(l.most, w.Rows)
	}
	for _, synonym := range list {
		term, means := split(synonym.Term), split(synonym.Means)
		if len(term) == 0 || len(means) == 0 {
			continue
		}
		key := stemmed(term)
		l.synonyms[key] = append(l.synonyms[key], means)
		for _, word := range term {
			l.words[word] = max(l.words[word], 1)
		}
	}
	l.sorted = slices.Sorted(maps.Keys(l.words))
	return l
}

func (e *Engine) loadLexicon(ctx context.Context, _ struct{}) (*lexicon, error) {
	words, err := queries.SearchWordList(ctx, e.db)
	if err != nil {
		return nil, err
	}
	synonyms, err := queries.SynonymList(ctx, e.db)
	if err != nil {
		return nil, err
	}
	l := newLexicon(words, synonyms)
	l.products, err = queries.SearchProductList(ctx, e.db)
	return l, err
}

// maxEndings is the maximum number of completions of an incomplete word.
const maxEndings = 8

// completions returns the words that begin with word, the most frequent first.
func (l *lexicon) completions(word string) []string {
	from, _ := slices.BinarySearch(l.sorted, word)
	to := from
	for to < len(l.sorted) && strings.HasPrefix(l.sorted[to], word) {
		to++
	}
	list := slices.Clone(l.sorted[from:to])
	slices.SortStableFunc(list, func(a, b string) int { return l.words[b] - l.words[a] })
	return list[:min(len(list), maxEndings)]
}

// isMisspelled reports whether the documentation lacks word. It is false for short words and words with digits, which the
// lexicon does not hold.
func (l *lexicon) isMisspelled(word string, last bool) bool {
	return maxEdits(word) > 0 && l.words[word] == 0 && (!last || len(l.completions(word)) == 0)
}

// maxRarest is the maximum number of words of which a row may lack one. Every
// further word makes the database compare more.
const maxRarest = 5

// rarest returns the words that the fewest rows contain, in their order.
func (l *lexicon) rarest(words []string) []string {
	if len(words) <= maxRarest {
		return words
	}
	rare := slices.Clone(words)
	slices.SortStableFunc(rare, func(a, b string) int { return l.words[a] - l.words[b] })
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !slices.Contains(rare[:maxRarest], word) })
}

// at returns the length of the longest term that words begin with, and its
// synonyms.
func (l *lexicon) at(words []string) (length int, means [][]string) {
	for n := min(maxPhrase, len(words)); n > 0; n-- {
		if others := l.synonyms[stemmed(words[:n])]; others != nil {
			return n, others
		}
	}
	return 1, nil
}

// stemmed returns the stems of words, joined by spaces.
func stemmed(words []string) string {
	stems := make([]string, len(words))
	for i, word := range words {
		stems[i] = stem(word)
	}
	return strings.Join(stems, " ")
}

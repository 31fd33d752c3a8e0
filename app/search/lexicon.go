package search

import (
	"context"
	"maps"
	"slices"
	"strings"

	"heliograph/db/models"
	"heliograph/db/queries"
)

// lexicon is what is known of words: those of the documentation, and what else
// terms are called. It is shared and never changed.
type lexicon struct {
	words  map[string]int // how many rows have each
	sorted []string
	// synonyms maps a term, its words joined by spaces, to the words of what
	// else it is called.
	synonyms map[string][][]string
}

// maxPhrase is how many words a term has at most.
const maxPhrase = 3

func newLexicon(words []models.SearchWord, list []models.Synonym) *lexicon {
	l := &lexicon{words: make(map[string]int, len(words)), synonyms: map[string][][]string{}}
	for _, w := range words {
		l.words[w.Word] = w.Rows
	}
	for _, synonym := range list {
		term, means := split(synonym.Term), split(synonym.Means)
		if len(term) == 0 || len(means) == 0 {
			continue
		}
		key := strings.Join(term, " ")
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
	return newLexicon(words, synonyms), err
}

// maxEndings is how many words a word typed in part may stand for.
const maxEndings = 8

// begun returns the words that one typed in part may stand for, those that
// most rows have.
func (l *lexicon) begun(word string) []string {
	from, _ := slices.BinarySearch(l.sorted, word)
	to := from
	for to < len(l.sorted) && strings.HasPrefix(l.sorted[to], word) {
		to++
	}
	list := slices.Clone(l.sorted[from:to])
	slices.SortStableFunc(list, func(a, b string) int { return l.words[b] - l.words[a] })
	return list[:min(len(list), maxEndings)]
}

// strange reports whether the documentation has a word nowhere, so that it can
// only be a slip. Short words, and those with digits, are not in the lexicon.
func (l *lexicon) strange(word string, last bool) bool {
	return edits(word) > 0 && l.words[word] == 0 && (!last || len(l.begun(word)) == 0)
}

// maxTelling is how many words a row may lack one of: every further word makes
// the database compare more.
const maxTelling = 5

// telling leaves the words that the fewest rows have, in their order.
func (l *lexicon) telling(words []string) []string {
	if len(words) <= maxTelling {
		return words
	}
	rare := slices.Clone(words)
	slices.SortStableFunc(rare, func(a, b string) int { return l.words[a] - l.words[b] })
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !slices.Contains(rare[:maxTelling], word) })
}

// at returns the longest term that words begin with, and what it means.
func (l *lexicon) at(words []string) (length int, means [][]string) {
	for n := min(maxPhrase, len(words)); n > 0; n-- {
		phrase := strings.Join(words[:n], " ")
		for _, term := range []string{phrase, strings.TrimSuffix(phrase, "s")} {
			if others := l.synonyms[term]; others != nil {
				return n, others
			}
		}
	}
	return 1, nil
}

package search

import (
	"context"
	"slices"
	"unicode/utf8"

	"heliograph/db/models"
	"heliograph/db/queries"
)

// near is how many words of the index are compared with a misspelt one.
const near = 40

// mend returns the words with those that the documentation does not know
// replaced by the nearest that it does; nil when none can be.
func (e *Engine) mend(ctx context.Context, words []string, known *lexicon) ([]string, error) {
	mended := slices.Clone(words)
	for i, word := range words {
		if !known.strange(word, i == len(words)-1) {
			continue
		}
		candidates, err := queries.SearchWordListNear(ctx, e.db, word, near)
		if err != nil {
			return nil, err
		}
		if best := nearest(word, candidates); best != "" {
			mended[i] = best
		}
	}
	if slices.Equal(mended, words) {
		return nil, nil
	}
	return mended, nil
}

// edits is how many slips a word may have: none under four letters, nor where
// it has digits, which are meant as they are.
func edits(word string) int {
	for _, r := range word {
		if r >= '0' && r <= '9' {
			return 0
		}
	}
	switch n := utf8.RuneCountInString(word); {
	case n < 4:
		return 0
	case n < 6:
		return 1
	case n < 10:
		return 2
	}
	return 3
}

// nearest picks the word with the fewest slips, then the one that most rows
// have; "" when all are too far.
func nearest(word string, candidates []models.SearchWord) string {
	best, fewest, most := "", edits(word)+1, 0
	for _, c := range candidates {
		if n := distance(word, c.Word); n < fewest || n == fewest && c.Rows > most && n <= edits(word) {
			best, fewest, most = c.Word, n, c.Rows
		}
	}
	return best
}

// distance counts the slips between two words: a letter more, less or another,
// or two neighbours in each other's place (optimal string alignment).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			other := 1
			if x[i-1] == y[j-1] {
				other = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+other)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}

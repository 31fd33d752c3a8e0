package search

import (
	"math/bits"
	"slices"
	"unicode/utf8"
)

// mend returns the words with those that the documentation does not know
// replaced by the nearest that it does; nil when none can be.
func (l *lexicon) mend(words []string) []string {
	mended := slices.Clone(words)
	for i, word := range words {
		if best := l.nearest(word); best != "" && l.strange(word, i == len(words)-1) {
			mended[i] = best
		}
	}
	if slices.Equal(mended, words) {
		return nil
	}
	return mended
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
// have; "" when all are too far. Most words are told apart by their length and
// letters, before slips are counted.
func (l *lexicon) nearest(word string) string {
	most, have := edits(word), letters(word)
	best, fewest := "", most+1
	for _, w := range l.sorted {
		if d := len(w) - len(word); d < -most || d > most || bits.OnesCount32(have^letters(w)) > 2*most {
			continue
		}
		if n := distance(word, w); n < fewest || n == fewest && n <= most && l.words[w] > l.words[best] {
			best, fewest = w, n
		}
	}
	return best
}

// letters is which letters a word has, as a set of bits; others count as one.
func letters(word string) (set uint32) {
	for i := range len(word) {
		if c := word[i]; c >= 'a' && c <= 'z' {
			set |= 1 << (c - 'a')
		} else {
			set |= 1 << 26
		}
	}
	return set
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

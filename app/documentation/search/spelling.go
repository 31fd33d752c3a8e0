package search

import (
	"math/bits"
	"slices"
	"unicode/utf8"
)

// correct replaces misspelled words with the nearest words that the documentation
// contains. It returns nil if no word can be replaced.
func (l *lexicon) correct(words []string) []string {
	corrected := slices.Clone(words)
	for i, word := range words {
		if !l.isMisspelled(word, i == len(words)-1) {
			continue
		}
		if best := l.nearest(word); best != "" {
			corrected[i] = best
		}
	}
	if slices.Equal(corrected, words) {
		return nil
	}
	return corrected
}

// maxEdits returns how many letters of a word may be misspelled. It is
// zero for words of fewer than four letters and for words with digits.
func maxEdits(word string) int {
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

// nearest returns the word with the smallest distance, and among those the most
// frequent, or "" if all are too far. Length and letters exclude most words before
// the distance is computed.
func (l *lexicon) nearest(word string) string {
	most, have := maxEdits(word), letterSet(word)
	best, fewest := "", most+1
	for _, w := range l.sorted {
		if d := len(w) - len(word); d < -most || d > most || bits.OnesCount32(have^letterSet(w)) > 2*most {
			continue
		}
		if n := distance(word, w); n < fewest || n == fewest && n <= most && l.words[w] > l.words[best] {
			best, fewest = w, n
		}
	}
	return best
}

// letterSet returns the letters of a word as a set of bits. All other characters
// share one bit.
func letterSet(word string) (set uint32) {
	for i := range len(word) {
		if c := word[i]; c >= 'a' && c <= 'z' {
			set |= 1 << (c - 'a')
		} else {
			set |= 1 << 26
		}
	}
	return set
}

// distance returns the number of insertions, deletions, substitutions and
// transpositions between two words (optimal string alignment).
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

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

// similar is the share of trigrams from which words are alike: the threshold of pg_trgm.
const similar = 0.3

// nearest returns the word with the smallest distance, among words that are alike or
// have the same letters, which were only swapped. Among equally near ones, swapped
// letters come first, then the most frequent word. It returns "" if all are too far.
// Length and letters exclude most words before the distance is computed. The words are
// in memory for completions, so the database need not compare them.
func (l *lexicon) nearest(word string) string {
	most, have, shared := maxEdits(word), letterSet(word), trigrams(word)
	best, fewest := "", most+1
	swapped := func(w string) bool { return len(w) == len(word) && letterSet(w) == have }
	for _, w := range l.sorted {
		if d := len(w) - len(word); d < -most || d > most || bits.OnesCount32(have^letterSet(w)) > 2*most {
			continue
		}
		n := distance(word, w)
		if n > fewest || n > most || !swapped(w) && similarity(shared, trigrams(w)) < similar {
			continue
		}
		if n < fewest || swapped(w) && !swapped(best) || swapped(w) == swapped(best) && l.words[w] > l.words[best] {
			best, fewest = w, n
		}
	}
	return best
}

// trigrams returns the trigrams of a word, which begins with two spaces and ends with
// one.
func trigrams(word string) map[string]bool {
	runes := []rune("  " + word + " ")
	list := make(map[string]bool, len(runes))
	for i := range len(runes) - 2 {
		list[string(runes[i:i+3])] = true
	}
	return list
}

// similarity returns how many of the trigrams of two words both have, from 0 to 1.
func similarity(a, b map[string]bool) float64 {
	both := 0
	for trigram := range a {
		if b[trigram] {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
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

package search

import (
	"maps"
	"strings"
)

// maxName is how much of a name Alike compares, in bytes.
const maxName = 80

// Alike returns the share of sequences of three letters that two names have in common
// (Dice), from 0 to 1. Separators end words.
func Alike(a, b string) float64 {
	first, second, common := wordTrigrams(a), wordTrigrams(b), 0
	for part := range first {
		if second[part] {
			common++
		}
	}
	return 2 * float64(common) / float64(max(1, len(first)+len(second)))
}

// wordTrigrams returns the trigrams of the words of a name.
func wordTrigrams(name string) map[string]bool {
	letters := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return ' '
	}, strings.ToLower(name[:min(len(name), maxName)]))
	parts := map[string]bool{}
	for word := range strings.FieldsSeq(letters) {
		maps.Copy(parts, trigrams(word))
	}
	return parts
}

// Plain is a text without its marks.
func Plain(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

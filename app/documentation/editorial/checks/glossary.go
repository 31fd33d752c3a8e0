package checks

import (
	"fmt"
	"regexp"
	"strings"

	"heliograph/db/seed"
)

// term is a word with those that are never written in its place.
type term struct {
	word  string
	never *regexp.Regexp
}

var glossary = readGlossary(seed.Glossary)

func readGlossary(source string) (list []term) {
	for line := range strings.Lines(source) {
		words := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || len(words) < 2 {
			continue
		}
		for i, word := range words[1:] {
			words[i+1] = regexp.QuoteMeta(word)
		}
		list = append(list, term{words[0], regexp.MustCompile(`(?i)\b(` + strings.Join(words[1:], "|") + `)\b`)})
	}
	return list
}

// destination matches the address of a link, which nobody reads.
var destination = regexp.MustCompile(`\]\([^)]*\)`)

// terms finds words that the glossary avoids.
func (f textChecks) terms(t text) {
	for _, line := range t.prose() {
		words := destination.ReplaceAllString(line.text, "]")
		for _, term := range glossary {
			if found := term.never.FindString(words); found != "" {
				f.add(nameTerms, t.field, t.lineOf(line.at), fmt.Sprintf("Write “%s” in place of “%s”.", term.word, found))
			}
		}
	}
}

package content

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The most that an item may be searched as.
const (
	maxPhrases = 200
	maxPhrase  = 60 // characters
)

// Phrases takes the text of "also searched as" apart: phrases with commas or line ends
// between them. A phrase that is there twice counts once.
func Phrases(text string) (list []string) {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == '\n' }) {
		phrase := strings.Join(strings.Fields(part), " ")
		if phrase != "" && !slices.Contains(list, phrase) {
			list = append(list, phrase)
		}
	}
	return list
}

// ReadPhrases returns the text of "also searched as" in one form: phrases with a comma
// and a space between them. The error says what is too long or too much, and ends
// without a full stop.
func ReadPhrases(text string) (string, error) {
	list := Phrases(text)
	if len(list) > maxPhrases {
		return "", fmt.Errorf("enter at most %d phrases: these are %d", maxPhrases, len(list))
	}
	for _, phrase := range list {
		if n := utf8.RuneCountInString(phrase); n > maxPhrase {
			return "", fmt.Errorf("enter at most %d characters for each phrase, with commas between phrases: %q has %d", maxPhrase, phrase, n)
		}
	}
	return strings.Join(list, ", "), nil
}

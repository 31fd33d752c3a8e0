package sms

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// dltFault is a reason of delivery reports, such as 617.
type dltFault string

// The faults of the registration that operators check (DLT).
const (
	faultText          dltFault = "617" // the text does not match the template
	faultTemplate      dltFault = "618" // the template is not registered
	faultTemplateOther dltFault = "620" // the template is registered for another header
	faultVariable      dltFault = "622" // a value is too long
	faultEntity        dltFault = "625" // the entity is not registered
)

// maxVariable is the length of a value in characters.
const maxVariable = 30

// literals returns what stands before, between and after the variables of a template:
// letters between {# and #}. Every submission needs them, and a regular expression
// takes three times as long.
func literals(template string) (list []string) {
	rest := 0
	for from := 0; ; {
		open := strings.Index(template[from:], "{#")
		if open < 0 {
			return append(list, template[rest:])
		}
		open += from
		name, _, closed := strings.Cut(template[open+2:], "#}")
		if !closed || name == "" || strings.ContainsFunc(name, func(r rune) bool { return !isLetter(r) }) {
			from = open + 1
			continue
		}
		list = append(list, template[rest:open])
		rest = open + len("{#") + len(name) + len("#}")
		from = rest
	}
}

// isLetter reports whether a character is an ASCII letter.
func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// Variables returns how many variables the text of a template has.
func Variables(template string) int { return len(literals(template)) - 1 }

// Fill replaces the variables of a template by values, in order. There must be one
// value for each.
func Fill(template string, values []string) string {
	var text strings.Builder
	for i, literal := range literals(template) {
		if i > 0 {
			text.WriteString(values[i-1])
		}
		text.WriteString(literal)
	}
	return text.String()
}

// matchTemplate reports whether a text is a template with up to 30 characters in
// place of each variable. Runs of spaces count as one; other white space, such as a
// line break or a no-break space, must be as registered. The fault is empty if it
// matches, 622 if only a value is too long, and 617 otherwise.
func matchTemplate(template, text string) dltFault {
	wanted := literals(collapse(template))
	text = collapse(text)
	switch {
	case matches(wanted, text, maxVariable):
		return ""
	case matches(wanted, text, utf8.RuneCountInString(text)):
		return faultVariable
	}
	return faultText
}

// collapse makes one space of each run of spaces, removes those around the text, and
// writes line breaks alike.
func collapse(text string) string {
	text = strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), " ")
	if !strings.Contains(text, "  ") {
		return text
	}
	var one strings.Builder
	for i := range len(text) {
		if text[i] != ' ' || text[i-1] != ' ' { // the first is no space
			one.WriteByte(text[i])
		}
	}
	return one.String()
}

// matches reports whether the literals stand in the text in order, with at most
// longest characters between two of them. It keeps the set of places where the
// literals so far can end, so that its time is bounded by the product of both
// lengths.
func matches(literals []string, text string, longest int) bool {
	runes := []rune(text)
	ends, next := make([]bool, len(runes)+1), make([]bool, len(runes)+1)
	ends[0] = true
	for i, literal := range literals {
		if i > 0 {
			spread(ends, longest)
		}
		wanted := []rune(literal)
		clear(next)
		for at, reached := range ends {
			if reached && startsWith(runes[at:], wanted) {
				next[at+len(wanted)] = true
			}
		}
		ends, next = next, ends
	}
	return ends[len(runes)]
}

// spread marks the longest places after each marked place.
func spread(places []bool, longest int) {
	left := -1
	for i, marked := range places {
		if marked {
			left = longest
			continue
		}
		if left > 0 {
			places[i] = true
		}
		left--
	}
}

func startsWith(text, prefix []rune) bool {
	return len(text) >= len(prefix) && slices.Equal(text[:len(prefix)], prefix)
}

// HeaderKind is what the messages of a header may be.
type HeaderKind string

// The kinds of headers.
const (
	Transactional HeaderKind = "transactional" // 6 letters in India
	Promotional   HeaderKind = "promotional"   // 6 digits in India
	International HeaderKind = "international" // for other countries only
)

var (
	sixLetters = regexp.MustCompile(`^[A-Za-z]{6}$`)
	sixDigits  = regexp.MustCompile(`^[0-9]{6}$`)
	sender     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._&-]{0,14}$`)
	suffix     = regexp.MustCompile(`^(.{6})-[PSTGpstg]$`)
)

// KindOfHeader returns the kind that the form of a header implies. It reports
// false for a text that cannot be a header.
func KindOfHeader(header string) (HeaderKind, bool) {
	switch {
	case sixLetters.MatchString(header):
		return Transactional, true
	case sixDigits.MatchString(header):
		return Promotional, true
	}
	return International, sender.MatchString(header)
}

// bareHeader removes the class that Indian operators append to a header.
func bareHeader(header string) string {
	if m := suffix.FindStringSubmatch(header); m != nil {
		return m[1]
	}
	return header
}

// isDLTID reports whether a text has the form of an id of the Indian registration: 6 to
// 20 digits.
func isDLTID(text string) bool {
	return len(text) >= 6 && len(text) <= 20 && strings.Trim(text, "0123456789") == ""
}

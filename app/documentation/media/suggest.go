package media

import (
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	// counted are endings that programs give files: a copy, a number, a size, a scale.
	counted = regexp.MustCompile(`(?i)(\s*\(\d+\)|[\s_-]+copy|[\s_-]\d+x\d+|@\dx|[\s_-]v?\d+)$`)
	// camera are names that cameras, phones and screenshots give, which say nothing.
	camera = regexp.MustCompile(`(?i)^(img|dsc[fn]?|pxl|mvimg|image|photo|picture|screen\s?shot|screenshot|screen recording|bildschirmfoto|untitled|unnamed|download|clipboard|whatsapp image|signal)\b`)
	joint  = regexp.MustCompile(`[\s_.+-]+`)
	hump   = regexp.MustCompile(`\p{Lu}\p{Ll}+`)
)

// SuggestAlt returns a description of an image from the name of its file, to be
// improved by a person. It is empty for a name that says nothing, such as a number or
// the name that a camera gives.
func SuggestAlt(name string) string {
	text := strings.TrimSuffix(path.Base(name), path.Ext(name))
	for short := counted.ReplaceAllString(text, ""); short != text; short = counted.ReplaceAllString(text, "") {
		text = short
	}
	if !strings.ContainsAny(text, " _-") { // words that capitals part, as in deliveryReports
		text = hump.ReplaceAllStringFunc(text, func(word string) string { return " " + strings.ToLower(word) })
	}
	text = strings.TrimSpace(joint.ReplaceAllString(text, " "))
	if camera.MatchString(text) || !isWorded(text) {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// isWorded reports whether a text has a word: three letters in a row, in a text that
// is not a hash or an identifier.
func isWorded(text string) bool {
	letters, digits, row, longest := 0, 0, 0, 0
	for _, r := range text {
		switch {
		case unicode.IsLetter(r):
			letters, row = letters+1, row+1
			longest = max(longest, row)
		case unicode.IsDigit(r):
			digits, row = digits+1, 0
		default:
			row = 0
		}
	}
	return longest >= 3 && digits*3 <= letters
}

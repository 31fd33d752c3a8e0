// Package naming makes slugs and readable names of identifiers.
package naming

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSlug keeps addresses readable and file names short.
const maxSlug = 80

// Words splits a name where its case or its punctuation does:
// getWABAInfo_v2 is get, WABA, Info, v2.
func Words(name string) []string {
	var list []string
	runes := []rune(name)
	start := -1
	flush := func(end int) {
		if start >= 0 && end > start {
			list = append(list, string(runes[start:end]))
		}
		start = -1
	}
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			flush(i)
			continue
		}
		if start >= 0 && unicode.IsUpper(r) {
			follows := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if !unicode.IsUpper(runes[i-1]) || follows {
				flush(i)
			}
		}
		if start < 0 {
			start = i
		}
	}
	flush(len(runes))
	return list
}

// Slug makes a kebab-case slug of ASCII letters and digits; "" when the
// name has none.
func Slug(name string) string {
	var b strings.Builder
	for _, word := range Words(name) {
		word = strings.Map(func(r rune) rune {
			if r > unicode.MaxASCII {
				return -1
			}
			return unicode.ToLower(r)
		}, word)
		if word == "" {
			continue
		}
		if b.Len()+1+len(word) > maxSlug {
			break
		}
		if b.Len() > 0 {
			b.WriteByte('-')
		}
		b.WriteString(word)
	}
	return b.String()
}

// Readable turns an id into words: listMessageTemplates is "List message
// templates". Words in capitals stay as they are.
func Readable(id string) string {
	list := Words(id)
	for i, word := range list {
		if i > 0 && word != strings.ToUpper(word) {
			list[i] = strings.ToLower(word)
		}
	}
	return Capital(strings.Join(list, " "))
}

// Capital puts the first letter of a sentence in upper case.
func Capital(s string) string {
	if s == "" {
		return ""
	}
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// Unique returns name, or name with the first number that makes it new.
// It adds the result to taken.
func Unique(taken map[string]bool, name, separator string) string {
	candidate := name
	for i := 2; taken[candidate]; i++ {
		candidate = fmt.Sprintf("%s%s%d", name, separator, i)
	}
	taken[candidate] = true
	return candidate
}

// Anchor encodes a name for the anchor of a field: bytes outside A–Z, a–z, 0–9,
// - and _ are percent-encoded.
func Anchor(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

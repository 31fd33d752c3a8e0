package search

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"heliograph/app/documentation/openapi/markdown"
)

// split returns the words of a text in lower case. Punctuation, spaces and changes
// of case separate words: setWABALimit_v2 is set, waba, limit, v2. Digits belong
// to the letters beside them.
func split(text string) []string {
	var list []string
	for _, run := range identifiers(text) {
		list = append(list, run...)
	}
	return list
}

// identifiers returns the words of each name in a text. A name consists of
// letters, digits, - and _.
func identifiers(text string) [][]string {
	var list [][]string
	var run []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			run = append(run, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	runes := []rune(text)
	for i, r := range runes {
		switch {
		case r == '_' || r == '-':
			end()
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			if len(run) > 0 {
				list = append(list, run)
			}
			run = nil
			continue
		}
		if len(word) > 0 && unicode.IsUpper(r) {
			follows := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if before := runes[i-1]; unicode.IsLower(before) || unicode.IsDigit(before) || unicode.IsUpper(before) && follows {
				end()
			}
		}
		word = append(word, r)
	}
	end()
	if len(run) > 0 {
		list = append(list, run)
	}
	return list
}

// indexed returns the words of texts for the index. Names of several words are
// included as a whole too, so that botname finds botName.
func indexed(texts ...string) string {
	var list []string
	for _, text := range texts {
		for _, run := range identifiers(text) {
			list = append(list, run...)
			if len(run) > 1 {
				list = append(list, strings.Join(run, ""))
			}
		}
	}
	return strings.Join(list, " ")
}

// squeeze returns the letters and digits of text in lower case, for comparing
// names: botName, bot_name and bot name are equal.
func squeeze(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

var parameter = regexp.MustCompile(`\{[^{}/]*\}|<[^<>/]*>`)

// shape returns a path in lower case with {} for parameters, for comparing paths.
func shape(path string) string { return strings.ToLower(parameter.ReplaceAllString(path, "{}")) }

var (
	markup = regexp.MustCompile("[`*_\\[\\]<>|#~\\\\&]|\n|://")
	tag    = regexp.MustCompile(`</?(p|br|hr|h\d|pre|blockquote|ul|ol|li|table|thead|tbody|tr|th|td)\b[^>]*>`)
	cell   = regexp.MustCompile(`</t[dh]>\s*<t[dh]\b[^>]*>`)
	inline = regexp.MustCompile(`<[^>]*>`)
)

// plain returns the words of a Markdown text on one line.
func plain(source string) string {
	if !markup.MatchString(source) {
		return strings.TrimSpace(source)
	}
	text := cell.ReplaceAllString(markdown.Render(source), " · ")
	text = inline.ReplaceAllString(tag.ReplaceAllString(text, " "), "")
	return strings.Join(strings.Fields(html.UnescapeString(text)), " ")
}

// cut returns the first most bytes of text, without splitting a character.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

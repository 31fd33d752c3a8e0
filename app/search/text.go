package search

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"heliograph/app/spec"
)

// split takes a text apart where its punctuation, its spaces or its case do:
// setWABALimit_v2 is set, waba, limit, v2. Words come in lower case; digits
// belong to the letters beside them.
func split(text string) []string {
	var list []string
	for _, run := range identifiers(text) {
		list = append(list, run...)
	}
	return list
}

// identifiers gives the words of each stretch of a text that is written as one
// name: letters, digits, - and _.
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

// indexed is a text as words to be found by: names of several words stand
// there whole as well, so that botname finds botName.
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

// squeeze is what whole names are compared by: letters and digits in lower
// case. botName, bot_name and bot name are the same.
func squeeze(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

var parameter = regexp.MustCompile(`\{[^{}/]*\}|<[^<>/]*>`)

// shape is what paths are compared by: lower case, with {} for parameters.
func shape(path string) string { return strings.ToLower(parameter.ReplaceAllString(path, "{}")) }

var (
	markup = regexp.MustCompile("[`*_\\[\\]<>|#~\\\\&]|\n|://")
	tag    = regexp.MustCompile(`</?(p|br|hr|h\d|pre|blockquote|ul|ol|li|table|thead|tbody|tr|th|td)\b[^>]*>`)
	cell   = regexp.MustCompile(`</t[dh]>\s*<t[dh]\b[^>]*>`)
	inline = regexp.MustCompile(`<[^>]*>`)
)

// plain is a Markdown text in words, on one line.
func plain(markdown string) string {
	if !markup.MatchString(markdown) {
		return strings.TrimSpace(markdown)
	}
	text := cell.ReplaceAllString(spec.Markdown(markdown), " · ")
	text = inline.ReplaceAllString(tag.ReplaceAllString(text, " "), "")
	return strings.Join(strings.Fields(html.UnescapeString(text)), " ")
}

// cut shortens a text to a number of bytes, between characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

package ui

import "regexp"

// Span is a stretch of code of one kind. Class is the one-letter class that
// the stylesheet colours, or empty for plain text: k key, s string, n number
// or literal, f flag, p placeholder that the reader must fill in, c comment.
type Span struct {
	Class string
	Text  string
}

// lexers find the coloured stretches of a language: group i of the expression
// has the i-th class. A language without an entry is shown plain.
var lexers = map[string]struct {
	expr    *regexp.Regexp
	classes string
}{
	"json": {
		regexp.MustCompile(`("(?:[^"\\]|\\.)*")\s*:|(<[A-Z][A-Z0-9_]*>)|("(?:[^"\\]|\\.)*")|(\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)`),
		"kpsn",
	},
	"shell": {
		regexp.MustCompile(`(<[A-Z][A-Z0-9_]*>)|(?m)(^#.*$)|(\s--?[A-Za-z][\w-]*)|("[^"\n]*":)|("[^"\n]*")|(^curl\b)`),
		"pcfksf",
	},
	"http": {
		regexp.MustCompile(`(?m)(^[A-Za-z][A-Za-z-]*:)|(<[A-Z][A-Z0-9_]*>)|(\b\d{3}\b)`),
		"kpn",
	},
}

// Highlight cuts code into spans whose texts, joined, are the code again.
// Languages known are json, shell and http.
func Highlight(language, code string) []Span {
	lexer, ok := lexers[language]
	if !ok {
		return []Span{{Text: code}}
	}
	var spans []Span
	at := 0
	for _, m := range lexer.expr.FindAllStringSubmatchIndex(code, -1) {
		for group := 1; group < len(m)/2; group++ {
			from, to := m[2*group], m[2*group+1]
			if from < 0 {
				continue
			}
			if at < from {
				spans = append(spans, Span{Text: code[at:from]})
			}
			spans = appendToken(spans, Span{Class: lexer.classes[group-1 : group], Text: code[from:to]})
			at = to
		}
	}
	if at < len(code) {
		spans = append(spans, Span{Text: code[at:]})
	}
	return spans
}

var placeholder = regexp.MustCompile(`<[A-Z][A-Z0-9_]*>`)

// appendToken adds a token, cutting placeholders out of strings.
func appendToken(spans []Span, token Span) []Span {
	at := 0
	if token.Class == "s" {
		for _, m := range placeholder.FindAllStringIndex(token.Text, -1) {
			spans = append(spans, Span{"s", token.Text[at:m[0]]}, Span{"p", token.Text[m[0]:m[1]]})
			at = m[1]
		}
	}
	return append(spans, Span{token.Class, token.Text[at:]})
}

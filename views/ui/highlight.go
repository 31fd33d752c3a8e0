package ui

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// span is a stretch of code of one kind. Class is the one-letter class that
// the stylesheet colours, or empty for plain text: k keyword or key, s string,
// n number or literal, f function or option, p placeholder that the reader must
// fill in, c comment.
type span struct {
	Class string
	Text  string
}

// classes colour chroma's types of token: the type itself, else its
// sub-category, else its category.
var classes = map[chroma.TokenType]string{
	chroma.Keyword: "k", chroma.NameTag: "k", chroma.KeywordConstant: "n",
	chroma.Literal: "s", chroma.LiteralNumber: "n",
	chroma.NameFunction: "f", chroma.NameBuiltin: "f", chroma.NameDecorator: "f",
	chroma.Comment: "c", chroma.CommentPreproc: "k",
}

// highlight cuts code into spans. Their texts, joined, are the code again.
// Languages have their names in chroma, such as json, shell, http and python; code in
// any other is shown plain.
func highlight(language, code string) []span {
	if language == "sh" {
		language = "shell"
	}
	var spans []span
	for _, s := range tokens(language, code) {
		switch {
		case s.Class == "s" && language == "shell" && quotedJSON.MatchString(s.Text):
			spans = append(spans, span{s.Class, "'"})
			spans = append(spans, highlight("json", s.Text[1:len(s.Text)-1])...)
			spans = append(spans, span{s.Class, "'"})
		case s.Class == "s":
			spans = cut(spans, s, placeholder, "p")
		case s.Class == "" && language == "shell":
			spans = cut(spans, s, option, "f")
		default:
			spans = append(spans, s)
		}
	}
	return spans
}

// tokens asks chroma for the kinds of code, and joins neighbours of one class.
func tokens(language, code string) []span {
	plain := []span{{Text: code}}
	lexer := lexers.Get(cmp.Or(language, "text"))
	if lexer == nil {
		return plain
	}
	// Lexers want a line feed at the end, and some put one there.
	rest := code + "\n"
	next, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, rest)
	if err != nil {
		return plain
	}
	var spans []span
	from := 0 // where the last span begins
	for token := next(); token != chroma.EOF; token = next() {
		at := len(code) + 1 - len(rest)
		var same bool
		if rest, same = strings.CutPrefix(rest, token.Value); !same {
			return plain
		}
		end := min(at+len(token.Value), len(code))
		class := classOf(token.Type)
		switch last := len(spans) - 1; {
		case at >= end:
		case last >= 0 && spans[last].Class == class:
			spans[last].Text = code[from:end]
		default:
			from, spans = at, append(spans, span{class, code[at:end]})
		}
	}
	if rest != "" {
		return plain
	}
	return spans
}

func classOf(t chroma.TokenType) string {
	return cmp.Or(classes[t], classes[t.SubCategory()], classes[t.Category()])
}

// quotedJSON matches a JSON object or list as an argument in a shell.
var quotedJSON = regexp.MustCompile(`^'[{\[][^']*[}\]]\s*'$`)

var (
	placeholder = regexp.MustCompile(`<(?:[A-Z][A-Z0-9_]*|[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)+)>`)
	option      = regexp.MustCompile(`\B--?[A-Za-z][\w-]*`)
)

// cut adds a span, with what the expression finds in it as spans of the class.
func cut(spans []span, s span, expr *regexp.Regexp, class string) []span {
	at := 0
	for _, m := range expr.FindAllStringIndex(s.Text, -1) {
		if at < m[0] {
			spans = append(spans, span{s.Class, s.Text[at:m[0]]})
		}
		spans = append(spans, span{class, s.Text[m[0]:m[1]]})
		at = m[1]
	}
	if at < len(s.Text) {
		spans = append(spans, span{s.Class, s.Text[at:]})
	}
	return spans
}

package ui

import (
	"cmp"
	"context"
	"html"
	"io"
	"regexp"
	"strings"

	"github.com/a-h/templ"
	"github.com/alecthomas/chroma/v2/lexers"
)

// HTML is markup that was rendered from Markdown and sanitised. Nothing else
// may be converted to it: Prose writes it as it is.
type HTML string

// proseCode is how rendered Markdown holds code. What is within is escaped, so
// it has no tags.
var proseCode = regexp.MustCompile(`<pre(?: data-title="([^"]*)")?><code(?: class="language-([^"]*)")?>([^<]*)</code></pre>`)

// proseText writes rendered Markdown, with its code as every other code block:
// coloured, under a head, to be copied.
func proseText(text HTML) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		rest := string(text)
		for {
			m := proseCode.FindStringSubmatchIndex(rest)
			if m == nil {
				return templ.Raw(rest).Render(ctx, w)
			}
			part := func(i int) string {
				if m[2*i] < 0 {
					return ""
				}
				return html.UnescapeString(rest[m[2*i]:m[2*i+1]])
			}
			if err := templ.Raw(rest[:m[0]]).Render(ctx, w); err != nil {
				return err
			}
			code := Code{Title: cmp.Or(part(1), languageName(part(2))), Language: part(2), Text: strings.TrimSuffix(part(3), "\n")}
			if err := CodeBlock(code).Render(ctx, w); err != nil {
				return err
			}
			rest = rest[m[1]:]
		}
	})
}

// languageName is how readers call a language of chroma's.
func languageName(language string) string {
	switch language {
	case "sh", "shell", "console":
		return "Shell"
	case "", "text":
		return "Text"
	}
	if lexer := lexers.Get(language); lexer != nil {
		return lexer.Config().Name
	}
	return "Code"
}

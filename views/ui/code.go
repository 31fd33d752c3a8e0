package ui

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// fold is how many lines of code show at first, where scripts run.
const fold = 25

func (c Code) lines() int { return strings.Count(strings.TrimSuffix(c.Text, "\n"), "\n") + 1 }

// breaks lets addresses break after a slash or an underscore, where lines break at
// all.
var breaks = strings.NewReplacer("://", "://", "/", "/<wbr>", "_", "_<wbr>")

// mostColoured is the longest code with colours, in bytes. The work grows with the number
// of tokens, and readers do not read longer code.
const mostColoured = 64 << 10

// codeText writes highlighted code in a pre that can be scrolled by keyboard,
// hence the tab stop. It is written by hand because every space counts here.
func codeText(code Code) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		b.WriteString(`<pre tabindex="0"><code>`)
		spans := []span{{Text: code.Text}}
		if len(code.Text) <= mostColoured {
			spans = highlight(code.Language, code.Text)
		}
		for _, span := range spans {
			text := templ.EscapeString(span.Text)
			address := strings.Contains(text, "://")
			if span.Class == "" && address || span.Class == "s" && (address || text[0] == '/') {
				text = breaks.Replace(text)
			}
			if span.Class != "" {
				text = `<i class="` + span.Class + `">` + text + `</i>`
			}
			b.WriteString(text)
		}
		b.WriteString(`</code></pre>`)
		_, err := io.WriteString(w, b.String())
		return err
	})
}

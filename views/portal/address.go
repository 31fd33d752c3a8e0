package portal

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// address writes the URL of a request line, with each path token linking to its
// row. It is written by hand because no space may come between the parts.
func address(r RequestLine) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		b.WriteString(`<code><span class="server">` + templ.EscapeString(r.Server) + `</span>`)
		for _, p := range r.Path {
			text := templ.EscapeString(p.Text)
			if p.Tint > 0 {
				text = `<a class="` + tintClass(p.Tint) + `" href="#` + templ.EscapeString(p.Anchor) + `">` + text + `</a>`
			}
			b.WriteString(text)
		}
		b.WriteString(`</code>`)
		_, err := io.WriteString(w, b.String())
		return err
	})
}

package reader

import (
	"context"
	"io"
	"regexp"
	"strings"

	"github.com/a-h/templ"
)

// broken escapes a path that may be broken after its slashes and underscores.
func broken(path string) string { return breaks.Replace(templ.EscapeString(path)) }

var breaks = strings.NewReplacer("/", "/<wbr>", "_", "_<wbr>")

// breakable writes a path that may be broken after its slashes and underscores.
func breakable(path string) templ.Component { return templ.Raw(broken(path)) }

// longName is the length of names that may need more than one line on a phone.
const longName = 20

var humps = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// worded writes a name that may be broken between its words. Short ones have no places to
// break at: a body can have hundreds of them.
func worded(name string) templ.Component {
	if len(name) < longName {
		return templ.Raw(templ.EscapeString(name))
	}
	return templ.Raw(humps.ReplaceAllString(broken(name), "$1<wbr>$2"))
}

// address writes the URL of a request line, with each path token linking to its
// row. It is written by hand because no space may come between the parts.
func address(r RequestLine) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		b.WriteString(`<code><span class="server">` + broken(r.Server) + `</span>`)
		for _, p := range r.Path {
			text := broken(p.Text)
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

// tintOf returns the class of a tinted field: most fields have none.
func tintOf(f Field) templ.Attributes {
	if f.Tint < 1 {
		return nil
	}
	return templ.Attributes{"class": tintClass(f.Tint)}
}

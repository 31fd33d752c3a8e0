package reference

import (
	"context"
	"fmt"
	"strings"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/published"
)

// writer writes a page as Markdown.
type writer struct {
	strings.Builder
	site  Site
	shown map[string]bool // schemas with members on the page
}

// newWriter writes the title of a page, the product or version that it belongs
// to and its address.
func (s Site) newWriter(title, of, path string) *writer {
	w := &writer{site: s, shown: map[string]bool{}}
	w.block("# %s", title)
	w.block("%s · <%s>", of, s.URL+path)
	return w
}

// below returns a text as it stands below a heading of a level, without the comments of
// its source.
func below(source string, level int) string {
	return markdown.Demote(markdown.Uncommented(source), level)
}

// block writes a block of its own; nothing where it is empty.
func (w *writer) block(format string, args ...any) {
	if s := strings.TrimSpace(fmt.Sprintf(format, args...)); s != "" {
		w.WriteString(s + "\n\n")
	}
}

// code writes a block of code. The fence is longer than any within.
func (w *writer) code(language, code string) {
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	w.block("%s%s\n%s\n%s", fence, language, strings.TrimSuffix(code, "\n"), fence)
}

// notice writes the notice of a version.
func (w *writer) notice(at Place, op *published.Operation) {
	if n := NewNotice(at, op); n.Title != "" {
		w.block("> **%s** %s %s", n.Title, n.Text, n.Label)
	}
}

// operations writes a list of operations, each with the first sentence of its
// purpose.
func (w *writer) operations(ctx context.Context, at Place, ops []*published.Operation) error {
	purposes, err := at.Version.Purposes(ctx, ops)
	if err != nil {
		return err
	}
	for i, op := range ops {
		line := fmt.Sprintf("- [%s](%s): `%s`", op.Name, w.site.textURL(at.Operation(op)), OperationLine(op))
		if !at.Version.Served(op) {
			line += ", not served yet"
		}
		if op.Deprecated {
			line += ", deprecated"
		}
		if purpose := markdown.FirstSentence(purposes[i]); purpose != "" {
			line += " – " + purpose
		}
		w.WriteString(line + "\n")
	}
	w.WriteString("\n")
	return nil
}

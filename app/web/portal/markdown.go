package portal

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/catalogue"
)

// markdownType is the content type of pages as text (RFC 7763).
const markdownType = "text/markdown; charset=UTF-8"

// asText is where a page is found as Markdown: to be pasted, and for programs
// that read.
func asText(path string) string { return path + ".md" }

// unlisted asks search engines to keep a page rather than its text.
func unlisted(c echo.Context) { c.Response().Header().Set("X-Robots-Tag", "noindex") }

// writer is a page in Markdown that is being written.
type writer struct {
	strings.Builder
	told map[string]bool // schemas whose members are on the page
}

// newWriter begins a page with its title and what it belongs to.
func newWriter(title, of, address string) *writer {
	w := &writer{told: map[string]bool{}}
	w.block("# %s", title)
	w.block("%s · <%s>", of, address)
	return w
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

// endpoints writes a list of endpoints, each with its purpose in a sentence.
func (w *writer) endpoints(s *site, at place, list []listing) {
	for _, e := range list {
		line := fmt.Sprintf("- [%s](%s): `%s`", e.Name, s.url+asText(at.endpoint(e.Operation)), operationLine(e.Operation))
		if e.Deprecated {
			line += ", deprecated"
		}
		if purpose := first(e.purpose); purpose != "" {
			line += " – " + purpose
		}
		w.WriteString(line + "\n")
	}
	w.WriteString("\n")
}

func productText(s *site, p *catalogue.Product) string {
	w := newWriter(p.Name, p.Summary, s.url+productPath(p))
	w.block("%s", demote(p.Description, 2))
	if len(documented(p)) > 0 {
		w.block("## Versions")
	}
	for _, v := range documented(p) {
		w.WriteString(fmt.Sprintf("- [%s](%s), %s\n", v.Slug, s.url+asText(place{p, v}.path()), strings.ToLower(cmp.Or(v.Label, "current"))))
	}
	w.WriteString("\n")
	if len(guides(p)) > 0 {
		w.block("## Guides")
	}
	for _, g := range guides(p) {
		w.WriteString(fmt.Sprintf("- [%s](%s): %s\n", g.Title, s.url+asText(guideAddress(p, g)), g.Summary))
	}
	return w.String()
}

func versionText(s *site, at place, o overview) string {
	v := at.version
	w := newWriter(at.name(), cmp.Or(v.Label, "Current"), s.url+at.path())
	w.notice(at, nil)
	w.block("%s", demote(v.Description, 2))
	if len(v.Servers) > 0 {
		w.block("## Base URL")
	}
	for _, server := range v.Servers {
		w.block("`%s` %s", s.server(server.URL), server.Description)
	}
	if v.Notes != "" {
		w.block("## Release notes")
		w.block("%s", demote(v.Notes, 3))
	}
	for _, c := range v.Groups() {
		w.block("## %s", c.Name)
		w.block("%s", demote(c.Description, 3))
		w.endpoints(s, at, o.list(c.Operations))
	}
	return w.String()
}

func guideText(s *site, p *catalogue.Product, g *catalogue.Guide) string {
	w := newWriter(g.Title, p.Name+" guide", s.url+guideAddress(p, g))
	w.block("%s", g.Summary)
	w.block("%s", demote(strings.ReplaceAll(g.Text, hereabouts, s.url), 2))
	return w.String()
}

func schemaText(s *site, at place, named namedSchema) string {
	w := newWriter(named.Name, at.name()+" schema", s.url+at.schema(named.Name))
	w.notice(at, nil)
	w.whole(named.Root)
	if named.Example != "" {
		w.block("## Example")
		w.code("json", named.Example)
	}
	if len(named.users) > 0 {
		w.block("## Used by")
		w.endpoints(s, at, named.users)
	}
	return w.String()
}

// notice says what the strip above the page says.
func (w *writer) notice(at place, op *catalogue.Operation) {
	if n := newNotice(at, op); n.Title != "" {
		w.block("> **%s** %s %s", n.Title, n.Text, n.Link.Label)
	}
}

// demote makes the uppermost headings of a Markdown text those of a level, and
// the others by as much. Lines of code stay.
func demote(source string, level int) string {
	lines := strings.Split(strings.TrimSpace(source), "\n")
	headings := headingLevels(lines)
	top := 7
	for _, marks := range headings {
		top = min(top, marks)
	}
	for i, marks := range headings {
		lines[i] = strings.Repeat("#", min(marks-top+level, 6)) + lines[i][marks:]
	}
	return strings.Join(lines, "\n")
}

package reader

import (
	"regexp"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/published"
	"heliograph/views/ui"
)

// cutHeadings splits a Markdown text before each heading of its highest level.
// The first part is the text before the first heading and may be empty.
func cutHeadings(source string) (parts []string) {
	lines := strings.SplitAfter(source, "\n")
	levels := markdown.HeadingLevels(lines)
	top := 7
	for _, level := range levels {
		top = min(top, level)
	}
	part := ""
	for i, line := range lines {
		if levels[i] == top {
			parts = append(parts, part)
			part = ""
		}
		part += line
	}
	return append(parts, part)
}

// introduction holds the parts of a version's description: its beginning, its
// section about authentication and its other sections.
type introduction struct {
	lead, auth, rest ui.HTML
	topics           []ui.Link // the sections of the rest
}

// introduce renders the description of a version.
func introduce(at place) (in introduction) {
	parts := cutHeadings(at.version.Description)
	if len(parts) == 1 {
		in.lead = at.about(parts[0])
		return in
	}
	in.lead = at.prose(parts[0])
	sections := parts[1:]
	i := slices.IndexFunc(sections, func(section string) bool {
		head, _, _ := strings.Cut(section, "\n")
		return strings.EqualFold(markdown.HeadingText(strings.TrimSpace(head)), "authentication")
	})
	if i >= 0 {
		_, text, _ := strings.Cut(sections[i], "\n")
		in.auth = at.prose(text)
		sections = slices.Delete(sections, i, i+1)
	}
	in.rest, in.topics = sectionsOf(at, strings.Join(sections, ""))
	return in
}

// sectionsOf renders a text with its uppermost headings as sections of the page, and
// links to them.
func sectionsOf(at place, source string) (html ui.HTML, topics []ui.Link) {
	text, headings := markdown.RenderDescription(source)
	html = ui.HTML(at.linked(raised.ReplaceAllStringFunc(text, func(tag string) string {
		return tag[:len(tag)-1] + string(tag[len(tag)-1]-1)
	})))
	for _, h := range headings {
		if h.Level == 3 {
			topics = append(topics, ui.Link{Label: h.Text, Href: "#" + h.ID})
		}
	}
	return html, topics
}

// behaviour splits the description of an operation: the lead says what it is for,
// the rest how it behaves. What the rest says before its first heading gets one.
func behaviour(source string) (lead, rest string) {
	lead, rest = markdown.Lead(source)
	if parts := cutHeadings(rest); rest != "" && strings.TrimSpace(parts[0]) != "" {
		rest = "## Behaviour\n\n" + markdown.Demote(parts[0], 3) + "\n\n" + markdown.Demote(strings.Join(parts[1:], ""), 2)
	}
	return lead, rest
}

// raised matches the tags that are raised by one level where a section of the
// description is a section of the page.
var raised = regexp.MustCompile(`</?h[3-6]`)

// operation matches an endpoint in a text: `GET /messages/{id}`.
var operation = regexp.MustCompile(`<code>([A-Z]{3,7}) (/[^<\s]*)</code>`)

// prose renders Markdown. Operations of the version in the text become links.
func (at place) prose(source string) ui.HTML { return ui.HTML(at.linked(markdown.Render(source))) }

// about renders the main text of a page. Its headings and error codes have ids.
func (at place) about(source string) ui.HTML {
	text, _ := markdown.RenderDescription(source)
	return ui.HTML(at.linked(text))
}

// linked links the operations and the error codes in rendered Markdown.
func (at place) linked(html string) string {
	var b strings.Builder
	end := 0
	for _, m := range operation.FindAllStringSubmatchIndex(html, -1) {
		before := html[:m[0]]
		method, path := html[m[2]:m[3]], html[m[4]:m[5]]
		i := slices.IndexFunc(at.version.Endpoints(), func(e *published.Operation) bool { return e.Method == method && e.Path == path })
		if i < 0 || strings.LastIndex(before, "<a ") > strings.LastIndex(before, "</a>") {
			continue
		}
		b.WriteString(html[end:m[0]] + `<a href="` + at.endpoint(at.version.Endpoints()[i]) + `">` + html[m[0]:m[1]] + `</a>`)
		end = m[1]
	}
	b.WriteString(html[end:])
	return at.linkCodes(b.String())
}

package checks

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi/markdown"
)

var (
	// inlineLink matches a link or an image of Markdown: the mark of an image, the
	// text and the destination.
	inlineLink = regexp.MustCompile(`(!?)\[((?:[^\[\]\\]|\\.|\[[^\]]*\])*)\]\(\s*<?([^)\s>]*)>?(?:\s+(?:"[^"]*"|'[^']*'|\([^)]*\)))?\s*\)`)
	// defined matches the definition of a link by reference.
	defined = regexp.MustCompile(`^ {0,3}\[[^\]^][^\]]*\]:\s+<?([^\s>]+)`) // not of a footnote, which is shown as text
	// span matches code within a line.
	span = regexp.MustCompile("``[^`]*(?:`[^`]+)*``|`[^`]*`")
	// comment matches what nobody reads.
	comment = regexp.MustCompile(`<!--.*?-->`)
)

// numbered is a line of prose with its place in the text, counting from zero.
type numbered struct {
	at   int
	text string
}

// prose returns the lines of a text outside of code. Code within a line is blank.
func (t text) prose() (lines []numbered) {
	fence := ""
	for at, line := range strings.Split(t.source, "\n") {
		marks := strings.TrimLeft(line, " ")
		marks = marks[:len(marks)-len(strings.TrimLeft(marks, "`~"))]
		switch {
		case fence == "" && len(marks) >= 3:
			fence = marks
		case fence != "" && strings.HasPrefix(marks, fence):
			fence = ""
		case fence == "":
			line = span.ReplaceAllStringFunc(line, func(code string) string { return strings.Repeat(" ", len(code)) })
			lines = append(lines, numbered{at, comment.ReplaceAllString(line, "")})
		}
	}
	return lines
}

// target is a link of a text.
type target struct {
	at    int
	href  string
	image bool
	alt   string
}

func (t text) targets() (list []target) {
	if !t.markdown {
		return nil
	}
	for _, line := range t.prose() {
		for _, m := range inlineLink.FindAllStringSubmatch(line.text, -1) {
			list = append(list, target{at: line.at, href: m[3], image: m[1] == "!", alt: strings.TrimSpace(m[2])})
		}
		if m := defined.FindStringSubmatch(line.text); m != nil {
			list = append(list, target{at: line.at, href: m[1]})
		}
	}
	return list
}

// Links lists the paths within the portal that the texts of an item link to, for
// [World].
func Links(i Item) (paths []string) {
	f := &finder{item: i}
	f.read()
	for _, t := range f.texts {
		for _, link := range t.targets() {
			if to, err := f.resolve(link.href); err == nil && to.Host == "" && to.Path != i.Path && !link.image && !slices.Contains(paths, to.Path) {
				paths = append(paths, to.Path)
			}
		}
	}
	if to := f.successor(); to != "" {
		paths = append(paths, to)
	}
	return paths
}

// successor is the page of the version that a version recommends, empty for none.
func (f *finder) successor() string {
	if f.item.Kind != content.KindVersion || f.version.MigrateTo == "" {
		return ""
	}
	return path.Join(path.Dir(f.item.Path), f.version.MigrateTo)
}

// recommends finds a recommended version that readers cannot open.
func (f *finder) recommends() {
	to := f.successor()
	switch {
	case to == "":
	case to == f.item.Path:
		f.add(nameLinks, "migrate_to", 0, "The version recommends itself.")
	case !f.world.Pages[to].Exists:
		f.add(nameLinks, "migrate_to", 0, fmt.Sprintf("Readers find no version %s. Recommend one that is public, or publish it first or with this one.", f.version.MigrateTo))
	}
}

// resolve returns the address that a link on the item's page leads to. Within the
// portal it has no host. A fragment alone leads to the page itself.
func (f *finder) resolve(href string) (*url.URL, error) {
	to, err := url.Parse(href)
	if err != nil {
		return nil, err
	}
	if to.Scheme != "" || to.Host != "" {
		return to, nil
	}
	base := &url.URL{Path: f.item.Path}
	to = base.ResolveReference(to)
	if len(to.Path) > 1 {
		to.Path = path.Clean(to.Path)
	}
	return to, nil
}

// links finds links that do not work.
func (f *finder) links(t text) {
	for _, link := range t.targets() {
		if link.image {
			continue
		}
		line := t.lineOf(link.at)
		to, err := f.resolve(link.href)
		switch {
		case link.href == "":
			f.add(nameLinks, t.field, line, "A link has no address.")
		case err != nil:
			f.add(nameLinks, t.field, line, fmt.Sprintf("The link to %s is not an address.", link.href))
		case to.Host != "" || to.Scheme != "":
			f.external(t.field, line, to)
		case to.Path == f.item.Path:
			if own := f.own(); to.Fragment != "" && own != nil && !own[to.Fragment] {
				f.add(nameLinks, t.field, line, fmt.Sprintf("This page has no heading with the anchor #%s.", to.Fragment))
			}
		default:
			f.internal(t.field, line, to)
		}
	}
}

func (f *finder) external(field string, line int, to *url.URL) {
	switch {
	case to.Scheme == "mailto" || to.Scheme == "tel":
		if to.Opaque == "" {
			f.add(nameLinks, field, line, fmt.Sprintf("The link to %s names nobody.", to))
		}
	case to.Scheme != "http" && to.Scheme != "https":
		f.add(nameLinks, field, line, fmt.Sprintf("The link to %s is shown as text: start it with https://.", to))
	case !strings.Contains(to.Hostname(), ".") && to.Hostname() != "localhost":
		f.add(nameLinks, field, line, fmt.Sprintf("The link to %s has no complete host name.", to))
	}
}

func (f *finder) internal(field string, line int, to *url.URL) {
	page := f.world.Pages[to.Path]
	switch {
	case !page.Exists:
		f.add(nameLinks, field, line, fmt.Sprintf("Readers find no page at %s. Correct the link, or publish that page first or with this one.", to.Path))
	case to.Fragment != "" && page.Anchors != nil && !page.Anchors[to.Fragment]:
		f.add(nameLinks, field, line, fmt.Sprintf("The page %s has no heading with the anchor #%s.", to.Path, to.Fragment))
	}
}

// own returns the anchors of the item's own page, nil where they are not known.
func (f *finder) own() map[string]bool { return Anchors(f.item.Kind, f.item.Content) }

// images finds images without a description.
func (f *finder) images(t text) {
	for _, link := range t.targets() {
		switch line := t.lineOf(link.at); {
		case !link.image:
		case link.alt == "":
			f.add(nameImages, t.field, line, fmt.Sprintf("The image %s has no description. Write what it shows between the brackets.", link.href))
		case strings.EqualFold(link.alt, path.Base(link.href)) || slices.Contains([]string{"image", "picture", "screenshot", "diagram"}, strings.ToLower(link.alt)):
			f.add(nameImages, t.field, line, fmt.Sprintf("“%s” does not say what the image %s shows.", link.alt, link.href))
		}
	}
}

// headings finds headings that leave out a level.
func (f *finder) headings(t text) {
	if !t.markdown {
		return
	}
	lines := strings.Split(t.source, "\n")
	levels, before := markdown.HeadingLevels(lines), 0
	for at := range lines {
		level, ok := levels[at]
		if !ok {
			continue
		}
		name := markdown.HeadingText(strings.TrimRight(lines[at], "\r"))
		switch {
		case name == "":
			f.add(nameHeadings, t.field, t.lineOf(at), "A heading has no text.")
		case before > 0 && level > before+1:
			f.add(nameHeadings, t.field, t.lineOf(at), fmt.Sprintf("The heading “%s” leaves out a level: use %s.", name, strings.Repeat("#", before+1)))
		}
		before = level
	}
}

// footnote matches the mark of a footnote, which pages show as it is typed.
var footnote = regexp.MustCompile(`\[\^[^\]\s]+\]`)

// markup finds the first footnote of a text.
func (f *finder) markup(t text) {
	if !t.markdown {
		return
	}
	for _, line := range t.prose() {
		if mark := footnote.FindString(line.text); mark != "" {
			f.add(nameMarkup, t.field, t.lineOf(line.at), fmt.Sprintf("Pages have no footnotes: readers see %s as you typed it. Put the note into the sentence.", mark))
			return
		}
	}
}

// blocks finds code blocks in JSON that cannot be parsed. What is left out of one
// stands as an ellipsis, which is no mistake.
func (f *finder) blocks(t text) {
	if !t.markdown {
		return
	}
	for _, b := range fences(t.source) {
		if b.language != "json" || strings.Contains(b.text, "…") || strings.Contains(b.text, "...") || strings.TrimSpace(b.text) == "" {
			continue
		}
		err := json.Unmarshal([]byte(b.text), new(any))
		if err == nil {
			continue
		}
		at := b.at
		if syntax, ok := err.(*json.SyntaxError); ok {
			at += strings.Count(b.text[:min(int(syntax.Offset), len(b.text))], "\n")
		}
		f.add(nameCode, t.field, t.lineOf(at), "The JSON of a code block cannot be parsed: "+err.Error()+".")
	}
}

// block is a code block, with the place of its first line.
type block struct {
	language, text string
	at             int
}

func fences(source string) (list []block) {
	var open *block
	mark := ""
	for at, line := range strings.Split(source, "\n") {
		trimmed := strings.TrimLeft(line, " ")
		marks := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`~"))]
		switch {
		case open == nil && len(marks) >= 3:
			language, _, _ := strings.Cut(strings.TrimSpace(trimmed[len(marks):]), " ")
			open, mark = &block{language: language, at: at + 1}, marks
		case open != nil && strings.HasPrefix(marks, mark):
			list = append(list, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	return list
}

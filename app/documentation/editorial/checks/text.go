package checks

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

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

// textChecks finds what is wrong with a text.
type textChecks struct{ *finder }

// images finds images without a description.
func (f textChecks) images(t text) {
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
func (f textChecks) headings(t text) {
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
func (f textChecks) markup(t text) {
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
func (f textChecks) blocks(t text) {
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

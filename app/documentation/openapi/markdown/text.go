package markdown

import (
	"html"
	"regexp"
	"strings"
)

// headingLine matches a heading that is not part of another block.
var headingLine = regexp.MustCompile(`^#{1,6} +(.*?) *#*$`)

// HeadingText returns the text of a line that is a heading.
func HeadingText(line string) string {
	if match := headingLine.FindStringSubmatch(line); match != nil {
		return match[1]
	}
	return ""
}

// HeadingLevels returns the levels of the lines that are headings, by index. Lines
// of code are no headings.
func HeadingLevels(lines []string) map[int]int {
	levels, fence := map[int]int{}, ""
	for i, line := range lines {
		line = strings.TrimRight(line, "\r\n")
		marks := line[:len(line)-len(strings.TrimLeft(line, "`~"))]
		switch {
		case fence == "" && len(marks) >= 3:
			fence = marks
		case fence != "" && strings.HasPrefix(marks, fence):
			fence = ""
		case fence == "" && headingLine.MatchString(line):
			levels[i] = strings.IndexFunc(line, func(r rune) bool { return r != '#' })
		}
	}
	return levels
}

// Demote gives the uppermost headings of a text a level, and shifts the others by
// as much. Lines of code stay.
func Demote(source string, level int) string {
	lines := strings.Split(strings.TrimSpace(source), "\n")
	headings := HeadingLevels(lines)
	top := 7
	for _, marks := range headings {
		top = min(top, marks)
	}
	for i, marks := range headings {
		lines[i] = strings.Repeat("#", min(marks-top+level, 6)) + lines[i][marks:]
	}
	return strings.Join(lines, "\n")
}

// Uncommented leaves out comments that stand on lines of their own. Lines of code stay.
func Uncommented(source string) string {
	if !strings.Contains(source, "<!--") {
		return source
	}
	var kept []string
	fence, comment := "", false
	for line := range strings.SplitSeq(source, "\n") {
		text := strings.TrimSpace(line)
		marks := text[:len(text)-len(strings.TrimLeft(text, "`~"))]
		switch {
		case comment:
			comment = !strings.HasSuffix(text, "-->")
			continue
		case fence != "":
			if strings.HasPrefix(marks, fence) {
				fence = ""
			}
		case len(marks) >= 3:
			fence = marks
		case strings.HasPrefix(text, "<!--"):
			comment = !strings.HasSuffix(text, "-->")
			continue
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}

// Lead splits a text after its first paragraph, which says what the text is about.
// A paragraph that ends in a colon keeps the block that it introduces. The lead of
// a text that starts with a heading is empty.
func Lead(source string) (lead, rest string) {
	rest = strings.TrimSpace(source)
	for !headingLine.MatchString(firstLine(rest)) {
		block := blockEnd.FindStringIndex(rest)
		if block == nil {
			return lead + rest, ""
		}
		lead, rest = lead+rest[:block[0]], strings.TrimSpace(rest[block[1]:])
		if !strings.HasSuffix(lead, ":") {
			break
		}
		lead += "\n\n"
	}
	return strings.TrimSpace(lead), rest
}

// blockEnd matches the empty lines after a block.
var blockEnd = regexp.MustCompile(`\n[ \t]*\r?\n\s*`)

func firstLine(source string) string {
	line, _, _ := strings.Cut(source, "\n")
	return line
}

var (
	paragraph = regexp.MustCompile(`(?s)<p>(.*?)</p>`)
	tag       = regexp.MustCompile(`<[^>]*>`)
	sentence  = regexp.MustCompile(`[.!?](\s|$)`)
)

// maxSummary is the length of a summary, in bytes.
const maxSummary = 160

// Summary returns the first sentences of a text in plain words: as many of its
// first paragraph as fit. A first sentence that is too long is cut between words.
func Summary(source string) string {
	match := paragraph.FindStringSubmatch(Render(source))
	if match == nil {
		return ""
	}
	text := strings.Join(strings.Fields(html.UnescapeString(tag.ReplaceAllString(match[1], ""))), " ")
	if len(text) <= maxSummary {
		return text
	}
	end := 0
	for _, at := range sentence.FindAllStringIndex(text, -1) {
		if at[0] < maxSummary {
			end = at[0] + 1
		}
	}
	if end > 0 {
		return text[:end]
	}
	return text[:strings.LastIndexByte(text[:maxSummary], ' ')] + " …"
}

// FirstSentence returns the first sentence of a text in plain words.
func FirstSentence(source string) string {
	text := Summary(source)
	if at := sentence.FindStringIndex(text); at != nil {
		return text[:at[0]+1]
	}
	return text
}

package card

import (
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
)

const ellipsis = "…"

// wrap breaks a text into lines of a width in pixels, at most as many as given.
// What does not fit is replaced by an ellipsis. A word that is wider than a line is
// broken.
func wrap(f font.Face, text string, width, most int) []string {
	var lines []string
	for text != "" && len(lines) < most {
		line := firstLine(f, text, width)
		text = strings.TrimLeft(text[len(line):], " ")
		lines = append(lines, strings.TrimRight(line, " "))
	}
	if text != "" && len(lines) > 0 {
		lines[len(lines)-1] = cut(f, lines[len(lines)-1]+" "+text, width)
	}
	return lines
}

// firstLine returns the words of a text that fit into a line, or the start of its
// first word.
func firstLine(f font.Face, text string, width int) string {
	end := fit(f, text, width)
	if end == len(text) {
		return text
	}
	if space := strings.LastIndexByte(text[:end+1], ' '); space > 0 {
		return text[:space]
	}
	return text[:end]
}

// cut shortens a text to a width, with an ellipsis if something is missing.
func cut(f font.Face, text string, width int) string {
	if fit(f, text, width) == len(text) {
		return text
	}
	end := fit(f, text, width-font.MeasureString(f, ellipsis).Ceil())
	return strings.TrimRight(text[:end], " ,.:;–-") + ellipsis
}

// fit returns the number of bytes of a text that fit into a width. It is at least
// one letter.
func fit(f font.Face, text string, width int) int {
	var at fixed.Int26_6
	last := rune(-1)
	for i, letter := range text {
		advance, _ := f.GlyphAdvance(letter)
		if last >= 0 {
			at += f.Kern(last, letter)
		}
		at += advance
		if i > 0 && at.Ceil() > width {
			return i
		}
		last = letter
	}
	return len(text)
}

// Package diff compares texts: by line, and within lines that changed by word.
package diff

import (
	"strings"
	"unicode"
)

// Kind is what happened to a line or a word.
type Kind byte

// The kinds of a difference.
const (
	Same    Kind = ' '
	Removed Kind = '-'
	Added   Kind = '+'
)

// Part is a piece of a text that is compared by word, and whether only this text has it.
type Part struct {
	Text    string
	Changed bool
}

// hunkLine is a line of a difference. Old and New are its numbers in the two texts,
// counting from one, zero where it is not there.
type hunkLine struct {
	Kind     Kind
	Old, New int
	Parts    []Part
}

// Hunk is lines that stand together, with a few that did not change around them.
type Hunk struct{ Lines []hunkLine }

// context is how many lines are shown around a change.
const context = 3

// Lines compares two texts and returns what changed, nothing for equal texts.
func Lines(before, after string) []Hunk {
	if before == after {
		return nil
	}
	a, b := split(before), split(after)
	var lines []hunkLine
	i, j := 0, 0
	for _, s := range Steps(a, b) {
		switch s {
		case Same:
			lines = append(lines, hunkLine{Same, i + 1, j + 1, []Part{{Text: a[i]}}})
			i, j = i+1, j+1
		case Removed:
			lines = append(lines, hunkLine{Removed, i + 1, 0, []Part{{Text: a[i], Changed: true}}})
			i++
		case Added:
			lines = append(lines, hunkLine{Added, 0, j + 1, []Part{{Text: b[j], Changed: true}}})
			j++
		}
	}
	markWords(lines)
	return hunks(lines)
}

// Count returns how many lines hunks add and remove.
func Count(list []Hunk) (added, removed int) {
	for _, h := range list {
		for _, l := range h.Lines {
			switch l.Kind {
			case Added:
				added++
			case Removed:
				removed++
			}
		}
	}
	return added, removed
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// hunks leaves out what is far from every change.
func hunks(lines []hunkLine) (list []Hunk) {
	near := make([]bool, len(lines))
	for i, l := range lines {
		if l.Kind == Same {
			continue
		}
		for j := max(0, i-context); j <= min(len(lines)-1, i+context); j++ {
			near[j] = true
		}
	}
	for i, l := range lines {
		if !near[i] {
			continue
		}
		if i == 0 || !near[i-1] {
			list = append(list, Hunk{})
		}
		h := &list[len(list)-1]
		h.Lines = append(h.Lines, l)
	}
	return list
}

// block is the number of replaced lines up to which each is paired with the line
// that is most like it.
const block = 60

// markWords compares lines that were replaced with those that took their place.
func markWords(lines []hunkLine) {
	for i := 0; i < len(lines); {
		start := i
		for i < len(lines) && lines[i].Kind == Removed {
			i++
		}
		middle := i
		for i < len(lines) && lines[i].Kind == Added {
			i++
		}
		pairs(lines[start:middle], lines[middle:i])
		if i == start {
			i++
		}
	}
}

// pairs finds for each removed line the next added one that is like it.
func pairs(removed, added []hunkLine) {
	if len(removed) > block || len(added) > block {
		return
	}
	next := 0
	for n := range removed {
		for m := next; m < len(added); m++ {
			if pair(&removed[n], &added[m]) {
				next = m + 1
				break
			}
		}
	}
}

// pair marks the words that differ between two lines, unless most of them do, and
// reports whether it did.
func pair(before, after *hunkLine) bool {
	was, is, alike := Words(before.Parts[0].Text, after.Parts[0].Text)
	if alike {
		before.Parts, after.Parts = was, is
	}
	return alike
}

// Words compares two texts word by word, and reports whether they are alike. When most
// words differ, each text is one part that changed as a whole.
func Words(before, after string) (was, is []Part, alike bool) {
	a, b := words(before), words(after)
	steps := Steps(a, b)
	same := 0
	for i, n := 0, 0; n < len(steps); n++ {
		if steps[n] == Same && strings.TrimSpace(a[i]) != "" {
			same++
		}
		if steps[n] != Added {
			i++
		}
	}
	if same*5 < max(len(a), len(b)) || same == 0 {
		return []Part{{before, true}}, []Part{{after, true}}, false
	}
	i, j := 0, 0
	for _, s := range steps {
		switch s {
		case Same:
			was, is = add(was, a[i], false), add(is, b[j], false)
			i, j = i+1, j+1
		case Removed:
			was = add(was, a[i], true)
			i++
		case Added:
			is = add(is, b[j], true)
			j++
		}
	}
	return was, is, true
}

func add(list []Part, text string, changed bool) []Part {
	if n := len(list); n > 0 && list[n-1].Changed == changed {
		list[n-1].Text += text
		return list
	}
	return append(list, Part{text, changed})
}

// words splits a line into words, spaces and single signs.
func words(line string) (list []string) {
	class := func(r rune) int {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_':
			return 1
		case unicode.IsSpace(r):
			return 2
		}
		return 0
	}
	last := 0
	for _, r := range line {
		c := class(r)
		if c == 0 || c != last || len(list) == 0 {
			list = append(list, string(r))
		} else {
			list[len(list)-1] += string(r)
		}
		last = c
	}
	return list
}

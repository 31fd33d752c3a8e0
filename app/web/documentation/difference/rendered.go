package difference

import (
	"slices"
	"strings"

	"heliograph/app/diff"
	"heliograph/app/web/documentation/desk"
	"heliograph/views/ui"
)

// sideBySide renders two texts as readers see them, block beside block. Both sides of
// a block that did not change are equal. Of these, only neighbours of changes are
// kept: a pair of empty sides stands for the others.
func sideBySide(before, after string) (rows [][2]ui.HTML) {
	a, b := blocks(before), blocks(after)
	steps := diff.Steps(a, b)
	near := func(n int) bool {
		return slices.ContainsFunc([]int{n - 1, n, n + 1}, func(m int) bool { return m >= 0 && m < len(steps) && steps[m] != diff.Same })
	}
	i, j, left := 0, 0, 0 // left is the first row with a free right side
	for n, step := range steps {
		switch step {
		case diff.Same:
			switch {
			case near(n):
				rows = append(rows, [2]ui.HTML{desk.Prose(a[i]), desk.Prose(b[j])})
			case len(rows) == 0 || rows[len(rows)-1] != [2]ui.HTML{}:
				rows = append(rows, [2]ui.HTML{})
			}
			i, j, left = i+1, j+1, len(rows)
		case diff.Removed:
			rows = append(rows, [2]ui.HTML{desk.Prose(a[i]), ""})
			i++
		case diff.Added:
			if left < len(rows) {
				rows[left][1] = desk.Prose(b[j])
			} else {
				rows = append(rows, [2]ui.HTML{"", desk.Prose(b[j])})
			}
			left++
			j++
		}
	}
	return rows
}

// blocks splits a text at its empty lines, fences of code as a whole.
func blocks(text string) (list []string) {
	var block []string
	fence := ""
	end := func() {
		if len(block) > 0 {
			list = append(list, strings.Join(block, "\n"))
			block = nil
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
		case trimmed == "":
			end()
			continue
		}
		block = append(block, line)
	}
	end()
	return list
}

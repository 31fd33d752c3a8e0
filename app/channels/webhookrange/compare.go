package webhookrange

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"heliograph/app/diff"
)

// Difference is a header with different values in two requests. A missing value is empty.
type Difference struct{ Name, Before, After string }

// CompareHeaders lists what is different between the headers of two requests, and the
// method and the query.
func CompareHeaders(a, b Taken) (list []Difference) {
	names := []string{}
	for _, h := range slices.Concat(a.Headers, b.Headers) {
		if !slices.Contains(names, h.Name) {
			names = append(names, h.Name)
		}
	}
	slices.Sort(names)
	add := func(name, before, after string) {
		if before != after {
			list = append(list, Difference{name, before, after})
		}
	}
	add("Method", a.Method, b.Method)
	add("Query", a.Query, b.Query)
	for _, name := range names {
		add(name, a.Get(name), b.Get(name))
	}
	return list
}

// around is how many equal lines are shown before the first difference and after the last.
const around = 3

// CompareBodies compares two bodies line by line, JSON indented. Lines begin with a minus
// where only the first has them, with a plus where only the second has them. It is empty
// for equal bodies.
func CompareBodies(a, b Taken) string {
	if bytes.Equal(a.Body, b.Body) {
		return ""
	}
	before, after := strings.Split(Indented(a.Body), "\n"), strings.Split(Indented(b.Body), "\n")
	if slices.Equal(before, after) {
		return "The bodies have the same JSON in another spacing."
	}
	var lines []string
	first, last, i, j := -1, 0, 0, 0
	for n, step := range diff.Steps(before, after) {
		if step != diff.Same {
			if last = n; first < 0 {
				first = n
			}
		}
		switch step {
		case diff.Same:
			lines = append(lines, "  "+before[i])
			i, j = i+1, j+1
		case diff.Removed:
			lines = append(lines, "- "+before[i])
			i++
		case diff.Added:
			lines = append(lines, "+ "+after[j])
			j++
		}
	}
	from, to := max(0, first-around), min(len(lines), last+1+around)
	out := lines[from:to]
	if from > 0 {
		out = slices.Concat([]string{"  …"}, out)
	}
	if to < len(lines) {
		out = slices.Concat(out, []string{"  …"})
	}
	return strings.Join(out, "\n")
}

// Indented returns a body for reading: JSON indented, other text as it is. What is no
// text is shown as question marks in diamonds.
func Indented(body []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") == nil {
		return b.String()
	}
	return strings.ReplaceAll(strings.ToValidUTF8(string(body), "\uFFFD"), "\x00", "\uFFFD")
}

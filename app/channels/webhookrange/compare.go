package webhookrange

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Difference is a header whose value is not the same in two requests. A missing value is
// empty.
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

// mostLines is how many lines of a body are compared one by one.
const mostLines = 1500

// CompareBodies compares two bodies line by line, JSON indented. Lines begin with a minus
// where only the first has them, with a plus where only the second has them. It is empty
// for equal bodies.
func CompareBodies(a, b Taken) string {
	if bytes.Equal(a.Body, b.Body) {
		return ""
	}
	before, after := strings.Split(Indented(a.Body), "\n"), strings.Split(Indented(b.Body), "\n")
	same := 0
	for same < len(before) && same < len(after) && before[same] == after[same] {
		same++
	}
	end := 0
	for end < len(before)-same && end < len(after)-same && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	var out []string
	write := func(mark string, lines []string) {
		for _, line := range lines {
			out = append(out, mark+line)
		}
	}
	const around = 3
	if same > around {
		out = append(out, "  …")
	}
	write("  ", before[max(0, same-around):same])
	out = append(out, between(before[same:len(before)-end], after[same:len(after)-end])...)
	write("  ", before[len(before)-end:min(len(before), len(before)-end+around)])
	if end > around {
		out = append(out, "  …")
	}
	if strings.Join(before, "\n") == strings.Join(after, "\n") {
		return "The bodies have the same JSON in another spacing."
	}
	return strings.Join(out, "\n")
}

// between compares lines by their longest common sequence, or as a whole where that
// would take long.
func between(a, b []string) (out []string) {
	if len(a) > mostLines || len(b) > mostLines {
		for _, line := range a {
			out = append(out, "- "+line)
		}
		for _, line := range b {
			out = append(out, "+ "+line)
		}
		return out
	}
	longest := make([][]uint16, len(a)+1)
	for i := range longest {
		longest[i] = make([]uint16, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, "  "+a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1]:
			out = append(out, "- "+a[i])
			i++
		default:
			out = append(out, "+ "+b[j])
			j++
		}
	}
	return out
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

package tree

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// YAML writes the value as a YAML 1.2 document in block style, keys in order,
// without anchors. Text that a reader of YAML 1.1 or 1.2 could take for another
// type is quoted.
func (n *Node) YAML() []byte {
	var w yamlWriter
	switch {
	case n.Is(KindObject) && len(n.Members) > 0, n.Is(KindArray) && len(n.Items) > 0:
		w.block(n, 0, false)
	default:
		w.value(n, 0)
	}
	return w.Bytes()
}

// yamlWriter writes values as YAML.
type yamlWriter struct{ bytes.Buffer }

// block writes the members or items of a collection that has some. The first
// one follows on the current line where it is within an item of a list.
func (w *yamlWriter) block(n *Node, indent int, started bool) {
	line := func() {
		if !started {
			w.WriteString(strings.Repeat(" ", indent))
		}
		started = false
	}
	for _, item := range n.Items {
		line()
		w.WriteByte('-')
		if hasParts(item) {
			w.WriteByte(' ')
			w.block(item, indent+2, true)
			continue
		}
		w.value(item, indent)
	}
	for _, m := range n.Members {
		line()
		w.scalar(String(m.Key))
		w.WriteByte(':')
		if hasParts(m.Value) {
			w.WriteByte('\n')
			w.block(m.Value, indent+2, false)
			continue
		}
		w.value(m.Value, indent)
	}
}

func hasParts(n *Node) bool { return len(n.Items)+len(n.Members) > 0 }

// value writes a scalar or an empty collection after its key, and ends the line.
func (w *yamlWriter) value(n *Node, indent int) {
	if n.Is(KindString) && isBlock(n.Text) {
		w.literal(n, indent+2)
		return
	}
	if w.Len() > 0 {
		w.WriteByte(' ')
	}
	w.scalar(n)
	w.WriteByte('\n')
}

// scalar writes a value on one line.
func (w *yamlWriter) scalar(n *Node) {
	if n.Is(KindString) && isPlain(n.Text) {
		w.WriteString(n.Text)
		return
	}
	if n.Is(KindString) {
		w.WriteString(escapeBreaks.Replace(string(n.JSON())))
		return
	}
	n.write(&w.Buffer)
}

// escapeBreaks escapes characters that JSON allows in text and YAML takes for
// line breaks or does not allow.
var escapeBreaks = strings.NewReplacer("\u0085", `\u0085`, "\u2028", `\u2028`, "\u2029", `\u2029`, "\ufeff", `\ufeff`, "\u007f", `\u007f`)

// literal writes a text of several lines as a literal block.
func (w *yamlWriter) literal(n *Node, indent int) {
	text, ended := strings.CutSuffix(n.Text, "\n")
	if w.Len() > 0 {
		w.WriteByte(' ')
	}
	w.WriteByte('|')
	if !ended {
		w.WriteByte('-')
	}
	w.WriteByte('\n')
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			w.WriteString(strings.Repeat(" ", indent))
			w.WriteString(line)
		}
		w.WriteByte('\n')
	}
}

var (
	// printable matches text that a literal block can hold.
	printable = regexp.MustCompile(`^[\t\n\x20-\x7e\x{a0}-\x{2027}\x{202a}-\x{d7ff}\x{e000}-\x{fefe}\x{ff00}-\x{fffd}\x{10000}-\x{10ffff}]*$`)
	// plain matches text that needs no quotes if it is no word below.
	plain = regexp.MustCompile(`^[A-Za-z_/$][A-Za-z0-9_./$(){}<>@;!?*&%+=|~^ '"` + "`" + `,:#\[\]\-]*$`)
)

// words have another type in YAML 1.1 or 1.2.
var words = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity"}

// isBlock reports whether a text is best written as a literal block.
func isBlock(text string) bool {
	inner, _ := strings.CutSuffix(text, "\n")
	return strings.Contains(inner, "\n") && !strings.HasSuffix(inner, "\n") &&
		!strings.HasPrefix(text, " ") && !strings.HasPrefix(text, "\t") && !strings.HasPrefix(text, "\n") && printable.MatchString(text)
}

// isPlain reports whether a text means itself without quotes.
func isPlain(text string) bool {
	return plain.MatchString(text) && !slices.Contains(words, strings.ToLower(text)) &&
		!strings.Contains(text, ": ") && !strings.Contains(text, " #") && !strings.HasSuffix(text, ":") && !strings.HasSuffix(text, " ")
}

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
	var b bytes.Buffer
	switch {
	case n.Is(KindObject) && len(n.Members) > 0, n.Is(KindArray) && len(n.Items) > 0:
		n.block(&b, 0, false)
	default:
		n.value(&b, 0)
	}
	return b.Bytes()
}

// block writes the members or items of a collection that has some. The first
// one follows on the current line where it is within an item of a list.
func (n *Node) block(b *bytes.Buffer, indent int, started bool) {
	line := func() {
		if !started {
			b.WriteString(strings.Repeat(" ", indent))
		}
		started = false
	}
	for _, item := range n.Items {
		line()
		b.WriteByte('-')
		if hasParts(item) {
			b.WriteByte(' ')
			item.block(b, indent+2, true)
			continue
		}
		item.value(b, indent)
	}
	for _, m := range n.Members {
		line()
		key := String(m.Key)
		key.scalar(b)
		b.WriteByte(':')
		if hasParts(m.Value) {
			b.WriteByte('\n')
			m.Value.block(b, indent+2, false)
			continue
		}
		m.Value.value(b, indent)
	}
}

func hasParts(n *Node) bool { return len(n.Items)+len(n.Members) > 0 }

// value writes a scalar or an empty collection after its key, and ends the line.
func (n *Node) value(b *bytes.Buffer, indent int) {
	if n.Is(KindString) && isBlock(n.Text) {
		n.literal(b, indent+2)
		return
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	n.scalar(b)
	b.WriteByte('\n')
}

// scalar writes a value on one line.
func (n *Node) scalar(b *bytes.Buffer) {
	if n.Is(KindString) && isPlain(n.Text) {
		b.WriteString(n.Text)
		return
	}
	if n.Is(KindString) {
		b.WriteString(escapeBreaks.Replace(string(n.JSON())))
		return
	}
	n.write(b)
}

// escapeBreaks escapes characters that JSON allows in text and YAML takes for
// line breaks or does not allow.
var escapeBreaks = strings.NewReplacer("\u0085", `\u0085`, "\u2028", `\u2028`, "\u2029", `\u2029`, "\ufeff", `\ufeff`, "\u007f", `\u007f`)

// literal writes a text of several lines as a literal block.
func (n *Node) literal(b *bytes.Buffer, indent int) {
	text, ended := strings.CutSuffix(n.Text, "\n")
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteByte('|')
	if !ended {
		b.WriteByte('-')
	}
	b.WriteByte('\n')
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			b.WriteString(strings.Repeat(" ", indent))
			b.WriteString(line)
		}
		b.WriteByte('\n')
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

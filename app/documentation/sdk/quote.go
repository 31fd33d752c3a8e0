package sdk

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// clean makes every line break a line feed and drops characters that end comments or
// cannot be seen.
func clean(text string) string {
	text = strings.ToValidUTF8(text, "�")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\u0085", "\n", "\v", "\n", "\f", "\n").Replace(text)
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < 0x20, r == 0x7f, r == 0xfeff, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return -1
		}
		return r
	}, text)
}

// quoted writes a text between double quotes in ASCII. escape writes the characters
// that languages write differently.
func quoted(text string, escape func(b *strings.Builder, r rune)) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		default:
			escape(&b, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// quote writes a text between double quotes in ASCII. JavaScript, Java and C# read it
// alike: only characters beyond ASCII are written as \u, because Java reads that
// before it reads texts.
func quote(text string) string {
	return quoted(text, func(b *strings.Builder, r rune) {
		switch {
		case r == '\r':
			b.WriteString(`\r`)
		case r < utf8.RuneSelf:
			b.WriteString(" ") // no language writes these alike, and no contract needs them
		default:
			writeUnits(b, r)
		}
	})
}

// writeUnits writes a character as the escapes of its units of UTF-16.
func writeUnits(b *strings.Builder, r rune) {
	for _, unit := range utf16.Encode([]rune{r}) {
		fmt.Fprintf(b, `\u%04x`, unit)
	}
}

// quoteLong is quote for Go and Python, where longer characters have an escape of
// their own. TOML reads it too.
func quoteLong(text string) string {
	return quoted(text, func(b *strings.Builder, r rune) {
		if r > 0xffff {
			fmt.Fprintf(b, `\U%08x`, r)
		} else {
			fmt.Fprintf(b, `\u%04x`, r)
		}
	})
}

// quoteSingle writes a text between single quotes, as PHP reads it without variables.
func quoteSingle(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(strings.ToValidUTF8(text, "�")) + "'"
}

// prose returns the lines of a comment.
func prose(text string) []string {
	text = strings.TrimSpace(clean(text))
	if text == "" {
		return nil
	}
	if len(text) > maxDoc {
		text = strings.ToValidUTF8(text[:maxDoc], "") + " …"
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return lines
}

// maxDoc is the number of bytes of a description that a comment has.
const maxDoc = 4000

// lineComment writes a text as comments of one line each.
func lineComment(indent, mark, text string) string {
	var b strings.Builder
	for _, line := range prose(text) {
		b.WriteString(strings.TrimRight(indent+mark+" "+line, " ") + "\n")
	}
	return b.String()
}

// blockComment writes a text as a comment of JavaScript, Java or PHP. Tags are lines
// after the text. Java reads \u even in comments.
func blockComment(indent, text string, tags ...string) string {
	lines := prose(text)
	for i, line := range lines {
		lines[i] = strings.NewReplacer("*/", "*&#47;", `\`, "&#92;", "@", "&#64;", "?>", "?&gt;").Replace(line)
	}
	for _, tag := range tags {
		if tag != "" {
			lines = append(lines, tag)
		}
	}
	switch len(lines) {
	case 0:
		return ""
	case 1:
		return indent + "/** " + lines[0] + " */\n"
	}
	var b strings.Builder
	b.WriteString(indent + "/**\n")
	for _, line := range lines {
		b.WriteString(strings.TrimRight(indent+" * "+line, " ") + "\n")
	}
	b.WriteString(indent + " */\n")
	return b.String()
}

// xmlComment writes a text as a comment of C#.
func xmlComment(indent, text string) string {
	lines := prose(text)
	if len(lines) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(indent + "/// <summary>\n")
	for _, line := range lines {
		b.WriteString(strings.TrimRight(indent+"/// "+html.EscapeString(line), " ") + "\n")
	}
	b.WriteString(indent + "/// </summary>\n")
	return b.String()
}

// docString writes a text as a docstring of Python.
func docString(indent, text string) string {
	lines := prose(text)
	if len(lines) == 0 {
		return ""
	}
	for i, line := range lines {
		lines[i] = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(line)
	}
	if len(lines) == 1 {
		return indent + `"""` + lines[0] + `"""` + "\n"
	}
	var b strings.Builder
	b.WriteString(indent + `"""` + lines[0] + "\n")
	for _, line := range lines[1:] {
		b.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
	b.WriteString(indent + `"""` + "\n")
	return b.String()
}

// inJSON writes a value as JSON that HTML characters do not change.
func inJSON(v any) string {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // texts, numbers and lists of them
	}
	return string(raw)
}

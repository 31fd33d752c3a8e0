package sample

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"

	"heliograph/app/documentation/openapi/tree"
)

// code is a sample that is being written.
type code struct{ strings.Builder }

func (c *code) addf(format string, args ...any) { fmt.Fprintf(&c.Builder, format, args...) }

// done returns the text without the last line break.
func (c *code) done() string { return strings.TrimSuffix(c.String(), "\n") }

// placeholder matches values that the reader has to replace.
var placeholder = regexp.MustCompile(`^<[A-Za-z0-9._-]+>$`)

// unlessPlaceholder encodes a value, but not a placeholder.
func unlessPlaceholder(value string, encode func(string) string) string {
	if placeholder.MatchString(value) {
		return value
	}
	return encode(value)
}

// encodeAddress percent-encodes characters that an address cannot contain (RFC
// 3986).
func encodeAddress(s, keep string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		escaped := c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2])
		if escaped || isAlphanumeric(c) || strings.IndexByte("-._~:/?#@!$&'()*+,;="+keep, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

func isAlphanumeric(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// headerValue writes a text as a header value: one trimmed line of visible
// ASCII. Other characters are percent-encoded, because clients treat them
// differently: fetch refuses them, and Java sends question marks.
func headerValue(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < ' ' || r == 0x7f:
			b.WriteByte(' ')
		case r > 0x7f:
			b.WriteString(url.PathEscape(string(r)))
		default:
			b.WriteRune(r)
		}
	}
	return strings.Trim(b.String(), " ")
}

// shows reports whether a character is visible. Joiners are invisible, but
// Indic scripts and emoji need them.
func shows(r rune) bool { return unicode.IsPrint(r) || r == '\u200c' || r == '\u200d' }

// visible escapes invisible characters in the strings of JSON, so that raw
// strings of any language can hold it.
func visible(json string) string {
	var b strings.Builder
	for _, r := range json {
		if r == '\n' || shows(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// quoted writes a text between quotes: a backslash before the characters in
// special, the usual escapes for line feed, carriage return and tab, and
// escape for others that would not show.
func quoted(s string, quote byte, special string, escape func(rune) string) string {
	var b strings.Builder
	b.WriteByte(quote)
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case strings.ContainsRune(special, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case shows(r):
			b.WriteRune(r)
		default:
			b.WriteString(escape(r))
		}
	}
	b.WriteByte(quote)
	return b.String()
}

// escapeFixed writes a character as Python and C# do.
func escapeFixed(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// escapeBraced writes a character as JavaScript and PHP do.
func escapeBraced(r rune) string { return fmt.Sprintf(`\u{%x}`, r) }

// literals are the JSON values that a language writes differently.
type literals struct {
	null, yes, no string
	indent        string
	quote, key    func(string) string
}

// write writes a value that begins behind an indentation.
func (l literals) write(n *tree.Node, indent string) string {
	switch n.Kind {
	case tree.KindNull:
		return l.null
	case tree.KindBool:
		if n.Text == "true" {
			return l.yes
		}
		return l.no
	case tree.KindString:
		return l.quote(n.Text)
	case tree.KindArray:
		return l.list("[]", indent, len(n.Items), func(i int, inner string) string {
			return l.write(n.Items[i], inner)
		})
	case tree.KindObject:
		return l.list("{}", indent, len(n.Members), func(i int, inner string) string {
			return l.key(n.Members[i].Key) + ": " + l.write(n.Members[i].Value, inner)
		})
	}
	return n.Text
}

func (l literals) list(brackets, indent string, size int, item func(i int, indent string) string) string {
	if size == 0 {
		return brackets
	}
	var b strings.Builder
	b.WriteString(brackets[:1] + "\n")
	for i := range size {
		b.WriteString(indent + l.indent + item(i, indent+l.indent) + ",\n")
	}
	b.WriteString(indent + brackets[1:])
	return b.String()
}

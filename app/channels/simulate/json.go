package simulate

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// place is a place in a text. Lines and columns count from 1, and columns count
// characters, as editors do.
type place struct{ Line, Column int }

// placeAt returns the place of a byte offset.
func placeAt(text string, offset int) place {
	before := text[:min(offset, len(text))]
	start := strings.LastIndexByte(before, '\n') + 1
	return place{strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1}
}

// syntaxError is the first mistake in a text that is not JSON.
type syntaxError struct {
	place
	Message string // what is expected or wrong there
}

// Error returns the message with its place.
func (e *syntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// node is a value in a JSON text with its offset.
type node struct {
	start   int
	members []member // of an object
	items   []*node  // of an array
	text    string   // of a string, a number or a word, as it is written
}

// member is a member of an object.
type member struct {
	name  string
	value *node
}

// get returns the member of an object with a name, the last one as decoders do. Names
// in another case count where the name itself is missing.
func (n *node) get(name string) *node {
	var other *node
	for i := len(n.members) - 1; i >= 0; i-- {
		switch m := n.members[i]; {
		case m.name == name:
			return m.value
		case other == nil && strings.EqualFold(m.name, name):
			other = m.value
		}
	}
	return other
}

// find returns the value at a path such as "template.components[0].type", or the
// innermost one around it that exists. exact reports whether all of the path does.
func (n *node) find(path string) (found *node, exact bool) {
	for path != "" {
		path = strings.TrimPrefix(path, ".")
		if rest, ok := strings.CutPrefix(path, "["); ok {
			index, after, _ := strings.Cut(rest, "]")
			i, err := strconv.Atoi(index)
			switch {
			case err == nil && i >= 0 && i < len(n.items):
				n = n.items[i]
			case err != nil || i != 0 || n.members == nil: // one object may stand for a list of one
				return n, false
			}
			path = after
			continue
		}
		// A name may have dots of its own: the longest that exists is taken.
		next := (*node)(nil)
		end := len(path)
		for next == nil && end > 0 {
			if next = n.get(path[:end]); next == nil {
				end = strings.LastIndexAny(path[:end], ".[")
			}
		}
		if next == nil {
			return n, false
		}
		n, path = next, path[end:]
	}
	return n, true
}

// maxLevels is how deep a document may be nested, as in encoding/json.
const maxLevels = 10_000

// parser reads JSON as encoding/json does and keeps the offsets of values.
type parser struct {
	text string
	at   int
}

// parse reads a text. The error is a *syntaxError.
func parse(text string) (root *node, err error) {
	p := &parser{text: text}
	defer func() {
		if mistake, ok := recover().(*syntaxError); ok {
			root, err = nil, mistake
		}
	}()
	if strings.TrimSpace(text) == "" {
		p.fail(len(text), "the text is empty, a JSON object is expected")
	}
	root = p.value(0)
	if p.space(); p.at < len(text) {
		p.fail(p.at, "nothing may follow the end of the document")
	}
	return root, nil
}

// fail stops reading. It panics with the mistake, which parse recovers.
func (p *parser) fail(at int, format string, args ...any) {
	panic(&syntaxError{placeAt(p.text, at), fmt.Sprintf(format, args...)})
}

func (p *parser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// peek returns the next byte after white space, 0 at the end.
func (p *parser) peek() byte {
	if p.space(); p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

func (p *parser) value(level int) *node {
	c := p.peek()
	if level > maxLevels {
		p.fail(p.at, "the document is nested too deeply")
	}
	n := &node{start: p.at}
	switch {
	case c == '{':
		p.object(n, level)
	case c == '[':
		p.array(n, level)
	case c == '"':
		n.text = p.str()
	case c == '-' || c >= '0' && c <= '9':
		n.text = p.number()
	case c >= 'a' && c <= 'z':
		for _, word := range []string{"true", "false", "null"} {
			if strings.HasPrefix(p.text[p.at:], word) {
				p.at += len(word)
				n.text = word
				return n
			}
		}
		p.fail(n.start, "a value is expected: text needs double quotes")
	case c == 0 && p.at == len(p.text):
		p.fail(p.at, "the text ends where a value is expected")
	default:
		p.fail(p.at, "a value is expected")
	}
	return n
}

func (p *parser) object(n *node, level int) {
	p.at++
	n.members = []member{}
	if p.peek() == '}' {
		p.at++
		return
	}
	for {
		if p.peek() != '"' {
			p.fail(p.at, "a name in double quotes is expected")
		}
		name := p.str()
		if p.peek() != ':' {
			p.fail(p.at, "a colon is expected after the name")
		}
		p.at++
		n.members = append(n.members, member{name, p.value(level + 1)})
		switch p.peek() {
		case ',':
			p.at++
		case '}':
			p.at++
			return
		default:
			p.fail(p.at, "a comma or } is expected")
		}
	}
}

func (p *parser) array(n *node, level int) {
	p.at++
	n.items = []*node{}
	if p.peek() == ']' {
		p.at++
		return
	}
	for {
		n.items = append(n.items, p.value(level+1))
		switch p.peek() {
		case ',':
			p.at++
		case ']':
			p.at++
			return
		default:
			p.fail(p.at, "a comma or ] is expected")
		}
	}
}

// str reads a string and returns what it means.
func (p *parser) str() string {
	start := p.at
	var b strings.Builder
	for p.at++; ; {
		if p.at >= len(p.text) {
			p.fail(start, "the text that begins here has no closing quote")
		}
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return b.String()
		case c < ' ':
			p.fail(p.at, "a text cannot have line breaks or other control characters: write \\n")
		case c == '\\':
			b.WriteString(p.escape())
		default:
			b.WriteByte(c)
			p.at++
		}
	}
}

var escapes = map[byte]string{'"': `"`, '\\': `\`, '/': "/", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t"}

func (p *parser) escape() string {
	start := p.at
	if p.at++; p.at == len(p.text) {
		return ""
	}
	c := p.text[p.at]
	if plain, ok := escapes[c]; ok {
		p.at++
		return plain
	}
	if c != 'u' {
		p.fail(start, `\ must be followed by one of " \ / b f n r t u`)
	}
	if p.at+5 > len(p.text) {
		p.fail(start, `\u must be followed by four hexadecimal digits`)
	}
	code, err := strconv.ParseUint(p.text[p.at+1:p.at+5], 16, 16)
	if err != nil {
		p.fail(start, `\u must be followed by four hexadecimal digits`)
	}
	p.at += 5
	return string(rune(code))
}

func (p *parser) number() string {
	start := p.at
	p.accept("-")
	switch {
	case p.accept("0"):
	case !p.digits():
		p.fail(start, "a number needs a digit")
	}
	if p.accept(".") && !p.digits() {
		p.fail(p.at, "a digit is expected after the point")
	}
	if p.accept("eE") {
		if p.accept("+-"); !p.digits() {
			p.fail(p.at, "a digit is expected in the exponent")
		}
	}
	return p.text[start:p.at]
}

// accept reads one of some bytes.
func (p *parser) accept(set string) bool {
	if p.at < len(p.text) && strings.IndexByte(set, p.text[p.at]) >= 0 {
		p.at++
		return true
	}
	return false
}

func (p *parser) digits() bool {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at > start
}

package simulate

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The kinds of blocks of a text.
const (
	paragraphBlock = "paragraph"
	bulletBlock    = "bullet"
	numberBlock    = "number"
	quoteBlock     = "quote"
	codeBlock      = "code"
)

// Block is a part of a text that stands on lines of its own.
type Block struct {
	Kind  string
	Mark  string // of a numbered item, as it is written
	Lines [][]Span
}

// Span is a piece of a line in one style.
type Span struct {
	Text                       string
	Bold, Italic, Strike, Mono bool
	Link                       bool
	// Marked is a character that forces the encoding of an SMS.
	Marked bool
}

var (
	webLink  = regexp.MustCompile(`https?://[^\s<>"]+[^\s<>".,;:!?)\]}'*_~]`)
	bullet   = regexp.MustCompile(`^[-*] +(\S.*)$`)
	numbered = regexp.MustCompile(`^(\d{1,3}\.) +(\S.*)$`)
)

// plainText divides a text into lines with links and nothing else.
func plainText(text string) []Block {
	if text == "" {
		return nil
	}
	b := Block{Kind: paragraphBlock}
	for line := range strings.SplitSeq(text, "\n") {
		b.Lines = append(b.Lines, links(Span{Text: line}))
	}
	return []Block{b}
}

// formatted divides a text as the messaging channel shows it: *bold*, _italic_,
// ~strike~, `code`, three backquotes around lines of code, lists, and quotes.
func formatted(text string) (blocks []Block) {
	add := func(kind, mark string, line []Span) {
		last := len(blocks) - 1
		if last >= 0 && blocks[last].Kind == kind && (kind == paragraphBlock || kind == quoteBlock) {
			blocks[last].Lines = append(blocks[last].Lines, line)
			return
		}
		blocks = append(blocks, Block{kind, mark, [][]Span{line}})
	}
	for text != "" {
		if before, rest, ok := strings.Cut(text, "```"); ok {
			if code, after, closed := strings.Cut(rest, "```"); closed && strings.TrimSpace(code) != "" {
				if before != "" {
					blocks = append(blocks, formatted(strings.TrimSuffix(before, "\n"))...)
				}
				b := Block{Kind: codeBlock}
				for line := range strings.SplitSeq(strings.Trim(code, "\n"), "\n") {
					b.Lines = append(b.Lines, []Span{{Text: line, Mono: true}})
				}
				blocks, text = append(blocks, b), strings.TrimPrefix(after, "\n")
				continue
			}
		}
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		switch item, number := bullet.FindStringSubmatch(line), numbered.FindStringSubmatch(line); {
		case item != nil:
			add(bulletBlock, "", styled(item[1], Span{}))
		case number != nil:
			add(numberBlock, number[1], styled(number[2], Span{}))
		case strings.HasPrefix(line, "> "):
			add(quoteBlock, "", styled(line[2:], Span{}))
		default:
			add(paragraphBlock, "", styled(line, Span{}))
		}
	}
	return blocks
}

// styled divides a line into spans. style is what surrounds it.
func styled(line string, style Span) (spans []Span) {
	start := 0
	flush := func(end int) {
		if end > start {
			plain := style
			plain.Text = line[start:end]
			spans = append(spans, links(plain)...)
		}
	}
	for i := 0; i < len(line); {
		if at := webLink.FindStringIndex(line[i:]); at != nil && at[0] == 0 {
			i += at[1] // marks within a link are none
			continue
		}
		c := line[i]
		if strings.IndexByte("*_~`", c) < 0 || !opens(line, i) {
			_, size := utf8.DecodeRuneInString(line[i:])
			i += size
			continue
		}
		end := closing(line, i, c)
		if end < 0 {
			i++
			continue
		}
		flush(i)
		inner := style
		switch c {
		case '*':
			inner.Bold = true
		case '_':
			inner.Italic = true
		case '~':
			inner.Strike = true
		}
		if c == '`' {
			inner.Mono, inner.Text = true, line[i+1:end]
			spans = append(spans, inner)
		} else {
			spans = append(spans, styled(line[i+1:end], inner)...)
		}
		i = end + 1
		start = i
	}
	flush(len(line))
	return spans
}

// opens reports whether a mark at an offset can begin a style: a word follows it, and
// none precedes it.
func opens(line string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:at])
	after, _ := utf8.DecodeRuneInString(line[at+1:])
	return (at == 0 || !isWord(before)) && at+1 < len(line) && !unicode.IsSpace(after) && byte(after) != line[at]
}

// closing returns the offset of the mark that ends a style, or -1.
func closing(line string, from int, mark byte) int {
	for i := from + 2; i < len(line); i++ {
		if line[i] != mark {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(line[:i])
		after, _ := utf8.DecodeRuneInString(line[i+1:])
		if !unicode.IsSpace(before) && (i+1 == len(line) || !isWord(after)) {
			return i
		}
	}
	return -1
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// links divides a span at its web addresses.
func links(s Span) (spans []Span) {
	text, from := s.Text, 0
	part := func(text string, link bool) {
		if text == "" {
			return
		}
		piece := s
		piece.Text, piece.Link = text, link
		spans = append(spans, piece)
	}
	for _, at := range webLink.FindAllStringIndex(text, -1) {
		part(text[from:at[0]], false)
		part(text[at[0]:at[1]], true)
		from = at[1]
	}
	part(text[from:], false)
	return spans
}

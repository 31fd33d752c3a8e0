package reader

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"heliograph/app/documentation/openapi/markdown"
)

var (
	// codeNumber matches what may be an error code.
	codeNumber = regexp.MustCompile(`\b\d{1,7}\b`)
	// announced matches a text after which numbers are error codes, such as "codes 402
	// or". A hash stands for each number before.
	announced = regexp.MustCompile(`(?i)\bcodes? (#(, | and | or | to |, and |, or ))*$`)
)

// codeColumn is the label of the cells that list error codes.
const codeColumn = "Code"

// entryOf returns the address of the entry of an error code, or an empty text for a
// number that is none.
func (at place) entryOf(code string) string {
	if at.version == nil || at.version.Faults[code].Remedy == "" {
		return "" // an outcome that is no error has no remedy
	}
	return at.reference().Errors() + "#" + markdown.ErrorID(code)
}

// linkCodes links the error codes in rendered Markdown to their entries: those in
// columns of codes and after the word code, and all other numbers that can be
// nothing else. A number that is an HTTP status as well is left alone elsewhere.
func (at place) linkCodes(rendered string) string {
	if at.version == nil || len(at.version.Faults) == 0 || !strings.ContainsAny(rendered, "0123456789") {
		return rendered
	}
	s := codeScan{at: at, tokens: html.NewTokenizer(strings.NewReader(rendered))}
	s.out.Grow(len(rendered) + len(rendered)/8)
	for {
		kind := s.tokens.Next()
		switch kind {
		case html.ErrorToken:
			return s.out.String()
		case html.TextToken:
			s.text(string(s.tokens.Raw()))
			continue
		}
		s.out.Write(s.tokens.Raw()) // reading the tag may change these bytes
		if kind == html.StartTagToken || kind == html.EndTagToken || kind == html.SelfClosingTagToken {
			s.tag(kind == html.EndTagToken)
		}
	}
}

// codeScan goes through rendered Markdown.
type codeScan struct {
	at     place
	tokens *html.Tokenizer
	out    strings.Builder
	closed int    // elements around the text in which nothing is linked
	column bool   // within a column of codes
	code   bool   // within inline code
	before string // text of the block so far, with a hash for each number
}

// tag notes where the text after a tag stands.
func (s *codeScan) tag(closing bool) {
	name, more := s.tokens.TagName()
	switch string(name) {
	case "a", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "summary":
		if closing {
			s.closed--
		} else {
			s.closed++
		}
	case "code":
		s.code = !closing
		return
	case "em", "strong":
		return
	case "td":
		s.column = !closing && more && s.labelled(codeColumn)
	}
	if string(name) != "a" {
		s.before = ""
	}
}

// labelled reports whether the tag has a label.
func (s *codeScan) labelled(label string) bool {
	for {
		key, value, more := s.tokens.TagAttr()
		if string(key) == "data-label" {
			return string(value) == label
		}
		if !more {
			return false
		}
	}
}

// text writes a text with links.
func (s *codeScan) text(text string) {
	end := 0
	for _, m := range codeNumber.FindAllStringIndex(text, -1) {
		s.before += text[end:m[0]]
		number := text[m[0]:m[1]]
		s.out.WriteString(text[end:m[0]])
		if entry := s.at.entryOf(number); entry != "" && s.closed == 0 && s.isCode(number, text) {
			number = `<a href="` + entry + `">` + number + `</a>`
		}
		s.out.WriteString(number)
		s.before += "#"
		end = m[1]
	}
	s.before += text[end:]
	s.out.WriteString(text[end:])
}

// isCode reports whether a number is an error code where it stands.
func (s *codeScan) isCode(number, text string) bool {
	if s.column || announced.MatchString(s.before) {
		return true
	}
	if len(number) > 4 {
		return true
	}
	status, err := strconv.Atoi(number)
	return err == nil && s.code && len(number) > 2 && text == number && http.StatusText(status) == ""
}

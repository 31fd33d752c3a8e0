package portal

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"heliograph/app/spec/markdown"
)

var (
	// htmlTag matches a tag of rendered Markdown.
	htmlTag = regexp.MustCompile(`<(/?)([a-z0-9]+)([^>]*)>`)
	// codeNumber matches what may be an error code.
	codeNumber = regexp.MustCompile(`\b\d{1,7}\b`)
	// announced matches a text after which numbers are error codes, such as "codes 402
	// or". A hash stands for each number before.
	announced = regexp.MustCompile(`(?i)\bcodes? (#(, | and | or | to |, and |, or ))*$`)
)

// codeColumn is the attribute of the cells that list error codes.
const codeColumn = `data-label="Code"`

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
func (at place) linkCodes(html string) string {
	if at.version == nil || len(at.version.Faults) == 0 || !strings.ContainsAny(html, "0123456789") {
		return html
	}
	s := codeScan{at: at}
	end := 0
	for _, m := range htmlTag.FindAllStringSubmatchIndex(html, -1) {
		s.text(html[end:m[0]])
		s.tag(html[m[2]:m[3]] != "", html[m[4]:m[5]], html[m[6]:m[7]])
		s.out.WriteString(html[m[0]:m[1]])
		end = m[1]
	}
	s.text(html[end:])
	return s.out.String()
}

// codeScan goes through rendered Markdown.
type codeScan struct {
	at     place
	out    strings.Builder
	closed int    // elements around the text in which nothing is linked
	column bool   // within a column of codes
	code   bool   // within inline code
	before string // text of the block so far, with a hash for each number
}

// tag notes where the text after a tag stands.
func (s *codeScan) tag(closing bool, name, attributes string) {
	switch name {
	case "a", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "summary":
		if closing {
			s.closed--
		} else {
			s.closed++
		}
	case "code":
		s.code = !closing
	case "td":
		s.column = !closing && strings.Contains(attributes, codeColumn)
	}
	if name != "a" && name != "code" && name != "em" && name != "strong" {
		s.before = ""
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

package sampling

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The limits of a text that matches a pattern.
const (
	maxPattern  = 2_000 // characters
	maxAttempts = 20
)

// matching makes a text that matches a pattern and has a length. It reports false
// where it finds none: lookarounds and backreferences are not known.
func (s *sampler) matching(pattern string, least, most int) (string, bool) {
	if !s.spend(1 + len(pattern)/8) {
		return "", false
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", false
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	parsed = parsed.Simplify()
	for more := range maxAttempts {
		if !s.spend(1) {
			return "", false
		}
		g := &matcher{sampler: s, more: more}
		if least > 0 && more == 0 {
			g.more = 1
		}
		g.write(parsed)
		text := g.text.String()
		if n := utf8.RuneCountInString(text); n >= least && n <= most && re.MatchString(text) {
			return text, true
		}
		if g.more > 0 && least > 20 {
			g.more *= 4
		}
	}
	// A pattern that is not anchored allows more around the match.
	if text, ok := s.padded(re, parsed, least, most); ok {
		return text, true
	}
	return "", false
}

// padded makes a match longer at its end.
func (s *sampler) padded(re *regexp.Regexp, parsed *syntax.Regexp, least, most int) (string, bool) {
	for _, more := range []int{0, 1, least, least / 2} {
		g := &matcher{sampler: s, more: more}
		g.write(parsed)
		text := fitted(g.text.String(), least, most)
		if re.MatchString(text) {
			return text, true
		}
	}
	return "", false
}

// matcher writes a text that a parsed pattern matches.
type matcher struct {
	*sampler
	text strings.Builder
	more int // repetitions beyond the least
}

func (g *matcher) write(re *syntax.Regexp) {
	if g.text.Len() > maxPattern {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			g.text.WriteRune(r)
		}
	case syntax.OpCharClass:
		g.text.WriteRune(g.rune(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		g.text.WriteRune(g.rune([]rune{'a', 'z'}))
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			g.write(sub)
		}
	case syntax.OpAlternate:
		g.write(re.Sub[g.index(len(re.Sub))])
	case syntax.OpStar:
		g.repeat(re.Sub[0], 0, -1)
	case syntax.OpPlus:
		g.repeat(re.Sub[0], 1, -1)
	case syntax.OpQuest:
		g.repeat(re.Sub[0], 0, 1)
	case syntax.OpRepeat:
		g.repeat(re.Sub[0], re.Min, re.Max)
	}
}

func (g *matcher) repeat(re *syntax.Regexp, least, most int) {
	n := least + g.more
	if most >= 0 {
		n = min(n, most)
	}
	for range n {
		g.write(re)
	}
}

// rune picks a character of a class: a letter or a digit if there are any.
func (g *matcher) rune(ranges []rune) rune {
	var shown []rune
	for i := 0; i+1 < len(ranges) && len(shown) < 200; i += 2 {
		for r := ranges[i]; r <= ranges[i+1] && r < ranges[i]+200; r++ {
			if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
				shown = append(shown, r)
			}
		}
	}
	if len(shown) > 0 {
		return shown[g.index(len(shown))]
	}
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1] && r < ranges[i]+200; r++ {
			if unicode.IsPrint(r) {
				return r
			}
		}
	}
	if len(ranges) > 0 {
		return ranges[0]
	}
	return 'a'
}

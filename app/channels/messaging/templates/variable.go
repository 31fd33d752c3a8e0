package templates

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// The parameter formats: {{1}} and {{first_name}}.
const (
	Positional = "POSITIONAL"
	named      = "NAMED"
)

var (
	braces       = regexp.MustCompile(`\{\{([^{}]*)\}\}`)
	variableName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

// variablesIn returns the distinct variables of a text in the order in which
// they are filled. format is the parameter format of the template. problem is
// the end of a sentence about an invalid variable.
func variablesIn(text, format string) (variables []string, problem string) {
	for _, match := range braces.FindAllStringSubmatch(text, -1) {
		if name := strings.TrimSpace(match[1]); !slices.Contains(variables, name) {
			variables = append(variables, name)
		}
	}
	if rest := braces.ReplaceAllString(text, ""); strings.Contains(rest, "{{") || strings.Contains(rest, "}}") {
		return nil, "has a variable that is not closed: write {{1}}, with two braces on each side"
	}
	if format == named {
		for _, v := range variables {
			if !variableName.MatchString(v) {
				return nil, fmt.Sprintf("has the variable {{%s}}: name variables with lower-case letters, digits and underscores, or omit parameter_format to number them", v)
			}
		}
		return variables, ""
	}
	for _, v := range variables {
		if n, err := strconv.Atoi(v); err != nil || strconv.Itoa(n) != v || n < 1 || n > len(variables) {
			return nil, fmt.Sprintf("has the variable {{%s}}: number variables {{1}}, {{2}} … without gaps, or set parameter_format to NAMED", v)
		}
	}
	slices.SortFunc(variables, func(a, b string) int { // no gaps: shorter ones are smaller
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return variables, ""
}

// spacelessScripts are scripts that are written without spaces. Each letter
// counts as a word.
var spacelessScripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// countWords counts the words of a text without its variables.
func countWords(text string) int {
	n := 0
	for _, field := range strings.Fields(braces.ReplaceAllString(text, " ")) {
		letters := 0
		for _, r := range field {
			switch {
			case unicode.In(r, spacelessScripts...):
				n++
			case unicode.IsLetter(r), unicode.IsNumber(r):
				letters++
			}
		}
		if letters > 0 {
			n++
		}
	}
	return n
}

// hasEmoji reports whether a text contains an emoji.
func hasEmoji(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF || r == 0xFE0F || r == 0x20E3
	})
}

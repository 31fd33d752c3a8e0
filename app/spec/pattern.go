package spec

import (
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// openPattern stands for a pattern that our engine cannot run.
type openPattern string

func (p openPattern) String() string { return string(p) }

// MatchString accepts every text: a pattern we cannot run must not refuse.
func (openPattern) MatchString(string) bool { return true }

// compilePattern compiles an ECMA 262 pattern with RE2, which runs in linear
// time and knows no lookaround; such patterns are shown but not checked.
func compilePattern(source string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(source)
	if err != nil {
		return openPattern(source), nil
	}
	return re, nil
}

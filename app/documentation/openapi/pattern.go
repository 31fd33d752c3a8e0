package openapi

import (
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// openPattern stands for a pattern that the engine does not support.
type openPattern string

func (p openPattern) String() string { return string(p) }

// MatchString accepts every text, because an unsupported pattern must not
// refuse any.
func (openPattern) MatchString(string) bool { return true }

// compilePattern compiles an ECMA 262 pattern with RE2, which runs in linear
// time and has no lookaround. Patterns with lookaround are shown but not
// checked.
func compilePattern(source string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(source)
	if err != nil {
		return openPattern(source), nil
	}
	return re, nil
}

package search

import (
	_ "embed"
	"strings"
	"sync"
)

// commonText lists words that are in every talk, whatever it is about. Few pages of
// a documentation may have them, yet they tell little of what is looked for.
//
//go:embed words/common.txt
var commonText string

// common returns the set of those words.
var common = sync.OnceValue(func() map[string]bool { return set(strings.Fields(commonText)...) })

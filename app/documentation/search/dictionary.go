package search

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
	"sync"
)

// englishWords are the words of SCOWL size 35, 2020.12.07, American spelling, of
// four letters or more and without names. words/LICENSE holds its license.
//
//go:embed words/english.txt.gz
var englishWords []byte

// english returns the set of English words. A word that it holds is spelled
// right, whether the documentation contains it or not.
var english = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	reader, err := gzip.NewReader(bytes.NewReader(englishWords))
	if err != nil {
		panic(err) // the program was built with a broken file
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		panic(err)
	}
	for word := range strings.FieldsSeq(string(text)) {
		words[word] = true
	}
	return words
})

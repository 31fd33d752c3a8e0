package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var codeSpan = regexp.MustCompile("`([^`]+)`")

// exists reports whether a path of the project is there.
func exists(path string) bool {
	_, err := os.Stat("../" + path)
	return err == nil
}

// The handbook's instructions for changes name files that exist. Names in angle
// brackets stand for names in the change.
func TestHandbookNamesFilesToChange(t *testing.T) {
	t.Parallel()
	text := topic(t, "changing")
	files := 0
	for _, span := range codeSpan.FindAllStringSubmatch(text, -1) {
		path := span[1]
		if !regexp.MustCompile(`^(app|jobs|views|static|db|storage|\.tools|\.ci)/[\w./-]*$`).MatchString(path) {
			continue
		}
		files++
		if !exists(strings.TrimSuffix(path, "/")) {
			t.Errorf("the handbook names %s, which does not exist", path)
		}
	}
	if files < 20 {
		t.Errorf("the chapter names %d files: the test looks in the wrong place", files)
	}
}

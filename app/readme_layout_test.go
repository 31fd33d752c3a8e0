package main

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var codeSpan = regexp.MustCompile("`([^`]+)`")

// section returns the README's chapter with a title, without the title.
func section(t *testing.T, title string) string {
	t.Helper()
	_, rest, found := strings.Cut(readme(t), "\n## "+title+"\n")
	if !found {
		t.Fatalf("the README has no chapter %q", title)
	}
	text, _, _ := strings.Cut(rest, "\n## ")
	return text
}

// exists reports whether a path of the project is there.
func exists(path string) bool {
	_, err := os.Stat("../" + path)
	return err == nil
}

// mayImportInWords returns the last column of the README's table of folders for
// a folder: what it may import, with the word rules for the packages of rules.
func mayImportInWords(folder string) string {
	allowed := map[string]bool{}
	for _, home := range mayImport[folder] {
		if home != folder && exists(home) {
			allowed[home] = true
		}
	}
	present := slices.DeleteFunc(slices.Clone(rulePackages), func(rule string) bool { return !exists(rule) || rule == folder })
	missing := slices.DeleteFunc(slices.Clone(present), func(rule string) bool { return allowed[rule] })
	var words []string
	if len(missing) < len(present)/2 {
		words = append(words, "rules")
		for _, rule := range missing {
			words[0] += " without `" + rule + "`"
		}
		for _, rule := range present {
			delete(allowed, rule)
		}
	}
	for _, home := range slices.Sorted(maps.Keys(allowed)) {
		words = append(words, "`"+home+"`")
	}
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}

// The README's table of folders is the one that TestArchitecture enforces.
func TestReadmeShowsTheImports(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{"app": true} // main may import everything
	for _, line := range strings.Split(section(t, "Layout"), "\n") {
		columns := strings.Split(strings.Trim(line, "| "), " | ")
		if len(columns) != 3 || !strings.HasPrefix(columns[0], "`") {
			continue
		}
		for _, span := range codeSpan.FindAllStringSubmatch(columns[0], -1) {
			folder := span[1]
			shown[folder] = true
			if !exists(folder) {
				t.Errorf("the README has a row for %s, which does not exist", folder)
			} else if want := mayImportInWords(folder); folder != "app" && columns[2] != want {
				t.Errorf("the README says that %s may import\n%s\nTestArchitecture allows\n%s", folder, columns[2], want)
			}
		}
	}
	for folder := range mayImport {
		if !shown[folder] && exists(folder) && !slices.Contains(testPackages, folder) {
			t.Errorf("the README's table of folders has no row for %s, which may import %s", folder, mayImportInWords(folder))
		}
	}
}

// The README's instructions for changes name files that exist. Names in angle
// brackets stand for those of the change.
func TestReadmeNamesFilesToChange(t *testing.T) {
	t.Parallel()
	text := section(t, "Change it")
	files := 0
	for _, span := range codeSpan.FindAllStringSubmatch(text, -1) {
		path := span[1]
		if !regexp.MustCompile(`^(app|jobs|views|static|db|storage|\.tools|\.ci)/[\w./-]*$`).MatchString(path) {
			continue
		}
		files++
		if !exists(strings.TrimSuffix(path, "/")) {
			t.Errorf("the README names %s, which does not exist", path)
		}
	}
	if files < 20 {
		t.Errorf("the chapter names %d files: the test looks in the wrong place", files)
	}
}

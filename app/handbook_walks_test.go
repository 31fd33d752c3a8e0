package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// longestWalks are the most files of the walks, in their order. A change that makes one
// longer asks whether all of its steps need a file of their own.
var longestWalks = []int{38, 45, 24}

var walkLine = regexp.MustCompile("(?m)^(\\d+)\\. `([^`]+)`: (.+)$")

// Every file of the walks is there, once in each, and declares what is named beside it.
// The table counts them.
func TestHandbookWalks(t *testing.T) {
	t.Parallel()
	parts := strings.Split(topic(t, "walks"), "\n## ")
	if len(parts) != 1+len(longestWalks) {
		t.Fatalf("the handbook has %d walks, want %d", len(parts)-1, len(longestWalks))
	}
	for i, walk := range parts[1:] {
		title, list, _ := strings.Cut(walk, "\n")
		files, folders := map[string]bool{}, map[string]bool{}
		for _, line := range walkLine.FindAllStringSubmatch(list, -1) {
			name := line[2]
			if line[1] != strconv.Itoa(len(files)+1) || files[name] {
				t.Errorf("%s: line %s, %s, should be line %d, of another file", title, line[1], name, len(files)+1)
			}
			files[name], folders[path.Dir(name)] = true, true
			declared := declarations(t, name)
			named := codeSpan.FindAllStringSubmatch(line[3], -1)
			if len(named) == 0 {
				t.Errorf("%s: line %s names nothing of %s", title, line[1], name)
			}
			for _, span := range named {
				if !declared[span[1]] {
					t.Errorf("%s: %s does not declare %s", title, name, span[1])
				}
			}
		}
		if row := "| " + title + " | " + strconv.Itoa(len(files)) + " | " + strconv.Itoa(len(folders)) + " |"; !strings.Contains(parts[0], row) {
			t.Errorf("the table of walks lacks the row %s", row)
		}
		if len(files) == 0 || len(files) > longestWalks[i] {
			t.Errorf("%s: %d files, want 1 to %d", title, len(files), longestWalks[i])
		}
	}
}

// declarations returns the names that a file declares at its top level. Methods are
// named with their type: Snapshot.Product.
func declarations(t *testing.T, name string) map[string]bool {
	t.Helper()
	source, err := os.ReadFile("../" + name)
	if err != nil {
		t.Error(err)
		return nil
	}
	declared := map[string]bool{}
	if path.Ext(name) != ".go" {
		for _, found := range regexp.MustCompile(`(?m)^(?:templ|func|const|let|function) (\w+)`).FindAllStringSubmatch(string(source), -1) {
			declared[found[1]] = true
		}
		return declared
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		for _, n := range topNames(d) {
			declared[n.Name] = true
		}
		if method, ok := d.(*ast.FuncDecl); ok && method.Recv != nil {
			declared[typeNames(method.Recv.List[0].Type)[0]+"."+method.Name.Name] = true
		}
	}
	return declared
}

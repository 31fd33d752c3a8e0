package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/model"
)

// The codes that the contract explains are those that the service can answer with:
// each stands in its source, and each constant of an error code is explained.
func TestContractListsTheCodesOfMessaging(t *testing.T) {
	t.Parallel()
	document := string(readSeed(t, "messaging.yaml"))
	listed := model.Faults(strings.ReplaceAll(document, "\n    |", "\n|"))
	if len(listed) < 20 {
		t.Fatalf("the contract explains %d codes", len(listed))
	}
	emitted := map[string]bool{}
	for _, pattern := range []string{"../../channels/messaging/*.go", "../../channels/messaging/*/*.go", "messaging*.go", "surface.go", "../../outbound/*.go", "../../channels/pipeline/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if !strings.HasSuffix(name, "_test.go") {
				numbersOf(t, name, emitted, listed)
			}
		}
	}
	for code := range listed {
		if !emitted[code] {
			t.Errorf("the code %s is explained and the service never answers it", code)
		}
	}
}

// numbersOf notes the numbers and texts of digits in a file, and checks that every
// constant named as an error code is listed.
func numbersOf(t *testing.T, name string, emitted map[string]bool, listed map[string]model.Fault) {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			emitted[strings.Trim(n.Value, `"`)] = true
		case *ast.ValueSpec:
			for i, value := range n.Values {
				number, isNumber := value.(*ast.BasicLit)
				isCode := strings.HasPrefix(n.Names[i].Name, "code") || filepath.Base(filepath.Dir(name)) == "refusal"
				if isNumber && number.Kind == token.INT && isCode {
					if _, known := listed[number.Value]; !known {
						t.Errorf("%s: %s is an error code that the contract does not explain", name, number.Value)
					}
				}
			}
		}
		return true
	})
}

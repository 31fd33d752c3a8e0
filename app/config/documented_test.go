package config_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite .env.example and the handbook's topic on configuration")

// setting is one variable of the environment, as Config documents it.
type setting struct{ name, fallback, meaning string }

// The comments of Config are the only text about settings: .env.example and the
// handbook's topic are made from them.
func TestSettingsAreDocumented(t *testing.T) {
	t.Parallel()
	settings := readSettings(t)
	if len(settings) < 50 {
		t.Fatalf("Config has %d settings: the test looks in the wrong place", len(settings))
	}
	topic, example := "| Variable | Default | Meaning |\n|---|---|---|\n", "# Every setting of the program, with its default. Lines that begin with # are\n# unset by default. `heliograph dev` needs none of them.\n"
	for _, s := range settings {
		unset, fallback := "#", ""
		if s.fallback != "" {
			unset, fallback = "", " `"+s.fallback+"`"
		}
		topic += fmt.Sprintf("| `%s` |%s | %s |\n", s.name, fallback, s.meaning)
		example += fmt.Sprintf("\n# %s\n%s%s=%s\n", strings.Join(wrap(s.meaning, 78), "\n# "), unset, s.name, s.fallback)
	}
	holdFile(t, "../../.env.example", func(string) string { return example })
	holdFile(t, "../operation/help/topics/configuration.md", func(text string) string {
		intro, _, _ := strings.Cut(text, "| Variable |")
		return intro + topic
	})
}

// readSettings returns the fields of Config in their order.
func readSettings(t *testing.T) (all []setting) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "config.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range file.Scope.Lookup("Config").Decl.(*ast.TypeSpec).Type.(*ast.StructType).Fields.List {
		if len(field.Names) != 1 || field.Doc.Text() == "" {
			t.Errorf("%v: give each field a comment of its own", field.Names)
			continue
		}
		text, err := strconv.Unquote(field.Tag.Value)
		if err != nil {
			t.Fatal(err)
		}
		tag := reflect.StructTag(text)
		all = append(all, setting{tag.Get("env"), tag.Get("envDefault"), meaning(field.Names[0].Name, field.Doc.Text())})
	}
	return all
}

var subject = regexp.MustCompile(`^\S+ (is |are )?`)

// meaning returns a field's comment without its subject.
func meaning(name, comment string) string {
	text := strings.Join(strings.Fields(comment), " ")
	if strings.HasPrefix(text, name+" ") {
		text = subject.ReplaceAllString(text, "")
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// wrap breaks a text into lines of at most width bytes.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}

func holdFile(t *testing.T, path string, want func(now string) string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, []byte(want(string(text))), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want(string(text)), string(text)); diff != "" {
		t.Errorf("%s differs from the comments of Config; run with -update (-want +got):\n%s", path, diff)
	}
}

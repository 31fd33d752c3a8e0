package static

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	cssBlock = regexp.MustCompile(`\{[^{}]*\}`)
	cssClass = regexp.MustCompile(`\.([_a-zA-Z][-\w]*)`)
	quoted   = regexp.MustCompile("\"[^\"\n]*\"|`[^`]*`")
	word     = regexp.MustCompile(`[_a-zA-Z][-\w]*`)
)

// TestEveryClassIsUsed finds rules for classes that no view, no script and no
// rendering of Markdown names any more.
func TestEveryClassIsUsed(t *testing.T) {
	t.Parallel()
	named := map[string]bool{"htmx-request": true} // htmx gives it to what sent a request
	for _, root := range []string{"../views", "../app/web", "../app/documentation/openapi", "js/site"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			generated := strings.HasSuffix(path, "_templ.go") || strings.HasSuffix(path, "_test.go")
			if err != nil || entry.IsDir() || generated || !slices.Contains([]string{".templ", ".go", ".js"}, filepath.Ext(path)) {
				return err
			}
			text, err := os.ReadFile(path)
			for _, literal := range quoted.FindAllString(string(text), -1) {
				for _, w := range word.FindAllString(literal, -1) {
					named[w] = true
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range bundles["css/site.css"] {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rules := cssBlock.ReplaceAllString(string(compact(text)), "{}")
		for _, class := range cssClass.FindAllStringSubmatch(rules, -1) {
			composed := class[1][:strings.LastIndex(class[1], "-")+1] // such as "accent-" and a name
			method := strings.ToLower(class[1])                       // documents write methods in lower case
			if !named[class[1]] && !named[method] && !(composed != "" && named[composed]) {
				t.Errorf("%s styles .%s, which nothing has: remove the rule", name, class[1])
				named[class[1]] = true
			}
		}
	}
}

// colorLiteral finds colours that no token stands for.
var colorLiteral = regexp.MustCompile(`#[0-9a-fA-F]{3,8}\b|\b(?:oklch|oklab|rgba?|hsla?|lab|lch)\([^v]|[:, (](?:white|black|red|green|blue|gray|grey)\b`)

// TestEveryColorIsAToken finds colours outside the layer of tokens, which a theme could
// not change.
func TestEveryColorIsAToken(t *testing.T) {
	t.Parallel()
	tokens := regexp.MustCompile(`(?s)@layer tokens \{.*?\n\}`)
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(path, "vendor") || strings.HasPrefix(path, "testdata") || !slices.Contains([]string{".css", ".js"}, filepath.Ext(path)) {
			return err
		}
		text, err := os.ReadFile(path)
		rest := cssComment.ReplaceAllString(tokens.ReplaceAllString(string(text), ""), "")
		if filepath.Ext(path) == ".js" {
			rest = remark.ReplaceAllString(rest, "")
			for _, literal := range regexp.MustCompile(`"(?:#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|(?:oklch|rgb|hsl)\([^"]*)"`).FindAllString(rest, -1) {
				t.Errorf("%s has the colour %s: use a token", path, literal)
			}
			return err
		}
		for _, literal := range colorLiteral.FindAllString(strings.ReplaceAll(rest, "white-space", ""), -1) {
			t.Errorf("%s has the colour %q: add a token to tokens.css", path, literal)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

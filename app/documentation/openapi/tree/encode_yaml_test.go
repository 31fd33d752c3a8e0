package tree_test

import (
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/tree"
)

// What YAML writes is read back as it was: every document that we have, and
// texts that look like something else.
func TestYAMLIsReadBack(t *testing.T) {
	t.Parallel()
	for _, d := range append(corpus.Seeds(t), corpus.Real(t)...) {
		n, err := tree.Read(d.Data)
		if err != nil {
			t.Fatalf("%s: %v", d.Name, err)
		}
		checkYAML(t, d.Name, n)
	}
	for _, text := range []string{
		"", "no", "Yes", "ON", "null", "~", "1.0", "0x1F", "0o17", "017", "1_000", "12:30:45", "2026-01-15", "1e3", ".5", ".inf", "-", "- a", "a: b", "a #b", "a:", "# a",
		"@a", "`a`", "*a", "&a", "!a", "%a", "|", ">", "? a", "{a}", "[a]", "'a'", `"a"`, "a\tb", " a", "a ", "a\nb", "a\n", "a\n\n", "\na", "a\n b\n\n  c\n", "a\r\nb",
		"a\u2028b", "\ufeffa", "é", "日本語", "a\u0085b", "\x01", "=", "<<", "---", "...", "a\n---\nb", "null\nno", "a\n#b", "\ta\nb", "1.10", "+1", "y", "N", "a\n   \nb", "😀",
	} {
		n := tree.Object(tree.Member{Key: "text", Value: tree.String(text)}, tree.Member{Key: text + " key", Value: tree.Array(tree.String(text), tree.Array(tree.String(text)))})
		checkYAML(t, text, n)
		checkYAML(t, text, tree.Object(tree.Member{Key: text, Value: tree.Object(tree.Member{Key: "a", Value: tree.Array(n, tree.Object(), tree.Array(), tree.Null())})}))
	}
}

func checkYAML(t *testing.T, name string, want *tree.Node) {
	t.Helper()
	written := want.YAML()
	got, err := tree.Read(written)
	if err != nil {
		t.Errorf("%.40q: %v in\n%.400s", name, err, written)
		return
	}
	if !got.Equal(want) {
		t.Errorf("%.40q: read back as\n%.400s\nfrom\n%.400s", name, got.JSON(), written)
	}
	if strings.Contains(string(written), "\t\n") {
		t.Errorf("%.40q: a line ends with a tab", name)
	}
}

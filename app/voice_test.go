package main

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/db/seed"
)

// written is a text of a contract or a guide, and where it stands.
type written struct {
	place, text string
	operation   bool // the text describes an operation
	field       bool // the text describes a field
}

// publishedTexts collects what the seed publishes in prose.
func publishedTexts(t *testing.T) (list []written) {
	t.Helper()
	err := fs.WalkDir(seed.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := seed.Files.ReadFile(name)
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(name, ".md"):
			list = append(list, written{place: name, text: string(body)})
		case strings.HasSuffix(name, ".yaml"):
			var doc yaml.Node
			if err := yaml.Unmarshal(body, &doc); err != nil {
				return err
			}
			list = append(list, descriptions(doc.Content[0], name, "")...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// descriptions collects the descriptions and summaries below a node of a contract.
func descriptions(n *yaml.Node, name, parent string) (list []written) {
	if n.Kind != yaml.MappingNode {
		for _, item := range n.Content {
			list = append(list, descriptions(item, name, "")...)
		}
		return list
	}
	var keys []string
	for i := 0; i < len(n.Content); i += 2 {
		keys = append(keys, n.Content[i].Value)
	}
	has := func(names ...string) bool {
		return slices.ContainsFunc(keys, func(k string) bool { return slices.Contains(names, k) })
	}
	for i, key := range keys {
		value := n.Content[2*i+1]
		switch {
		case (key == "description" || key == "summary") && value.Kind == yaml.ScalarNode && parent != "properties":
			list = append(list, written{
				place: name + ":" + value.Value[:min(40, len(value.Value))], text: value.Value,
				operation: key == "description" && has("responses") && has("operationId"),
				field:     key == "description" && has("type", "$ref", "schema", "enum", "oneOf", "properties", "const", "allOf", "anyOf"),
			})
		case key != "example" && key != "examples":
			list = append(list, descriptions(value, name, key)...)
		}
	}
	return list
}

var (
	sentenceEnd = regexp.MustCompile(`[.!?](\s+|$)`)
	code        = regexp.MustCompile("(?s)```.*?```|`[^`]*`|\\]\\([^)]*\\)")
)

// Readers learn from the first paragraph what an operation is for, from a field's
// text when to set it, and nothing is said twice.
func TestTextsSayWhatTheyMust(t *testing.T) {
	t.Parallel()
	for _, w := range publishedTexts(t) {
		if w.operation {
			lead, _ := markdown.Lead(w.text)
			if n := len(sentenceEnd.FindAllString(lead, -1)); lead == "" || n > 2 {
				t.Errorf("%s: the purpose has %d sentences, want one or two", w.place, n)
			}
		}
		if !w.field {
			continue
		}
		if n := len(strings.Fields(w.text)); n <= 3 {
			t.Errorf("%s: %q has %d words: say what the field is for", w.place, w.text, n)
		}
		sentences := sentenceEnd.Split(strings.TrimSpace(w.text), -1)
		for i, s := range sentences {
			if s != "" && slices.Contains(sentences[:i], s) {
				t.Errorf("%s: %q is said twice", w.place, s)
			}
		}
	}
}

// earlierAnchors matches comments with ids of headings, which nobody reads.
var earlierAnchors = regexp.MustCompile(`<!-- once: [^>]* -->`)

// The glossary lists each word with those that are never written instead.
func TestTextsKeepToTheGlossary(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("../db/seed/glossary.tsv")
	if err != nil {
		t.Fatal(err)
	}
	never := map[string]*regexp.Regexp{}
	for line := range strings.Lines(string(body)) {
		words := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(words) < 2 {
			t.Fatalf("the glossary has a line without a word to avoid: %q", line)
		}
		never[words[0]] = regexp.MustCompile(`(?i)\b(` + strings.Join(words[1:], "|") + `)\b`)
	}
	for _, w := range publishedTexts(t) {
		prose := earlierAnchors.ReplaceAllString(code.ReplaceAllString(w.text, ""), "")
		for word, pattern := range never {
			if found := pattern.FindString(prose); found != "" {
				t.Errorf("%s: %q: write %q", w.place, found, word)
			}
		}
	}
}

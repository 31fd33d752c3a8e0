package help

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestEveryFileIsATopic(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir("topics")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if _, ok := Find(strings.TrimSuffix(entry.Name(), ".md")); !ok {
			t.Errorf("topics/%s stands in no group of the handbook", entry.Name())
		}
	}
}

// Links between topics are relative, so that they work in the administration and in
// a viewer of Markdown.
func TestTopicsLinkToTopics(t *testing.T) {
	t.Parallel()
	links := 0
	for _, g := range Groups() {
		for _, topic := range g.Topics {
			for _, link := range regexp.MustCompile(`\]\(([a-z-]+)(?:\.md)?\)`).FindAllStringSubmatch(topic.Summary+topic.Text, -1) {
				links++
				if _, ok := Find(link[1]); !ok {
					t.Errorf("%s links to %s, which is no topic", topic.Slug, link[1])
				}
			}
		}
	}
	if links == 0 {
		t.Error("no topic links to another: the test looks for the wrong form")
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"restore backup": "backup", "two web processes nginx": "production", "ENCRYPTION_KEYS rotate": "keys", "add a page": "changing",
		"kannel": "carriers", "disk full": "faults", "grafana": "metrics", "": "", "xylophone": "",
	} {
		found := Search(query)
		if want == "" {
			if len(found) > 0 {
				t.Errorf("%q finds %s", query, found[0].Slug)
			}
			continue
		}
		if len(found) == 0 || found[0].Slug != want {
			t.Errorf("%q finds %v first, want %s", query, slugs(found), want)
		}
	}
}

func slugs(topics []Topic) (all []string) {
	for _, topic := range topics {
		all = append(all, topic.Slug)
	}
	return all
}

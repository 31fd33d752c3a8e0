// Package help holds the handbook: what operators, administrators and people who
// change the program need to know, one topic a file. The command help prints a topic,
// and the administration shows it.
package help

import (
	"cmp"
	"embed"
	"slices"
	"strings"

	"heliograph/app/lists"
)

//go:embed topics/*.md
var files embed.FS

// Topic is one page of the handbook.
type Topic struct {
	// Slug names the topic in commands and addresses, such as scaling.
	Slug, Title string
	// Summary says in one sentence what the topic answers.
	Summary string
	// Text is the topic in Markdown, without its title and summary.
	Text string
}

// Group is a part of the handbook.
type Group struct {
	Label  string
	Topics []Topic
}

// order lists the topics as the handbook shows them.
var order = []struct {
	label string
	slugs []string
}{
	{"Run it", []string{"production", "configuration", "commands", "containers", "proxy", "scaling", "carriers", "codes-and-email"}},
	{"Keep it running", []string{"faults", "concerns", "logs", "metrics", "upgrade", "backup", "keys", "retention", "audit"}},
	{"Use it", []string{"accounts", "editing", "tutor", "importing", "media", "console", "themes", "enquiries"}},
	{"Try it", []string{"two-installations"}},
	{"Change it", []string{"changing", "walks", "dependencies", "tests", "promises", "found", "measuring"}},
}

var handbook = load()

// load reads the topics. A topic without a title or a summary is a mistake in the
// source and panics at start.
func load() (groups []Group) {
	for _, part := range order {
		g := Group{Label: part.label}
		for _, slug := range part.slugs {
			text, err := files.ReadFile("topics/" + slug + ".md")
			if err != nil {
				panic(err)
			}
			title, rest, titled := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n\n")
			summary, body, summed := strings.Cut(rest, "\n\n")
			if !titled || !summed || strings.Contains(title, "\n") {
				panic("topics/" + slug + ".md: begin with a title, and a summary in a paragraph of its own")
			}
			g.Topics = append(g.Topics, Topic{Slug: slug, Title: title, Summary: summary, Text: body})
		}
		groups = append(groups, g)
	}
	return groups
}

// Groups returns the whole handbook in its order.
func Groups() []Group { return handbook }

// Find returns the topic with a slug. ok is false if there is none.
func Find(slug string) (t Topic, ok bool) {
	for _, g := range handbook {
		if i := slices.IndexFunc(g.Topics, func(t Topic) bool { return t.Slug == slug }); i >= 0 {
			return g.Topics[i], true
		}
	}
	return Topic{}, false
}

// Search returns the topics that contain every word of a query, the best first:
// topics with the words in their title, then in their summary, then by how often the
// text has them. Words of one or two letters do not count. A query without any other
// word returns nothing.
func Search(query string) []Topic {
	words := slices.DeleteFunc(strings.Fields(strings.ToLower(query)), func(word string) bool { return len(word) < 3 })
	if len(words) == 0 {
		return nil
	}
	type match struct {
		topic Topic
		score int
	}
	var matches []match
	for _, g := range handbook {
		for _, t := range g.Topics {
			if score := t.score(words); score > 0 {
				matches = append(matches, match{t, score})
			}
		}
	}
	slices.SortStableFunc(matches, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	return lists.Map(matches, func(m match) Topic { return m.topic })
}

// score is 0 unless the topic contains every word.
func (t Topic) score(words []string) (score int) {
	title, summary, text := strings.ToLower(t.Title+" "+t.Slug), strings.ToLower(t.Summary), strings.ToLower(t.Text)
	for _, word := range words {
		n := 1000*min(1, strings.Count(title, word)) + 100*min(1, strings.Count(summary, word)) + strings.Count(text, word)
		if n == 0 {
			return 0
		}
		score += n
	}
	return score
}

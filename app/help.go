package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"heliograph/app/operation/help"
)

// runHelp is the command help: it prints a topic of the handbook, or lists them. Other
// words are looked for in all topics.
func runHelp(_ context.Context, t terminal, args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		fmt.Fprint(t.out, "usage: heliograph help [topic | words]\n")
		printTopics(t.out)
		return nil
	}
	query := strings.Join(args, " ")
	if topic, ok := help.Find(query); ok {
		_, err := fmt.Fprintf(t.out, "# %s\n\n%s\n\n%s", topic.Title, topic.Summary, topic.Text)
		return err
	}
	found := help.Search(query)
	if len(found) == 0 {
		fmt.Fprintf(t.err, "heliograph help: no topic is called or contains %q\n", query)
		printTopics(t.err)
		return errUsage
	}
	fmt.Fprintf(t.out, "heliograph help <topic> prints a topic that contains %q, the best first:\n\n", query)
	table := tabwriter.NewWriter(t.out, 0, 0, 3, ' ', 0)
	for _, topic := range found {
		fmt.Fprintf(table, "  %s\t%s\n", topic.Slug, topic.Summary)
	}
	return table.Flush()
}

func printTopics(w io.Writer) {
	fmt.Fprint(w, "\nheliograph help <topic> prints a topic of the handbook:\n")
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, g := range help.Groups() {
		fmt.Fprintf(table, "\n  %s\n", g.Label)
		for _, topic := range g.Topics {
			fmt.Fprintf(table, "    %s\t%s\n", topic.Slug, topic.Title)
		}
	}
	table.Flush()
}

package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"heliograph/app/operation/help"
)

// runHelp is the command help: it prints a topic of the handbook, or lists them.
func runHelp(_ context.Context, t terminal, args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		fmt.Fprint(t.out, "usage: heliograph help [topic]\n")
		printTopics(t.out)
		return nil
	}
	topic, ok := help.Find(args[0])
	if !ok {
		fmt.Fprintf(t.err, "heliograph help: there is no topic %q\n", args[0])
		printTopics(t.err)
		return errUsage
	}
	_, err := fmt.Fprintf(t.out, "# %s\n\n%s\n\n%s", topic.Title, topic.Summary, topic.Text)
	return err
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

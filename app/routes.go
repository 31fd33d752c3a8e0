package main

import (
	"context"
	"fmt"
	"text/tabwriter"
)

// runRoutes is the command routes: name, method, path and who may come, a line
// each.
func runRoutes(ctx context.Context, t terminal, args []string) error {
	flags := newFlags(t, "routes")
	data := dataFlag(flags)
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	return t.withPlatform(ctx, *data, "routes", func(p *platform) error {
		w, err := newWeb(p, nil)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
		for _, r := range w.server.Routes() {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", r.Name, r.Method, r.Path, r.Access)
		}
		return table.Flush()
	})
}

package main

import (
	"context"
	"fmt"
	"text/tabwriter"
)

// runRoutes is the command routes: name, method, path and who may come, a line
// each.
func runRoutes(ctx context.Context, t terminal, args []string) error {
	if err := parseFlags(newFlags(t, "routes"), args); err != nil {
		return err
	}
	c, err := loadConfig(t)
	if err != nil {
		return err
	}
	p, err := openMigrated(ctx, c, "routes", 4)
	if err != nil {
		return err
	}
	defer p.close()
	w, err := newWeb(p, nil)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	for _, r := range w.server.Routes() {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", r.Name, r.Method, r.Path, r.Access)
	}
	return table.Flush()
}

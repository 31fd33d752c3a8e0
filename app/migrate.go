package main

import (
	"context"
	"fmt"

	"heliograph/db"
)

// runMigrate is the command migrate. It may run from several places at once.
func runMigrate(ctx context.Context, t terminal, args []string) error {
	if err := parseFlags(newFlags(t, "migrate"), args); err != nil {
		return err
	}
	c, err := loadConfig(t)
	if err != nil {
		return err
	}
	pool, err := db.Open(ctx, c.DatabaseURL, db.Options{MaxConns: 4, Application: "migrate"})
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := db.Migrate(ctx, pool); err != nil {
		return err
	}
	fmt.Fprintln(t.out, "The schema is at this version.")
	return nil
}

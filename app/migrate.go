package main

import (
	"context"
	"fmt"

	"heliograph/app/config"
)

// runMigrate is the command migrate. It may run from several places at once.
func runMigrate(ctx context.Context, t terminal, args []string) error {
	flags := newFlags(t, "migrate")
	data := dataFlag(flags)
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	s, err := loadSite(t, *data, config.Database)
	if err != nil {
		return err
	}
	if err := s.migrate(ctx); err != nil {
		return err
	}
	fmt.Fprintln(t.out, "The schema is at this version.")
	return nil
}

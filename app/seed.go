package main

import (
	"context"
	"fmt"

	"heliograph/app/editorial"
	"heliograph/db/seed"
)

// runSeed is the command seed. What is published already stays; a newer
// document is released over an older one.
func runSeed(ctx context.Context, t terminal, args []string) error {
	if err := parseFlags(newFlags(t, "seed"), args); err != nil {
		return err
	}
	c, err := loadConfig(t)
	if err != nil {
		return err
	}
	p, err := openMigrated(ctx, c, "seed", 4)
	if err != nil {
		return err
	}
	defer p.close()
	if err := editorial.Seed(ctx, p.pool, seed.Files); err != nil {
		return err
	}
	fmt.Fprintln(t.out, "The documentation is published.")
	return nil
}

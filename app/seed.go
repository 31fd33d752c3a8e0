package main

import (
	"context"
	"fmt"

	"heliograph/app/documentation/editorial"
	"heliograph/db/seed"
)

// runSeed is the command seed. What is published already stays; a newer
// document is released over an older one.
func runSeed(ctx context.Context, t terminal, args []string) error {
	flags := newFlags(t, "seed")
	data := dataFlag(flags)
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	return t.withPlatform(ctx, *data, "seed", func(p *platform) error {
		if err := editorial.Seed(ctx, p.pool, seed.Files); err != nil {
			return err
		}
		fmt.Fprintln(t.out, "The documentation is published.")
		return nil
	})
}

package main

import (
	"context"
	"fmt"

	"heliograph/app/audit"
)

// runAudit is the command audit verify: it fails when an entry does not hold,
// and names the first.
func runAudit(ctx context.Context, t terminal, args []string) error {
	flags := newFlags(t, "audit verify")
	if err := parseAction(flags, "verify", args); err != nil {
		return err
	}
	c, err := loadConfig(t)
	if err != nil {
		return err
	}
	p, err := openMigrated(ctx, c, "audit", 2)
	if err != nil {
		return err
	}
	defer p.close()
	head, err := audit.Verify(ctx, p.pool)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "%d entries hold. The last has the hash %x: keep it elsewhere, and compare it the next time.\n", head.Seq, head.Hash)
	return nil
}

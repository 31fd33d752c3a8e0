package main

import (
	"context"
	"fmt"

	"heliograph/app/audit"
	"heliograph/app/config"
)

// runAudit is the command audit verify: it fails when an entry does not hold,
// and names the first.
func runAudit(ctx context.Context, t terminal, args []string) error {
	flags := newFlags(t, "audit verify")
	data := dataFlag(flags)
	if err := parseAction(flags, "verify", args); err != nil {
		return err
	}
	s, err := loadSite(t, *data, config.Everything)
	if err != nil {
		return err
	}
	p, err := s.open(ctx, "audit")
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

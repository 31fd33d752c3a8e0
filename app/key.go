package main

import (
	"context"
	"fmt"

	"heliograph/app/operation/retention"
)

// runKey is the command key lost: it says what a lost encryption key takes with it
// and, once confirmed, replaces it.
func runKey(ctx context.Context, t terminal, args []string) error {
	flags := newFlags(t, "key lost")
	data := dataFlag(flags)
	reason := flags.String("reason", "", "`why`, for the audit (required to replace)")
	confirmed := flags.Bool("yes", false, "replace what cannot be opened; without it the command only counts")
	if err := parseAction(flags, "lost", args); err != nil {
		return err
	}
	return t.withPlatform(ctx, *data, "key", func(p *platform) error {
		l := retention.LostKey{Keys: p.keyring, Actor: operator, Reason: *reason}
		act := l.Count
		if *confirmed {
			act = l.Replace
		}
		found, err := act(ctx, p.pool)
		if err != nil {
			return err
		}
		for _, loss := range found {
			fmt.Fprintf(t.out, "%6d %s\n       %s\n", loss.Count, loss.What, loss.Remedy)
		}
		switch {
		case len(found) == 0:
			fmt.Fprintln(t.out, "The keys open everything that is stored.")
		case *confirmed:
			fmt.Fprintln(t.out, "These were removed or replaced. Start every process with the same keys. Everybody has to sign in again. Then run heliograph audit accept, because earlier anchors were signed with the lost key.")
		default:
			fmt.Fprintln(t.out, "No key of ENCRYPTION_KEYS opens these. API keys, passwords, messages, callbacks and documentation are not affected.\nNothing was changed. Look for the key first. Add --yes and --reason to remove or replace what is lost. It cannot be undone.")
		}
		return nil
	})
}

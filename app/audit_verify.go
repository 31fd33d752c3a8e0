package main

import (
	"context"
	"fmt"

	"heliograph/app/operation/audit"
)

// runAudit is the commands audit verify and audit accept.
func runAudit(ctx context.Context, t terminal, args []string) error {
	if len(args) > 0 && args[0] == "accept" {
		return acceptAudit(ctx, t, args)
	}
	flags := newFlags(t, "audit verify")
	data := dataFlag(flags)
	if err := parseAction(flags, "verify", args); err != nil {
		return err
	}
	return withAnchors(ctx, t, *data, func(anchors *audit.Anchors) error {
		head, anchor, err := anchors.Verify(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(t.out, "%d entries hold. The last has the hash %x.\n", head.Seq, head.Hash)
		if anchor == nil {
			fmt.Fprintln(t.out, "Nothing is anchored yet: a worker does it within the hour. Until then nobody could tell whether the whole chain was replaced.")
			return nil
		}
		fmt.Fprintf(t.out, "They agree with the newest anchor in the storage, of entry %d, made on %s.\n", anchor.Seq, anchor.At.Format("2 Jan 2006, 15:04 UTC"))
		return nil
	})
}

// acceptAudit anchors a chain that disagrees with its anchors for a reason that
// somebody knows.
func acceptAudit(ctx context.Context, t terminal, args []string) error {
	flags := newFlags(t, "audit accept")
	data := dataFlag(flags)
	reason := flags.String("reason", "", "`why` the chain differs from its anchors, such as which backup was restored; the audit keeps it")
	if err := parseAction(flags, "accept", args); err != nil {
		return err
	}
	if *reason == "" {
		fmt.Fprintln(t.err, "--reason is needed: say why the chain differs from its anchors")
		return errUsage
	}
	return withAnchors(ctx, t, *data, func(anchors *audit.Anchors) error {
		head, err := anchors.Accept(ctx, "operator", *reason)
		if err != nil {
			return err
		}
		fmt.Fprintf(t.out, "Accepted and anchored with entry %d, which keeps the reason. Earlier anchors stay in the storage.\n", head.Seq)
		return nil
	})
}

func withAnchors(ctx context.Context, t terminal, data string, do func(*audit.Anchors) error) error {
	return t.withPlatform(ctx, data, "audit", func(p *platform) error {
		return do(audit.NewAnchors(p.pool, p.anchors, p.keyring, p.config.PublicURL))
	})
}

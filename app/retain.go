package main

import (
	"context"
	"fmt"

	"heliograph/app/operation/retention"
)

// runRetention is the command retention.
func runRetention(ctx context.Context, t terminal, args []string) error {
	flags := newFlags(t, "retention")
	data := dataFlag(flags)
	organisation := flags.Int64("organisation", retention.Everyone, "`id` of an organisation that was promised other times (default: all others)")
	bodies := flags.Int("bodies", 0, "`days` that the contents of messages and callbacks are kept")
	logs := flags.Int("logs", 0, "`days` that the entries of messages and callbacks are kept")
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	return t.withPlatform(ctx, *data, "retention", func(p *platform) error {
		times, err := retention.Load(ctx, p.pool, *organisation)
		if err != nil {
			return err
		}
		if *bodies != 0 || *logs != 0 {
			if *bodies != 0 {
				times.Bodies = *bodies
			}
			if *logs != 0 {
				times.Logs = *logs
			}
			if err := times.Save(ctx, p.pool, *organisation, operator); err != nil {
				return err
			}
		}
		fmt.Fprintf(t.out, "Contents are kept for %d days and logs for %d days. Usage is kept for good.\n", times.Bodies, times.Logs)
		return nil
	})
}

// runErase is the command erase.
func runErase(ctx context.Context, t terminal, args []string) error {
	flags := newFlags(t, "erase")
	data := dataFlag(flags)
	e := retention.Erasure{Actor: operator}
	flags.StringVar(&e.Recipient, "recipient", "", "`number` with its country code, or user id (required)")
	flags.Int64Var(&e.OrganisationID, "organisation", retention.Everyone, "`id` of one organisation (default: all)")
	flags.StringVar(&e.Reason, "reason", "", "`why`, for the audit (required to erase)")
	confirmed := flags.Bool("yes", false, "erase; without it the command only counts")
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	return t.withPlatform(ctx, *data, "erase", func(p *platform) error {
		act, did := e.Count, "would be"
		if *confirmed {
			act, did = e.Run, "were"
		}
		done, err := act(ctx, p.pool)
		if err != nil {
			return err
		}
		fmt.Fprintf(t.out, "%d sent messages %s erased and %d received ones deleted.\n", done.Messages, did, done.Received)
		if done.Waiting > 0 {
			fmt.Fprintf(t.out, "%d messages are still on their way and were left. Erase again when they have their end.\n", done.Waiting)
		}
		if !*confirmed {
			fmt.Fprintln(t.out, "Nothing was changed. Add --yes to erase. It cannot be undone.")
		}
		return nil
	})
}

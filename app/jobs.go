package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"heliograph/app/channels"
	"heliograph/app/operation/queue"
	"heliograph/jobs"
)

// runJobs is the command jobs: it lists why jobs fail, or retries them.
func runJobs(ctx context.Context, t terminal, args []string) error {
	action := "failing"
	if len(args) > 0 && args[0] == "retry" {
		action = "retry"
	}
	flags := newFlags(t, "jobs "+action)
	var kind, cause *string
	if action == "retry" {
		kind = flags.String("kind", "", "`kind` of the jobs, such as relay_callback (required)")
		cause = flags.String("cause", "", "`cause` as jobs failing lists it (default: every cause)")
	}
	data := dataFlag(flags)
	if err := parseAction(flags, action, args); err != nil {
		return err
	}
	return t.withPlatform(ctx, *data, "jobs", func(p *platform) error {
		client, err := jobs.New(p.jobDeps(), nil, p.log)
		if err != nil {
			return err
		}
		control := queue.New(p.pool, client, channels.Endings{Channels: p.channels})
		if action == "failing" {
			return listCauses(ctx, t, control)
		}
		n, err := control.RetryMany(ctx, *kind, *cause, operator)
		if err != nil {
			return asFlags(err)
		}
		fmt.Fprintf(t.out, "%d jobs run again.\n", n)
		if n >= queue.RetryLimit {
			fmt.Fprintln(t.out, "There may be more: run the command again.")
		}
		return nil
	})
}

func listCauses(ctx context.Context, t terminal, control *queue.Control) error {
	causes, err := control.Causes(ctx)
	if err != nil {
		return err
	}
	if len(causes) == 0 {
		fmt.Fprintln(t.out, "No job fails.")
		return nil
	}
	table := tabwriter.NewWriter(t.out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "JOBS\tKIND\tCAUSE")
	for _, c := range causes {
		fmt.Fprintf(table, "%d\t%s\t%s\n", c.Jobs, c.Kind, c.Cause)
	}
	return table.Flush()
}

package main

import (
	"context"
	"fmt"
	"runtime"

	"heliograph/app/operation/metric"
)

// runVersion is the command version: it prints what this program was built from.
func runVersion(_ context.Context, t terminal, args []string) error {
	if err := parseFlags(newFlags(t, "version"), args); err != nil {
		return err
	}
	_, err := fmt.Fprintf(t.out, "heliograph %s, %s, %s/%s\n", metric.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

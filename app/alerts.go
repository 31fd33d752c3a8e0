package main

import (
	"context"
	_ "embed"
	"io"
)

//go:embed alerts.yaml
var alerts string

//go:embed dashboard.json
var dashboard string

// runAlerts is the command alerts: it prints alerting rules for Prometheus.
func runAlerts(_ context.Context, t terminal, args []string) error {
	return printFile(t, "alerts", alerts, args)
}

// runDashboard is the command dashboard: it prints a dashboard for Grafana.
func runDashboard(_ context.Context, t terminal, args []string) error {
	return printFile(t, "dashboard", dashboard, args)
}

func printFile(t terminal, name, text string, args []string) error {
	if err := parseFlags(newFlags(t, name), args); err != nil {
		return err
	}
	_, err := io.WriteString(t.out, text)
	return err
}

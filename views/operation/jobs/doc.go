// Package jobs renders the queues and their jobs.
package jobs

// Package queries reads the tables of operation: the audit log, jobs, limits,
// retention, settings and what is counted of the whole.
package queries

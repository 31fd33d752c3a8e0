// Package queries reads the tables of people: organisations, users, sessions, codes,
// notifications and enquiries.
package queries

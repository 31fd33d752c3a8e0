// Package queries is the SQL of the program: one file per table or aggregate,
// one function per statement, named noun first. Each takes a db.Querier, so
// that the caller decides about transactions. A row that is looked for by key
// and not there is pgx.ErrNoRows (db.IsNoRows).
package queries

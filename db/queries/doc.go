// Package queries says how the SQL of the program is laid out; the SQL itself is in
// the packages below: one file per table or aggregate, one function per statement,
// named noun first. Each takes a db.Querier, so that the caller decides about
// transactions. A row that is looked for by key and not there is pgx.ErrNoRows
// (db.IsNoRows).
//
//	<wing>         what reads the tables of a wing: documentation, channels, people, operation
//	<wing>/writes  what changes or locks their rows
//	across         what reads the tables of several wings at once
//	errands        what rules of every wing leave to be done later: jobs, objects to remove
//	collect        how rows are read
//	parts          parts of statements that several wings use
//
// Who may write is an import rule of app/arch_test.go: the rules of a wing import its
// writes, pages import none. Files import both packages of their own wing as queries and
// writes, and put the name of another wing before: peoplequeries. A file that stands in
// no wing does so when it uses several.
package queries

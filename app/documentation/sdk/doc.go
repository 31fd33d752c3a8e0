// Package sdk writes client libraries from a contract: one archive for each of six
// programming languages, without dependencies at run time.
//
// [New] reads the schema graph of a contract into an intermediate form: resources
// with methods, models, enums, unions, errors, pages, security and webhooks. [Archive]
// writes the form in one language. Every archive has equal bytes wherever it is made:
// files are sorted, times are fixed, and nothing depends on the order of maps.
//
// Contracts are foreign input. Their texts reach code only through the quoting
// functions of quote.go, their names only through name.go, and both the form and the
// archive have a bound.
//
// Dates and times stay texts as the service sends them, so that their offset and
// precision survive. Objects keep members that the contract does not name, enums
// accept values that it does not list, and an absent member differs from null.
package sdk

package queue

import (
	"context"
	"regexp"
	"strings"

	"heliograph/db"
	"heliograph/db/queries/errands"
)

// Queries and user names in URLs may contain keys.
var (
	addressQuery = regexp.MustCompile(`(https?://[^\s?"]*)\?[^\s"]*`)
	addressUser  = regexp.MustCompile(`(\w+://)[^\s/@"]+@`)
)

// The lengths to which an error and its cause are cut, in bytes.
const (
	longestFailure = 1000
	longestCause   = 200
)

// RedactSecrets removes possible secrets from an error and cuts it to about a
// thousand bytes.
func RedactSecrets(text string) string {
	return cut(addressUser.ReplaceAllString(addressQuery.ReplaceAllString(text, "$1?…"), "$1…@"), longestFailure)
}

func cut(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}

// particulars are the parts of an error that differ between jobs that failed for
// the same reason: UUIDs, long words of letters and digits, and numbers.
var particulars = regexp.MustCompile(`[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|[\w.]*[A-Za-z0-9]{24,}={0,2}|[0-9]+`)

// Cause returns the cause of an error: its text without secrets and without the
// ids and numbers of the job, for which it has a #.
func Cause(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return cut(particulars.ReplaceAllString(RedactSecrets(first), "#"), longestCause)
}

// TrimErrors shortens the lists of errors of jobs that failed often.
func TrimErrors(ctx context.Context, q db.Querier) error { return errands.JobTrimErrors(ctx, q) }

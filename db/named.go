package db

import (
	"context"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
)

// Named is a statement with named arguments that runs so often that reading it each time
// would cost. It reads the statement once. One Named goes with one text.
type Named struct{ known atomic.Pointer[positional] }

// positional is a statement with numbers in place of names, and the names in order.
type positional struct {
	sql   string
	names []string
}

// With returns the arguments of the statement, for pgx.
func (n *Named) With(args pgx.NamedArgs) pgx.QueryRewriter { return namedArgs{n, args} }

type namedArgs struct {
	*Named
	args pgx.NamedArgs
}

// RewriteQuery returns the statement as PostgreSQL reads it. A name without an argument is
// null, as with pgx.NamedArgs.
func (a namedArgs) RewriteQuery(ctx context.Context, conn *pgx.Conn, sql string, _ []any) (string, []any, error) {
	known := a.known.Load()
	if known == nil {
		itself := pgx.NamedArgs{}
		for name := range a.args {
			itself[name] = name
		}
		rewritten, names, err := itself.RewriteQuery(ctx, conn, sql, nil)
		if err != nil {
			return "", nil, err
		}
		known = &positional{sql: rewritten}
		for _, name := range names {
			text, _ := name.(string) // nil without an argument
			known.names = append(known.names, text)
		}
		a.known.Store(known)
	}
	values := make([]any, len(known.names))
	for i, name := range known.names {
		values[i] = a.args[name]
	}
	return known.sql, values, nil
}

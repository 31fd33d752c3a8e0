package db

import (
	"reflect"
	"testing"

	"github.com/jackc/pgx/v5"
)

// A statement that is read once gets the same arguments as one that is read each time.
func TestNamedStatementIsReadLikeAnyOther(t *testing.T) {
	t.Parallel()
	const sql = `select @b::text, '@a', @a::int, @b -- @c`
	var n Named
	for _, args := range []pgx.NamedArgs{{"a": 1, "b": "x", "unused": true}, {"a": 2, "b": "y"}, {"b": "z"}} {
		wantSQL, want, err := args.RewriteQuery(t.Context(), nil, sql, nil)
		if err != nil {
			t.Fatal(err)
		}
		gotSQL, got, err := n.With(args).RewriteQuery(t.Context(), nil, sql, nil)
		if err != nil {
			t.Fatal(err)
		}
		if gotSQL != wantSQL || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: got %s with %v, want %s with %v", args, gotSQL, got, wantSQL, want)
		}
	}
}

package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/queries/collect"
)

// SearchInsert notes searches by the length of each query and how many results
// it had.
func SearchInsert(ctx context.Context, q db.Querier, lengths, results []int32) error {
	return collect.Execute(ctx, q, `insert into searches (length, results) select * from unnest($1::int[], $2::int[])`, lengths, results)
}

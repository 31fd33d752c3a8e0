package db_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"heliograph/db"
)

// Callers who load at the same time share a query, and each gets the rows that it
// asked for.
func TestLoaderSharesQueries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var queries atomic.Int32
		gate := make(chan struct{})
		loader := db.NewLoader(
			func(_ context.Context, ids []int) (rows []string, err error) {
				queries.Add(1)
				<-gate
				for _, id := range slices.Backward(ids) {
					if id < 100 {
						rows = append(rows, fmt.Sprint(id))
					}
				}
				return rows, nil
			},
			func(row string) (id int) { fmt.Sscan(row, &id); return id }, //nolint:errcheck // a number is read back
		)
		var wg sync.WaitGroup
		load := func(n int) {
			rows, err := loader.Load(t.Context(), 100+n, n, n+1)
			if want := []string{fmt.Sprint(n), fmt.Sprint(n + 1)}; err != nil || !slices.Equal(rows, want) {
				t.Errorf("loaded %v, %v, want %v", rows, err, want)
			}
		}
		wg.Go(func() { load(0) })
		synctest.Wait()
		for n := range 9 {
			wg.Go(func() { load(n + 1) })
		}
		synctest.Wait()
		close(gate)
		wg.Wait()
		if n := queries.Load(); n != 2 {
			t.Errorf("ten callers made %d queries, want one for the first and one for the others", n)
		}
	})
}

package main

import (
	"sync"
	"testing"

	"heliograph/db/dbtest"
)

// Several machines of one deployment may seed at the same moment. All succeed, and
// the documentation is published once.
func TestSeedFromSeveralPlacesAtOnce(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	environ := settings(t, pool.Config().ConnString())
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if status, _, errs := invoke(t, environ, "seed"); status != 0 {
				t.Errorf("status %d: %s", status, errs)
			}
		})
	}
	wg.Wait()
	var releases, versions, drafts int
	if err := pool.QueryRow(t.Context(), `
		select (select count(*) from releases), (select count(*) from items where kind = 'version'),
			(select count(*) from change_sets where state not in ('published', 'withdrawn'))`).Scan(&releases, &versions, &drafts); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := invoke(t, environ, "seed"); status != 0 {
		t.Errorf("again: status %d: %s", status, errs)
	}
	var after int
	if err := pool.QueryRow(t.Context(), `select count(*) from releases`).Scan(&after); err != nil {
		t.Fatal(err)
	}
	if versions == 0 || releases == 0 || after != releases || drafts > 0 {
		t.Errorf("%d releases of %d versions, %d after seeding again, %d change sets are open", releases, versions, after, drafts)
	}
}

package db_test

import (
	"testing"

	"heliograph/db"
	"heliograph/db/dbtest"
)

// A pool and its listener take a share of the server's connections at most, and
// enough to work.
func TestPoolTakesAShareOfTheConnections(t *testing.T) {
	t.Parallel()
	shared := dbtest.Pool(t)
	var all int32
	if err := shared.QueryRow(t.Context(), `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int`).Scan(&all); err != nil {
		t.Fatal(err)
	}
	url := shared.Config().ConnString()
	for _, tt := range []struct {
		wanted int32
		share  float64
		want   int32
	}{{7, 1, 7}, {1000, 0, 1000}, {1000, 0.5, int32(float64(all)*0.5) - 1}, {1000, 0.0001, 4}} {
		pool, err := db.Open(t.Context(), url, db.Options{MaxConns: tt.wanted, Share: tt.share})
		if err != nil {
			t.Fatal(err)
		}
		if got := pool.Config().MaxConns; got != tt.want {
			t.Errorf("%d wanted with a share of %v: %d, want %d", tt.wanted, tt.share, got, tt.want)
		}
		pool.Close()
	}
}

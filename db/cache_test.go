package db

import (
	"context"
	"errors"
	"testing"
	"time"
)

// newCache returns a cache over a connected listener, and a load that counts
// its calls and returns the count.
func newCache(ttl time.Duration, size int) (*Cache[string, int], *Listener, func(context.Context, string) (int, error)) {
	listener := &Listener{}
	cache := NewCache[string, int](listener, ttl, size, "products", "keys")
	listener.connected.Store(true)
	loads := 0
	return cache, listener, func(context.Context, string) (int, error) {
		loads++
		return loads, nil
	}
}

func get(t *testing.T, cache *Cache[string, int], key string, load func(context.Context, string) (int, error)) int {
	t.Helper()
	value, err := cache.Get(t.Context(), key, load)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestCacheKeepsRowsUntilTheirTablesChange(t *testing.T) {
	t.Parallel()
	cache, listener, load := newCache(time.Hour, 10)
	for _, step := range []struct {
		notification string
		want         int
	}{
		{"changed:releases", 1}, // another table
		{"release", 1},
		{"changed:", 1},
		{"changed:keys", 2},
		{"products", 2}, // no notification of a table
		{"changed:products", 3},
		{"", 4}, // the listener connected again: anything may have changed
	} {
		get(t, cache, "asha", load)
		listener.notify(step.notification)
		if got := get(t, cache, "asha", load); got != step.want {
			t.Errorf("after notification %q the value is of load %d, want %d", step.notification, got, step.want)
		}
	}
}

// A row that was read before a change must not be kept after it.
func TestCacheDropsALoadThatAChangeOvertook(t *testing.T) {
	t.Parallel()
	cache, listener, load := newCache(time.Hour, 10)
	overtaken := func(ctx context.Context, key string) (int, error) {
		value, err := load(ctx, key)
		listener.notify("changed:keys")
		return value, err
	}
	if got := get(t, cache, "asha", overtaken); got != 1 {
		t.Errorf("the caller gets the value of load %d, want its own", got)
	}
	if got := get(t, cache, "asha", load); got != 2 {
		t.Errorf("after the change the value is of load %d, want a new one", got)
	}
}

func TestCacheLoadsWhileNothingIsHeard(t *testing.T) {
	t.Parallel()
	cache, listener, load := newCache(time.Hour, 10)
	get(t, cache, "asha", load)
	listener.connected.Store(false)
	for want := 2; want <= 3; want++ {
		if got := get(t, cache, "asha", load); got != want {
			t.Errorf("without a listener the value is of load %d, want %d", got, want)
		}
	}
	listener.connected.Store(true)
	listener.notify("")
	if got := get(t, cache, "asha", load); got != 4 {
		t.Errorf("what was loaded unheard is kept: load %d, want 4", got)
	}
}

func TestCacheEndsRowsInTimeAndNumber(t *testing.T) {
	t.Parallel()
	cache, _, load := newCache(time.Hour, 2)
	get(t, cache, "asha", load)
	get(t, cache, "ravi", load)
	if got := get(t, cache, "asha", load); got != 1 {
		t.Errorf("two rows of two: asha was loaded again (%d)", got)
	}
	get(t, cache, "mina", load)
	if n := len(cache.rows); n > 2 {
		t.Errorf("%d rows are kept, want at most 2", n)
	}
	expired, _, load := newCache(0, 2)
	get(t, expired, "asha", load)
	if got := get(t, expired, "asha", load); got != 2 {
		t.Errorf("an expired row is of load %d, want 2", got)
	}
}

func TestCacheKeepsNoErrors(t *testing.T) {
	t.Parallel()
	cache, _, load := newCache(time.Hour, 2)
	away := errors.New("away")
	_, err := cache.Get(t.Context(), "asha", func(context.Context, string) (int, error) { return 0, away })
	if !errors.Is(err, away) {
		t.Errorf("err = %v, want the error of the load", err)
	}
	if got := get(t, cache, "asha", load); got != 1 {
		t.Errorf("after an error the value is %d, want 1", got)
	}
}

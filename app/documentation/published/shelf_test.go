package published

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// Parts are made once however many want them, and go when room is needed.
func TestShelf(t *testing.T) {
	t.Parallel()
	s := newShelf(nil, 1000)
	made := map[string]int{}
	want := func(key string, size int) {
		t.Helper()
		got, err := get(t.Context(), s, key, func(context.Context) (string, int, error) {
			made[key]++
			return "part " + key, size, nil
		})
		if err != nil || got != "part "+key {
			t.Errorf("%s: %q, %v", key, got, err)
		}
	}
	want("a", 400)
	want("b", 400)
	want("a", 400)
	want("c", 400) // b goes
	want("a", 400)
	want("b", 400)
	if made["a"] != 1 || made["b"] != 2 || made["c"] != 1 || s.held > s.budget || len(s.parts) != s.recent.Len() {
		t.Errorf("made %v, %d bytes held", made, s.held)
	}
}

func TestShelfMakesAPartOnce(t *testing.T) {
	t.Parallel()
	s := newShelf(nil, 1000)
	var made atomic.Int32
	begun, release := make(chan struct{}), make(chan struct{})
	build := func(context.Context) (int, int, error) {
		made.Add(1)
		close(begun)
		<-release
		return 7, 1, nil
	}
	var waiting sync.WaitGroup
	for range 8 {
		waiting.Go(func() {
			if n, err := get(t.Context(), s, "slow", build); n != 7 || err != nil {
				t.Errorf("%d, %v", n, err)
			}
		})
	}
	<-begun
	// A part that is being made keeps nobody else waiting.
	if n, err := get(t.Context(), s, "other", func(context.Context) (int, int, error) { return 1, 1, nil }); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := get(ctx, s, "slow", build); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that left got %v", err)
	}
	close(release)
	waiting.Wait()
	if made.Load() != 1 {
		t.Errorf("the part was made %d times", made.Load())
	}
}

// What is wrong with content is kept; what the database did not answer is asked
// again.
func TestShelfKeepsLastingFailures(t *testing.T) {
	t.Parallel()
	s := newShelf(nil, 1000)
	made := map[string]int{}
	failures := map[string]error{"lasting": &brokenError{errors.New("no JSON")}, "passing": &unreadError{errors.New("away")}}
	for range 2 {
		for key, failure := range failures {
			_, err := get(t.Context(), s, key, func(context.Context) (int, int, error) {
				made[key]++
				return 0, 0, failure
			})
			if !errors.Is(err, failure) {
				t.Errorf("%s: %v", key, err)
			}
		}
	}
	if made["lasting"] != 1 || made["passing"] != 2 {
		t.Errorf("made %v", made)
	}
}

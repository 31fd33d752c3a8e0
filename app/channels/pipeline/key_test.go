package pipeline

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/db/dbtest"
)

// A key is up to 255 characters of UTF-8, whatever their bytes.
func TestKeysAreChecked(t *testing.T) {
	t.Parallel()
	for value, valid := range map[string]bool{
		"": true, "k": true, strings.Repeat("k", 255): true, strings.Repeat("k", 256): false, strings.Repeat("é", 255): true, strings.Repeat("é", 256): false, "k\xff": false,
	} {
		err := (&Key{Value: value}).Check()
		var wrong *KeyError
		if errors.As(err, &wrong) == valid || valid && err != nil {
			t.Errorf("a key of %d bytes: %v", len(value), err)
		}
	}
}

// A request with a key is done once: again it gets the stored reply, and another
// request with the key is refused. A request that fails may be sent again.
func TestRequestsWithOneKeyAreDoneOnce(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	mine, other := addOrganisation(t, pool, true), addOrganisation(t, pool, true)
	keys, done := NewKeys(pool), 0
	once := func(k Key, problem error) (Reply, error) {
		return keys.Once(t.Context(), k, func(pgx.Tx) (any, error) {
			done++
			return map[string]int{"done": done}, problem
		})
	}
	k := Key{OrganisationID: mine, Route: "send", Body: []byte(`{"to":1}`), Value: strings.Repeat("é", 255)}
	moved, changed, theirs, without := k, k, k, k
	moved.Route, changed.Body, theirs.OrganisationID, without.Value = "upload", []byte(`{"to":2}`), other, ""
	broken := errors.New("broken")
	for i, c := range []struct {
		key     Key
		problem error
		body    string
		again   bool
		refused bool
	}{
		{k, broken, "", false, false},
		{k, nil, `{"done":2}`, false, false},
		{k, broken, `{"done":2}`, true, false},
		{moved, nil, "", false, true},
		{changed, nil, "", false, true},
		{theirs, nil, `{"done":3}`, false, false},
		{without, nil, `{"done":4}`, false, false},
		{without, nil, `{"done":5}`, false, false},
		{Key{OrganisationID: mine, Value: strings.Repeat("k", 256)}, nil, "", false, true},
	} {
		reply, err := once(c.key, c.problem)
		var refused *KeyError
		switch {
		case errors.As(err, &refused) != c.refused, (err == nil) != (c.body != ""), string(reply.Body) != c.body, reply.Replayed != c.again:
			t.Errorf("request %d: %s, replayed %v, %v", i+1, reply.Body, reply.Replayed, err)
		}
	}
	if found, err := keys.Find(t.Context(), k); err != nil || found == nil || !found.Replayed || string(found.Body) != `{"done":2}` {
		t.Errorf("the stored reply is %v, %v", found, err)
	}
	for name, unused := range map[string]Key{"without a key": without, "an unused key": {OrganisationID: mine, Value: "unused"}} {
		if found, err := keys.Find(t.Context(), unused); err != nil || found != nil {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
}

// Of requests with one key at the same time one does the work, and all get its
// reply. If that one fails, the next does it.
func TestRequestsWithOneKeyAtTheSameTime(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	k := Key{OrganisationID: addOrganisation(t, pool, true), Route: "send", Value: "k"}
	keys := NewKeys(pool)
	var calls, failed atomic.Int32
	var all sync.WaitGroup
	replies := make([]string, 6)
	for i := range replies {
		all.Go(func() {
			reply, err := keys.Once(t.Context(), k, func(pgx.Tx) (any, error) {
				n := calls.Add(1)
				if n == 1 {
					return nil, errors.New("the first fails")
				}
				return n, nil
			})
			if replies[i] = string(reply.Body); err != nil {
				failed.Add(1)
				replies[i] = ""
			}
		})
	}
	all.Wait()
	if calls.Load() != 2 || failed.Load() != 1 {
		t.Errorf("the work was called %d times, and %d requests failed", calls.Load(), failed.Load())
	}
	for i, reply := range replies {
		if reply != "" && reply != "2" {
			t.Errorf("request %d got %s", i+1, reply)
		}
	}
	if n := count(t, pool, `select count(*) from idempotency_keys`); n != 1 {
		t.Error(fmt.Sprint(n, " keys are stored"))
	}
}

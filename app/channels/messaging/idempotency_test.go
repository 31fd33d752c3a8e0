package messaging_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
)

// runTogether runs the same work for each request at the same time. The first
// work with a key does not end before the other requests with the key wait for
// it.
func (b *bundle) runTogether(t *testing.T, requests ...pipeline.Key) ([]pipeline.Reply, []error) {
	t.Helper()
	replies, errs := make([]pipeline.Reply, len(requests)), make([]error, len(requests))
	var done sync.WaitGroup
	var number atomic.Int64
	waiting := 0
	seen := map[string]bool{}
	for _, r := range requests {
		if owner := fmt.Sprint(r.OrganisationID, r.Value); r.Value != "" && seen[owner] {
			waiting++
		} else {
			seen[owner] = true
		}
	}
	for i, r := range requests {
		done.Go(func() {
			replies[i], errs[i] = b.service.DoOnce(t.Context(), r, func(tx pgx.Tx) (any, error) {
				mine := number.Add(1)
				for mine == 1 && b.count(t, `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) < waiting {
					time.Sleep(time.Millisecond)
				}
				_, err := tx.Exec(t.Context(), `insert into organisations (name) values ($1)`, fmt.Sprint("once ", mine))
				return map[string]int64{"made": mine}, err
			})
		})
	}
	done.Wait()
	return replies, errs
}

func TestOneKeyDoesWorkOnceAtTheSameTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	request := pipeline.Key{OrganisationID: b.number.OrganisationID, Route: "make", Body: []byte("lamp"), Value: "k1"}
	replies, errs := b.runTogether(t, request, request, request)
	replayed := 0
	for i, reply := range replies {
		if errs[i] != nil || string(reply.Body) != string(replies[0].Body) || len(reply.Body) == 0 {
			t.Errorf("reply %d is %s, %v; want that of the first, %s", i, reply.Body, errs[i], replies[0].Body)
		}
		if reply.Replayed {
			replayed++
		}
	}
	if replayed != 2 {
		t.Errorf("%d of three replies are marked as repeated, want 2", replayed)
	}
	if n := b.count(t, `select count(*) from organisations where name like 'once %'`); n != 1 {
		t.Errorf("the work was done %d times, want once", n)
	}
}

func TestOneKeyForTwoRequestsAtTheSameTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lamp := pipeline.Key{OrganisationID: b.number.OrganisationID, Route: "make", Body: []byte("lamp"), Value: "k1"}
	for name, other := range map[string]pipeline.Key{
		"another body":  {OrganisationID: lamp.OrganisationID, Route: "make", Body: []byte("wick"), Value: "body"},
		"another route": {OrganisationID: lamp.OrganisationID, Route: "remake", Body: []byte("lamp"), Value: "route"},
	} {
		lamp.Value = other.Value
		_, errs := b.runTogether(t, lamp, other)
		refused := 0
		for _, err := range errs {
			if f := fault.As(err); f != nil && f.Code == "100" {
				refused++
			} else if err != nil {
				t.Error(err)
			}
		}
		if refused != 1 {
			t.Errorf("%s: %d requests were refused, want one", name, refused)
		}
	}
	if n := b.count(t, `select count(*) from organisations where name like 'once %'`); n != 2 {
		t.Errorf("%d requests were done, want one for each key", n)
	}
}

// Without a key every request is done, and the keys of organisations are apart.
func TestKeysAreOfOneOrganisation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.provision(t, b.options.Keyring, "Other")
	mine := pipeline.Key{OrganisationID: b.number.OrganisationID, Route: "make", Body: []byte("lamp"), Value: "k1"}
	theirs, unkeyed := mine, mine
	theirs.OrganisationID, unkeyed.Value = b.organisation(t, "Other"), ""
	replies, errs := b.runTogether(t, mine, theirs, unkeyed, unkeyed)
	for i, reply := range replies {
		if errs[i] != nil || reply.Replayed {
			t.Errorf("reply %d: %+v, %v; want one of its own", i, reply, errs[i])
		}
	}
	if n := b.count(t, `select count(*) from organisations where name like 'once %'`); n != 4 {
		t.Errorf("%d requests were done, want 4", n)
	}
}

// A request that fails leaves its key free.
func TestFailuresKeepNoKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	request := pipeline.Key{OrganisationID: b.number.OrganisationID, Route: "make", Body: []byte("lamp"), Value: "k1"}
	_, err := b.service.DoOnce(t.Context(), request, func(tx pgx.Tx) (any, error) {
		if _, err := tx.Exec(t.Context(), `insert into organisations (name) values ('once 1')`); err != nil {
			t.Error(err)
		}
		return nil, fault.New(fault.Conflict, "Not now.")
	})
	if !fault.Is(err, fault.Conflict) {
		t.Errorf("err = %v, want the Conflict of the work", err)
	}
	if n := b.count(t, `select count(*) from organisations where name like 'once %'`); n != 0 {
		t.Error("what failed was stored")
	}
	if replies, errs := b.runTogether(t, request); errs[0] != nil || replies[0].Replayed {
		t.Errorf("after a failure: %+v, %v; want the work done", replies[0], errs[0])
	}
}

package refusal_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"heliograph/app/channels/refusal"
	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// A flood of refused calls takes a bounded number of rows, whether the calls are alike or
// not, and leaves the calls of others alone. What is too old is deleted.
func TestFloodIsBounded(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	var keys []int64
	for _, name := range []string{"Loud", "Quiet"} {
		id := identitytest.AddOrganisation(t, tx, models.Organisation{Name: name}, strings.ToLower(name)+"@example.com")
		if _, err := identity.New(tx, identity.Notifier{}).CreateKey(t.Context(), id, identity.KeyRequest{Name: "key", Channels: []string{"sms"}}, "test"); err != nil {
			t.Fatal(err)
		}
		var key int64
		if err := tx.QueryRow(t.Context(), `select id from api_keys where organisation_id = $1`, id).Scan(&key); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	counts := func() (loud, quiet, unknown, repeats int) {
		t.Helper()
		err := tx.QueryRow(t.Context(), `
			select count(*) filter (where o.name = 'Loud'), count(*) filter (where o.name = 'Quiet'), count(*) filter (where o.id is null), coalesce(max(repeats), 0)
			from refused_calls r left join organisations o on o.id = r.organisation_id`).Scan(&loud, &quiet, &unknown, &repeats)
		if err != nil {
			t.Fatal(err)
		}
		return loud, quiet, unknown, repeats
	}
	log, now := refusal.NewLog(tx), time.Now()
	call := func(key int64, path string) {
		log.Add(models.RefusedCall{KeyID: key, Channel: "sms", Method: "GET", Path: path, Status: 400, Code: 302, RequestID: "id", At: now})
	}
	call(keys[1], "/quiet")
	for range 10_000 {
		call(keys[0], "/alike")
	}
	if err := log.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	if loud, quiet, _, repeats := counts(); loud != 5 || quiet != 1 || repeats != 9_996 {
		t.Errorf("calls that are alike take %d rows, the others %d, with %d repeats", loud, quiet, repeats)
	}
	for batch := range refusal.MaxRows/100 + 3 {
		for i := range 1000 {
			call(keys[0], fmt.Sprintf("/%d/%d", batch, i))
			call(0, fmt.Sprintf("/%d/%d\x00\xff", batch, i))
		}
		if err := log.Write(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if loud, quiet, unknown, _ := counts(); loud != refusal.MaxRows || quiet != 1 || unknown != refusal.MaxRows {
		t.Errorf("a flood leaves %d, %d and %d rows", loud, quiet, unknown)
	}
	if err := refusal.Sweep(t.Context(), tx, now.Add(refusal.Keep-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, quiet, _, _ := counts(); quiet != 1 {
		t.Error("a call was deleted too early")
	}
	if err := refusal.Sweep(t.Context(), tx, now.Add(refusal.Keep+time.Hour)); err != nil {
		t.Fatal(err)
	}
	if loud, quiet, unknown, _ := counts(); loud+quiet+unknown != 0 {
		t.Error("old calls stay")
	}
}

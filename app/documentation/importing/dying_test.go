package importing_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/importing"
	"heliograph/app/documentation/importing/prepare"
	"heliograph/db/models"
)

var errDied = errors.New("the worker died")

// dying dies a number of times before it prepares documents.
type dying struct{ times int }

func (d *dying) Prepare(_ context.Context, r prepare.Request, progress func(int, string)) (*prepare.Result, error) {
	if d.times--; d.times >= 0 {
		return nil, errDied
	}
	return prepare.Prepare(r, progress)
}

// An import outlives workers that die while they read it, ends once, and after too many
// of them it says so. Nothing half is left.
func TestWorkersThatDie(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		times, completed int
		state            string
	}{{0, 1, models.ImportReady}, {3, 1, models.ImportReady}, {8, 1, models.ImportFailed}} {
		o := newOffice(t)
		o.Preparer = &dying{tt.times}
		id, err := o.Start(t.Context(), o.boss, importing.Upload{Source: models.ImportText, Data: []byte(first), Target: pets})
		if err != nil {
			t.Fatal(err)
		}
		completed := 0
		for attempt := 1; completed == 0 && attempt < 10; attempt++ {
			err := o.Service.Run(t.Context(), id, attempt, func(pgx.Tx) error { completed++; return nil })
			if err != nil && !errors.Is(err, errDied) {
				t.Fatal(err)
			}
			if i := o.get(id); completed == 0 && (i.State != models.ImportReading || i.Added != 0 || i.Converted != "") {
				t.Errorf("after attempt %d the import is %s, with %d operations", attempt, i.State, i.Added)
			}
		}
		i := o.get(id)
		if i.State != tt.state || completed != tt.completed {
			t.Errorf("after %d deaths the import is %s and ended %d times", tt.times, i.State, completed)
		}
		if i.State == models.ImportFailed && !strings.Contains(i.Error, "ended the program") {
			t.Errorf("it fails with %q", i.Error)
		}
		if err := o.Service.Run(t.Context(), id, 1, func(pgx.Tx) error { completed++; return nil }); err != nil || o.get(id).State != tt.state {
			t.Errorf("running it again makes it %s: %v", o.get(id).State, err)
		}
		if n := o.count(`select count(*) from audit_entries where action in ('import.read', 'import.fail') and target = $1`, fmt.Sprintf("import:%d", id)); n != 1 {
			t.Errorf("%d entries of the audit end the import, want 1", n)
		}
	}
}

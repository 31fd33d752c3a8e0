package blocklist

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// A recipient's STOP holds for the organisation and the channel that it was
// written to, until START. It does not touch the lists.
func TestRecipientsStopAndStart(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	var organisation int64
	if err := pool.QueryRow(t.Context(), `insert into organisations (name, status) values ('Lighthouse', 'active') returning id`).Scan(&organisation); err != nil {
		t.Fatal(err)
	}
	write := func(text string) map[string]Reason {
		t.Helper()
		err := db.InTx(t.Context(), pool, func(tx pgx.Tx) error {
			return ObeyStop(t.Context(), tx, Inbound{OrganisationID: organisation, Channel: "sms", From: "919812345678", Text: text})
		})
		if err != nil {
			t.Fatal(err)
		}
		found, err := Find(t.Context(), pool, organisation, "sms", "919812345678", "919812345679")
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	for _, tt := range []struct {
		text    string
		stopped bool
	}{
		{"Hello", false}, {"Stop calling me, please", false}, {"stop", true}, {"STOP", true}, {"Thank you", true}, {" Start. ", false},
		{"Opt-out!", true}, {"unstop", false}, {"STOP ALL", true}, {"subscribe", false},
	} {
		want := map[string]Reason{}
		if tt.stopped {
			want["919812345678"] = Stopped
		}
		if diff := cmp.Diff(want, write(tt.text)); diff != "" {
			t.Errorf("after %q (-want +got):\n%s", tt.text, diff)
		}
	}
	write("STOP")
	for _, other := range []struct {
		organisation int64
		channel      string
	}{{organisation, "rcs"}, {organisation + 1, "sms"}} {
		if found, err := Find(t.Context(), pool, other.organisation, other.channel, "919812345678"); err != nil || len(found) > 0 {
			t.Errorf("%+v: %v, %v; want nothing", other, found, err)
		}
	}
	owner := Owner{organisation, "user:1"}
	row, err := NewEntry("+91 98123 45678", "", "asked by phone")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := Add(t.Context(), pool, owner, []models.Suppression{row, row}); n != 1 || err != nil {
		t.Fatalf("%d were added, %v; want 1", n, err)
	}
	if got := write("START"); got["919812345678"] != Listed {
		t.Errorf("after START: %v, want the number on the list", got)
	}
	row.Channel = "sms"
	if n, err := Add(t.Context(), pool, Owner{Everyone, "admin:1"}, []models.Suppression{row}); n != 1 || err != nil {
		t.Fatalf("%d were added, %v; want 1", n, err)
	}
	if got := write("Hello"); got["919812345678"] != Barred {
		t.Errorf("on both lists: %v, want that of the platform", got)
	}
	var actions string
	if err := pool.QueryRow(t.Context(), `select string_agg(distinct actor || ' ' || action, ', ' order by actor || ' ' || action) from audit_entries`).Scan(&actions); err != nil {
		t.Fatal(err)
	}
	if want := "admin:1 suppression.add, recipient suppression.start, recipient suppression.stop, user:1 suppression.add"; actions != want {
		t.Errorf("the audit has %s, want %s", actions, want)
	}
	if err := Remove(t.Context(), pool, owner, "919812345678", ""); err != nil {
		t.Error(err)
	}
	if err := Remove(t.Context(), pool, owner, "919812345678", ""); !fault.Is(err, fault.NotFound) {
		t.Errorf("removing it again: %v", err)
	}
}

// Wrong entries name their fields.
func TestEntriesAreChecked(t *testing.T) {
	t.Parallel()
	for want, in := range map[string][3]string{
		"recipient": {"12", "", ""}, "channel": {"+919812345678", "fax", ""}, "note": {"+919812345678", "SMS", strings.Repeat("x", 201)},
	} {
		_, err := NewEntry(in[0], in[1], in[2])
		f := fault.As(err)
		if f == nil || len(f.Fields) != 1 || f.Fields[0].Name != want {
			t.Errorf("%v: %v, want the field %s", in, err, want)
		}
	}
}

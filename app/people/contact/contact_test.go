package contact_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/app/operation/setting"
	"heliograph/app/people/contact"
	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// desk is where enquiries arrive.
type desk struct {
	db       db.Beginner
	contacts *contact.Service
	settings *setting.Settings
}

type openGuard struct{}

func (openGuard) CheckURL(context.Context, string) error { return nil }

func newDesk(t *testing.T) *desk {
	t.Helper()
	return newDeskOn(t, dbtest.Tx(t))
}

func newDeskOn(t *testing.T, b db.Beginner) *desk {
	t.Helper()
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	inserter, err := river.NewClient(riverpgxv5.New(nil), &river.Config{Schema: db.RiverSchema})
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{db: b, settings: setting.New(setting.Options{DB: b, Listener: db.NewListener(nil), Keyring: keys, Guard: openGuard{}}).Saved()}
	mail := notification.New(notification.Options{DB: b, Keyring: keys, Settings: d.settings, Jobs: inserter})
	d.contacts = contact.New(contact.Options{
		DB: b, Keyring: keys, Settings: d.settings, Jobs: inserter, Mail: mail, Limiter: limit.New(b, keys), PublicURL: "https://portal.example.com",
	})
	return d
}

// stamped is a form that was shown a minute ago.
func (d *desk) stamped(f contact.Form) contact.Form {
	f.Stamp = d.contacts.StampAt(time.Now().Add(-time.Minute), time.Now().Add(-time.Minute), 0, false)
	return f
}

func (d *desk) submit(t *testing.T, f contact.Form) contact.Receipt {
	t.Helper()
	r, err := d.contacts.Submit(t.Context(), d.stamped(f), "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (d *desk) count(t *testing.T, table string) (n int) {
	t.Helper()
	if err := d.db.QueryRow(t.Context(), "select count(*) from "+pgx.Identifier{table}.Sanitize()).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func (d *desk) text(t *testing.T, sql string, args ...any) (text string) {
	t.Helper()
	if err := d.db.QueryRow(t.Context(), sql, args...).Scan(&text); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return text
}

// only returns the one enquiry that there is.
func (d *desk) only(t *testing.T) (e models.Enquiry) {
	t.Helper()
	rows, err := d.db.Query(t.Context(), `select * from contact_enquiries`)
	if err != nil {
		t.Fatal(err)
	}
	if e, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByNameLax[models.Enquiry]); err != nil {
		t.Fatal(err)
	}
	return e
}

// admin adds an administrator.
func (d *desk) admin(t *testing.T, role string) *identity.User {
	t.Helper()
	id := identitytest.AddAdmin(t, d.db, "Asha "+role, role+"@example.com", role)
	return &identity.User{Surface: identity.Administration, ID: id, Role: role}
}

// deliveries returns "kind state" of each delivery, in order.
func (d *desk) deliveries(t *testing.T, id uuid.UUID) string {
	t.Helper()
	return d.text(t, `select coalesce(string_agg(kind || ' ' || state, ', ' order by kind), 'none') from contact_deliveries where enquiry_id = $1`, id)
}

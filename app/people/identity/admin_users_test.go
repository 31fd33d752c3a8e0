package identity

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// mailbox keeps emails instead of sending them.
type mailbox struct {
	lock   sync.Mutex
	emails []notification.Email
}

func (m *mailbox) SendEmail(_ context.Context, _ pgx.Tx, e notification.Email) error {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.emails = append(m.emails, e)
	return nil
}

// Cancel takes nothing back: everything was sent at once.
func (m *mailbox) Cancel(context.Context, pgx.Tx, string) error { return nil }

var linkIn = regexp.MustCompile(`https://docs\.example\.com/admin/reset-password\?token=(\S+)`)

// token returns the token in the newest email.
func (m *mailbox) token(t *testing.T) string {
	t.Helper()
	if len(m.emails) == 0 {
		t.Fatal("no email was sent")
	}
	found := linkIn.FindStringSubmatch(m.emails[len(m.emails)-1].Text())
	if found == nil {
		t.Fatalf("the email has no link: %s", m.emails[len(m.emails)-1].Text())
	}
	token, err := url.QueryUnescape(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return token
}

type office struct {
	*Administrators
	directory *Directory
	mail      *mailbox
	boss      *User // a Super Admin
}

func newOffice(t *testing.T, b db.Beginner) *office {
	t.Helper()
	mail := &mailbox{}
	o := &office{NewAdministrators(b, Notifier{mail, "https://docs.example.com"}), New(b, Notifier{mail, "https://docs.example.com"}), mail, nil}
	o.boss = o.add(t, "asha@example.com", SuperAdmin)
	return o
}

func (o *office) add(t *testing.T, email, role string) *User {
	t.Helper()
	id, err := o.directory.CreateAdmin(t.Context(), NewAdmin{Name: "Asha", Email: email, Password: goodPassword, Role: role}, "system")
	if err != nil {
		t.Fatal(err)
	}
	return &User{Surface: Administration, ID: id, Name: "Asha", Email: email, Role: role}
}

func (o *office) signIn(t *testing.T, email, password string) (*Session, error) {
	t.Helper()
	return o.directory.SignIn(t.Context(), Administration, Credentials{Email: email, Password: password})
}

func TestInvitedAdministratorsSetTheirPassword(t *testing.T) {
	t.Parallel()
	o := newOffice(t, dbtest.Tx(t))
	id, err := o.Invite(t.Context(), o.boss, Invitation{Name: "Ravi", Email: " Ravi@example.com", Role: Editor})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.signIn(t, "ravi@example.com", goodPassword); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("signing in without a password gives %v", err)
	}
	invitation := o.mail.emails[len(o.mail.emails)-1]
	if life := time.Until(invitation.ExpiresAt).Round(time.Minute); invitation.Purpose != "admin_invitation" || life != 7*24*time.Hour {
		t.Errorf("%s is valid for %s", invitation.Purpose, life)
	}
	token := o.mail.token(t)
	if err := o.Reset(t.Context(), token, "short", "short"); !fault.Is(err, fault.Invalid) {
		t.Errorf("a short password gives %v", err)
	}
	if err := o.Reset(t.Context(), token, goodPassword, goodPassword); err != nil {
		t.Fatal(err)
	}
	if _, err := o.signIn(t, "ravi@example.com", goodPassword); err != nil {
		t.Errorf("signing in with it gives %v", err)
	}
	if err := o.Reset(t.Context(), token, goodPassword+" again", goodPassword+" again"); !fault.Is(err, fault.NotFound) {
		t.Errorf("the link again gives %v", err)
	}
	if _, err := o.Invite(t.Context(), o.boss, Invitation{Name: "Ravi", Email: "RAVI@example.com", Role: Viewer}); fault.As(err) == nil || fault.As(err).Fields[0].Name != "email" {
		t.Errorf("the same address again gives %v", err)
	}
	if _, err := o.Invite(t.Context(), o.boss, Invitation{Name: "", Email: "x", Role: "owner"}); fault.As(err) == nil || len(fault.As(err).Fields) != 3 {
		t.Errorf("three wrong fields give %v", err)
	}
	if err := o.SendLink(t.Context(), o.boss, id); err != nil || o.mail.emails[len(o.mail.emails)-1].Purpose != "admin_reset" {
		t.Errorf("a link for who has a password: %v", err)
	}
}

func TestChangesEndSessionsAndAreRecorded(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	o := newOffice(t, tx)
	ravi := o.add(t, "ravi@example.com", Viewer)
	for _, tt := range []struct {
		name, action string
		ends         bool
		change       func() error
	}{
		{"role", "admin.change_role", true, func() error { return o.SetRole(t.Context(), o.boss, ravi.ID, Editor) }},
		{"deactivated", "admin.deactivate", true, func() error { return o.SetActive(t.Context(), o.boss, ravi.ID, false) }},
		{"activated", "admin.activate", false, func() error { return o.SetActive(t.Context(), o.boss, ravi.ID, true) }},
		{"link", "admin.send_link", false, func() error { return o.SendLink(t.Context(), o.boss, ravi.ID) }},
		{"reset", "admin.reset_password", true, func() error {
			return o.Reset(t.Context(), o.mail.token(t), goodPassword+" again", goodPassword+" again")
		}},
		{"deleted", "admin.delete", true, func() error { return o.Remove(t.Context(), o.boss, ravi.ID) }},
	} {
		var s *Session
		if tt.name != "activated" {
			var err error
			if s, err = o.signIn(t, "ravi@example.com", goodPassword); err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
		}
		count := func() (n int) {
			if err := tx.QueryRow(t.Context(), `select count(*) from audit_entries`).Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		before := count()
		if err := tt.change(); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		var action string
		if err := tx.QueryRow(t.Context(), `select action from audit_entries order by seq desc limit 1`).Scan(&action); err != nil || action != tt.action || count() != before+1 {
			t.Errorf("%s: the audit has %d more, the last is %s", tt.name, count()-before, action)
		}
		if s == nil {
			continue
		}
		if _, err := o.directory.Resume(t.Context(), *s); fault.Is(err, fault.Unauthenticated) != tt.ends {
			t.Errorf("%s: the session gives %v", tt.name, err)
		}
		if tt.name == "reset" {
			exec(t, tx, `update admin_users set password_hash = (select password_hash from admin_users where id = $1) where id = $2`, o.boss.ID, ravi.ID)
		}
	}
	before := 0
	if err := tx.QueryRow(t.Context(), `select count(*) from audit_entries`).Scan(&before); err != nil {
		t.Fatal(err)
	}
	other := o.add(t, "mira@example.com", Viewer)
	for range 2 {
		if err := o.SetRole(t.Context(), o.boss, other.ID, Viewer); err != nil {
			t.Errorf("the same role: %v", err)
		}
		if err := o.EndSessions(t.Context(), o.boss, other.ID); err != nil {
			t.Errorf("no session: %v", err)
		}
	}
	after := 0
	if err := tx.QueryRow(t.Context(), `select count(*) from audit_entries`).Scan(&after); err != nil || after != before+1 {
		t.Errorf("changing nothing is recorded: %d", after-before-1)
	}
}

func TestNobodyChangesThemselves(t *testing.T) {
	t.Parallel()
	o := newOffice(t, dbtest.Tx(t))
	other := o.add(t, "mira@example.com", SuperAdmin)
	viewer := o.add(t, "ravi@example.com", Viewer)
	for name, change := range map[string]func(by *User, id int64) error{
		"role":       func(by *User, id int64) error { return o.SetRole(t.Context(), by, id, Viewer) },
		"deactivate": func(by *User, id int64) error { return o.SetActive(t.Context(), by, id, false) },
		"delete":     func(by *User, id int64) error { return o.Remove(t.Context(), by, id) },
		"products":   func(by *User, id int64) error { return o.SetProducts(t.Context(), by, id, []int64{1}) },
		"link":       func(by *User, id int64) error { return o.SendLink(t.Context(), by, id) },
	} {
		if err := change(o.boss, o.boss.ID); !fault.Is(err, fault.Conflict) {
			t.Errorf("%s oneself gives %v", name, err)
		}
		if err := change(viewer, other.ID); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s by a Viewer gives %v", name, err)
		}
		if err := change(o.boss, 1<<40); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s nobody gives %v", name, err)
		}
	}
	if err := o.SetRole(t.Context(), o.boss, other.ID, "owner"); !fault.Is(err, fault.Invalid) {
		t.Errorf("an unknown role gives %v", err)
	}
}

// However many Super Admins demote, deactivate and delete each other at once,
// one remains.
func TestASuperAdminAlwaysRemains(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	o := newOffice(t, pool)
	bosses := []*User{o.boss}
	exec(t, pool, `insert into admin_users (name, email, password_hash, role)
		select 'Mira', 'mira' || n || '@example.com', 'x', 'super_admin' from generate_series(1, 7) n`)
	rows, err := pool.Query(t.Context(), `select id from admin_users where name = 'Mira'`)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		bosses = append(bosses, &User{Surface: Administration, ID: id, Role: SuperAdmin})
	}
	var all sync.WaitGroup
	for i, by := range bosses {
		for j, target := range bosses {
			all.Go(func() {
				var err error
				switch (i + j) % 3 {
				case 0:
					err = o.SetRole(context.Background(), by, target.ID, Viewer)
				case 1:
					err = o.SetActive(context.Background(), by, target.ID, false)
				default:
					err = o.Remove(context.Background(), by, target.ID)
				}
				if err != nil && fault.As(err) == nil {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	var left int
	if err := pool.QueryRow(t.Context(), `select count(*) from admin_users where role = 'super_admin' and active`).Scan(&left); err != nil || left != 1 {
		t.Errorf("%d Super Admins remain, want 1 (%v)", left, err)
	}
}

func TestResetLinks(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	o := newOffice(t, tx)
	request := func() string {
		t.Helper()
		if err := o.RequestReset(t.Context(), " ASHA@example.com"); err != nil {
			t.Fatal(err)
		}
		return o.mail.token(t)
	}
	exec(t, tx, `update admin_users set failed_sign_ins = 9, locked_until = now() + interval '10 minutes'`)
	first, second := request(), request()
	for _, e := range o.mail.emails {
		if life := time.Until(e.ExpiresAt).Round(time.Minute); e.Purpose != "admin_reset" || life != time.Hour {
			t.Errorf("%s is valid for %s", e.Purpose, life)
		}
	}
	if err := o.Reset(t.Context(), first, goodPassword+" again", goodPassword+" again"); !fault.Is(err, fault.NotFound) {
		t.Errorf("a link that was replaced gives %v", err)
	}
	if err := o.Reset(t.Context(), second, goodPassword, goodPassword); fault.As(err) == nil || len(fault.As(err).Fields) != 1 || fault.As(err).Fields[0].Name != "password" {
		t.Errorf("the old password gives %v", err)
	}
	if err := o.Reset(t.Context(), second, goodPassword+" again", goodPassword+" again"); err != nil {
		t.Fatal(err)
	}
	if _, err := o.signIn(t, "asha@example.com", goodPassword+" again"); err != nil {
		t.Errorf("a locked account stays locked after a reset: %v", err)
	}
	for name, sql := range map[string]string{
		"expired":  `update admin_links set created_at = now() - interval '2 hours', expires_at = now() - interval '1 second' where consumed_at is null`,
		"inactive": `update admin_users set active = false`,
	} {
		err := db.InTx(t.Context(), tx, func(inner pgx.Tx) error {
			token := request()
			exec(t, inner, sql)
			if err := o.Reset(t.Context(), token, goodPassword+" other", goodPassword+" other"); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: %v", name, err)
			}
			return fmt.Errorf("undo")
		})
		if err == nil {
			t.Fatal("not undone")
		}
	}
	for _, token := range []string{"", "x", "' or true --"} {
		if _, err := o.CheckLink(t.Context(), token); !fault.Is(err, fault.NotFound) {
			t.Errorf("the token %q gives %v", token, err)
		}
	}
	var stored int
	if err := tx.QueryRow(t.Context(), `select count(*) from admin_links where encode(hash, 'escape') like '%' || $1 || '%'`, second).Scan(&stored); err != nil || stored != 0 {
		t.Errorf("the token is stored: %d, %v", stored, err)
	}
	sent := len(o.mail.emails)
	exec(t, tx, `update admin_users set active = false`)
	for _, email := range []string{"nobody@example.com", "asha@example.com"} {
		if err := o.RequestReset(t.Context(), email); err != nil || len(o.mail.emails) != sent {
			t.Errorf("%s: %v, and %d emails", email, err, len(o.mail.emails)-sent)
		}
	}
}

func TestOneLinkSetsOnePassword(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	o := newOffice(t, pool)
	if err := o.RequestReset(t.Context(), "asha@example.com"); err != nil {
		t.Fatal(err)
	}
	token := o.mail.token(t)
	var all sync.WaitGroup
	var lock sync.Mutex
	done := 0
	for i := range 8 {
		all.Go(func() {
			password := fmt.Sprintf("%s %d", goodPassword, i)
			err := o.Reset(context.Background(), token, password, password)
			if err == nil {
				lock.Lock()
				defer lock.Unlock()
				done++
			} else if !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.Conflict) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if done != 1 {
		t.Errorf("%d of 8 set a password with one link", done)
	}
}

func TestChangePasswordKeepsThisSessionOnly(t *testing.T) {
	t.Parallel()
	o := newOffice(t, dbtest.Tx(t))
	here, err := o.signIn(t, "asha@example.com", goodPassword)
	if err != nil {
		t.Fatal(err)
	}
	for field, form := range map[string][2]string{"current": {"not this one here", goodPassword + " again"}, "password": {goodPassword, goodPassword}} {
		_, err := o.directory.ChangePassword(t.Context(), o.boss, PasswordChange{Current: form[0], New: form[1], Confirmation: form[1]})
		if f := fault.As(err); f == nil || len(f.Fields) != 1 || f.Fields[0].Name != field {
			t.Errorf("a wrong %s gives %v", field, err)
		}
	}
	if err := o.RequestReset(t.Context(), o.boss.Email); err != nil {
		t.Fatal(err)
	}
	link := o.mail.token(t)
	fresh, err := o.directory.ChangePassword(t.Context(), o.boss, PasswordChange{Current: goodPassword, New: goodPassword + " again", Confirmation: goodPassword + " again"})
	if err != nil || fresh.ID == here.ID {
		t.Fatalf("changing gives the same session, or %v", err)
	}
	if letter := o.mail.emails[len(o.mail.emails)-1]; letter.To != o.boss.Email || !strings.Contains(letter.Text(), "https://docs.example.com/admin/forgot-password") || !strings.Contains(letter.Text(), "a Super Admin") {
		t.Errorf("the email is %+v", letter)
	}
	if _, err := o.CheckLink(t.Context(), link); !fault.Is(err, fault.NotFound) {
		t.Errorf("a link from before gives %v", err)
	}
	if _, err := o.directory.Resume(t.Context(), *here); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("the old session gives %v", err)
	}
	if _, err := o.directory.Resume(t.Context(), *fresh); err != nil {
		t.Errorf("the fresh session gives %v", err)
	}
}

func TestMayEdit(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	o := newOffice(t, tx)
	editor, viewer := o.add(t, "ravi@example.com", Editor), o.add(t, "mira@example.com", Viewer)
	var products []int64
	for _, slug := range []string{"voice-x", "data-x"} {
		var id int64
		if err := tx.QueryRow(t.Context(), `insert into items (kind, slug) values ('product', $1) returning id`, slug).Scan(&id); err != nil {
			t.Fatal(err)
		}
		products = append(products, id)
	}
	for range 2 { // the second time from both to one
		if err := o.SetProducts(t.Context(), o.boss, editor.ID, products); err != nil {
			t.Fatal(err)
		}
		products = products[:1]
	}
	if err := o.SetProducts(t.Context(), o.boss, viewer.ID, products); err != nil {
		t.Fatal(err)
	}
	may := map[string]bool{}
	for name, user := range map[string]*User{"boss": o.boss, "editor": editor, "viewer": viewer, "member": {Surface: Account, ID: editor.ID, Role: Editor}} {
		for i, id := range products[:2] {
			ok, err := o.directory.MayEdit(t.Context(), user, id)
			if err != nil {
				t.Fatal(err)
			}
			may[fmt.Sprint(name, i)] = ok
		}
	}
	want := map[string]bool{"boss0": true, "boss1": true, "editor0": true, "editor1": false, "viewer0": false, "viewer1": false, "member0": false, "member1": false}
	if diff := cmp.Diff(want, may); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

package identity

import (
	"context"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/dbtest"
)

const goodPassword = "nine slow herons wade"

func exec(t *testing.T, q db.Querier, sql string, args ...any) {
	t.Helper()
	if _, err := q.Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

func createAdmin(t *testing.T, d *Directory) int64 {
	t.Helper()
	id, err := d.CreateAdmin(t.Context(), NewAdmin{Name: "Asha", Email: "Asha@Example.com", Password: goodPassword, Role: Editor}, "system")
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestCreateAdminRefuses(t *testing.T) {
	t.Parallel()
	d := New(dbtest.Tx(t), Notifier{})
	createAdmin(t, d)
	good := NewAdmin{Name: "Ravi", Email: "ravi@example.com", Password: goodPassword, Role: Viewer}
	tests := []struct {
		name   string
		change func(*NewAdmin)
		kind   fault.Kind
		field  string
	}{
		{"taken", func(n *NewAdmin) { n.Email = "asha@EXAMPLE.com" }, fault.Conflict, ""},
		{"no name", func(n *NewAdmin) { n.Name = " " }, fault.Invalid, "name"},
		{"role", func(n *NewAdmin) { n.Role = "owner" }, fault.Invalid, "role"},
		{"short password", func(n *NewAdmin) { n.Password = "elevenchars" }, fault.Invalid, "password"},
		{"display name", func(n *NewAdmin) { n.Email = "Ravi <ravi@example.com>" }, fault.Invalid, "email"},
		{"header in the address", func(n *NewAdmin) { n.Email = "ravi@example.com\r\nBcc: x@example.com" }, fault.Invalid, "email"},
	}
	for _, tt := range tests {
		n := good
		tt.change(&n)
		_, err := d.CreateAdmin(t.Context(), n, "system")
		f := fault.As(err)
		if f == nil || f.Kind != tt.kind || (tt.field != "" && (len(f.Fields) != 1 || f.Fields[0].Name != tt.field)) {
			t.Errorf("%s: got %+v", tt.name, err)
		}
	}
}

func TestNormaliseEmail(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		" Asha@Example.COM ":  "asha@example.com",
		"asha@bücher.example": "asha@xn--bcher-kva.example",
		"asha":                "",
		"asha@":               "",
		"a b@example.com":     "",
		// What looks like another address, or breaks a letter's lines, is none.
		"as\u200bha@example.com":                  "",
		"asha\u202e@example.com":                  "",
		"asha@exa\u00admple.com":                  "",
		"asha@example.com\r\nBcc: x@example.com":  "",
		"\u212Airan@example.com":                  "kiran@example.com",
		"ASHA@ｅxample。com":                        "asha@example.com",
		strings.Repeat("a", 250) + "@example.com": "",
	} {
		if got, problem := normaliseEmail(in); got != want || (problem == "") != (want != "") {
			t.Errorf("normaliseEmail(%q) = %q, %q; want %q", in, got, problem, want)
		}
	}
}

func TestPasswordProblem(t *testing.T) {
	t.Parallel()
	good := []string{
		goodPassword, "ümlaute zählen", strings.Repeat("ab3 d", 40), "correct donkey pile staple",
		"kiln oar wül", "abcdeabcdeab", "hat 12345678", "As quiet kiln", // 12 characters, 5 different ones, 3 letters, a name of 2
	}
	bad := []string{
		"kiln oar wü", strings.Repeat("ab3 d", 40) + "e", "abcdabcdabcd", "ha 123456789", "Asha kkkkkkkk",
		"elevenchars", strings.Repeat("a", 201), "aaaaaaaaaaaa", "121212121212", "123456789012", "Password2026!!",
		"qwertyuiop123", "Heliograph2026", "asha@example.com", "Asha Asha Asha 1", "letmeinplease!",
	}
	for _, p := range good {
		if problem := passwordProblem(p, "asha@example.com", "Asha"); problem != "" {
			t.Errorf("%q is refused: %s", p, problem)
		}
	}
	for _, p := range bad {
		if passwordProblem(p, "asha@example.com", "Asha") == "" {
			t.Errorf("%q is accepted", p)
		}
	}
}

func TestSignInAndOut(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	d := New(tx, Notifier{})
	id := createAdmin(t, d)
	s, err := d.SignIn(t.Context(), Administration, Credentials{Email: " ASHA@example.com", Password: goodPassword})
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Resume(t.Context(), *s)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&User{Surface: Administration, ID: id, Name: "Asha", Email: "asha@example.com", Role: Editor}, got); diff != "" {
		t.Errorf("who is signed in (-want +got):\n%s", diff)
	}
	again, err := d.SignIn(t.Context(), Administration, Credentials{Email: "asha@example.com", Password: goodPassword})
	if err != nil || again.ID == s.ID {
		t.Errorf("the second sign-in has the id of the first: %v", err)
	}
	if err := d.SignOut(t.Context(), *s); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Resume(t.Context(), *s); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("a session that signed out gives %v", err)
	}
	if _, err := d.Resume(t.Context(), *again); err != nil {
		t.Errorf("signing out on one device ended another: %v", err)
	}
	var actions string
	if err := tx.QueryRow(t.Context(), `select string_agg(action, ' ' order by seq) from audit_entries`).Scan(&actions); err != nil {
		t.Fatal(err)
	}
	if actions != "admin.create admin.sign_in admin.sign_in admin.sign_out" {
		t.Errorf("the audit holds %s", actions)
	}
}

func TestSurfacesAreApart(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	d := New(tx, Notifier{})
	createAdmin(t, d)
	owner := NewOwner{Name: "Asha", Email: "asha@example.com", Password: "ten quiet otters swim"}
	organisation, err := d.CreateOrganisation(t.Context(), NewOrganisation{Name: "Lighthouse", Owner: owner}, "system")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.SignIn(t.Context(), Account, Credentials{Email: "asha@example.com", Password: goodPassword}); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("an administrator's password opens the account: %v", err)
	}
	s, err := d.SignIn(t.Context(), Account, Credentials{Email: owner.Email, Password: owner.Password})
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Resume(t.Context(), *s)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&User{Surface: Account, ID: s.UserID, Name: "Asha", Email: owner.Email, Role: Owner, OrganisationID: organisation, Organisation: "Lighthouse"}, got); diff != "" {
		t.Errorf("who is signed in (-want +got):\n%s", diff)
	}
	elsewhere := *s
	elsewhere.Surface = Administration
	if _, err := d.Resume(t.Context(), elsewhere); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("the account's session opens the administration: %v", err)
	}
	exec(t, tx, `update organisations set status = 'suspended'`)
	if _, err := d.Resume(t.Context(), *s); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("the session outlives its organisation: %v", err)
	}
	if _, err := d.SignIn(t.Context(), Account, Credentials{Email: owner.Email, Password: owner.Password}); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("a user of a suspended organisation signs in: %v", err)
	}
}

// Only the correct password reveals that the account is deactivated and how to
// activate it. The correct password never locks the account.
func TestDeactivatedIsShownOnlyWithThePassword(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	d := New(tx, Notifier{})
	owner := NewOwner{Name: "Asha", Email: "asha@example.com", Password: goodPassword}
	if _, err := d.CreateOrganisation(t.Context(), NewOrganisation{Name: "Lighthouse", Owner: owner}, "system"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, sql, contact string }{
		{"organisation", `update organisations set status = 'suspended'`, "Contact us"},
		{"user", `update organisation_users set active = false`, "Ask an owner"},
	} {
		exec(t, tx, tt.sql)
		for range 7 {
			_, err := d.SignIn(t.Context(), Account, Credentials{Email: owner.Email, Password: goodPassword})
			if !fault.Is(err, fault.Unauthenticated) || !strings.Contains(err.Error(), "Lighthouse") || !strings.Contains(err.Error(), tt.contact) {
				t.Errorf("%s deactivated, the right password: %v", tt.name, err)
			}
		}
		if _, err := d.SignIn(t.Context(), Account, Credentials{Email: owner.Email, Password: "not this one here"}); err != errCredentials {
			t.Errorf("%s deactivated, a wrong password: %v", tt.name, err)
		}
		exec(t, tx, `update organisation_users set failed_sign_ins = 0, locked_until = null`)
	}
}

func TestSessionEnds(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, sql string }{
		{"session version moved", `update admin_users set session_version = session_version + 1`},
		{"user deactivated", `update admin_users set active = false`},
		{"revoked", `update sessions set revoked_at = now()`},
		{"idle", `update sessions set last_seen_at = now() - interval '31 minutes'`},
		{"expired", `update sessions set expires_at = now()`},
		{"deleted", `delete from sessions`},
		{"user deleted", `delete from admin_users`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tx := dbtest.Tx(t)
			d := New(tx, Notifier{})
			createAdmin(t, d)
			s, err := d.SignIn(t.Context(), Administration, Credentials{Email: "asha@example.com", Password: goodPassword})
			if err != nil {
				t.Fatal(err)
			}
			exec(t, tx, `update sessions set last_seen_at = now() - interval '29 minutes'`)
			if _, err := d.Resume(t.Context(), *s); err != nil {
				t.Fatalf("a session in use ended: %v", err)
			}
			var seen bool
			if err := tx.QueryRow(t.Context(), `select last_seen_at = now() from sessions`).Scan(&seen); err != nil || !seen {
				t.Errorf("its use was not noted: %v", err)
			}
			exec(t, tx, tt.sql)
			if _, err := d.Resume(t.Context(), *s); !fault.Is(err, fault.Unauthenticated) {
				t.Errorf("the session lives on: %v", err)
			}
		})
	}
}

func TestFailuresLookAlike(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	d := New(tx, Notifier{})
	createAdmin(t, d)
	attempt := func(email, password string) (string, time.Duration) {
		start := time.Now()
		_, err := d.SignIn(t.Context(), Administration, Credentials{Email: email, Password: password})
		if !fault.Is(err, fault.Unauthenticated) {
			t.Fatalf("%s: %v", email, err)
		}
		return err.Error(), time.Since(start)
	}
	wrong, _ := attempt("asha@example.com", "not this one here")
	unknown, _ := attempt("nobody@example.com", goodPassword)
	exec(t, tx, `update admin_users set locked_until = now() + interval '1 minute'`)
	locked, _ := attempt("asha@example.com", goodPassword)
	exec(t, tx, `update admin_users set locked_until = null, active = false`)
	inactive, _ := attempt("asha@example.com", goodPassword)
	malformed, _ := attempt("nonsense", goodPassword)
	if unknown != wrong || locked != wrong || inactive != wrong || malformed != wrong {
		t.Errorf("answers differ: %q, %q, %q, %q, %q", wrong, unknown, locked, inactive, malformed)
	}
	// Each must have done the work of a hash, which nothing else here takes.
	start := time.Now()
	if _, err := hashPassword(t.Context(), goodPassword); err != nil {
		t.Fatal(err)
	}
	if _, took := attempt("nobody@example.com", goodPassword); took < time.Since(start)/20 {
		t.Errorf("an unknown address is refused after %v already", took)
	}
}

// A browser may call itself by bytes that are no text, and is signed in.
func TestBrowsersAreCalledAnything(t *testing.T) {
	t.Parallel()
	d := New(dbtest.Tx(t), Notifier{})
	createAdmin(t, d)
	s, err := d.SignIn(t.Context(), Administration, Credentials{Email: "asha@example.com", Password: goodPassword, UserAgent: "\xff\xfe Firefox/"})
	if err != nil {
		t.Fatal(err)
	}
	list, err := d.Sessions(t.Context(), *s)
	if err != nil || len(list) != 1 || list[0].UserAgent != "\uFFFD Firefox/" {
		t.Errorf("the sessions are %+v, %v", list, err)
	}
}

// An account's attempt is charged in a commit that waits for the disk. Nobody's
// waits for one too, or the time would tell them apart.
func TestNobodyCostsACommit(t *testing.T) {
	t.Parallel()
	for _, surface := range []Surface{Account, Administration} {
		tx := dbtest.Tx(t)
		commits := func() (writes bool) {
			if err := tx.QueryRow(t.Context(), `select pg_current_xact_id_if_assigned() is not null`).Scan(&writes); err != nil {
				t.Fatal(err)
			}
			return writes
		}
		if commits() {
			t.Fatal("something was written before")
		}
		if _, err := New(tx, Notifier{}).SignIn(t.Context(), surface, Credentials{Email: "nobody@example.com", Password: goodPassword}); !fault.Is(err, fault.Unauthenticated) {
			t.Fatal(err)
		}
		if !commits() {
			t.Errorf("%s: an attempt for nobody has nothing to commit", surface)
		}
	}
}

func TestLockoutDoubles(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	d := New(tx, Notifier{})
	createAdmin(t, d)
	for _, tt := range []struct {
		failures int
		want     time.Duration
	}{{0, 0}, {3, 0}, {4, time.Second}, {5, 2 * time.Second}, {8, 16 * time.Second}, {13, 512 * time.Second}, {14, 15 * time.Minute}, {400, 15 * time.Minute}} {
		exec(t, tx, `update admin_users set failed_sign_ins = $1, locked_until = null`, tt.failures)
		if _, err := d.chargeAttempt(t.Context(), Administration, Credentials{Email: "asha@example.com"}); err != nil {
			t.Fatal(err)
		}
		var got time.Duration
		if err := tx.QueryRow(t.Context(), `select coalesce(locked_until - now(), interval '0') from admin_users`).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != tt.want {
			t.Errorf("failure %d locks for %v, want %v", tt.failures+1, got, tt.want)
		}
	}
	exec(t, tx, `update admin_users set failed_sign_ins = 4, locked_until = now()`)
	if _, err := d.SignIn(t.Context(), Administration, Credentials{Email: "asha@example.com", Password: goodPassword}); err != nil {
		t.Fatal(err)
	}
	var failures int
	if err := tx.QueryRow(t.Context(), `select failed_sign_ins from admin_users where locked_until is null`).Scan(&failures); err != nil || failures != 0 {
		t.Errorf("success leaves %d failures (%v)", failures, err)
	}
}

func TestParallelGuessesAreFew(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	d := New(pool, Notifier{})
	createAdmin(t, d)
	start := time.Now()
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			_, err := d.SignIn(context.Background(), Administration, Credentials{Email: "asha@example.com", Password: "not this one here"})
			// On a busy machine a guess may be sent away before its turn comes.
			if !fault.Is(err, fault.Unauthenticated) && !fault.Is(err, fault.Unavailable) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	var compared int
	if err := pool.QueryRow(t.Context(), `select failed_sign_ins from admin_users`).Scan(&compared); err != nil {
		t.Fatal(err)
	}
	// The locks grow 1, 2, 4 … seconds: time alone can allow this many more.
	allowed := 5 + int(math.Log2(time.Since(start).Seconds()+1))
	if compared < 5 || compared > allowed {
		t.Errorf("%d of 50 guesses were compared, want 5 to %d", compared, allowed)
	}
	var locks int
	if err := pool.QueryRow(t.Context(), `select count(*) from audit_entries where action = 'admin.lock'`).Scan(&locks); err != nil || locks != 1 {
		t.Errorf("the audit holds %d locks (%v), want 1", locks, err)
	}
}

func TestCreateOrganisation(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	d := New(tx, Notifier{})
	n := NewOrganisation{Name: "Lighthouse", Sandbox: true, Owner: NewOwner{Name: "Asha", Email: "asha@example.com", Password: goodPassword, Mobile: "+919812345678"}}
	id, err := d.CreateOrganisation(t.Context(), n, "system")
	if err != nil {
		t.Fatal(err)
	}
	var ok bool
	err = tx.QueryRow(t.Context(), `
		select o.status = 'active' and o.sandbox and o.verified_at is not null and u.active and u.role = 'owner' and u.password_hash like '$argon2id$v=19$m=47104,t=1,p=1$%'
		from organisations o join organisation_users u on u.organisation_id = o.id where o.id = $1`, id).Scan(&ok)
	if err != nil || !ok {
		t.Errorf("the organisation is not ready: %t, %v", ok, err)
	}
	if _, err := d.CreateOrganisation(t.Context(), n, "system"); !fault.Is(err, fault.Conflict) {
		t.Errorf("a second with the same owner gives %v", err)
	}
	n.Owner.Mobile, n.Name = "98123 45678", ""
	if _, err := d.CreateOrganisation(t.Context(), n, "system"); fault.As(err) == nil || len(fault.As(err).Fields) != 2 {
		t.Errorf("two wrong fields give %v", err)
	}
}

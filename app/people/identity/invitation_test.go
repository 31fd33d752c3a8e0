package identity

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/people/notification"
	"heliograph/db/dbtest"
)

var invitationLink = regexp.MustCompile(`https://docs\.example\.com/account/invitation\?token=(\S+)`)

// recall is a mailbox that notes what was taken back.
type recall struct {
	mailbox
	cancelled []string
	broken    error
}

func (r *recall) Cancel(_ context.Context, _ pgx.Tx, topic string) error {
	r.cancelled = append(r.cancelled, topic)
	return r.broken
}

// link returns the token of the newest email.
func (r *recall) link(t *testing.T) string {
	t.Helper()
	found := invitationLink.FindStringSubmatch(r.emails[len(r.emails)-1].Text())
	if found == nil {
		t.Fatalf("the email has no link: %s", r.emails[len(r.emails)-1].Text())
	}
	return found[1]
}

// host is a team with an owner that invites colleagues.
func host(t *testing.T) (*Team, *recall, *User, pgx.Tx) {
	t.Helper()
	tx, mail := dbtest.Tx(t), &recall{}
	organisation := createOrganisation(t, New(tx, Notifier{}))
	exec(t, tx, `update organisations set status = 'active'`)
	by := &User{Surface: Account, Name: "Asha", OrganisationID: organisation, Organisation: "Lighthouse", Role: Owner}
	if err := tx.QueryRow(t.Context(), `select id from organisation_users`).Scan(&by.ID); err != nil {
		t.Fatal(err)
	}
	return NewTeam(tx, Notifier{mail, "https://docs.example.com"}), mail, by, tx
}

// An invitation holds for three days, for one acceptance, and until it is sent
// again or withdrawn.
func TestInvitations(t *testing.T) {
	t.Parallel()
	team, mail, by, tx := host(t)
	var first notification.Email
	invite := func(address string) (token string, id int64) {
		t.Helper()
		if err := team.Invite(t.Context(), by, address, Developer); err != nil {
			t.Fatal(err)
		}
		first = mail.emails[len(mail.emails)-1]
		token = mail.link(t)
		i, err := team.Invitation(t.Context(), token)
		if err != nil || i.Email != address || i.Role != Developer || i.Organisation != "Lighthouse" {
			t.Fatalf("the invitation of %s is %+v, %v", address, i, err)
		}
		return token, i.ID
	}
	began := time.Now()
	token, id := invite("ravi@example.com")
	if life := first.ExpiresAt.Sub(began); life < 72*time.Hour || life > 72*time.Hour+time.Minute || first.To != "ravi@example.com" {
		t.Errorf("an email to %s holds for %s", first.To, life)
	}
	if err := team.Resend(t.Context(), by, id); err != nil {
		t.Fatal(err)
	}
	again := mail.link(t)
	accept := func(token string) (*Session, error) {
		return team.Accept(t.Context(), Acceptance{Token: token, Name: "Ravi", Password: "seven loud geese swim"})
	}
	if _, err := accept(token); !errors.Is(err, errInvitationInvalid) {
		t.Errorf("the earlier link: %v", err)
	}
	s, err := accept(again)
	if err != nil {
		t.Fatal(err)
	}
	if u, err := New(tx, Notifier{}).Resume(t.Context(), *s); err != nil || u.Email != "ravi@example.com" || u.Role != Developer || u.OrganisationID != by.OrganisationID {
		t.Errorf("the new colleague is %+v, %v", u, err)
	}
	if _, err := accept(again); !errors.Is(err, errInvitationInvalid) {
		t.Errorf("the link after it was accepted: %v", err)
	}
	if err := team.Invite(t.Context(), by, " RAVI@example.com", Viewer); !fault.Is(err, fault.Invalid) {
		t.Errorf("inviting a colleague: %v", err)
	}

	token, id = invite("mira@example.com")
	stranger := &User{Surface: Account, ID: by.ID, OrganisationID: by.OrganisationID + 1}
	for name, do := range map[string]func(by *User) error{
		"resend": func(by *User) error { return team.Resend(t.Context(), by, id) }, "withdraw": func(by *User) error { return team.Withdraw(t.Context(), by, id) },
	} {
		if err := do(stranger); !errors.Is(err, errInvitationClosed) {
			t.Errorf("%s by another organisation: %v", name, err)
		}
	}
	if len(mail.cancelled) > 0 {
		t.Errorf("another organisation takes %v back", mail.cancelled)
	}
	mail.broken = errors.New("the queue is away")
	if err := team.Withdraw(t.Context(), by, id); !errors.Is(err, mail.broken) {
		t.Errorf("withdrawing an email that cannot be cancelled: %v", err)
	}
	mail.broken = nil
	if err := team.Withdraw(t.Context(), by, id); err != nil || mail.cancelled[len(mail.cancelled)-1] != invitationTopic(id) {
		t.Errorf("withdrawing: %v, taken back %v", err, mail.cancelled)
	}
	if _, err := accept(token); !errors.Is(err, errInvitationInvalid) {
		t.Errorf("a link that was withdrawn: %v", err)
	}

	token, _ = invite("noor@example.com")
	exec(t, tx, `update invitations set expires_at = now() - interval '1 second'`)
	if _, err := accept(token); !errors.Is(err, errInvitationInvalid) {
		t.Errorf("a link that has expired: %v", err)
	}
}

// What is wrong with an invitation or its acceptance is said, and nothing is done.
func TestInvitationsAreChecked(t *testing.T) {
	t.Parallel()
	team, mail, by, tx := host(t)
	for _, c := range []struct{ address, role, field string }{
		{"ravi", Viewer, "email"}, {"ravi@example.com", SuperAdmin, "role"}, {"ravi@example.com", "", "role"}, {"asha@example.com", Viewer, "email"},
	} {
		if f := fault.As(team.Invite(t.Context(), by, c.address, c.role)); f == nil || len(f.Fields) != 1 || f.Fields[0].Name != c.field {
			t.Errorf("inviting %s as %q: %+v", c.address, c.role, f)
		}
	}
	if len(mail.emails) > 0 {
		t.Fatalf("%d emails were sent", len(mail.emails))
	}
	if err := team.Invite(t.Context(), by, "ravi@example.com", Viewer); err != nil {
		t.Fatal(err)
	}
	good := Acceptance{Token: mail.link(t), Name: "Ravi", Password: "seven loud geese swim"}
	for field, change := range map[string]func(a *Acceptance){
		"name": func(a *Acceptance) { a.Name = " " }, "mobile": func(a *Acceptance) { a.Mobile = "12" },
		"password": func(a *Acceptance) { a.Password = "ravi lighthouse 2026" },
	} {
		a := good
		change(&a)
		if _, err := team.Accept(t.Context(), a); fault.As(err) == nil || len(fault.As(err).Fields) != 1 || fault.As(err).Fields[0].Name != field {
			t.Errorf("accepting with another %s: %v", field, err)
		}
	}
	exec(t, tx, `update organisations set status = 'suspended'`)
	if _, err := team.Accept(t.Context(), good); !errors.Is(err, errInvitationInvalid) {
		t.Errorf("accepting the invitation of an organisation that is suspended: %v", err)
	}
	exec(t, tx, `update organisations set status = 'active'`)
	exec(t, tx, `insert into organisations (id, name, status) overriding system value values (999999, 'Harbour', 'active')`)
	exec(t, tx, `insert into organisation_users (organisation_id, email, password_hash, role, active) values (999999, 'ravi@example.com', '', 'owner', true)`)
	if _, err := team.Accept(t.Context(), good); !errors.Is(err, errAddressTaken) {
		t.Errorf("accepting with the address of another organisation: %v", err)
	}
	if err := team.Invite(t.Context(), by, "ravi@example.com", Viewer); err != nil || !strings.Contains(mail.emails[len(mail.emails)-1].Text(), "another organisation") {
		t.Errorf("inviting the address of another organisation: %v, %s", err, mail.emails[len(mail.emails)-1].Text())
	}
}

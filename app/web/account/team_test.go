package account_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"heliograph/app/keyring"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
)

// mailbox opens the emails that wait.
type mailbox struct {
	*webtest.Site
	keys *keyring.Keyring
}

func newMailbox(t *testing.T) mailbox {
	t.Helper()
	var m mailbox
	m.Site = webtest.New(t, func(d *web.Deps) { m.keys = d.Keyring })
	return m
}

// last returns the newest email to an address.
func (m mailbox) last(t *testing.T, to string) string {
	t.Helper()
	var id uuid.UUID
	var sealed []byte
	err := m.DB.QueryRow(t.Context(), `select id, body from notifications where recipient = $1 and state = 'queued' order by id desc limit 1`, to).Scan(&id, &sealed)
	if err != nil {
		t.Fatalf("no email to %s: %v", to, err)
	}
	plain, err := m.keys.Open(sealed, keyring.Place("notifications", "body", id))
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

var link = regexp.MustCompile(`http://localhost:8080(/account/invitation\?token=\S+)`)

// link returns where the newest email to an address leads.
func (m mailbox) link(t *testing.T, to string) string {
	t.Helper()
	found := link.FindStringSubmatch(m.last(t, to))
	if found == nil {
		t.Fatalf("the email has no link: %s", m.last(t, to))
	}
	return found[1]
}

// accept sends the form of an invitation.
func accept(c *webtest.Client, path string, change func(url.Values)) *webtest.Answer {
	if a := c.Get(path); a.Status != 200 {
		c.Get("/login") // a token, as one who kept the page open has
	}
	_, token, _ := strings.Cut(path, "token=")
	form := url.Values{"token": {token}, "name": {"Meera"}, "mobile": {"+91 98123 45678"}, "password": {"ten quiet otters swim"}}
	if change != nil {
		change(form)
	}
	return c.Post("/account/invitation", form)
}

func TestInvitation(t *testing.T) {
	t.Parallel()
	m := newMailbox(t)
	owner, organisation := m.SignIn(t, 0, identity.Owner)
	invite := func(email, role string) *webtest.Answer {
		return owner.Post("/account/team/invitations", url.Values{"email": {email}, "role": {role}})
	}
	if a := invite(" Meera@Example.com ", identity.Developer); a.Status != 303 || a.Header.Get("Location") != "/account/team?done=invited" {
		t.Fatalf("inviting gives %d %s", a.Status, a.Find("main").Text())
	}
	first := m.link(t, "meera@example.com")
	if hashes := one[int](t, m.Site, `select count(*) from invitations where encode(token_hash, 'escape') like '%' || $1 || '%'`, strings.TrimPrefix(first, "/account/invitation?token=")); hashes != 0 {
		t.Error("the token is stored in clear")
	}
	resend, _ := owner.Get("/account/team").Find(`form[action$="/resend"]`).Attr("action")
	if a := owner.Post(resend, nil); a.Status != 303 {
		t.Fatalf("sending again gives %d", a.Status)
	}
	second := m.link(t, "meera@example.com")
	guest := m.Client(t)
	if a := guest.Get(first); a.Status != 410 {
		t.Errorf("the first link still gives %d", a.Status)
	}
	a := guest.Get(second)
	if a.Status != 200 || !strings.Contains(a.Find("main").Text(), "Organisation 1") || !strings.Contains(a.Find("main").Text(), "Developer") {
		t.Fatalf("the page gives %d %s", a.Status, a.Find("main").Text())
	}
	if a := accept(guest, second, func(f url.Values) { f.Set("password", "short"); f.Set("mobile", "123") }); a.Status != 422 || a.Find("#field-password-error, #field-mobile-error").Length() != 2 {
		t.Errorf("a bad form gives %d %s", a.Status, a.Find("main").Text())
	}
	if a := accept(guest, second, nil); a.Status != 303 || a.Header.Get("Location") != "/account/profile/mobile" {
		t.Fatalf("accepting gives %d %s", a.Status, a.Find("main").Text())
	}
	if a := guest.Get("/account"); a.Status != 200 || a.Find(".nav-account small").Text() != "Developer" {
		t.Errorf("the account gives %d", a.Status)
	}
	if a := accept(m.Client(t), second, nil); a.Status != 410 {
		t.Errorf("the link works twice: %d", a.Status)
	}
	if got := one[string](t, m.Site, `select organisation_id || ' ' || role || ' ' || coalesce(mobile, 'unproved') || ' ' || active from organisation_users where email = 'meera@example.com'`); got != text(organisation)+" developer unproved true" {
		t.Errorf("the user is %s", got)
	}
	actions := one[string](t, m.Site, `select string_agg(action, ' ' order by seq) from audit_entries where action like 'invitation%'`)
	if actions != "invitation.send invitation.send invitation.accept" {
		t.Errorf("the audit holds %s", actions)
	}
}

func TestInvitationEnds(t *testing.T) {
	t.Parallel()
	m := newMailbox(t)
	owner, _ := m.SignIn(t, 0, identity.Owner)
	invite := func() string {
		owner.Post("/account/team/invitations", url.Values{"email": {"meera@example.com"}, "role": {identity.Viewer}})
		return m.link(t, "meera@example.com")
	}
	path := invite()
	exec(t, m.Site, `update invitations set expires_at = now()`)
	if a := accept(m.Client(t), path, nil); a.Status != 410 {
		t.Errorf("an expired invitation gives %d", a.Status)
	}
	if a := owner.Get("/account/team"); !strings.Contains(a.Find("main").Text(), "Expired") {
		t.Error("the list does not say that it expired")
	}
	path = invite()
	withdraw, _ := owner.Get("/account/team").Find(`form[action$="/withdraw"]`).Attr("action")
	if a := owner.Post(withdraw, nil); a.Status != 303 {
		t.Errorf("withdrawing gives %d", a.Status)
	}
	if a := owner.Post(withdraw, nil); a.Status != 404 || !strings.Contains(a.Find("main").Text(), "withdrawn or already accepted") {
		t.Errorf("withdrawing again gives %d %s", a.Status, a.Find("main").Text())
	}
	if a := accept(m.Client(t), path, nil); a.Status != 410 {
		t.Errorf("a withdrawn invitation gives %d", a.Status)
	}
	if waiting := one[int](t, m.Site, `select count(*) from notifications where state = 'queued'`); waiting != 0 {
		t.Errorf("%d emails still wait", waiting)
	}
	path = invite()
	exec(t, m.Site, `update organisations set status = 'suspended'`)
	if a := m.Client(t).Get(path); a.Status != 410 {
		t.Errorf("the invitation of a suspended organisation gives %d", a.Status)
	}
}

// Whoever invites cannot tell whether an address is known elsewhere; whoever
// reads its emails can.
func TestInvitationDisclosesNothing(t *testing.T) {
	t.Parallel()
	m := newMailbox(t)
	owner, _ := m.SignIn(t, 0, identity.Owner)
	m.SignIn(t, 0, identity.Owner) // owner2@example.com elsewhere
	invite := func(email string) *webtest.Answer {
		return owner.Post("/account/team/invitations", url.Values{"email": {email}, "role": {identity.Viewer}})
	}
	known, unknown := invite("owner2@example.com"), invite("nobody2@example.com")
	if known.Status != unknown.Status || known.Header.Get("Location") != unknown.Header.Get("Location") || known.Body != unknown.Body {
		t.Errorf("a known address gives %d %s, an unknown one %d %s", known.Status, known.Body, unknown.Status, unknown.Body)
	}
	if text := m.last(t, "owner2@example.com"); strings.Contains(text, "token=") || !strings.Contains(text, "a different address") {
		t.Errorf("the email to a known address says %s", text)
	}
	if a := invite("owner1@example.com"); a.Status != 422 || !strings.Contains(a.Find("#field-email-error").Text(), "already belongs to your team") {
		t.Errorf("inviting oneself gives %d", a.Status)
	}
	// An account made between email and acceptance.
	path := m.link(t, "nobody2@example.com")
	exec(t, m.Site, `update organisation_users set email = 'nobody2@example.com' where email = 'owner2@example.com'`)
	if a := accept(m.Client(t), path, nil); a.Status != 409 || !strings.Contains(a.Find("[role=alert]").Text(), "already belongs to another organisation") {
		t.Errorf("accepting for a taken address gives %d %s", a.Status, a.Find("main").Text())
	}
}

func TestInvitationsAreFew(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	owner, _ := site.SignIn(t, 0, identity.Owner)
	for i := range 21 {
		a := owner.Post("/account/team/invitations", url.Values{"email": {"guest" + text(int64(i)) + "@example.com"}, "role": {identity.Viewer}})
		if want := map[bool]int{true: 303, false: 429}[i < 20]; a.Status != want {
			t.Fatalf("invitation %d gives %d, want %d", i+1, a.Status, want)
		}
	}
}

// A change of role or activity ends the colleague's sessions at once.
func TestColleagueChanges(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	by, organisation := members(t, site)
	owner, developer := by[identity.Owner], by[identity.Developer]
	id := one[int64](t, site, `select id from organisation_users where role = 'developer' and organisation_id = $1`, organisation)
	path := "/account/team/" + text(id)
	if a := owner.Get(path); a.Status != 200 || !strings.Contains(a.Find("main").Text(), "developer2@example.com") {
		t.Fatalf("the colleague gives %d %s", a.Status, a.Find("main").Text())
	}
	if a := owner.Post(path+"/role", url.Values{"role": {"king"}}); a.Status != 422 || a.Find("#field-role-error").Length() != 1 {
		t.Errorf("an unknown role gives %d", a.Status)
	}
	if a := developer.Get("/account"); a.Status != 200 {
		t.Fatalf("a refused change ended the session: %d", a.Status)
	}
	if a := owner.Post(path+"/role", url.Values{"role": {identity.Viewer}}); a.Status != 303 {
		t.Fatalf("changing the role gives %d", a.Status)
	}
	if got := one[int](t, site, `select count(*) from notifications where purpose = 'role_changed' and recipient = 'developer2@example.com'`); got != 1 {
		t.Errorf("%d emails about the role", got)
	}
	if a := developer.Get("/account"); a.Status != 303 {
		t.Errorf("the old session opens the account: %d", a.Status)
	}
	signIn := func() int {
		c := site.Client(t)
		c.Get("/login")
		return c.Post("/login", url.Values{"email": {"developer2@example.com"}, "password": {webtest.Password}}).Status
	}
	if status := signIn(); status != 303 {
		t.Errorf("signing in again gives %d", status)
	}
	owner.Post(path+"/deactivate", nil)
	if status := signIn(); status != 422 {
		t.Errorf("an inactive colleague signs in: %d", status)
	}
	owner.Post(path+"/activate", nil)
	if status := signIn(); status != 303 {
		t.Errorf("an active colleague is refused: %d", status)
	}
	if a := owner.Get(path + "/remove"); a.Status != 200 || strings.TrimSpace(a.Find("main button.danger").Text()) != "Remove Ravi" {
		t.Errorf("the question is %s", a.Find("main").Text())
	}
	owner.Post(path+"/remove", nil)
	if a := owner.Get(path); a.Status != 404 {
		t.Errorf("a removed colleague gives %d", a.Status)
	}
	actions := one[string](t, site, `select string_agg(action, ' ' order by seq) from audit_entries where target = $1 and action not like '%sign_in'`, identity.Account.Actor(id))
	if actions != "user.change_role user.deactivate user.activate user.remove" {
		t.Errorf("the audit holds %s", actions)
	}
}

// The last active owner stays, whoever asks for what.
func TestLastOwnerStays(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	owner, organisation := site.SignIn(t, 0, identity.Owner)
	exec(t, site, `delete from organisation_users where email like 'first%'`)
	path := "/account/team/" + text(one[int64](t, site, `select id from organisation_users where organisation_id = $1`, organisation))
	for _, change := range []string{"/role", "/deactivate", "/remove"} {
		a := owner.Post(path+change, url.Values{"role": {identity.Viewer}})
		if a.Status != 409 || !strings.Contains(a.Find("[role=alert]").Text(), "only active owner") {
			t.Errorf("%s gives %d %s", change, a.Status, a.Find("main").Text())
		}
	}
	if a := owner.Get("/account/team"); a.Status != 200 {
		t.Errorf("the refused changes ended the session: %d", a.Status)
	}
}

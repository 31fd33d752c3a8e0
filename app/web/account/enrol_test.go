package account_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

// site is a site with the test itself as its worker.
type site struct {
	*webtest.Site
	deps web.Deps
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{}
	s.Site = webtest.New(t, func(d *web.Deps) { s.deps = *d })
	return s
}

// work makes and queues the codes that were asked for.
func (s *site) work(t *testing.T) {
	t.Helper()
	enrolment := &identity.Enrolment{
		DB: s.deps.DB, Keyring: s.deps.Keyring, Limiter: limit.New(s.deps.DB, s.deps.Keyring), Notifications: s.deps.Notifications,
	}
	rows, err := s.DB.Query(t.Context(), `select id from otp_challenges where hash is null order by created_at`)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if err := enrolment.SendCode(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
}

// last returns the newest message to somebody and how many there are.
func (s *site) last(t *testing.T, recipient string) (text string, count int) {
	t.Helper()
	var id uuid.UUID
	var sealed []byte
	err := s.DB.QueryRow(t.Context(), `
		select id, body, (select count(*) from notifications where recipient = $1) from notifications
		where recipient = $1 order by id desc limit 1`, recipient).Scan(&id, &sealed, &count)
	if err == pgx.ErrNoRows {
		return "", 0
	}
	if err != nil {
		t.Fatal(err)
	}
	plain, err := s.deps.Keyring.Open(sealed, keyring.Place("notifications", "body", id))
	if err != nil {
		t.Fatal(err)
	}
	return string(plain), count
}

// code works, and returns the code that went to a number.
func (s *site) code(t *testing.T, phone string) string {
	t.Helper()
	s.work(t)
	text, _ := s.last(t, phone)
	if len(text) < 6 {
		t.Fatalf("no code went to %s", phone)
	}
	return text[:6]
}

const (
	asha     = "asha@example.com"
	mobile   = "+919812345678"
	password = "seven pale kites climb"
)

func registration() url.Values {
	return url.Values{
		"organisation": {"  Lighthouse   Books "}, "email": {" Asha@Example.com "}, "mobile": {"+91 98123-45678"},
		"password": {password}, "confirmation": {password},
	}
}

var clock = regexp.MustCompile(`\d\d:\d\d(:\d\d)? UTC`)

// forward lets time pass for the limits; the challenges keep theirs.
func (s *site) forward(t *testing.T) {
	t.Helper()
	if _, err := s.DB.Exec(t.Context(), `delete from rate_limits`); err != nil {
		t.Fatal(err)
	}
}

func TestRegisterAndVerify(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	c := s.Client(t)
	if a := c.Get("/register"); a.Status != 200 || a.Find("form#register input[required]").Length() != 5 || a.Find("form a[href='/register/verify']").Length() != 0 {
		t.Fatalf("the form gives %d: %s", a.Status, a.Body)
	}
	a := c.Post("/register", registration())
	if a.Status != 303 || a.Header.Get("Location") != "/register/verify" {
		t.Fatalf("registering gives %d: %s", a.Status, a.Find("main").Text())
	}
	if a := c.Get("/register/verify"); a.Status != 200 || !strings.Contains(a.Find(".lead").Text(), "+91 98123 45678") {
		t.Fatalf("the page of the code gives %d: %s", a.Status, a.Find("main").Text())
	}
	if a := c.Get("/register"); a.Find("form a[href='/register/verify']").Length() != 1 || a.Find("input[name=organisation]").AttrOr("value", "") != "Lighthouse Books" || a.Find("input[name=mobile]").AttrOr("value", "") != "+91 98123 45678" {
		t.Error("the way back loses what was entered")
	}
	code := s.code(t, mobile)
	wrong := url.Values{"code": {other(code)}}
	if a := c.Post("/register/verify", wrong); a.Status != 422 || a.Find("input[name=code][aria-invalid=true]").AttrOr("value", "") != other(code) {
		t.Errorf("a wrong code gives %d: %s", a.Status, a.Find("main").Text())
	}
	a = c.Post("/register/verify", url.Values{"code": {" " + code[:3] + "–" + code[3:] + " "}})
	if a.Status != 303 || a.Header.Get("Location") != "/account" {
		t.Fatalf("the code gives %d: %s", a.Status, a.Find("main").Text())
	}
	if a := c.Get("/account"); a.Status != 200 || !strings.Contains(a.Body, "Lighthouse Books") {
		t.Errorf("the account gives %d", a.Status)
	}
	if a := c.Get("/register"); a.Status != 303 {
		t.Errorf("who is signed in may register: %d", a.Status)
	}
	var numbers int
	var actions string
	err := s.DB.QueryRow(t.Context(), `
		select (select count(*) from phone_numbers), (select string_agg(action, ' ' order by seq) from audit_entries where action like 'organisation%')`).Scan(&numbers, &actions)
	if err != nil || numbers != 1 || actions != "organisation.register organisation.verify" {
		t.Errorf("%d numbers, audit %q, %v", numbers, actions, err)
	}
	if strings.Contains(s.Log.String(), code) || strings.Contains(s.Log.String(), password) {
		t.Error("the log holds a secret")
	}
}

// other is a code that is not the given one.
func other(code string) string {
	if code[0] == '0' {
		return "1" + code[1:]
	}
	return "0" + code[1:]
}

func TestRegisterKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	c := s.Client(t)
	c.Get("/register")
	form := registration()
	form.Set("mobile", "+91 11 2345 6789")
	form.Set("confirmation", "another")
	a := c.Post("/register", form)
	if a.Status != 422 || a.Find("[aria-invalid=true]").Length() != 2 {
		t.Fatalf("a landline and another password give %d: %s", a.Status, a.Find("main").Text())
	}
	for name, want := range map[string]string{"organisation": form.Get("organisation"), "email": form.Get("email"), "mobile": form.Get("mobile"), "password": "", "confirmation": ""} {
		if got := a.Find("input[name="+name+"]").AttrOr("value", ""); got != want {
			t.Errorf("%s comes back as %q, want %q", name, got, want)
		}
	}
	for i := range 5 {
		if a := c.Post("/register", registration()); a.Status != 303 {
			t.Fatalf("registration %d gives %d: %s", i+1, a.Status, a.Find("main").Text())
		}
		if _, err := s.DB.Exec(t.Context(), `delete from rate_limits where key like 'otp%'`); err != nil {
			t.Fatal(err)
		}
	}
	a = c.Post("/register", registration())
	if a.Status != 429 || a.Find("form a[href='/register/verify']").Length() != 1 || a.Header.Get("Retry-After") == "" || a.Find("input[name=email]").AttrOr("value", "") == "" || !strings.Contains(a.Find("[role=alert]").Text(), "UTC") {
		t.Errorf("the sixth gives %d after %s: %s", a.Status, a.Header.Get("Retry-After"), a.Find("main").Text())
	}
}

// Registering an address that has an account looks as any other registration;
// its owner hears of it.
func TestRegisterTakenAddress(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	signedIn, _ := s.SignIn(t, 0, identity.Owner)
	fresh, taken := s.Client(t), s.Client(t)
	taken.Address = "192.0.2.2:4000"
	bodies := map[*webtest.Client][]string{}
	for c, email := range map[*webtest.Client]string{fresh: asha, taken: "owner1@example.com"} {
		c.Get("/register")
		form := registration()
		form.Set("email", email)
		seen := func(a *webtest.Answer) string {
			a.Find("input[name=_csrf]").SetAttr("value", "")
			a.Find(".again [hx-trigger]").SetAttr("hx-trigger", "").SetText("")
			html, err := a.Find("main").Html()
			if err != nil {
				t.Fatal(err)
			}
			return clock.ReplaceAllString(strings.ReplaceAll(html, email, "EMAIL"), "NOW")
		}
		a := c.Post("/register", form)
		bodies[c] = append(bodies[c], a.Header.Get("Location"), seen(c.Get("/register/verify")))
		for range 6 {
			bodies[c] = append(bodies[c], seen(c.Post("/register/verify", url.Values{"code": {"12345x"}})))
			bodies[c] = append(bodies[c], seen(c.Post("/register/verify", url.Values{"code": {"123456"}})))
		}
		bodies[c] = append(bodies[c], seen(c.Post("/register/resend", nil)), seen(c.Get("/register")))
		s.forward(t)
		bodies[c] = append(bodies[c], c.Post("/register/resend", nil).Header.Get("Location"), seen(c.Get("/register/verify")))
		if got := len(c.Cookie("heliograph-code")); got == 0 {
			t.Error("no cookie")
		}
		s.forward(t)
	}
	if diff := cmp.Diff(bodies[fresh], bodies[taken]); diff != "" {
		t.Errorf("a taken address looks different (-fresh +taken):\n%s", diff)
	}
	text, count := s.last(t, "owner1@example.com")
	if count != 1 || !strings.Contains(text, "/forgot-password") {
		t.Errorf("the owner got %d emails: %s", count, text)
	}
	s.work(t)
	if _, count := s.last(t, mobile); count != 1 {
		t.Errorf("%d codes were sent", count)
	}
	if a := signedIn.Get("/account"); a.Status != 200 {
		t.Errorf("the owner's session ended: %d", a.Status)
	}
}

// Who asks for another code too early reads so where they asked, and the form
// shows itself again when the pause is over.
func TestAnotherCode(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	c := s.Client(t)
	c.Get("/register")
	c.Post("/register", registration())
	form := c.HX(ui.Form.Of("again"))
	a := form.Get("/register/verify")
	note := a.Find(`form#form-again [hx-get="/register/verify"][hx-target="#form-again"]`)
	if trigger := note.AttrOr("hx-trigger", ""); a.Find("main").Length() > 0 || !regexp.MustCompile(`^load delay:(30|[12]?\d)s$`).MatchString(trigger) || !strings.Contains(note.Find("time").AttrOr("title", ""), "UTC") {
		t.Errorf("the form is shown again at %q: %s", trigger, a.Body)
	}
	if a.Find("#live").Length() > 0 {
		t.Error("the end of the pause is announced before it")
	}
	a = form.Post("/register/resend", nil)
	if alert := a.Find("form#form-again [role=alert]"); a.Status != 429 || alert.Length() != 1 || alert.Text() == "" {
		t.Errorf("too early, the form gives %d: %s", a.Status, a.Body)
	}
	if a := c.Post("/register/resend", nil); a.Find("[role=alert]").Length() != 1 {
		t.Errorf("too early, the page has %d alerts", a.Find("[role=alert]").Length())
	}
}

// Who signs in before entering the code is led to it; a wrong password looks
// as any other.
func TestSignInBeforeVerifying(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	c := s.Client(t)
	c.Get("/register")
	c.Post("/register", registration())
	first := s.code(t, mobile)
	s.forward(t)
	if _, err := s.DB.Exec(t.Context(), `update otp_challenges set created_at = created_at - interval '1 minute'`); err != nil {
		t.Fatal(err)
	}
	d := s.Client(t)
	d.Get("/login")
	if a := d.Post("/login", url.Values{"email": {asha}, "password": {"wrong"}}); a.Status != 422 || !strings.Contains(a.Find("[role=alert]").Text(), "email address or the password") {
		t.Errorf("a wrong password gives %d", a.Status)
	}
	for range 2 { // the second finds the code of the first
		if a := d.Post("/login", url.Values{"email": {asha}, "password": {password}}); a.Status != 303 || a.Header.Get("Location") != "/register/verify" {
			t.Fatalf("the right password gives %d: %s", a.Status, a.Find("main").Text())
		}
	}
	second := s.code(t, mobile)
	c.Get("/register/verify")
	if a := c.Post("/register/verify", url.Values{"code": {first}}); a.Status != 422 {
		t.Errorf("a replaced code gives %d", a.Status)
	}
	d.Get("/register/verify")
	if a := d.Post("/register/verify", url.Values{"code": {second}}); a.Status != 303 || a.Header.Get("Location") != "/account" {
		t.Errorf("the new code gives %d: %s", a.Status, a.Find("main").Text())
	}
}

func TestForgotPassword(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	c := s.Client(t)
	c.Get("/register")
	c.Post("/register", registration())
	code := s.code(t, mobile)
	c.Get("/register/verify")
	c.Post("/register/verify", url.Values{"code": {code}})
	s.forward(t)

	d := s.Client(t)
	d.Get("/login")
	for range 7 {
		d.Post("/login", url.Values{"email": {asha}, "password": {"wrong"}})
	}
	if a := d.Get("/forgot-password/reset"); a.Status != 303 || a.Header.Get("Location") != "/forgot-password" {
		t.Errorf("without a code the page gives %d", a.Status)
	}
	d.Get("/forgot-password")
	if a := d.Post("/forgot-password", url.Values{"email": {asha}}); a.Status != 303 || a.Header.Get("Location") != "/forgot-password/reset" {
		t.Fatalf("asking gives %d: %s", a.Status, a.Find("main").Text())
	}
	if _, err := s.DB.Exec(t.Context(), `delete from rate_limits`); err != nil {
		t.Fatal(err)
	}
	if a := d.Post("/forgot-password/resend", nil); a.Status != 303 || a.Header.Get("Location") != "/forgot-password/reset" {
		t.Errorf("asking for another code gives %d %v: %s", a.Status, a.Header, a.Find("main").Text())
	}
	code = s.code(t, mobile)
	d.Get("/forgot-password/reset")
	reset := func(code, password string) *webtest.Answer {
		return d.Post("/forgot-password/reset", url.Values{"code": {code}, "password": {password}, "confirmation": {password}})
	}
	if a := reset(other(code), "eight bold wrens sing"); a.Status != 422 || a.Find("input[name=code][aria-invalid=true]").Length() != 1 {
		t.Errorf("a wrong code gives %d", a.Status)
	}
	if a := reset(code, password); a.Status != 422 || a.Find("input[name=password][aria-invalid=true]").Length() != 1 {
		t.Errorf("the old password gives %d", a.Status)
	}
	if a := reset(code, "eight bold wrens sing"); a.Status != 303 || a.Header.Get("Location") != "/account?done=password" {
		t.Fatalf("the code gives %d: %s", a.Status, a.Find("main").Text())
	}
	if a := d.Get("/account?done=password"); a.Status != 200 || !strings.Contains(a.Find(".done").Text(), "The password is changed") {
		t.Errorf("the new session gives %d %s", a.Status, a.Find("main").Text())
	}
	if a := c.Get("/account"); a.Status != 303 {
		t.Errorf("the old session gives %d", a.Status)
	}
	if text, count := s.last(t, asha); count != 1 || !strings.Contains(text, "password of your account was changed") {
		t.Errorf("%d emails, the last: %s", count, text)
	}
	e := s.Client(t)
	e.Get("/login")
	if a := e.Post("/login", url.Values{"email": {asha}, "password": {"eight bold wrens sing"}}); a.Status != 303 {
		t.Errorf("the account is still locked: %d", a.Status)
	}
}

// Asking for a code says the same whether the address has an account, and its
// limits are the same.
func TestForgotPasswordTellsNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.SignIn(t, 0, identity.Owner)
	if _, err := s.DB.Exec(t.Context(), `update organisation_users set mobile = $1 where email = 'owner1@example.com'`, mobile); err != nil {
		t.Fatal(err)
	}
	seen := map[string][]string{}
	for _, email := range []string{"owner1@example.com", "nobdy1@example.com"} { // as long as each other
		s.forward(t)
		c := s.Client(t)
		note := func(a *webtest.Answer) {
			cookie := len(a.Header.Get("Set-Cookie"))
			a.Find("input[name=_csrf]").SetAttr("value", "")
			a.Find("body").RemoveAttr("hx-headers") // the same token
			a.Find(".again [hx-trigger]").SetAttr("hx-trigger", "").SetText("")
			html, err := a.Html()
			if err != nil {
				t.Fatal(err)
			}
			seen[email] = append(seen[email], a.Header.Get("Location"), a.Header.Get("Retry-After"), clock.ReplaceAllString(strings.ReplaceAll(html, email, "EMAIL"), "NOW"))
			if cookie > 0 {
				seen[email] = append(seen[email], "cookie")
			}
		}
		note(c.Get("/forgot-password"))
		for range 4 {
			note(c.Post("/forgot-password", url.Values{"email": {email}}))
			note(c.Get("/forgot-password/reset"))
			s.work(t)
			for range 3 {
				note(c.Post("/forgot-password/reset", url.Values{"code": {"000000"}, "password": {password}, "confirmation": {password}}))
			}
			note(c.Post("/forgot-password/resend", nil))
			if _, err := s.DB.Exec(t.Context(), `delete from rate_limits where key like 'reset_pause%'`); err != nil {
				t.Fatal(err)
			}
		}
	}
	if diff := cmp.Diff(seen["owner1@example.com"], seen["nobdy1@example.com"]); diff != "" {
		t.Errorf("who has no account sees something else (-known +unknown):\n%s", diff)
	}
	if last := seen["owner1@example.com"]; !strings.Contains(strings.Join(last, ""), "Too many attempts") {
		t.Error("no limit was reached")
	}
}

// The cookie that names a code is sealed, and good for its purpose alone.
func TestCodeCookie(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	c := s.Client(t)
	c.Get("/register")
	c.Post("/register", registration())
	cookie := c.Cookie("heliograph-code")
	if strings.Contains(cookie, "asha") || strings.Contains(cookie, "98123") {
		t.Error("the cookie can be read")
	}
	if a := c.Get("/forgot-password/reset"); a.Status != 303 || a.Header.Get("Location") != "/forgot-password" {
		t.Errorf("the code of a registration opens the page of a recovery: %d", a.Status)
	}
	last := len(cookie) - 4
	for _, forged := range []string{"", "v1:k1:AAAA", cookie[:last] + "AAAA", cookie[:last]} {
		c.SetCookie("heliograph-code", forged)
		if a := c.Get("/register/verify"); a.Status != 303 || a.Header.Get("Location") != "/register" {
			t.Errorf("the cookie %.20q gives %d", forged, a.Status)
		}
		if a := c.Post("/register/verify", url.Values{"code": {"123456"}}); a.Status != 303 {
			t.Errorf("a code with the cookie %.20q gives %d", forged, a.Status)
		}
		if a := c.Post("/register/resend", nil); a.Status != 303 {
			t.Errorf("another code with the cookie %.20q gives %d", forged, a.Status)
		}
	}
	if strings.Contains(s.Log.String(), cookie) {
		t.Error("the log holds the cookie")
	}
}

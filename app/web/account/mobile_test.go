package account_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

// A number is the user's once the code that it got is entered, and a code for a
// forgotten password goes there from then on.
func TestMobileIsProved(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	c, _ := s.SignIn(t, 0, identity.Viewer)
	other := again(t, s.Site, "viewer1@example.com", webtest.Password)
	stored := func() string {
		return one[string](t, s.Site, `select coalesce(mobile, '') from organisation_users where email = 'viewer1@example.com'`)
	}
	if a := c.Get("/account"); a.Find(`main a[href="/account/profile#mobile"]`).Length() != 1 {
		t.Error("the overview does not say that the number is missing")
	}
	if a := c.Get("/account/profile/mobile"); a.Status != 303 || a.Header.Get("Location") != "/account/profile" {
		t.Errorf("without a code asked for the page gives %d", a.Status)
	}
	ask := func() *webtest.Answer {
		return c.Post("/account/profile/mobile", url.Values{"mobile": {"+91 98123 45678"}, "mobile_password": {webtest.Password}})
	}
	if a := ask(); a.Status != 303 || a.Header.Get("Location") != "/account/profile/mobile" {
		t.Fatalf("asking gives %d %s", a.Status, a.Find("main").Text())
	}
	if a := c.Get("/account/profile/mobile"); a.Status != 200 || !strings.Contains(a.Find("main").Text(), "+91 98123 45678") {
		t.Errorf("the page gives %d %s", a.Status, a.Find("main").Text())
	}
	first := s.code(t, mobile)
	if a := c.Post("/account/profile/mobile/resend", nil); a.Status != 429 || a.Header.Get("Retry-After") == "" {
		t.Errorf("another at once gives %d", a.Status)
	}
	s.forward(t)
	if a := c.Post("/account/profile/mobile/resend", nil); a.Status != 303 {
		t.Errorf("another gives %d %s", a.Status, a.Find("main").Text())
	}
	second := s.code(t, mobile)
	enter := func(by *webtest.Client, code string) *webtest.Answer {
		return by.Post("/account/profile/mobile/verify", url.Values{"code": {code}})
	}
	if a := enter(c, first); first != second && (a.Status != 422 || a.Find("#field-code-error").Length() != 1) {
		t.Errorf("the first code gives %d", a.Status)
	}
	// Whoever signs in to the same browser does not get the number.
	stranger, _ := s.SignIn(t, 0, identity.Viewer)
	stranger.SetCookie("heliograph-code", c.Cookie("heliograph-code"))
	if a := enter(stranger, second); a.Status != 422 {
		t.Errorf("the code in another account gives %d", a.Status)
	}
	if stored() != "" {
		t.Errorf("the number is stored before it is proved: %s", stored())
	}
	if a := enter(c, second); a.Status != 303 || a.Header.Get("Location") != "/account/profile?done=mobile" {
		t.Fatalf("the code gives %d %s", a.Status, a.Find("main").Text())
	}
	if a := enter(c, second); a.Status != 303 || a.Header.Get("Location") != "/account/profile" || stored() != mobile {
		t.Errorf("the code once more gives %d, the number is %s", a.Status, stored())
	}
	if a := c.Get("/account"); a.Status != 200 || a.Find(`main a[href="/account/profile#mobile"]`).Length() != 0 {
		t.Errorf("the session gives %d", a.Status)
	}
	if a := other.Get("/account"); a.Status != 303 {
		t.Errorf("another session lives on: %d", a.Status)
	}
	if n := one[int](t, s.Site, `select count(*) from notifications where purpose = 'mobile_changed' and recipient = 'viewer1@example.com'`); n != 1 {
		t.Errorf("%d emails about the number", n)
	}
	if n := one[int](t, s.Site, `select count(*) from audit_entries where action = 'user.change_mobile'`); n != 1 {
		t.Errorf("%d entries in the audit", n)
	}
	s.forward(t)
	guest := s.Client(t)
	guest.Get("/forgot-password")
	guest.Post("/forgot-password", url.Values{"email": {"viewer1@example.com"}})
	form := url.Values{"code": {s.code(t, mobile)}, "password": {password}, "confirmation": {password}}
	if a := guest.Post("/forgot-password/reset", form); a.Status != 303 || a.Header.Get("Location") != "/account?done=password" {
		t.Errorf("recovering gives %d %s", a.Status, a.Find("main").Text())
	}
}

// Codes to numbers of others' choosing are few, whichever numbers they are.
func TestMobileIsAskedRarely(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	c, _ := s.SignIn(t, 0, identity.Viewer)
	for i := range 6 {
		a := c.Post("/account/profile/mobile", url.Values{"mobile": {"+91 98123 4567" + string(rune('0'+i))}, "mobile_password": {webtest.Password}})
		if want := map[bool]int{true: 303, false: 429}[i < 5]; a.Status != want {
			t.Fatalf("number %d gives %d %s", i+1, a.Status, a.Find("main").Text())
		}
	}
}

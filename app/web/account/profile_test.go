package account_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

// again signs the user of members in on another device.
func again(t *testing.T, site *webtest.Site, email, password string) *webtest.Client {
	t.Helper()
	c := site.Client(t).With("User-Agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1")
	c.Get("/login")
	if a := c.Post("/login", url.Values{"email": {email}, "password": {password}}); a.Status != 303 {
		t.Fatalf("signing in gives %d", a.Status)
	}
	return c
}

func TestChangePassword(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c, _ := site.SignIn(t, 0, identity.Viewer)
	other := again(t, site, "viewer1@example.com", webtest.Password)
	c.Get("/account/profile")
	change := func(current, password, confirmation string) *webtest.Answer {
		return c.Post("/account/profile/password", url.Values{"current": {current}, "password": {password}, "confirmation": {confirmation}})
	}
	const next = "ten quiet otters swim"
	for field, a := range map[string]*webtest.Answer{
		"current":      change("not this one here", next, next),
		"password":     change(webtest.Password, "short", "short"),
		"confirmation": change(webtest.Password, next, next+"s"),
	} {
		if a.Status != 422 || a.Find("#field-"+field+"-error").Length() != 1 || strings.Contains(a.Body, next) {
			t.Errorf("a wrong %s gives %d %s", field, a.Status, a.Find("main").Text())
		}
	}
	if a := change(webtest.Password, webtest.Password, webtest.Password); a.Status != 422 || !strings.Contains(a.Find("#field-password-error").Text(), "Choose a different one") {
		t.Errorf("the old password again gives %d", a.Status)
	}
	before := c.Cookie("heliograph")
	if a := change(webtest.Password, next, next); a.Status != 303 || a.Header.Get("Location") != "/account/profile?done=password" {
		t.Fatalf("changing gives %d %s", a.Status, a.Find("main").Text())
	}
	if a := c.Get("/account/profile?done=password"); a.Status != 200 || c.Cookie("heliograph") == before || !strings.Contains(a.Find(".done").Text(), "password is changed") {
		t.Errorf("this session gives %d", a.Status)
	}
	if a := other.Get("/account"); a.Status != 303 {
		t.Errorf("the other session lives on: %d", a.Status)
	}
	c.SetCookie("heliograph", before)
	if a := c.Get("/account"); a.Status != 303 {
		t.Errorf("the previous session id still works: %d", a.Status)
	}
	again(t, site, "viewer1@example.com", next)
	if got := one[int](t, site, `select count(*) from notifications where purpose = 'password_changed' and recipient = 'viewer1@example.com'`); got != 1 {
		t.Errorf("%d emails about the password", got)
	}
}

func TestPasswordGuessesAreFew(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c, _ := site.SignIn(t, 0, identity.Viewer)
	for i := range 11 {
		a := c.Post("/account/profile/mobile", url.Values{"mobile": {"+919812345678"}, "mobile_password": {"guess"}})
		if want := map[bool]int{true: 422, false: 429}[i < 10]; a.Status != want {
			t.Fatalf("guess %d gives %d, want %d", i+1, a.Status, want)
		}
	}
}

func TestProfile(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c, organisation := site.SignIn(t, 0, identity.Owner)
	for path, form := range map[string]url.Values{
		"name":         {"name": {" "}},
		"organisation": {"organisation": {strings.Repeat("x", 201)}},
		"mobile":       {"mobile": {"12345"}, "mobile_password": {webtest.Password}},
	} {
		if a := c.Post("/account/profile/"+path, form); a.Status != 422 || a.Find("main [aria-invalid=true]").Length() != 1 {
			t.Errorf("a wrong %s gives %d", path, a.Status)
		}
	}
	if a := c.Post("/account/profile/mobile", url.Values{"mobile": {"+91 98123 45678"}, "mobile_password": {"wrong"}}); a.Status != 422 || a.Find("#field-mobile_password-error").Length() != 1 {
		t.Errorf("a wrong password gives %d", a.Status)
	}
	for path, form := range map[string]url.Values{
		"name":         {"name": {" Asha <b> "}},
		"organisation": {"organisation": {"Lighthouse & Sons"}},
	} {
		if a := c.Post("/account/profile/"+path, form); a.Status != 303 {
			t.Errorf("changing the %s gives %d %s", path, a.Status, a.Find("main").Text())
		}
	}
	a := c.Get("/account/profile")
	for name, want := range map[string]string{"name": "Asha <b>", "organisation": "Lighthouse & Sons"} {
		if got, _ := a.Find(`input[name="` + name + `"]`).Attr("value"); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := a.Find(".nav-head").Text(); got != "Lighthouse & Sons" {
		t.Errorf("the navigation is headed %q", got)
	}
	viewer, _ := site.SignIn(t, organisation, identity.Viewer)
	if viewer.Get("/account/profile").Find("input[name=organisation]").Length() != 0 {
		t.Error("a viewer is offered to rename the organisation")
	}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c, _ := site.SignIn(t, 0, identity.Viewer)
	phone := again(t, site, "viewer1@example.com", webtest.Password)
	third := again(t, site, "viewer1@example.com", webtest.Password)
	a := c.Get("/account/profile")
	rows := a.Find("section[aria-labelledby=sessions] tbody tr")
	if rows.Length() != 3 || strings.Count(rows.Text(), "This one") != 1 || strings.Count(rows.Find("td:first-child").Text(), "Safari on iPhone") != 2 {
		t.Fatalf("the sessions are %s", rows.Text())
	}
	end, _ := rows.Find("form").Attr("action")
	if a := c.Post(end, nil); a.Status != 303 {
		t.Errorf("ending one gives %d", a.Status)
	}
	if left := phone.Get("/account").Status + third.Get("/account").Status; left != 200+303 {
		t.Errorf("the two others give statuses that add up to %d", left)
	}
	stranger, _ := site.SignIn(t, 0, identity.Viewer)
	mine, _ := again(t, site, "viewer1@example.com", webtest.Password).Get("/account/profile").Find("form[action*='/sessions/']").Attr("action")
	for _, path := range []string{mine, "/account/profile/sessions/zz/end", "/account/profile/sessions/" + strings.Repeat("00", 32) + "/end"} {
		if a := stranger.Post(path, nil); a.Status != 404 {
			t.Errorf("%s of another gives %d", path, a.Status)
		}
	}
	again(t, site, "viewer1@example.com", webtest.Password)
	fresh := again(t, site, "viewer1@example.com", webtest.Password)
	fresh.Get("/account/profile")
	if a := fresh.Post("/account/profile/sessions/end-others", nil); a.Status != 303 {
		t.Errorf("ending the others gives %d", a.Status)
	}
	for name, old := range map[string]*webtest.Client{"first": c, "second": phone, "third": third} {
		if a := old.Get("/account"); a.Status != 303 {
			t.Errorf("the %s session lives on: %d", name, a.Status)
		}
	}
	if a := fresh.Get("/account/profile"); a.Status != 200 || a.Find("form[action*='/sessions/']").Length() != 0 {
		t.Errorf("the session that asked gives %d", a.Status)
	}
}

// What no field sends is refused, in forms and in addresses, and a name stays
// in its line; what people are called in any script does not matter.
func TestWhatIsNoText(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	by, _ := members(t, site)
	c := by[identity.Owner]
	for _, path := range []string{"/account/messages?recipient=%00", "/account/deliveries?event=%ff%fe", "/account?done=%00"} {
		if a := c.Get(path); a.Status != 422 || !strings.Contains(a.Body, "not text") {
			t.Errorf("%s gives %d", path, a.Status)
		}
	}
	for name, want := range map[string]int{
		"a\x00b": 422, "\xff\xfe": 422, "a\nb": 422, "a\x1b[0m": 422, "\u202eevil": 422, strings.Repeat("x", 201): 422, " ": 422,
		"😀": 303, "<script>alert(1)</script>": 303, "അന്\u200dവർ": 303, strings.Repeat("é", 200): 303,
	} {
		a := c.Post("/account/profile/name", url.Values{"name": {name}})
		if a.Status != want || strings.Contains(c.Get("/account/profile").Body, "<script>alert") {
			t.Errorf("the name %q gives %d, want %d", name, a.Status, want)
		}
	}
}

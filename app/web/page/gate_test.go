package page_test

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/page"
	"heliograph/app/web/webtest"
)

// tokenHeader carries the token of a form in requests of scripts.
const tokenHeader = "X-CSRF-Token"

func exec(t *testing.T, s *webtest.Site, sql string) {
	t.Helper()
	if _, err := s.DB.Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

// forgery is a request that somebody else made.
type forgery struct{ name, token, header, value string }

func forgeries(mine, other, stranger *webtest.Client) []forgery {
	token := mine.Token
	flipped := []byte(token)
	flipped[3] ^= 1
	return []forgery{
		{"no token", "", "", ""},
		{"wrong token", strings.Repeat("A", len(token)), "", ""},
		{"changed token", string(flipped), "", ""},
		{"cut token", token[:len(token)-4], "", ""},
		{"token of another session", other.Token, "", ""},
		{"token of a visitor", stranger.Token, "", ""},
		{"right token, cross-site", token, "Sec-Fetch-Site", "cross-site"},
		{"right token, same-site", token, "Sec-Fetch-Site", "same-site"},
		{"right token, foreign origin", token, "Origin", "https://attacker.example"},
		{"token of another session in the header", "", tokenHeader, other.Token},
	}
}

// Every mutating route with a session refuses every forged request. The table
// is read from the router, so that a new route is covered from the start; that
// the right token passes is what the matrix of routes and roles shows.
func TestForgedRequestsAreRefused(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	owner, _ := site.SignIn(t, 0, identity.Owner)
	rival, _ := site.SignIn(t, 0, identity.Owner)
	mine := site.SignInAdmin(t, identity.SuperAdmin)
	for _, area := range []struct {
		page.Area
		mine, other *webtest.Client
	}{
		{page.Account, owner, rival},
		{page.Administration, mine, site.SignInAdmin(t, identity.Viewer)},
	} {
		stranger := site.Client(t)
		stranger.Get(area.Login)
		forged := forgeries(area.mine, area.other, stranger)
		routes := 0
		for _, route := range site.Server.Routes() {
			admin := strings.HasPrefix(route.Path, page.Administration.Home)
			if route.Method == "GET" || route.Access == web.APIKey || route.Access == web.Public || admin != (area.Surface == identity.Administration) {
				continue
			}
			routes++
			for _, f := range forged {
				if a := forge(area.mine, f, route.Path); a.Status != 403 {
					t.Errorf("%s with %s gives %d", route.Name, f.name, a.Status)
				}
			}
		}
		if routes < 20 {
			t.Errorf("only %d routes were tried", routes)
		}
		if a := area.mine.Get(area.Home); a.Status != 200 {
			t.Fatalf("a refused request signed out: %d", a.Status)
		}
	}
	// A query is no place for a token: it is logged and shared.
	token := mine.Token
	mine.Token = ""
	if a := mine.Post("/admin/logout?_csrf="+token, nil); a.Status != 403 {
		t.Errorf("a token in the query gives %d", a.Status)
	}
	c := mine.With(tokenHeader, token)
	if a := c.HX().Post("/admin/logout", nil); a.Status != 204 {
		t.Errorf("the right token in the header gives %d", a.Status)
	}
}

// forge sends a forged request from a browser, which keeps its own token.
func forge(c *webtest.Client, f forgery, path string) *webtest.Answer {
	token := c.Token
	defer func() { c.Token = token }()
	sent := c
	if f.header == "Origin" {
		sent = sent.With("Sec-Fetch-Site", "")
	}
	if f.header != "" {
		sent = sent.With(f.header, f.value)
	}
	sent.Token = f.token
	return sent.Post(path, url.Values{"email": {"asha@example.com"}})
}

func TestTokensOfVisitors(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.Client(t)
	first := c.Get(page.Administration.Login)
	if c.Cookie("heliograph-visitor") == "" || c.Token == "" {
		t.Fatalf("no visitor id or token: %v", first.Header)
	}
	token := c.Token
	if again := c.Get(page.Administration.Login); again.Header.Get("Set-Cookie") != "" || c.Token == token {
		t.Error("the id should stay and the token change")
	}
	c.Token = token
	if a := c.Post(page.Administration.Login, url.Values{"email": {"asha@example.com"}, "password": {"x"}}); a.Status != 422 {
		t.Errorf("an earlier token of the same visitor gives %d", a.Status)
	}
	c.SetCookie("heliograph-visitor", "")
	if a := c.Post(page.Administration.Login, nil); a.Status != 403 || a.Find("h1").Text() != "Nothing was changed" {
		t.Errorf("a token without its visitor gives %d: %s", a.Status, a.Find("main").Text())
	}
}

func TestSessionsEndOnTheNextRequest(t *testing.T) {
	t.Parallel()
	for _, sql := range []string{
		`update admin_users set session_version = session_version + 1`,
		`update admin_users set active = false`,
		`update sessions set revoked_at = now()`,
		`update sessions set last_seen_at = now() - interval '31 minutes'`,
	} {
		t.Run(sql, func(t *testing.T) {
			t.Parallel()
			site := webtest.New(t, nil)
			c := site.SignInAdmin(t, identity.Viewer)
			exec(t, site, sql)
			if a := c.HX().Get("/admin"); a.Status != 204 || a.Header.Get("HX-Redirect") != "/admin/login?next=%2Fadmin" {
				t.Errorf("the page gives %d %v", a.Status, a.Header)
			}
			if c.Cookie("heliograph-admin") != "" {
				t.Error("the browser keeps the cookie")
			}
		})
	}
}

// Who signs in once more leaves the session that the browser had, so that a copy
// of its cookie is worth nothing; other browsers stay signed in.
func TestSigningInAgainEndsTheSession(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.Viewer)
	old := c.Cookie("heliograph-admin")
	elsewhere := site.Client(t)
	form := url.Values{"email": {identity.Viewer + "@example.com"}, "password": {webtest.Password}}
	elsewhere.Get("/admin/login")
	if a := elsewhere.Post("/admin/login", form); a.Status != 303 {
		t.Fatalf("signing in elsewhere gives %d", a.Status)
	}
	if a := c.Post("/admin/login", form); a.Status != 303 {
		t.Fatalf("signing in again gives %d", a.Status)
	}
	thief := site.Client(t)
	thief.SetCookie("heliograph-admin", old)
	if a := thief.Get("/admin"); a.Status != 303 {
		t.Errorf("the session before gives %d", a.Status)
	}
	for name, browser := range map[string]*webtest.Client{"this browser": c, "the other browser": elsewhere} {
		if a := browser.Get("/admin"); a.Status != 200 {
			t.Errorf("%s gets %d", name, a.Status)
		}
	}
}

// Fields come from the body of a form alone: neither the address nor a body of
// another kind fills them in, even with a token that is right.
func TestFieldsComeFromTheForm(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c, _ := site.SignIn(t, 0, identity.Owner)
	send := func(path, contentType, body string) int {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("Content-Type", contentType)
		r.Header.Set(tokenHeader, c.Token)
		r.AddCookie(&http.Cookie{Name: "heliograph", Value: c.Cookie("heliograph")})
		w := httptest.NewRecorder()
		site.Server.Handler().ServeHTTP(w, r)
		return w.Code
	}
	const path, form = "/account/profile/name", "application/x-www-form-urlencoded"
	for _, tt := range []struct{ path, contentType, body string }{
		{path + "?name=Mallory", form, "other=1"},
		{path, "application/json", `{"Name":"Mallory","name":"Mallory"}`},
		{path, "application/xml", `<f><Name>Mallory</Name></f>`},
		{path, "text/plain", "name=Mallory"},
	} {
		if status := send(tt.path, tt.contentType, tt.body); status != http.StatusUnprocessableEntity {
			t.Errorf("%s with %s gives %d", tt.path, tt.contentType, status)
		}
	}
	if status := send(path, form, "name=Asha"); status != http.StatusSeeOther {
		t.Errorf("the form gives %d", status)
	}
}

func TestCookiesCannotBeMade(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.Viewer)
	good := c.Cookie("heliograph-admin")
	value, mac, _ := strings.Cut(good, ".")
	text, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil || !strings.Contains(string(text), `"sid":"`) || !strings.Contains(string(text), `"sv":1`) {
		t.Fatalf("the cookie holds %s (%v)", text, err)
	}
	changed := base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(text), `"sv":1`, `"sv":2`, 1)))
	for _, wrong := range []string{"", value, value + ".", value + "." + mac[1:], changed + "." + mac, good + "x", "a.b.c"} {
		c.SetCookie("heliograph-admin", wrong)
		if a := c.Get("/admin"); a.Status != 303 || a.Queries != 0 {
			t.Errorf("%q gives %d after %d queries", wrong, a.Status, a.Queries)
		}
	}
	c.SetCookie("heliograph-admin", good)
	if a := c.Get("/admin"); a.Status != 200 {
		t.Errorf("the right cookie gives %d", a.Status)
	}
	// Another deployment's keys make nothing that is good here.
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("B", 42) + "A="})
	if err != nil {
		t.Fatal(err)
	}
	foreign := webtest.New(t, func(d *web.Deps) { d.Keyring = keys }).SignInAdmin(t, identity.Viewer)
	c.SetCookie("heliograph-admin", foreign.Cookie("heliograph-admin"))
	if a := c.Get("/admin"); a.Status != 303 {
		t.Errorf("a cookie under other keys gives %d", a.Status)
	}
}

func TestCookiesOverHTTPS(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, func(d *web.Deps) {
		settings := *d.Config
		settings.PublicURL = "https://docs.example.com"
		d.Config = &settings
	})
	c := site.SignInAdmin(t, identity.Viewer)
	if c.Cookie("__Host-heliograph-admin") == "" || c.Cookie("__Host-heliograph-visitor") == "" {
		t.Error("the cookies are not bound to the host")
	}
	for _, cookie := range site.Client(t).Get(page.Administration.Login).Header.Values("Set-Cookie") {
		if !strings.Contains(cookie, "; Secure") || !strings.Contains(cookie, "; HttpOnly") || strings.Contains(cookie, "Domain") {
			t.Errorf("the cookie is %s", cookie)
		}
	}
	// Browsers without Sec-Fetch-Site send the origin.
	old := c.With("Sec-Fetch-Site", "").With("Origin", "https://docs.example.com")
	if a := old.Post("/admin/logout", nil); a.Status != 303 {
		t.Errorf("our own origin gives %d", a.Status)
	}
}

func TestNext(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{
		"/admin/audit?page=2":      "/admin/audit?page=2",
		"/admin":                   "/admin",
		"":                         "/admin",
		"/administrator":           "/admin",
		"/account":                 "/admin",
		"https://attacker.example": "/admin",
		"//attacker.example/admin": "/admin",
		"/\\attacker.example":      "/admin",
		"/admin\\..\\x":            "/admin",
		"/admin/login":             "/admin",
		"javascript:alert(1)":      "/admin",
		"/admin/x\r\nSet-Cookie":   "/admin",
		"http:///admin":            "/admin",
		"%2fadmin":                 "/admin",
		"/admin/../account":        "/admin",
		"/admin/%2e%2e/..//x":      "/admin",
		"/admin//x":                "/admin",
	} {
		if got := page.Administration.Next(asked); got != want {
			t.Errorf("Next(%q) = %q, want %q", asked, got, want)
		}
	}
}

func TestRoutesAreNamedAndGuarded(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	stranger := site.Client(t)
	for _, route := range site.Server.Routes() {
		guarded := route.Access == web.Viewer || route.Access == web.Editor || route.Access == web.SuperAdmin
		if strings.HasPrefix(route.Path, "/admin") && !guarded && route.Access != web.AdminVisitor {
			t.Errorf("%s is under /admin with access %s", route.Name, route.Access)
		}
		if guarded && route.Method == "GET" && !strings.Contains(route.Path, ":") {
			if a := stranger.Get(route.Path); a.Status != 303 || !strings.HasPrefix(a.Header.Get("Location"), page.Administration.Login) {
				t.Errorf("a stranger at %s gets %d", route.Path, a.Status)
			}
		}
	}
}

func TestRolesDecide(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	gate, err := page.NewGate(page.GateOptions{Area: page.Administration, Directory: site.Directory, Keyring: keys, PublicURL: "http://localhost:8080"})
	if err != nil {
		t.Fatal(err)
	}
	editors := gate.Guard(func(c echo.Context) error { return c.NoContent(200) }, identity.Editor, identity.SuperAdmin)
	for role, passes := range map[string]bool{identity.Viewer: false, identity.Editor: true, identity.SuperAdmin: true} {
		browser := site.SignInAdmin(t, role)
		r := httptest.NewRequest("GET", "/admin/x", nil)
		r.AddCookie(&http.Cookie{Name: "heliograph-admin", Value: browser.Cookie("heliograph-admin")})
		err := editors(echo.New().NewContext(r, httptest.NewRecorder()))
		if passes != (err == nil) || (!passes && !fault.Is(err, fault.Forbidden)) {
			t.Errorf("%s: %v", role, err)
		}
	}
}

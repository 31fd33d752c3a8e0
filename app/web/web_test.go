package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"heliograph/app/config"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/web/page"
	"heliograph/db/seed"
	"heliograph/static"
)

// bench is a server without a database, with routes that go wrong on purpose.
type bench struct {
	*Server
	log *bytes.Buffer
}

func setup(t *testing.T, change func(*config.Config)) *bench {
	t.Helper()
	settings, err := config.Load(nil, config.Nothing)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(settings)
	}
	keys, err := keyring.New([]string{"k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="})
	if err != nil {
		t.Fatal(err)
	}
	failing := func(err error) echo.HandlerFunc { return func(echo.Context) error { return err } }
	test := func(path string, handler echo.HandlerFunc) Route {
		return Route{Name: path, Method: anyMethod, Path: path, Access: Public, Handler: handler}
	}
	log := &bytes.Buffer{}
	read := func(c echo.Context) error {
		if _, err := io.ReadAll(c.Request().Body); err != nil {
			return err
		}
		return c.String(http.StatusOK, c.RealIP())
	}
	s, err := newServer(Deps{
		Config: settings, Keyring: keys, Registry: prometheus.NewRegistry(),
		Log: slog.New(slog.NewJSONHandler(log, nil)),
		APIs: []API{
			{Name: "v9", Prefixes: []string{"/v9"}, BodyLimit: 10, Handle: func(c echo.Context) error {
				switch c.Request().URL.Path {
				case "/v9/panic":
					panic("secret detail")
				case "/v9/read":
					return read(c)
				}
				return fault.New(fault.NotFound, "No such operation.")
			}, Fail: func(c echo.Context, err error) error {
				f := fault.As(err)
				return c.JSON(page.Status(f), map[string]any{"envelope": f.Message})
			}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	err = s.mount(append(newTable(s),
		test("/t/read", read),
		test("/t/panic", func(echo.Context) error { panic("secret detail") }),
		test("/t/broken", failing(io.ErrClosedPipe)),
		test("/t/rule", failing(&fault.Error{Kind: fault.Limited, Message: "Wait a little.", RetryAfter: 1500 * time.Millisecond})),
		test("/api/t", failing(fault.InvalidFields(fault.Field{Name: "q", Message: "Enter a word."}))),
	))
	if err != nil {
		t.Fatal(err)
	}
	return &bench{s, log}
}

// ask sends a request with headers given as name and value in turn.
func (b *bench) ask(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	b.Handler().ServeHTTP(w, r)
	return w
}

// The contract explains every status that programs are answered with, and no other.
func TestContractExplainsTheProblems(t *testing.T) {
	t.Parallel()
	document, err := seed.Files.ReadFile("portal.yaml")
	if err != nil {
		t.Fatal(err)
	}
	listed := slices.Sorted(maps.Keys(model.Faults(strings.ReplaceAll(string(document), "\n    |", "\n|"))))
	var types []string
	for _, status := range explained {
		types = append(types, strconv.Itoa(status))
	}
	if !slices.Equal(listed, types) {
		t.Errorf("the contract explains %v, and the types of problems lead to %v", listed, types)
	}
	for kind := fault.Internal; kind <= fault.Unavailable; kind++ {
		status := page.Status(&fault.Error{Kind: kind})
		switch status {
		case http.StatusUnprocessableEntity: // programs get 400
		case http.StatusUnsupportedMediaType: // nothing there reads forms
		default:
			if !slices.Contains(explained, status) {
				t.Errorf("the contract does not explain %d", status)
			}
		}
	}
}

func TestErrorsBecomeOneAnswerPerAudience(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	tests := []struct {
		name, method, path string
		headers            []string
		status             int
		contentType, want  string
	}{
		{"unknown page of the account", "GET", "/account/nothing", nil, 404, "text/html", `href="/account">Go to the overview`},
		{"unknown page of the administration", "GET", "/admin/nothing", nil, 404, "text/html", `href="/admin">Go to the overview`},
		{"unknown page", "GET", "/nowhere", nil, 404, "text/html", "There is no page at this address"},
		{"unknown page as fragment", "GET", "/nowhere", []string{"HX-Request", "true"}, 404, "text/html", `role="alert"`},
		{"wrong method", "POST", "/robots.txt", nil, 405, "text/html", "does not work that way"},
		{"panic", "GET", "/t/panic", nil, 500, "text/html", "Something broke on our side"},
		{"internal error", "GET", "/t/broken", nil, 500, "text/html", "Something broke on our side"},
		{"rule", "GET", "/t/rule", nil, 429, "text/html", "Wait a little."},
		{"problem", "GET", "/api/t", nil, 400, "application/problem+json", `"errors":[{"field":"q","message":"Enter a word."}]`},
		{"problem of the router", "GET", "/api/nowhere", nil, 404, "application/problem+json", `"type":"http://localhost:8080/docs/portal/1.1/errors#error-404"`},
		{"envelope of the router", "GET", "/v9/nowhere", nil, 404, "application/json", `"envelope"`},
		{"envelope of a wrong method", "TRACE", "/v9/read", nil, 405, "application/json", `"envelope"`},
		{"envelope of a panic", "POST", "/v9/panic", nil, 500, "application/json", `"envelope"`},
	}
	for _, tt := range tests {
		w := b.ask(tt.method, tt.path, "", tt.headers...)
		body := w.Body.String()
		if w.Code != tt.status || !strings.HasPrefix(w.Header().Get("Content-Type"), tt.contentType) || !strings.Contains(body, tt.want) {
			t.Errorf("%s: got %d %s %q; want %d %s with %q", tt.name, w.Code, w.Header().Get("Content-Type"), body, tt.status, tt.contentType, tt.want)
		}
		if strings.Contains(body, "secret") || strings.Contains(body, "closed pipe") || strings.Contains(body, "goroutine") {
			t.Errorf("%s: the answer tells internals: %s", tt.name, body)
		}
		if len(w.Header().Get("X-Request-Id")) != 24 || w.Header().Get("Content-Security-Policy") == "" {
			t.Errorf("%s: id or policy missing: %v", tt.name, w.Header())
		}
	}
	if w := b.ask("GET", "/t/rule", ""); w.Header().Get("Retry-After") != "2" {
		t.Errorf("Retry-After is %q, want 2 seconds for 1.5", w.Header().Get("Retry-After"))
	}
	if w := b.ask("POST", "/robots.txt", ""); !strings.Contains(w.Header().Get("Allow"), "GET") {
		t.Errorf("405 names no allowed method: %v", w.Header())
	}
}

func TestSlashAtTheEnd(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	for path, want := range map[string]string{
		"/t/rule/":              "/t/rule",
		"/docs/x/?a=b":          "/docs/x?a=b",
		"/%5Cattacker.example/": "/%5Cattacker.example",
		"//attacker.example/":   "",
		"/nowhere":              "",
		"/v9/nowhere/":          "",
		"/api/nowhere/":         "",
	} {
		if got := b.ask("GET", path, "").Header().Get("Location"); got != want {
			t.Errorf("%s leads to %q, want %q", path, got, want)
		}
	}
	if w := b.ask("POST", "/t/rule/", ""); w.Code != 404 {
		t.Errorf("POST gives %d", w.Code)
	}
}

func TestFragmentIsNotAPage(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	tests := []struct {
		headers []string
		page    bool
	}{
		{nil, true},
		{[]string{"HX-Request", "true"}, false},
		{[]string{"HX-Request", "true", "HX-Boosted", "true"}, true},
		{[]string{"HX-Request", "true", "HX-History-Restore-Request", "true"}, true},
	}
	for _, tt := range tests {
		w := b.ask("GET", "/nowhere", "", tt.headers...)
		if got := strings.Contains(w.Body.String(), "<html"); got != tt.page {
			t.Errorf("%v: whole page %t, want %t", tt.headers, got, tt.page)
		}
	}
}

func TestLogKeepsSecretsOut(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.ask("POST", "/v9/read?apikey=canary1", "canary2", "apikey", "canary3", "Authorization", "Bearer canary4", "Cookie", "heliograph=canary5", "X-Request-Id", "canary6")
	w := b.ask("GET", "/t/panic?q=canary7", "")
	log := b.log.String()
	if strings.Contains(log, "canary") {
		t.Errorf("the log tells secrets: %s", log)
	}
	if !strings.Contains(log, "secret detail") || !strings.Contains(log, "web_test.go") || strings.Count(log, w.Header().Get("X-Request-Id")) != 2 {
		t.Errorf("the log does not explain the panic under its id: %s", log)
	}
	var line struct{ Route, Method, Path, Client string }
	first, _, _ := strings.Cut(log, "\n")
	if err := json.Unmarshal([]byte(first), &line); err != nil || line.Route != "v9" || line.Path != "/v9/read" || line.Client != "192.0.2.1" {
		t.Errorf("access line is %s (%v)", first, err)
	}
}

func TestBodyLimits(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	if w := b.ask("POST", "/v9/read", "0123456789"); w.Code != 200 {
		t.Errorf("a body of exactly the limit gives %d", w.Code)
	}
	if w := b.ask("POST", "/v9/read", "0123456789+"); w.Code != 413 || !strings.Contains(w.Body.String(), "envelope") {
		t.Errorf("a longer body gives %d %s", w.Code, w.Body)
	}
	r := httptest.NewRequest("POST", "/t/read", io.MultiReader(strings.NewReader(strings.Repeat("x", defaultBodyLimit)), strings.NewReader("y")))
	r.ContentLength = -1
	w := httptest.NewRecorder()
	b.Handler().ServeHTTP(w, r)
	if w.Code != 413 {
		t.Errorf("a longer body of unknown length gives %d", w.Code)
	}
}

func TestClientAddressComesFromTrustedProxiesOnly(t *testing.T) {
	t.Parallel()
	proxied := setup(t, func(c *config.Config) {
		c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("2001:db8::/32")}
	})
	direct := setup(t, nil)
	spoof := []string{"X-Forwarded-For", "198.51.100.7", "X-Real-Ip", "198.51.100.8", "Forwarded", "for=198.51.100.9"}
	if got := direct.ask("POST", "/t/read", "", spoof...).Body.String(); got != "192.0.2.1" {
		t.Errorf("without proxies the client is %s, want the peer", got)
	}
	tests := []struct{ forwarded, want string }{
		{"", "192.0.2.1"},
		{"198.51.100.7", "198.51.100.7"},
		{"203.0.113.66, 198.51.100.7", "198.51.100.7"},              // the client's own claim is further away
		{"203.0.113.66, 198.51.100.7, 192.0.2.9", "198.51.100.7"},   // two proxies
		{"203.0.113.66, 198.51.100.7, 2001:db8::1", "198.51.100.7"}, // one over IPv6
		{"10.0.0.1", "10.0.0.1"},                                    // private is not trusted by itself
		{"nonsense", "192.0.2.1"},
	}
	for _, tt := range tests {
		if got := proxied.ask("POST", "/t/read", "", "X-Forwarded-For", tt.forwarded).Body.String(); tt.forwarded != "" && got != tt.want {
			t.Errorf("X-Forwarded-For %q gives %s, want %s", tt.forwarded, got, tt.want)
		}
	}
}

func TestPolicies(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	secure := setup(t, func(c *config.Config) { c.PublicURL = "https://docs.example.com" })
	still, dynamic := b.ask("GET", "/robots.txt", ""), b.ask("GET", "/nowhere", "")
	if got := still.Header().Get("Content-Security-Policy"); !strings.Contains(got, "script-src 'self';") || strings.Contains(got, "nonce") || strings.Contains(got, "unsafe") {
		t.Errorf("policy of a prepared answer: %s", got)
	}
	again := b.ask("GET", "/nowhere", "")
	first, second := dynamic.Header().Get("Content-Security-Policy"), again.Header().Get("Content-Security-Policy")
	if !strings.Contains(first, "style-src 'self' 'nonce-") || first == second {
		t.Errorf("policies of two renderings: %s and %s", first, second)
	}
	if dynamic.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("an error page may be cached: %v", dynamic.Header())
	}
	if got := still.Header().Get("Strict-Transport-Security"); got != "" {
		t.Errorf("HSTS over http: %s", got)
	}
	if got := secure.ask("GET", "/robots.txt", "").Header().Get("Strict-Transport-Security"); got != "max-age=31536000" {
		t.Errorf("HSTS over https: %q", got)
	}
	for header, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin"} {
		if got := still.Header().Get(header); got != want {
			t.Errorf("%s is %q, want %q", header, got, want)
		}
	}
}

func TestStaticFiles(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	url := static.URL("css/site.css")
	plain := b.ask("GET", url, "")
	zipped := b.ask("GET", url, "", "Accept-Encoding", "br, gzip;q=0.8")
	if plain.Code != 200 || plain.Header().Get("Cache-Control") != page.Forever || plain.Header().Get("Content-Type") != "text/css; charset=utf-8" {
		t.Errorf("hashed file: %d %v", plain.Code, plain.Header())
	}
	if zipped.Header().Get("Content-Encoding") != "gzip" || zipped.Body.Len() >= plain.Body.Len() || zipped.Header().Get("Etag") == plain.Header().Get("Etag") {
		t.Errorf("compressed file: %v, %d of %d bytes", zipped.Header(), zipped.Body.Len(), plain.Body.Len())
	}
	if w := b.ask("GET", url, "", "Accept-Encoding", "gzip;q=0"); w.Header().Get("Content-Encoding") != "" {
		t.Error("gzip was refused by the client and sent all the same")
	}
	for _, w := range []*httptest.ResponseRecorder{
		b.ask("GET", url, "", "If-None-Match", plain.Header().Get("Etag")),
		b.ask("GET", url, "", "If-None-Match", `"x", W/`+zipped.Header().Get("Etag"), "Accept-Encoding", "gzip"),
	} {
		if w.Code != 304 || w.Body.Len() > 0 || w.Header().Get("Etag") == "" {
			t.Errorf("a client that has the file gets %d with %d bytes", w.Code, w.Body.Len())
		}
	}
	if w := b.ask("GET", static.Prefix+"css/site.css", ""); w.Header().Get("Cache-Control") != page.Revalidate {
		t.Errorf("plain address: %v", w.Header())
	}
	if w := b.ask("HEAD", url, ""); w.Code != 200 || w.Body.Len() > 0 || w.Header().Get("Content-Length") != plain.Header().Get("Content-Length") {
		t.Errorf("HEAD: %d %v with %d bytes", w.Code, w.Header(), w.Body.Len())
	}
	for name, document := range map[string]bool{"css/site.css": false, "js/site.js": false, "img/favicon.svg": true, "css/none.css": true} {
		w := b.ask("GET", static.Prefix+name, "")
		if got := w.Header().Get("Content-Security-Policy") != "" && w.Header().Get("Permissions-Policy") != ""; got != document || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s has the headers of a document: %t, want %t: %v", name, got, document, w.Header())
		}
	}
	for path, want := range map[string]int{"/favicon.ico": 200, "/robots.txt": 200, "/static/../app/main.go": 404, "/static/css": 404} {
		if w := b.ask("GET", path, ""); w.Code != want {
			t.Errorf("%s gives %d, want %d", path, w.Code, want)
		}
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.ask("GET", "/t/panic", "")
	b.ask("GET", "/nowhere/else", "")
	ask := func(path, peer string, headers ...string) (int, string) {
		r := httptest.NewRequest("GET", path, nil)
		r.RemoteAddr = peer
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		b.Handler().ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	metrics := func(peer string, headers ...string) (int, string) { return ask("/metrics", peer, headers...) }
	for _, peer := range []string{"127.0.0.1:4000", "[::1]:4000", "[::ffff:127.0.0.1]:4000"} {
		code, body := metrics(peer)
		if code != 200 || !strings.Contains(body, `http_requests_total{route="/t/panic",status="500"} 1`) || !strings.Contains(body, `{route="unmatched",status="404"} 1`) {
			t.Errorf("%s reads %d %s", peer, code, body)
		}
	}
	if code, _ := metrics("192.0.2.1:4000", "X-Real-Ip", "127.0.0.1"); code != 403 {
		t.Errorf("another network reads the metrics: %d", code)
	}
	for _, header := range []string{"X-Forwarded-For", "X-Forwarded-Proto", "X-Real-Ip", "Forwarded", "Via"} {
		if code, _ := metrics("127.0.0.1:4000", header, "127.0.0.1"); code != 403 {
			t.Errorf("a request forwarded with %s reads the metrics: %d", header, code)
		}
	}
	for path, want := range map[string]string{
		"/debug/pprof/profile?seconds=1": "\x1f\x8b", "/debug/pprof/heap": "\x1f\x8b", "/debug/pprof/goroutine?debug=1": "goroutine profile: total",
	} {
		if code, body := ask(path, "127.0.0.1:4000"); code != 200 || !strings.HasPrefix(body, want) {
			t.Errorf("%s gives %d %.40q", path, code, body)
		}
		if code, _ := ask(path, "192.0.2.1:4000"); code != 403 {
			t.Errorf("another network reads %s: %d", path, code)
		}
	}
	if code, _ := ask("/debug/pprof/none", "127.0.0.1:4000"); code != 404 {
		t.Errorf("a profile that does not exist gives %d", code)
	}
}

// A client that leaves is no fault of ours: neither the log nor the metrics
// count it as one. A panic stays one all the same.
func TestClientThatLeft(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	gone, leave := context.WithCancel(t.Context())
	leave()
	for path, want := range map[string]int{"/t/broken": 499, "/t/panic": 500} {
		w := httptest.NewRecorder()
		b.Handler().ServeHTTP(w, httptest.NewRequestWithContext(gone, "GET", path, nil))
		if failed := strings.Contains(b.log.String(), "request failed"); w.Code != want || failed != (want == 500) {
			t.Errorf("%s: answered %d, want %d; log %s", path, w.Code, want, b.log)
		}
		b.log.Reset()
	}
}

package reader_test

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// fillings are what the parameters of public routes can be asked for: what is
// published, and every name that only something unpublished has.
var fillings = map[string][]string{
	"product":  {"live", "archived", "drafted", "unborn", "hidden", "soon", "withdrawn", "practised", "nothing"},
	"version":  {"1.0", "2.0", "latest", "1.0.json", "1.0.yaml"},
	"endpoint": {"get-a", "get-a.json", canary + "-post.yaml", "sent-b", "post-a-" + canary, canary + "-post", canary + "-sent", "x"},
	"schema":   {"X", canary},
	"guide":    {"begin", canary},
	"id":       {"1", canary},
	"surface":  {"public"},
	"file":     {"node.zip", canary},
	"hash":     {"0"},
	"name":     {"goroutine", "heap"},
	"token":    {"nothing", canary},
	"*":        {"", "css/site.css", canary, "index.png", "docs/live/1.0/get-a.png", "docs/hidden/1.0/get-a.png", "docs/live/compare.png"},
}

// addresses fills the parameters of a route in every way.
func addresses(t *testing.T, pattern string) []string {
	t.Helper()
	list := []string{""}
	for part := range strings.SplitSeq(strings.TrimPrefix(pattern, "/"), "/") {
		name, parameter := strings.CutPrefix(part, ":")
		values := []string{part}
		if parameter || part == "*" {
			if values = fillings[name]; values == nil {
				t.Fatalf("%s: fillings has nothing for %s", pattern, part)
			}
		}
		var longer []string
		for _, start := range list {
			for _, value := range values {
				longer = append(longer, start+"/"+value)
			}
		}
		list = longer
	}
	return list
}

// asked are the ways to ask for an address.
var asked = []struct {
	query   string
	headers []string
}{
	{"", nil},
	{"", []string{"HX-Request", "true"}},
	{"", []string{"Accept", "application/json"}},
	{"?lang=python", nil},
	{"?lang=" + canary, nil},
	{"?server=1", nil},
	{"?field=body." + canary[:6], nil},
	{"?q=987654", nil},
	{"?q=post+a&kind=endpoint", nil},
	{"?q=get&product=drafted", []string{"HX-Request", "true"}},
}

// What is not public appears at no public address, in no form and in no error. A hidden
// product shows itself at its own address alone. Each address is asked for in two ways
// of ten, in turn, so that every way meets every product and version.
func TestNothingUnpublishedIsShown(t *testing.T) {
	t.Parallel()
	walkPublic(t, 5)
}

// walkPublic asks for every public address in every nth way. The addresses come from
// the router, so that a new route is walked from the start.
func walkPublic(t *testing.T, nth int) {
	t.Helper()
	site := searchable(t, dbtest.Pool(t), func(b db.Beginner) { secretive(t, b) })
	seen, walked := map[string]bool{}, 0
	for _, route := range site.Server.Routes() {
		if route.Access != web.Public && route.Access != web.Operator {
			continue
		}
		seen[route.Name] = true
		for n, address := range addresses(t, route.Path) {
			checkCanary(t, site, address+".md", nil)
			for way, ask := range asked {
				if (n+way)%nth == 0 {
					checkCanary(t, site, address+ask.query, ask.headers)
					walked++
				}
			}
		}
	}
	for _, name := range []string{"card", "home", "sitemap", "docs", "product", "version", "endpoint", "schema", "guides", "guide", "search", "api.search", "api.catalog.examples", "openapi.endpoint", "postman.collection", "llms.full"} {
		if !seen[name] {
			t.Errorf("the route %s was not walked", name)
		}
	}
	t.Logf("%d requests to %d routes", walked, len(seen))
	// The marker is there to be found: at the addresses of what is hidden.
	for _, address := range []string{"/docs/hidden/1.0", "/docs/hidden/1.0/schemas/" + canary, "/productguide/hidden/begin"} {
		if w := answer(site, address, nil); !strings.Contains(strings.ToLower(strings.ReplaceAll(w, address, "")), canary) {
			t.Errorf("%s does not hold the marker: the walk proves nothing", address)
		}
	}
	if body := answer(site, "/productguide/live/begin", nil); !strings.Contains(body, "Begin well") {
		t.Error("the guide beside the drafts is not there: the walk proves nothing")
	}
}

func checkCanary(t *testing.T, site *webtest.Site, address string, headers []string) {
	t.Helper()
	body := strings.ToLower(answer(site, address, headers))
	// What was asked for may be repeated; it tells nothing new.
	path, query, _ := strings.Cut(address, "?")
	last := strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".yaml")
	if parts := strings.Split(path, "/"); strings.HasSuffix(path, "/examples") {
		last = parts[len(parts)-2]
	}
	for _, own := range []string{address, path, query, strings.TrimSuffix(last, ".md")} {
		if strings.Contains(own, canary) {
			body = strings.ReplaceAll(body, strings.ToLower(own), "")
		}
	}
	secrets := []string{canary, "/docs/practised", "/productguide/practised", "/docs/unborn", "/docs/soon/1.0", "/productguide/soon"}
	own := slices.ContainsFunc([]string{"/docs/", "/productguide/", "/api/catalog/", "/openapi/", "/postman/", "/sdk/"}, func(p string) bool {
		return strings.HasPrefix(path, p+"hidden") || strings.HasPrefix(path, p+"withdrawn")
	})
	if !own {
		secrets = append(secrets, "/docs/hidden", "/docs/withdrawn", "/productguide/hidden", "/productguide/withdrawn")
	} else if strings.Contains(path, "/1.0") || strings.Contains(path, "/latest") || strings.HasSuffix(path, ".txt") || strings.HasSuffix(strings.TrimSuffix(path, ".md"), "/begin") || !strings.Contains(path[len("/docs/"):], "/") {
		secrets = nil
	}
	for _, secret := range secrets {
		if strings.HasPrefix(path, secret) {
			continue
		}
		if i := strings.Index(body, secret); i >= 0 {
			t.Errorf("%s %v shows %q: …%s…", address, headers, secret, body[max(0, i-100):min(len(body), i+100)])
		}
	}
}

func answer(site *webtest.Site, address string, headers []string) string {
	r := httptest.NewRequest("GET", address, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	site.Server.Handler().ServeHTTP(w, r)
	return w.Body.String()
}

package reader_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/editorial/seedtest"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
)

// publishedNames fills the parameters of addresses with what is published, or with the number of
// nothing.
var publishedNames = map[string]string{":product": "sms", ":version": "1.0", ":endpoint": "send-sms", ":guide": "introduction", "*": "nothing"}

// Every address answers with a page or a refusal, whatever names it lacks: with each
// parameter empty, with all, with each slash doubled, and with the ends of files.
func TestAddressesWithEmptyNames(t *testing.T) {
	t.Parallel()
	var deps *web.Deps
	site := webtest.Over(t, seedtest.Pool(t), func(d *web.Deps) { deps = d })
	if err := deps.Documentation.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	member, organisation := site.SignIn(t, 0, identity.Owner)
	if err := db.InTx(t.Context(), site.DB, func(tx pgx.Tx) error {
		return deps.Provision(t.Context(), tx, organisation, "Lighthouse")
	}); err != nil {
		t.Fatal(err)
	}
	admin := site.SignInAdmin(t, identity.SuperAdmin)
	nobody := site.Client(t)
	asked := 0
	for _, route := range site.Server.Routes() {
		if route.Method != http.MethodGet || !strings.ContainsAny(route.Path, ":*") {
			continue
		}
		c := nobody
		switch route.Access {
		case web.Member, web.Developer, web.Owner:
			c = member
		case web.Viewer, web.Editor, web.SuperAdmin:
			c = admin
		}
		for _, address := range withEmptyNames(route.Path) {
			// Each from another network, or the limits would answer.
			asked++
			c.Address = fmt.Sprintf("10.%d.%d.%d:4000", asked>>16&255, asked>>8&255, asked&255)
			a := c.Get(address)
			unmade := route.Name == "sdk.archive" && a.Status == http.StatusServiceUnavailable // no job makes it here
			if a.Status >= http.StatusInternalServerError && !unmade || a.Status == http.StatusTooManyRequests {
				t.Errorf("%s (%s) answers %d: %s", address, route.Name, a.Status, site.Log.String()[max(0, site.Log.Len()-600):])
			}
		}
	}
	if asked < 1000 {
		t.Errorf("only %d addresses were asked for", asked)
	}
	if log := site.Log.String(); strings.Contains(log, "panic:") {
		t.Errorf("something panicked: %.2000s", log[strings.Index(log, "panic:"):])
	}
}

// withEmptyNames lists the addresses of a route with and without its names.
func withEmptyNames(pattern string) (list []string) {
	parts := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	var parameters []int
	for i, part := range parts {
		if strings.HasPrefix(part, ":") || part == "*" {
			parameters = append(parameters, i)
		}
	}
	add := func(empty []int, known bool) {
		filled := slices.Clone(parts)
		for _, i := range parameters {
			switch name := publishedNames[parts[i]]; {
			case slices.Contains(empty, i):
				filled[i] = ""
			case known && name != "":
				filled[i] = name
			default:
				filled[i] = "999999999"
			}
		}
		address := "/" + strings.Join(filled, "/")
		list = append(list, address)
		for _, end := range []string{".json", ".yaml", ".md", ".zip", "python.zip"} {
			if strings.HasPrefix(parts[len(parts)-1], ":") {
				list = append(list, address+end)
			}
		}
		if len(empty) > 0 {
			return
		}
		for i := range len(address) {
			if address[i] == '/' && i > 0 {
				list = append(list, address[:i]+"/"+address[i:])
			}
		}
	}
	for _, known := range []bool{true, false} {
		add(nil, known)
		add(parameters, known)
		for _, i := range parameters {
			add([]int{i}, known)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Files that need a product or a version are missing without one, and say so.
func TestFilesWithEmptyNames(t *testing.T) {
	t.Parallel()
	c := documented(t).Client(t)
	for _, product := range []string{"sms", "nothing"} {
		for _, address := range []string{
			"/sdk/P//python.zip", "/sdk///python.zip", "/sdk/P/.md", "/sdk//1.0", "/sdk/P//calls/send-sms", "/sdk/P/1.0/calls/",
			"/openapi/P//x.json", "/openapi//1.0.json", "/openapi/P/.json", "/openapi/P/1.0/.yaml",
			"/api/catalog/P//get-x/examples", "/api/catalog/P/1.0//examples", "/api/catalog//1.0", "/api/catalog/P/",
			"/postman/P//collection.json", "/postman//1.0/collection.json", "/postman/P//environment.json",
			"/docs//llms.txt", "/docs//llms-full.txt",
		} {
			address = strings.Replace(address, "P", product, 1)
			if a := c.Get(address); a.Status != http.StatusNotFound || strings.Contains(a.Body, "product .") || strings.Contains(a.Body, "version  of") {
				t.Errorf("%s answers %d %.300s", address, a.Status, a.Body)
			}
		}
	}
	for address, want := range map[string]string{
		"/openapi/sms/1.0":          "must end with .json or .yaml",
		"/openapi/nothing/1.0":      "must end with .json or .yaml",
		"/openapi/sms/1.0/send-sms": "must end with .json or .yaml",
		"/openapi/sms/1.0.xml":      "must end with .json or .yaml",
		"/api/catalog//1.0":         "has an empty part",
	} {
		if a := c.Get(address); a.Status != http.StatusNotFound || !strings.Contains(a.Body, want) {
			t.Errorf("%s answers %d %.300s", address, a.Status, a.Body)
		}
	}
}

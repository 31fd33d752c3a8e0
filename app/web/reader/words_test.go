package reader_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/documentation/openapi/spectest"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/db/seed"
)

// read returns a JSON answer, or ends the test.
func read[T any](t *testing.T, body string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatalf("%v in %.300s", err, body)
	}
	return v
}

type scored struct {
	Query   string
	Total   int
	Results []struct {
		Kind, URL, Product, Version, Method, Path string
		Score                                     float64
	}
}

// Searching does what the contract says in words: 20 results unless told, of 100 at most
// that are counted, best first, whatever the case and the space around the query. Nobody
// keeps an answer.
func TestSearchKeepsItsWords(t *testing.T) {
	t.Parallel()
	c := documented(t).Client(t)
	a := c.Get("/api/search?q=message")
	first := read[scored](t, a.Body)
	if got := a.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("the answer may be kept: %s", got)
	}
	if len(first.Results) != 20 || first.Total != 100 {
		t.Errorf("%d results of %d, want 20 of the 100 that are counted", len(first.Results), first.Total)
	}
	if all := read[scored](t, c.Get("/api/search?q=message&limit=50").Body); len(all.Results) != 50 {
		t.Errorf("%d results, want 50", len(all.Results))
	}
	if few := read[scored](t, c.Get("/api/search?q=message&limit=3").Body); len(few.Results) != 3 || few.Total != 100 {
		t.Errorf("%d results of %d, want 3", len(few.Results), few.Total)
	}
	other := read[scored](t, c.Get("/api/search?q=++MESSAGE++").Body)
	if other.Query != "MESSAGE" {
		t.Errorf("the query was understood as %q", other.Query)
	}
	kinds := map[string]bool{}
	for i, r := range first.Results {
		kinds[r.Kind] = true
		if i > 0 && r.Score > first.Results[i-1].Score {
			t.Errorf("%s is better than the result before it", r.URL)
		}
		if r.URL != other.Results[i].URL {
			t.Errorf("in capitals the query finds %s in place of %s", other.Results[i].URL, r.URL)
		}
		if r.Score < 0 || !strings.HasPrefix(r.URL, "/") {
			t.Errorf("%+v", r)
		}
		if (r.Kind == "product" || r.Kind == "guide" && r.Product == "") && r.Version != "" {
			t.Errorf("%s has the version %s", r.URL, r.Version)
		}
	}
	if len(kinds) < 2 {
		t.Errorf("without a kind the results are of %v", kinds)
	}
	for _, r := range read[scored](t, c.Get("/api/search?q=callback&kind=endpoint&limit=50").Body).Results {
		if (r.Method == "") != (r.Path == "") {
			t.Errorf("%s has the method %q and the path %q", r.URL, r.Method, r.Path)
		}
	}
}

// The catalogue lists what the portal shows, in its order, with the newest version first.
func TestCatalogueKeepsItsWords(t *testing.T) {
	t.Parallel()
	type version struct {
		Version, Lifecycle, URL string
		SunsetOn                string `json:"sunset_on"`
		MigrateTo               string `json:"migrate_to"`
		Current                 bool   `json:"is_current"`
		Endpoints               int    `json:"endpoint_count"`
	}
	type product struct {
		Slug, Status, URL string
		Current           string `json:"current_version"`
		Markdown          string `json:"markdown_url"`
		Versions          []version
	}
	p := mirrors(t)
	listed := read[struct{ Products []product }](t, p.ask("GET", "/api/catalog").Body.String()).Products
	if len(listed) != 2 || listed[0].Slug != "mirrors" || listed[1].Slug != "lamps" {
		t.Fatalf("the catalogue lists %+v", listed)
	}
	if soon := listed[1]; soon.Status != "coming_soon" || soon.URL+soon.Current+soon.Markdown != "" || soon.Versions == nil || len(soon.Versions) > 0 {
		t.Errorf("a product that is coming soon is listed as %+v", soon)
	}
	shown := listed[0]
	if len(shown.Versions) != 2 || shown.Status != "available" || shown.Current != "2.0" {
		t.Fatalf("%+v", shown)
	}
	newest, old := shown.Versions[0], shown.Versions[1]
	if newest.Version != "2.0" || !newest.Current || newest.MigrateTo != "" {
		t.Errorf("the first version is %+v", newest)
	}
	if old.Lifecycle != "Deprecated" || old.SunsetOn != "2027-06-30" || old.MigrateTo != "2.0" || old.Current {
		t.Errorf("the version to leave is %+v", old)
	}
	if w := p.ask("GET", "/api/catalog/cellar/1.0"); w.Code != 200 {
		t.Errorf("the address of a hidden product answers %d", w.Code)
	}
	type catalogue struct {
		Version    version
		Categories []struct {
			Name      string
			Endpoints int `json:"endpoint_count"`
		}
		Endpoints []struct{ Slug, Category, Path, URL string }
	}
	for _, of := range []string{"mirrors/1.0", "mirrors/2.0"} {
		c := read[catalogue](t, p.ask("GET", "/api/catalog/"+of).Body.String())
		var slugs, order []string
		counts := map[string]int{}
		for _, e := range c.Endpoints {
			slugs = append(slugs, e.URL)
			counts[e.Category]++
			if !strings.HasPrefix(e.Path, "/") {
				t.Errorf("%s: the path %s is not relative to the base address", of, e.Path)
			}
		}
		p.page(t, "/docs/"+of).Find(".nav a").Each(func(_ int, a *goquery.Selection) {
			if address, _, _ := strings.Cut(a.AttrOr("href", ""), "#"); slices.Contains(slugs, address) && !slices.Contains(order, address) {
				order = append(order, address)
			}
		})
		if !slices.Equal(slugs, order) || len(slugs) != c.Version.Endpoints {
			t.Errorf("%s: %v are listed, and the navigation has %v", of, slugs, order)
		}
		for _, category := range c.Categories {
			if counts[category.Name] != category.Endpoints {
				t.Errorf("%s: %s has %d endpoints, and %d are listed", of, category.Name, category.Endpoints, counts[category.Name])
			}
		}
	}
}

// Exports are whole: what they refer to is inside, YAML has no aliases, and no credential
// comes with them. A second environment replaces the first.
func TestExportsKeepTheirWords(t *testing.T) {
	t.Parallel()
	c := documented(t).Client(t)
	alias := regexp.MustCompile(`(?m)^\s*(?:- |[\w./{}-]+: )[&*][\w-]+\s*$`)
	secret := regexp.MustCompile(`hg_(?:live|test)_[0-9A-Za-z]{10}`)
	for _, v := range []string{"business-messaging/3.0", "sms/1.0", "rcs/1.0", "portal/1.1"} {
		body := c.Get("/openapi/" + v + ".json").Body
		root, err := tree.Read([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		for _, ref := range regexp.MustCompile(`"\$ref": ?"([^"]*)"`).FindAllStringSubmatch(body, -1) {
			if !strings.HasPrefix(ref[1], "#/") || root.At(strings.TrimPrefix(ref[1], "#")) == nil {
				t.Errorf("%s refers to %s, which is not in it", v, ref[1])
			}
		}
		if yaml := c.Get("/openapi/" + v + ".yaml").Body; alias.MatchString(yaml) {
			t.Errorf("%s in YAML has the alias %s", v, alias.FindString(yaml))
		}
		type environment struct {
			ID     string
			Values []struct {
				Key, Value, Type string
				Enabled          bool
			}
		}
		address := "/postman/" + v + "/environment.json"
		first := read[environment](t, c.Get(address).Body)
		if again := read[environment](t, c.Get(address).Body); first.ID == "" || again.ID != first.ID {
			t.Errorf("%s: a second environment is %s, the first %s", v, again.ID, first.ID)
		}
		known := map[string]bool{}
		for _, value := range first.Values {
			known[value.Key] = true
			if !value.Enabled || (value.Type == "secret") != (value.Value == "") {
				t.Errorf("%s: the variable %+v", v, value)
			}
		}
		collection := c.Get("/postman/" + v + "/collection.json").Body
		for _, name := range regexp.MustCompile(`"raw": ?"\{\{(\w+)\}\}`).FindAllStringSubmatch(collection, -1) {
			if !known[name[1]] {
				t.Errorf("%s: the environment lacks %s", v, name[1])
			}
		}
		type folders struct{ Item []struct{ Name string } }
		categories := read[struct{ Categories []struct{ Name string } }](t, c.Get("/api/catalog/"+v).Body).Categories
		made := map[string]bool{}
		for _, folder := range read[folders](t, collection).Item {
			made[folder.Name] = true
		}
		for _, category := range categories {
			if !made[category.Name] {
				t.Errorf("%s: the collection has no folder %s", v, category.Name)
			}
		}
		for what, text := range map[string]string{"the document": body, "the collection": collection} {
			if found := secret.FindString(text); found != "" {
				t.Errorf("%s: %s has the key %s", v, what, found)
			}
		}
	}
}

// Every answer has an id, and every problem the members that programs decide by. An
// address with another method says which it takes.
func TestEveryPortalAnswerKeepsTheConventions(t *testing.T) {
	t.Parallel()
	document, err := seed.Files.ReadFile("portal.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c := documented(t).Client(t)
	asked := 0
	for _, category := range spectest.Compile(t, document).Categories {
		for _, e := range category.Endpoints {
			if e.Method != "GET" || e.ID == "callMock" || e.ID == "listEvents" || e.ID == "getImport" || e.ID == "getHealth" {
				continue
			}
			asked++
			address := exampleAddress(e)
			if a := c.Get(address); a.Header.Get("X-Request-Id") == "" {
				t.Errorf("%s has no id", e.ID)
			}
			a := c.Send(http.MethodDelete, address, "", strings.NewReader(""))
			if a.Status != http.StatusMethodNotAllowed || !strings.Contains(a.Header.Get("Allow"), "GET") {
				t.Errorf("DELETE %s: %d, Allow %q", address, a.Status, a.Header.Get("Allow"))
			}
		}
	}
	if asked < 10 {
		t.Errorf("only %d operations were asked", asked)
	}
	for address, status := range map[string]int{"/api/search?q=": 400, "/api/catalog/rcs/9.9": 404, "/openapi/nothing/1.0.json": 404, "/sdk/rcs/1.0/cobol.zip": 404, "/api/nothing": 404} {
		a := c.Get(address)
		p := read[struct {
			Type, Title, Detail string
			Status              int
			RequestID           string `json:"request_id"`
		}](t, a.Body)
		if a.Status != status || p.Status != status || p.Title == "" || p.Detail == "" || p.RequestID != a.Header.Get("X-Request-Id") || a.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %+v as %s", address, a.Status, p, a.Header.Get("Content-Type"))
		}
		page, anchor, _ := strings.Cut(p.Type, "#")
		page = page[strings.Index(page, "/docs/"):]
		if found := c.Get(page); found.Status != 200 || !strings.Contains(found.Body, fmt.Sprintf("id=%q", anchor)) {
			t.Errorf("%s: the explanation at %s answers %d, or has no %s", address, p.Type, found.Status, anchor)
		}
	}
}

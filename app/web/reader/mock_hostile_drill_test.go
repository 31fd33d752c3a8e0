//go:build drill

package reader_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db/models"
)

// mostHostile is how long anything may take that is made from a hostile schema.
const mostHostile = 2 * time.Second

// Pages, the console and the mock server answer in time for documentation with schemas
// that refer to each other a thousand levels deep, multiply, or have thousands of
// members.
func TestDrillHostilePages(t *testing.T) {
	var members strings.Builder
	for i := range 9_000 {
		fmt.Fprintf(&members, `"field_%d":{"type":"string","description":"A member of many."},`, i)
	}
	var levels strings.Builder
	for i := range 1_000 {
		fmt.Fprintf(&levels, `"A%d":{"type":"object","properties":{"a":{"$ref":"#/components/schemas/A%d"}}},`, i, i+1)
	}
	for name, text := range map[string]string{
		"thousand levels": corpus.WithSchemas(levels.String() + `"A1000":{"type":"string"}`),
		"members":         corpus.WithSchemas(`"A0":{"type":"object","properties":{` + members.String() + `"last":{"type":"string"}}}`),
		"allOf":           corpus.Chain(40, `{"allOf":[{"$ref":"#/components/schemas/A%d"},{"$ref":"#/components/schemas/A%d"}]}`),
		"oneOf":           corpus.Chain(60, `{"oneOf":[{"$ref":"#/components/schemas/A%d"},{"type":"array","items":{"$ref":"#/components/schemas/A%d"}}]}`),
		"properties":      corpus.Chain(40, `{"properties":{"a":{"$ref":"#/components/schemas/A%d"},"b":{"$ref":"#/components/schemas/A%d"}}}`),
		"a tree":          corpus.WithSchemas(`"A0":{"type":"object","properties":{"l":{"$ref":"#/components/schemas/A0"},"r":{"$ref":"#/components/schemas/A0"}}}`),
	} {
		t.Run(name, func(t *testing.T) {
			var refresh func() error
			site := webtest.New(t, func(d *web.Deps) { refresh = func() error { return d.Documentation.Refresh(t.Context()) } })
			if err := editorial.Seed(t.Context(), site.DB, fstest.MapFS{
				"products.json": {Data: []byte(`[{"slug":"lamps","product":{"name":"Lamps"},"version":"1.0","label":"Current","document":"d.json"}]`)},
				"d.json":        {Data: []byte(text)},
			}); err != nil {
				t.Fatal(err)
			}
			if err := refresh(); err != nil {
				t.Fatal(err)
			}
			if err := site.Settings.SaveConsole(t.Context(), models.ConsoleSettings{Shown: true}, "admin:1"); err != nil {
				t.Fatal(err)
			}
			c := site.Client(t)
			home := c.Get("/docs/lamps/1.0")
			endpoint := ""
			for _, a := range home.Find("a[href^='/docs/lamps/1.0/']").EachIter() {
				if href := a.AttrOr("href", ""); strings.Count(href, "/") == 4 && !strings.Contains(href, "errors") {
					endpoint = href
					break
				}
			}
			timed := func(what string, call func() int) {
				began := time.Now()
				status := call()
				took := time.Since(began)
				t.Logf("%-40s %d after %v", what, status, took.Round(time.Millisecond))
				if took > mostHostile || status >= 500 {
					t.Errorf("%s answers %d after %v", what, status, took)
				}
			}
			form := strings.Replace(endpoint, "/docs/", "/console/", 1)
			for _, path := range []string{
				"/docs/lamps/1.0", endpoint, endpoint + "?lang=java", endpoint + ".md", "/docs/lamps/1.0/schemas/A0", "/docs/lamps/1.0/schemas/A0.md",
				"/openapi/lamps/1.0.json", "/postman/lamps/1.0.json", "/llms-full.txt", form, "/search?q=A0",
			} {
				timed(path, func() int { return c.Get(path).Status })
			}
			timed("a call of the console", func() int {
				return c.Post(form, url.Values{"server": {"mock"}, "auth": {"0"}, "raw": {`{"a":1}`}}).Status
			})
			timed("the mock server", func() int { return c.Get("/mock/lamps/1.0/").Status })
		})
	}
}

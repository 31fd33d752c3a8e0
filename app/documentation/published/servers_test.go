package published_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi/export"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/documentation/published"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// based returns seed files of a product with a base URL and a document with servers.
func based(base, servers string) fstest.MapFS {
	return fstest.MapFS{
		"products.json": {Data: []byte(`[{"slug":"fax","product":{"name":"Fax","base_url":"` + base + `"},"version":"1.0","label":"Current","document":"t.json"}]`)},
		"t.json": {Data: []byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},` + servers + `"paths":{
"/a":{"get":{"operationId":"getA","summary":"Get a","responses":{"200":{"description":"ok"}}}},
"/b":{"get":{"operationId":"getB","summary":"Get b","servers":[{"url":"https://files.example.net"}],"responses":{"200":{"description":"ok"}}}}}}`)},
	}
}

func TestBaseURLComesBeforeServers(t *testing.T) {
	t.Parallel()
	const own = `"servers":[{"url":"https://old.example.com","description":"Old"},{"url":"/v2"},{"url":"https://fax.example.com/v1/","description":"Production"}],`
	for name, c := range map[string]struct {
		base, servers string
		want          []string
	}{
		"neither":         {"", "", nil},
		"servers alone":   {"", own, []string{"https://old.example.com", "/v2", "https://fax.example.com/v1/"}},
		"base URL alone":  {"https://fax.example.com/v1", "", []string{"https://fax.example.com/v1"}},
		"both":            {"https://fax.example.com/v1", own, []string{"https://fax.example.com/v1/", "https://old.example.com", "https://fax.example.com/v2"}},
		"a path":          {"/v2", `"servers":[{"url":"https://old.example.com"},{"url":"{base}","variables":{"base":{"default":"http://localhost:8080/v2"}}}],`, []string{"http://localhost:8080/v2", "https://old.example.com"}},
		"another address": {"https://new.example.com", own, []string{"https://new.example.com", "https://old.example.com", "https://new.example.com/v2", "https://fax.example.com/v1/"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := dbtest.Pool(t)
			documentation := published.New(pool, db.NewListener(pool))
			v := seeded(t, pool, documentation, based(c.base, c.servers))
			checkServers(t, v, c.want)
		})
	}
}

// A release of the product alone moves its versions, and moves them back.
func TestBaseURLChangesWithTheProduct(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	documentation := published.New(pool, db.NewListener(pool))
	first := seeded(t, pool, documentation, based("", ""))
	for _, base := range []string{"https://fax.example.com/v1", "https://fax.example.com/v2", ""} {
		v := seeded(t, pool, documentation, based(base, ""))
		var want []string
		if base != "" {
			want = []string{base}
		}
		checkServers(t, v, want)
	}
	checkServers(t, first, nil)
}

func seeded(t *testing.T, pool *pgxpool.Pool, c *published.Documentation, files fstest.MapFS) *published.Version {
	t.Helper()
	if err := editorial.Seed(t.Context(), pool, files); err != nil {
		t.Fatal(err)
	}
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c.Snapshot().Product("fax").Version("1.0")
}

// checkServers compares the servers of a version, of its operations and of its
// documents.
func checkServers(t *testing.T, v *published.Version, want []string) {
	t.Helper()
	files := []string{"https://files.example.net"}
	document, err := v.Document(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	exported := addresses(model.ReadServers(tree.Array(export.Document(document, func(address string) string { return address }).List("servers")...).JSON()))
	api, err := v.Compile(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		got, want []string
	}{
		{"the version", addresses(v.Servers), want},
		{"the page of get-a", addresses(endpoint(t, v, "get-a").Servers), want},
		{"the list of get-a", addresses(v.ServersOf(v.Operation("get-a"))), want},
		{"the page of get-b", addresses(endpoint(t, v, "get-b").Servers), files},
		{"the document", exported, want},
		{"the compiled document", addresses(api.Servers), want},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("servers of %s (-want +got):\n%s", c.name, diff)
		}
	}
}

func endpoint(t *testing.T, v *published.Version, slug string) *model.Endpoint {
	t.Helper()
	e, err := v.Endpoint(t.Context(), v.Operation(slug))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func addresses(servers []model.Server) (list []string) {
	for _, s := range servers {
		list = append(list, s.URL)
	}
	return list
}

// Documentation names the address that it is served from, and servers stay this
// installation.
func TestDocumentsNameTheAddressTheyAreServedFrom(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	files := based("", `"servers":[{"url":"http://localhost:8080/v1"}],`)
	files["t.json"].Data = bytes.Replace(files["t.json"].Data, []byte(`"description":"ok"`), []byte(`"description":"See http://localhost:8080/docs.","content":{"application/json":{"example":{"href":"http://localhost:8080/docs/fax"}}}`), 1)
	documentation := published.New(pool, db.NewListener(pool))
	documentation.ServeFrom("https://docs.example.com/")
	v := seeded(t, pool, documentation, files)
	document, err := v.Document(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text := string(document.Root.JSON())
	for _, want := range []string{"See https://docs.example.com/docs.", `"href":"https://docs.example.com/docs/fax"`, `"url":"http://localhost:8080/v1"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the document lacks %s: %s", want, text)
		}
	}
	for _, e := range []string{endpoint(t, v, "get-a").Responses[0].Bodies[0].Examples[0].Value} {
		if !strings.Contains(e, "https://docs.example.com/docs/fax") {
			t.Errorf("the page shows %s", e)
		}
	}
}

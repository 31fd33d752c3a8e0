package reader_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/labstack/echo/v4"
	"golang.org/x/net/html"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/search"
	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/app/web/reader"
	"heliograph/db"
	"heliograph/db/dbtest"
)

const origin = "https://docs.example.com"

// testPortal is a portal over a database of its own.
type testPortal struct {
	*echo.Echo
	documentation *published.Documentation
	pool          *pgxpool.Pool
	queries       *counter
}

// counter counts what the database is asked.
type counter struct{ n atomic.Int64 }

func (c *counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (c *counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// publish starts a portal with nothing published.
func publish(t testing.TB) *testPortal {
	t.Helper()
	return over(t, dbtest.URL(t))
}

// over starts a portal over a database.
func over(t testing.TB, database string) *testPortal {
	t.Helper()
	p := &testPortal{queries: &counter{}}
	var err error
	p.pool, err = db.Open(t.Context(), database, db.Options{MaxConns: 2, Tracer: p.queries})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.pool.Close)
	p.restart(t)
	return p
}

// restart serves the pages from a process that knows nothing yet.
func (p *testPortal) restart(t testing.TB) {
	t.Helper()
	p.Echo = echo.New()
	listener := db.NewListener(p.pool)
	p.documentation = published.New(p.pool, listener)
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	limiter := limit.New(p.pool, keys)
	pages := reader.New(reader.Deps{Documentation: p.documentation, Cards: cardsIn(t, t.TempDir()), PublicURL: origin, Limiter: limiter})
	for _, route := range []struct {
		path    string
		handler echo.HandlerFunc
	}{
		{"/", pages.Serve(reader.Home)},
		{"/index.md", pages.Text(reader.Home)},
		{"/sitemap.xml", pages.Serve(reader.Sitemap)},
		{"/docs", pages.Products},
		{"/products", pages.Products},
		{"/docs/:product", pages.Serve(reader.Product)},
		{"/docs/:product/:version", pages.Serve(reader.Version)},
		{"/docs/:product/:version/errors", pages.Serve(reader.Errors)},
		{"/docs/:product/:version/errors.md", pages.Text(reader.Errors)},
		{"/docs/:product/:version/:endpoint", pages.Serve(reader.Operation)},
		{"/docs/:product/:version/schemas/:schema", pages.Serve(reader.Schema)},
		{"/productguide", pages.Serve(reader.Guides)},
		{"/productguide.md", pages.Text(reader.Guides)},
		{"/productguide/:product/:guide", pages.Serve(reader.Guide)},
		{"/mcp-setup", pages.Serve(reader.Setup)},
		{"/mcp-setup.md", pages.Text(reader.Setup)},
		{"/api/catalog", pages.ServeFile(reader.CatalogueFile)},
		{"/api/catalog/:product/:version", pages.ServeFile(reader.CatalogueFile)},
		{"/api/catalog/:product/:version/:endpoint/examples", pages.ServeFile(reader.ExamplesFile)},
		{"/openapi/:product/:version", pages.ServeFile(reader.OpenAPIFile)},
		{"/openapi/:product/:version/:endpoint", pages.ServeFile(reader.OpenAPIFile)},
		{"/postman/:product/:version/collection.json", pages.ServeFile(reader.CollectionFile)},
		{"/postman/:product/:version/environment.json", pages.ServeFile(reader.EnvironmentFile)},
		{"/llms.txt", pages.ServeFile(reader.IndexFile)},
		{"/llms-full.txt", pages.ServeFile(reader.FullTextFile)},
		{"/docs/:product/llms.txt", pages.ServeFile(reader.IndexFile)},
		{"/docs/:product/llms-full.txt", pages.ServeFile(reader.FullTextFile)},
		{"/.well-known/api-catalog", pages.ServeFile(reader.APICatalogFile)},
	} {
		p.Match([]string{"GET", "HEAD"}, route.path, route.handler)
	}
	for _, path := range []string{"/docs/:product/compare", "/docs/:product/compare.md", "/docs/:product/compare.json"} {
		p.GET(path, pages.Compare)
	}
	for _, path := range []string{"/docs/:product/changelog", "/docs/:product/changelog.atom", "/docs/:product/changelog.json", "/docs/:product/changelog.md"} {
		p.GET(path, pages.Changelog)
	}
	p.GET("/card/:hash/*", pages.ServeCard)
	p.GET("/search", reader.NewSearch(pages, search.New(p.pool, listener), limiter).Show)
	p.refresh(t)
}

// seeded starts a portal with the products of the seed.
func seeded(t testing.TB) *testPortal {
	t.Helper()
	return over(t, seedOnce(t))
}

// release publishes a product, with a version where there is a document.
func (p *testPortal) release(t testing.TB, im editorial.Import, document string) {
	t.Helper()
	if err := release(t.Context(), p.pool, im, document); err != nil {
		t.Fatal(err)
	}
	p.refresh(t)
}

func release(ctx context.Context, b db.Beginner, im editorial.Import, document string) (err error) {
	if document != "" {
		if im.Document, err = openapi.Read([]byte(document)); err != nil {
			return err
		}
	}
	set, err := editorial.Draft(ctx, b, editorial.System, im)
	if err != nil {
		return err
	}
	return editorial.Publish(ctx, b, editorial.System, set, true)
}

func (p *testPortal) refresh(t testing.TB) {
	t.Helper()
	if err := p.documentation.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// compile returns the reference of an operation.
func compile(t testing.TB, v *published.Version, op *published.Operation) *model.Endpoint {
	t.Helper()
	e, err := v.Endpoint(t.Context(), op)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// ask sends a request with headers given as name, value, name, value.
func (p *testPortal) ask(method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w
}

// page reads a page that must be there.
func (p *testPortal) page(t testing.TB, path string) *goquery.Document {
	t.Helper()
	return p.parse(t, path, http.StatusOK)
}

func (p *testPortal) parse(t testing.TB, path string, status int) *goquery.Document {
	t.Helper()
	w := p.ask("GET", path)
	if w.Code != status {
		t.Fatalf("%s answers %d, want %d", path, w.Code, status)
	}
	doc, err := goquery.NewDocumentFromReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// said gives the text of a selection, what stands in elements of their own
// parted by single spaces.
func said(s *goquery.Selection) string {
	var texts []string
	s.Each(func(_ int, s *goquery.Selection) {
		for _, node := range s.Nodes {
			for n := range node.Descendants() {
				if n.Type == html.TextNode {
					texts = append(texts, strings.Fields(n.Data)...)
				}
			}
		}
	})
	return strings.Join(texts, " ")
}

// words gives the text of a selection with its spaces made single.
func words(s *goquery.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") }

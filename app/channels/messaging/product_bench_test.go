package messaging_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/shop"
	"heliograph/app/channels/pipeline"
	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// BenchmarkProducts lists pages of 100 at the beginning and at the end of a
// catalogue of 100,000 products: what they take in milliseconds, and how many
// times longer the last page takes. It also gives how fast batches of 5,000
// fill the catalogue.
func BenchmarkProducts(b *testing.B) {
	const products, batch = 100_000, 5000
	pool := dbtest.Pool(b)
	service, organisation, catalogue := benchService(b, pool)
	begun := time.Now()
	for i := 0; i < products; i += batch {
		requests := make([]json.RawMessage, batch)
		for j := range requests {
			requests[j] = fmt.Appendf(nil, `{"method":"CREATE","retailer_id":"p-%d","data":{"name":"Lamp %d","description":%q,"availability":"in stock","price":%d,"currency":"INR"}}`,
				i+j, i+j, strings.Repeat("bright ", 20), i+j)
		}
		if _, err := service.Shop.Change(b.Context(), catalogue, shop.Batch{Requests: requests}, pipeline.Key{OrganisationID: organisation}); err != nil {
			b.Fatal(err)
		}
	}
	filled := products / time.Since(begun).Seconds()
	if _, err := pool.Exec(b.Context(), `analyze products`); err != nil { // the server does it by itself within a minute, but not under test
		b.Fatal(err)
	}
	page := func(q shop.Query) ([]models.Article, time.Duration) {
		begun := time.Now()
		q.Page.Limit = 100
		got, _, err := service.Shop.Products(b.Context(), organisation, catalogue, q)
		if err != nil {
			b.Fatal(err)
		}
		return got, time.Since(begun)
	}
	last := shop.Query{Page: models.Page{After: 1}}
	for depth := 0; depth < products-100; depth += 100 {
		got, _ := page(last)
		last.Page.After = got[99].ID
	}
	if got, _ := page(last); len(got) != 100 {
		b.Fatalf("the last page has %d products", len(got))
	}
	b.Run("pages", func(b *testing.B) {
		var first, end time.Duration
		for b.Loop() {
			_, took := page(shop.Query{})
			first += took
			_, took = page(last)
			end += took
		}
		each := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(b.N) }
		b.ReportMetric(each(first), "first-ms")
		b.ReportMetric(each(end), "last-ms")
		b.ReportMetric(each(end)/each(first), "last/first")
		b.ReportMetric(filled, "products/s")
	})
	b.Run("filtered and counted", func(b *testing.B) {
		for b.Loop() {
			page(shop.Query{Filter: `{"price":{"lt":50000}}`, Count: true})
		}
	})
}

func benchService(b *testing.B, pool *pgxpool.Pool) (service *messaging.Service, organisation int64, catalogue string) {
	b.Helper()
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		b.Fatal(err)
	}
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Schema: db.RiverSchema})
	if err != nil {
		b.Fatal(err)
	}
	service = messaging.New(messaging.Options{Pool: pool, Listener: db.NewListener(pool), Keyring: keys, Jobs: client, Guard: openGuard{}, Words: []string{"msgapp"}})
	err = db.InTx(b.Context(), pool, func(tx pgx.Tx) error {
		if err := tx.QueryRow(b.Context(), `insert into organisations (name, status, sandbox) values ('Bench', 'active', true) returning id`).Scan(&organisation); err != nil {
			return err
		}
		sandbox, err := messaging.Provision(b.Context(), tx, keys, organisation, "Bench")
		catalogue = fmt.Sprint(sandbox.CatalogueID)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return service, organisation, catalogue
}

//go:build linux

package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/labstack/echo/v4"

	"heliograph/db"
)

// BenchmarkAccept measures how many messages a web process accepts, each in a
// request of its own and durable before its reply, against the single-row
// inserts that the same database commits, over as many connections. Beside
// them stands what bounds the ratio: a handler that only reads its body and
// inserts one such row.
func BenchmarkAccept(b *testing.B) {
	if _, err := exec.LookPath("pgbench"); err != nil {
		b.Skip("pgbench is not installed: it is the measure")
	}
	const connections = 64
	f := newFleet(b)
	p := newPartner(b, f)
	web := f.start("web")
	if _, err := f.pool.Exec(b.Context(), "create table t (x text)"); err != nil {
		b.Fatal(err)
	}
	send := request{
		method: http.MethodPost, url: web.url + "/v3/" + p.PhoneNumberID + "/messages",
		header: map[string]string{"apikey": p.APIKey, "Content-Type": "application/json"},
		body:   string(p.messageBody(ordinary, "order-1")),
	}
	least := send
	least.url = insertingHandler(b, f)
	var accepts, inserts, handled []float64
	for range benchTurns {
		inserts = append(inserts, f.pgbench(b, connections, "insert into t (x) values ('Your parcel arrives on Friday.');\n"))
		handled = append(handled, hammer(b, connections, least).perSecond)
		accepts = append(accepts, hammer(b, connections, send).perSecond)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(mean(accepts), "accepts/s")
	b.ReportMetric(mean(inserts), "inserts/s")
	b.ReportMetric(mean(handled), "handled/s")
	b.ReportMetric(mean(accepts)/mean(inserts), "ratio")
	b.ReportMetric(mean(handled)/mean(inserts), "handled-ratio")
}

// insertingHandler serves, with the libraries that the program uses, a handler
// that authenticates nobody and checks nothing: it commits one row and replies.
// It returns its address.
func insertingHandler(b *testing.B, f *fleet) string {
	b.Helper()
	pool, err := db.Open(b.Context(), f.cluster.URL, db.Options{MaxConns: 16, Application: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(pool.Close)
	e := echo.New()
	e.POST("/", func(c echo.Context) error { return insertBody(c, pool) })
	server := httptest.NewServer(e)
	b.Cleanup(server.Close)
	return server.URL + "/"
}

func insertBody(c echo.Context, pool *pgxpool.Pool) error {
	body, err := io.ReadAll(c.Request().Body)
	if err != nil {
		return err
	}
	if _, err := pool.Exec(c.Request().Context(), "insert into t (x) values ($1)", string(body)); err != nil {
		return err
	}
	return c.JSONBlob(http.StatusOK, []byte(`{"status":"accepted"}`))
}

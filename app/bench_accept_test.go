//go:build linux

package main

import (
	"net/http"
	"os/exec"
	"testing"
)

// BenchmarkAccept measures how many messages a web process accepts, each in a
// request of its own and durable before its reply, against the single-row
// inserts that the same database commits, over as many connections.
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
	var accepts, inserts []float64
	for range benchTurns {
		inserts = append(inserts, f.pgbench(b, connections, "insert into t (x) values ('Your parcel arrives on Friday.');\n"))
		accepts = append(accepts, hammer(b, connections, send).perSecond)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(mean(accepts), "accepts/s")
	b.ReportMetric(mean(inserts), "inserts/s")
	b.ReportMetric(mean(accepts)/mean(inserts), "ratio")
}

//go:build linux

package main

import (
	"maps"
	"net/http"
	"testing"
)

// BenchmarkFragment measures the fragments of an endpoint's page that htmx asks
// for against the whole page: its main part and its samples.
func BenchmarkFragment(b *testing.B) {
	f := newFleet(b)
	f.run("seed")
	web := f.start("web")
	page := request{method: http.MethodGet, url: web.url + endpointPage, header: map[string]string{"Accept-Encoding": "gzip"}}
	asked := map[string]request{"page": page}
	for _, region := range []string{"main", "samples"} {
		fragment := page
		fragment.header = maps.Clone(page.header)
		fragment.header["HX-Request"], fragment.header["HX-Target"] = "true", region
		asked[region] = fragment
	}
	const connections = 64
	perSecond := map[string]float64{}
	for range benchTurns {
		for name, r := range asked {
			perSecond[name] += hammer(b, connections, r).perSecond / benchTurns
		}
	}
	b.ReportMetric(0, "ns/op")
	for name, n := range perSecond {
		_, body := fetch(b, asked[name])
		b.ReportMetric(n, name+"/s")
		b.ReportMetric(float64(len(body)), name+"-bytes")
		if name != "page" {
			b.ReportMetric(n/perSecond["page"], name+"-ratio")
		}
	}
}

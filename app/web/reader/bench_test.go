package reader_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// sink is a response without a network behind it.
type sink struct {
	header http.Header
	bytes  int64
}

func (s *sink) Header() http.Header { return s.header }

func (s *sink) WriteHeader(int) {}

func (s *sink) Write(b []byte) (int, error) {
	s.bytes += int64(len(b))
	return len(b), nil
}

// BenchmarkPage answers for the longest page, routing included.
func BenchmarkPage(b *testing.B) {
	p := seeded(b)
	tag := p.ask("GET", longPage, "Accept-Encoding", "gzip").Header().Get("Etag")
	for _, kind := range []struct{ name, encoding, match string }{
		{"gzip", "gzip", ""}, {"plain", "", ""}, {"304", "gzip", tag},
	} {
		b.Run(kind.name, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				r := httptest.NewRequest("GET", longPage, nil)
				r.Header.Set("Accept-Encoding", kind.encoding)
				if kind.match != "" {
					r.Header.Set("If-None-Match", kind.match)
				}
				w := &sink{header: http.Header{}}
				for pb.Next() {
					clear(w.header)
					p.ServeHTTP(w, r)
				}
			})
		})
	}
}

package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"heliograph/app/web/api"
)

// BenchmarkUpload sends and fetches 100 MB over a real connection. Besides the
// throughput it reports how much memory the process took beyond what it had:
// the file must not be in it.
func BenchmarkUpload(b *testing.B) {
	first, _ := setup(b)
	server := httptest.NewServer(first.handler)
	defer server.Close()
	const size = 100<<20 - len(pdfHead)
	head, kind := form(b, part{"sheet", "a.pdf", "application/pdf", pdfHead + "\x00"})
	before, after, _ := strings.Cut(head, "\x00")
	send := func(method, path, kind string, body io.Reader) string {
		r, err := http.NewRequestWithContext(b.Context(), method, server.URL+api.Prefix+path, body)
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("apikey", first.key)
		r.Header.Set("Content-Type", kind)
		res, err := server.Client().Do(r)
		if err != nil {
			b.Fatal(err)
		}
		defer res.Body.Close()
		var answer strings.Builder
		if res.Header.Get("ETag") == "" {
			_, err = io.Copy(&answer, res.Body)
		} else {
			_, err = io.Copy(io.Discard, res.Body)
		}
		if err != nil || res.StatusCode != http.StatusOK {
			b.Fatalf("%s = %d %s, %v", path, res.StatusCode, answer.String(), err)
		}
		return answer.String()
	}
	content := func() io.Reader { return io.LimitReader(rand.NewChaCha8([32]byte{}), int64(size)) }
	for name, run := range map[string]func(){
		"media": func() {
			send(http.MethodPost, first.number("/media"), kind, io.MultiReader(strings.NewReader(before), content(), strings.NewReader(after)))
		},
		"session": func() {
			opened := send(http.MethodPost, fmt.Sprintf("/app/uploads?file_length=%d&file_type=application/pdf", len(pdfHead)+size), "", http.NoBody)
			var session struct{ ID string }
			if err := json.Unmarshal([]byte(opened), &session); err != nil {
				b.Fatal(err)
			}
			send(http.MethodPost, "/"+session.ID, "application/pdf", io.MultiReader(strings.NewReader(pdfHead), content()))
		},
		"download": func() {
			id := fmt.Sprint(first.count(b, `select max(id) from media`))
			send(http.MethodPost, "/downloadMedia/"+id, "", http.NoBody)
		},
	} {
		b.Run(name, func(b *testing.B) {
			if name == "download" && first.count(b, `select count(*) from media`) == 0 {
				send(http.MethodPost, first.number("/media"), kind, io.MultiReader(strings.NewReader(before), content(), strings.NewReader(after)))
			}
			b.SetBytes(int64(size))
			stop := watchMemory(b)
			for b.Loop() {
				run()
			}
			b.ReportMetric(float64(stop())/(1<<20), "MB-extra")
		})
	}
}

// watchMemory looks every millisecond how much memory the process holds; stop
// gives the most beyond the start, in bytes.
func watchMemory(b *testing.B) (stop func() uint64) {
	b.Helper()
	runtime.GC()
	held := func() uint64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64() + sample[1].Value.Uint64()
	}
	start, most := held(), uint64(0)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				most = max(most, held())
			}
		}
	}()
	return func() uint64 {
		close(done)
		<-ended
		return most - min(start, most)
	}
}

//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// What a benchmark measures beside each other is measured in turn, twice, for
// this long each time. Other work on the machine then hits both alike: go by
// the ratios.
const (
	benchTurns = 2
	benchTurn  = 8 * time.Second
)

// request is what a load generator repeats on every connection.
type request struct {
	method, url string
	header      map[string]string
	body        string
}

// throughput is the result of a run.
type throughput struct {
	perSecond float64
	p99       time.Duration
}

// hammer repeats a request over kept connections, with wrk where it is
// installed, because it takes little of the machine, else with Go's client.
// Any answer but a 2xx fails the benchmark.
func hammer(b testing.TB, connections int, r request) throughput {
	b.Helper()
	return hammerFor(b, benchTurn, connections, r)
}

// hammerFor is hammer for another time than a turn of a benchmark.
func hammerFor(b testing.TB, turn time.Duration, connections int, r request) throughput {
	b.Helper()
	if wrk, err := exec.LookPath("wrk"); err == nil {
		return hammerWrk(b, wrk, turn, connections, r)
	}
	return hammerGo(b, turn, connections, r)
}

func hammerWrk(b testing.TB, wrk string, turn time.Duration, connections int, r request) throughput {
	b.Helper()
	var script strings.Builder
	fmt.Fprintf(&script, "wrk.method = %q\nwrk.body = %q\n", r.method, r.body)
	for name, value := range r.header {
		fmt.Fprintf(&script, "wrk.headers[%q] = %q\n", name, value)
	}
	path := filepath.Join(b.TempDir(), "request.lua")
	if err := os.WriteFile(path, []byte(script.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	out, err := exec.CommandContext(b.Context(), wrk, "-t1", "-c"+strconv.Itoa(connections), "-d"+turn.String(), "--latency", "-s", path, r.url).CombinedOutput()
	if err != nil || bytes.Contains(out, []byte("Non-2xx")) {
		b.Fatalf("wrk: %v\n%s", err, out)
	}
	p99, err := time.ParseDuration(find(b, out, `99%\s+([0-9.]+[mu]?s)`))
	if err != nil {
		b.Fatal(err)
	}
	return throughput{number(b, find(b, out, `Requests/sec:\s+([0-9.]+)`)), p99}
}

func hammerGo(b testing.TB, turn time.Duration, connections int, r request) throughput {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true}}
	defer client.CloseIdleConnections()
	var mu sync.Mutex
	var latencies []time.Duration
	var wg sync.WaitGroup
	end := time.Now().Add(turn)
	for range connections {
		wg.Go(func() {
			var mine []time.Duration
			for time.Now().Before(end) {
				began := time.Now()
				if err := r.do(client); err != nil {
					b.Error(err)
					return
				}
				mine = append(mine, time.Since(began))
			}
			mu.Lock()
			latencies = append(latencies, mine...)
			mu.Unlock()
		})
	}
	wg.Wait()
	return throughput{float64(len(latencies)) / turn.Seconds(), percentile(latencies, 99)}
}

func (r request) do(client *http.Client) error {
	req, err := http.NewRequest(r.method, r.url, strings.NewReader(r.body)) //nolint:noctx // bounded by the turn
	if err != nil {
		return err
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode/100 != 2 {
		return fmt.Errorf("%s answered %d, %w", r.url, res.StatusCode, err)
	}
	return nil
}

// pgbench is how many transactions of a script the database commits a second.
func (f *fleet) pgbench(b testing.TB, connections int, script string) float64 {
	b.Helper()
	path := filepath.Join(b.TempDir(), "script.sql")
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		b.Fatal(err)
	}
	u, err := url.Parse(f.cluster.URL)
	if err != nil {
		b.Fatal(err)
	}
	password, _ := u.User.Password()
	cmd := exec.CommandContext(b.Context(), "pgbench", "-n", "-M", "prepared", "-c", strconv.Itoa(connections), "-j", "2",
		"-T", strconv.Itoa(int(benchTurn.Seconds())), "-f", path, "-h", u.Hostname(), "-p", u.Port(), "-U", u.User.Username(), strings.TrimPrefix(u.Path, "/"))
	cmd.Env = append(os.Environ(), "PGPASSWORD="+password)
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.Fatalf("pgbench: %v\n%s", err, out)
	}
	return number(b, find(b, out, `tps = ([0-9.]+)`))
}

func find(b testing.TB, out []byte, pattern string) string {
	b.Helper()
	match := regexp.MustCompile(pattern).FindSubmatch(out)
	if match == nil {
		b.Fatalf("%s is not in:\n%s", pattern, out)
	}
	return string(match[1])
}

func number(b testing.TB, text string) float64 {
	b.Helper()
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// percentile is the smallest value that n of a hundred do not exceed.
func percentile(values []time.Duration, n int) time.Duration {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, len(sorted)*n/100)]
}

func mean(values []float64) (m float64) {
	for _, v := range values {
		m += v / float64(len(values))
	}
	return m
}

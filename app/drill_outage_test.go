//go:build drill && linux

package main

import (
	"strings"
	"testing"
	"time"
)

// TestPostgresOutageDrill takes the database away for a while: health says so
// within two seconds and says when it is back within ten, documentation is
// still read, no process ends, and what is sent afterwards is carried.
func TestPostgresOutageDrill(t *testing.T) {
	f := newFleet(t)
	f.run("seed")
	p := newPartner(t, f)
	web, worker := f.start("web"), f.start("worker")
	p.setWebhook(t, web.url)
	send := func() (string, int, error) {
		return p.send(t.Context(), web.url, "", p.messageBody(ordinary, "order-1"))
	}
	read := func(id string) func() bool {
		return func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			_, came := p.received[callback{id, "read"}]
			return came
		}
	}
	before, _, err := send()
	if err != nil || before == "" {
		t.Fatalf("a message before the outage: %v", err)
	}
	waitUntil(t, 30*time.Second, "the first message is read", read(before))

	down := time.Now()
	stopped := make(chan error, 1)
	go func() { stopped <- f.cluster.Stop() }()
	waitUntil(t, 30*time.Second, "health notices", func() bool { return statusOf(web.url+"/health") == 503 })
	noticed := time.Since(down)
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	if noticed > 2*time.Second {
		t.Errorf("/health noticed after %v, want 2 s at most", noticed)
	}
	for _, path := range []string{"/", "/livez", endpointPage} {
		if status := statusOf(web.url + path); status != 200 {
			t.Errorf("%s answers %d while the database is away", path, status)
		}
	}
	asked := time.Now()
	if id, status, err := send(); id != "" || status != 500 || err != nil {
		t.Errorf("a send during the outage: %q, %d, %v; want 500 in the channel's envelope", id, status, err)
	}
	refused := time.Since(asked)
	time.Sleep(15 * time.Second) // an outage, not a blink: retries have run out

	f.openDatabase()
	back := time.Now()
	waitUntil(t, 30*time.Second, "health recovers", func() bool { return statusOf(web.url+"/health") == 200 })
	recovered := time.Since(back)
	if recovered > 10*time.Second {
		t.Errorf("/health recovered after %v, want 10 s at most", recovered)
	}
	after, _, err := send()
	if err != nil || after == "" {
		t.Fatalf("a message after the outage: %v", err)
	}
	waitUntil(t, 90*time.Second, "the message after the outage is read", read(after))
	carried := time.Since(back)
	for _, proc := range []*process{web, worker} {
		select {
		case <-proc.exited:
			t.Errorf("%s ended: %s", proc.log, lastLines(proc.written()))
		default:
		}
	}
	f.checkLogs()
	t.Logf("noticed after %v, a send refused after %v, healthy again after %v, a message read %v after the return",
		noticed.Round(time.Millisecond), refused.Round(time.Millisecond), recovered.Round(time.Millisecond), carried.Round(time.Millisecond))
}

func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}

//go:build drill && linux

package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"
)

var fallbackKills = flag.Int("drill.fallback_kills", 20, "how many times the fallback drill kills the worker")

// TestFallbackDrill lets 2,000 RCS messages expire while the worker is killed at
// random. Each falls back, half over SMS and half over the messaging channel:
// none is lost and none is sent as two messages.
func TestFallbackDrill(t *testing.T) {
	f := newFleet(t)
	web, p, events := f.start("web"), newPartner(t, f), newRCSEvents(t)
	d := &killDrill{fleet: f}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var wg sync.WaitGroup
	t.Cleanup(func() { stop(); wg.Wait() })
	worker := &member{command: "worker", address: freeAddress()}
	wg.Go(func() { d.supervise(ctx, worker) })
	waitUntil(t, time.Minute, "the worker is ready", func() bool { return statusOf(worker.url()+"/readyz") == 200 })
	if status, answer := callRCS(t, p.organisation, "PUT", web.url+"/api/v1/bot/config/set-relay-webhook-url", members{"botId": p.RCSBotID, "relayWebhookUrl": events.URL}); status != 200 {
		t.Fatal(answer)
	}
	const each = 1000
	sent := map[string]string{}
	for channel, fallback := range fallbacksOf(p.organisation, "TTL") {
		var messages []members
		for n := range each {
			id := fmt.Sprintf("%s-%d", channel, n)
			sent[id] = channel
			messages = append(messages, members{"to": fmt.Sprintf("+9198%04d0013", n), "templateCode": "order_ok", "customParams": members{"name": "Asha"}, "messageId": id})
		}
		status, answer := callRCS(t, p.organisation, "POST", web.url+"/api/v1/send-message", members{"botId": p.RCSBotID, "messages": messages, "ttl": "20s", "fallback": fallback})
		if status != 202 {
			t.Fatalf("%.300s", answer)
		}
	}
	began, kills := time.Now(), 0
	for ; kills < *fallbackKills; kills++ {
		time.Sleep(1500 * time.Millisecond)
		worker.current.Load().end(syscall.SIGKILL)
		waitUntil(t, time.Minute, "the worker is back", func() bool { return statusOf(worker.url()+"/readyz") == 200 })
	}
	ended := func() bool {
		for id, channel := range sent {
			if !slices.Contains(events.history(id), "DELIVERED "+channel) {
				return false
			}
		}
		return true
	}
	waitUntil(t, 5*time.Minute, "every fallback is reported", ended)
	waitUntil(t, 5*time.Minute, "every job is done", func() bool { return f.unfinished() == 0 })
	lost, twice := 0, 0
	for id, channel := range sent {
		counts := map[string]int{}
		for _, status := range events.history(id) {
			counts[status]++
		}
		for _, status := range []string{"EXPIRED RCS", "FALLBACK_SENT " + channel, "DELIVERED " + channel} {
			lost += max(0, 1-counts[status])
			twice += max(0, counts[status]-1)
		}
	}
	// A carriage has the id that the carrier got: one for RCS and one for the fallback.
	carried := f.handOvers()
	if len(carried) != 2*len(sent) || lost != 0 || twice != 0 {
		t.Errorf("%d of %d messages reached the carrier, %d reports were lost and %d came twice", len(carried), 2*len(sent), lost, twice)
	}
	t.Logf("%d messages expired, %d kills, %v: %d ids at the carrier, %d handed over again under the same id after a kill, %d lost, %d twice",
		len(sent), kills, time.Since(began).Round(time.Second), len(carried), repeats(carried), lost, twice)
}

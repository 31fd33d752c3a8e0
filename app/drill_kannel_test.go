//go:build drill && linux

package main

import (
	"encoding/json"
	"flag"
	"strings"
	"syscall"
	"testing"
	"time"

	"heliograph/app/keyring"
	"heliograph/app/outbound/kanneltest"
)

var drillSMS = flag.Int("drill.sms", 20_000, "how many SMS the Kannel drill sends; one in twenty has three parts")

// breaks is how often each side ends the connection between Kannel and the operator:
// the operator without a word, and Kannel because the operator stops answering.
const breaks = 5

// atOnce is how many recipients are submitted together.
const atOnce = 200

// TestKannelDrill sends SMS through a real Kannel over SMPP to an operator, while both
// of them break the connection and the worker is killed. Every message has its end and
// every receipt came to its part. Parts that reached the operator twice were under way
// when a connection broke.
func TestKannelDrill(t *testing.T) {
	f, address := newFleet(t), freeAddress()
	gateway := kanneltest.Start(t, func(m kanneltest.Submitted) string {
		if to, part := partOf(m); part == 2 && strings.HasSuffix(to, "3") || part == 1 && strings.HasSuffix(to, "07") {
			return "UNDELIV"
		}
		return "DELIVRD"
	})
	f.environ = append(f.environ, "CARRIER_NETWORKS=127.0.0.0/8", "PUBLIC_URL=http://"+address)
	p := newPartner(t, f)
	f.routeToKannel(t, gateway.URL)
	web, err := f.launch("web", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { web.end(syscall.SIGKILL) })
	if !web.ready(30 * time.Second) {
		t.Fatalf("the web process is not ready:\n%s", web.written())
	}
	worker := f.start("worker")
	kanneltest.Await(t, "Kannel is bound", gateway.Bound)
	x := newSMSSender(t, f, p)

	began := time.Now()
	const rounds = 2*breaks + 1
	long := *drillSMS / 20 / rounds
	for round := range rounds {
		sent := len(gateway.Messages())
		whole := (*drillSMS - len(x.parts)) / (rounds - round)
		x.submit(t, web.url, long, 3, time.Time{})
		for left := whole - long; left > 0; left -= atOnce {
			x.submit(t, web.url, min(left, atOnce), 1, time.Time{})
		}
		waitUntil(t, 2*time.Minute, "the operator gets the next messages", func() bool { return len(gateway.Messages()) > sent+whole/3 })
		switch {
		case round < breaks:
			gateway.Break()
		case round == breaks:
			worker.end(syscall.SIGKILL)
			worker = f.start("worker")
		default:
			before := gateway.Connections()
			gateway.Stall()
			waitUntil(t, time.Minute, "Kannel ends the connection and binds again", func() bool { return gateway.Connections() > before })
		}
	}
	rush := &faultDrill{fleet: f}
	waitUntil(t, 10*time.Minute, "every SMS is reported", func() bool { rush.rush(t); return x.open() == 0 })
	waitUntil(t, 2*time.Minute, "every job is done", func() bool { rush.rush(t); return f.unfinished() == 0 })
	took := time.Since(began)

	if x.differ > 0 {
		t.Errorf("%d final reports contradict an earlier one", x.differ)
	}
	if n := f.countJobs(`state in ('discarded', 'cancelled')`); n > 0 {
		t.Errorf("%d jobs were given up", n)
	}
	parts, doubled := f.checkParts(t, gateway, x)
	t.Logf("%d SMS of %d parts in %v, %d connections, 1 kill of the worker: 0 lost, %d parts reached the operator twice (all under way when a connection broke), every receipt at its part; %d final reports came twice",
		len(x.parts), parts, took.Round(time.Second), gateway.Connections(), doubled, x.extra)
}

// routeToKannel makes all organisations live and sends their SMS through a gateway.
func (f *fleet) routeToKannel(t *testing.T, url string) {
	t.Helper()
	settings, err := json.Marshal(map[string]string{"username": kanneltest.Username})
	if err != nil {
		t.Fatal(err)
	}
	sealed := f.keyring.Seal([]byte(kanneltest.Password), keyring.Place("carriers", "secret", "operator"))
	for _, statement := range []struct {
		sql  string
		args []any
	}{
		{`insert into carriers (name, kind, url, settings, secret) values ('operator', 'kannel', $1, $2, $3)`, []any{url, settings, sealed}},
		{`insert into carrier_routes (channel, carrier_id) select 'sms', id from carriers`, nil},
		{`update organisations set sandbox = false`, nil},
		{`update sms_headers set state = 'contested'`, nil}, // every organisation of the drill sends with the same one
	} {
		if _, err := f.pool.Exec(t.Context(), statement.sql, statement.args...); err != nil {
			t.Fatal(err)
		}
	}
}

// partOf returns the recipient and the part of a short message. Its header says
// which part it is of several.
func partOf(m kanneltest.Submitted) (to string, part int) {
	if m.ESMClass&0x40 == 0 || len(m.Text) < 6 {
		return m.To, 1
	}
	return m.To, int(m.Text[m.Text[0]]) // the last octet of the header
}

// checkParts holds what the operator got and reported against the parts that are
// stored, and returns how many there are and how many came to the operator twice.
func (f *fleet) checkParts(t *testing.T, gateway *kanneltest.Gateway, x *smsSender) (parts, doubled int) {
	t.Helper()
	type key struct {
		to   string
		part int
	}
	got := map[key][]kanneltest.Submitted{}
	for _, m := range gateway.Messages() {
		to, part := partOf(m)
		got[key{to, part}] = append(got[key{to, part}], m)
	}
	rows, err := f.pool.Query(t.Context(), `
		select m.recipient, n, m.state, coalesce(c.state, m.state) from messages m
			cross join generate_series(1, m.parts) n left join carriages c on c.message_id = m.id and c.part = n
		where m.channel = 'sms'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	wrong := 0
	fail := func(format string, args ...any) {
		if wrong++; wrong <= 10 {
			t.Errorf(format, args...)
		}
	}
	for rows.Next() {
		var k key
		var message, state string
		if err := rows.Scan(&k.to, &k.part, &message, &state); err != nil {
			t.Fatal(err)
		}
		parts++
		all := got[k]
		if len(all) == 0 {
			fail("part %d to %s did not reach the operator; it is %s", k.part, k.to, state)
			continue
		}
		if want := map[string]string{"DELIVRD": "delivered", "UNDELIV": "undelivered"}[all[0].State]; state != want {
			fail("part %d to %s is %s, and the operator reported it as %s", k.part, k.to, state, all[0].State)
		}
		for i := range all[1:] {
			doubled++
			if !gateway.BrokeOver(all[i]) {
				fail("part %d to %s reached the operator again, although no connection broke over it", k.part, k.to)
			}
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if wrong > 10 {
		t.Errorf("%d parts are wrong in all", wrong)
	}
	if want := len(gateway.Messages()) - doubled; parts != want {
		t.Errorf("%d parts are stored, and %d different ones reached the operator", parts, want)
	}
	if n := gateway.Unacknowledged(); n > 0 {
		t.Errorf("the gateway did not take %d receipts", n)
	}
	sum := 0
	for _, n := range x.parts {
		sum += n
	}
	if sum != parts {
		t.Errorf("%d parts are stored of %d accepted ones", parts, sum)
	}
	return parts, doubled
}

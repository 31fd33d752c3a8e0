//go:build drill && linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// smsSender sends SMS for an organisation and takes the reports about them.
type smsSender struct {
	fleet   *fleet
	partner *partner
	hook    *httptest.Server

	mu     sync.Mutex
	parts  map[string]int    // of the accepted messages, by id
	ends   map[string]string // the final status of each message
	extra  int               // final reports that came again
	differ int               // final reports that say something else than the first
}

func newSMSSender(t *testing.T, f *fleet, p *partner) *smsSender {
	t.Helper()
	x := &smsSender{fleet: f, partner: p, parts: map[string]int{}, ends: map[string]string{}}
	x.hook = httptest.NewServer(http.HandlerFunc(x.receive))
	t.Cleanup(x.hook.Close)
	(&faultDrill{fleet: f}).exec(t, `
		insert into sms_templates (organisation_id, name, dlt_template_id, text)
		select id, 'long', '`+longTemplate+`', repeat('a', `+strconv.Itoa(longText)+`) from organisations`)
	return x
}

// The registered text of three parts, and its id.
const (
	longText     = 3 * 153
	longTemplate = "1107999999999999999"
)

// receive notes the final report about a message: of its only part, or of all.
func (x *smsSender) receive(w http.ResponseWriter, r *http.Request) {
	var report struct {
		ID       string `json:"msg_id"`
		Status   string `json:"status"`
		Parts    int    `json:"parts"`
		Part     int    `json:"part_no"`
		DoneTime string `json:"done_time"`
	}
	if json.NewDecoder(r.Body).Decode(&report) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if report.DoneTime == "" || report.Parts > 1 && report.Part > 0 {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if end, known := x.ends[report.ID]; known {
		x.extra++
		if end != report.Status {
			x.differ++
		}
		return
	}
	x.ends[report.ID] = report.Status
}

// submit sends a text of one or three parts to n recipients, perhaps at a later time.
func (x *smsSender) submit(t *testing.T, web string, n, parts int, at time.Time) {
	t.Helper()
	if err := x.try(t.Context(), web, "", x.submission(n, parts, at)); err != nil {
		t.Fatal(err)
	}
}

// submission is the body of a request for a text of one or three parts to n
// recipients.
func (x *smsSender) submission(n, parts int, at time.Time) members {
	text, template := x.partner.SMSText, x.partner.DLTTemplateID
	if parts == 3 {
		text, template = strings.Repeat("a", longText), longTemplate
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	dest := make([]string, n)
	for i := range dest {
		n := len(x.parts) + i
		dest[i] = fmt.Sprintf("9198%08d", 50_001_000+n/9000*10_000+n%9000) // no recipient with an ending of its own
	}
	message := members{"dest": dest, "header": x.partner.SMSHeader, "msg": text, "dlt_entity_id": x.partner.DLTEntityID, "dlt_template_id": template}
	whole := members{"version": "1.0", "dlr_url": x.hook.URL + "/reports", "messages": []any{message}}
	if !at.IsZero() {
		whole["schedule_time"] = at.UTC().Format(time.RFC3339)
	}
	return whole
}

// try submits and notes what was accepted. With a key it can be done again after an
// error.
func (x *smsSender) try(ctx context.Context, web, key string, submission members) error {
	body, err := json.Marshal(submission)
	if err != nil {
		return err
	}
	answer, status, err := x.partner.post(ctx, web+"/genericapi/JSONGenericReceiver", key, body)
	var reply struct {
		Messages []struct {
			ID    string `json:"msg_id"`
			Code  string `json:"code"`
			Parts int    `json:"parts"`
		}
	}
	if err != nil || status != http.StatusOK || json.Unmarshal(answer, &reply) != nil || len(reply.Messages) == 0 {
		return fmt.Errorf("submitting SMS: %d, %v, %.300s", status, err, answer)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, m := range reply.Messages {
		if m.Code != "200" {
			return fmt.Errorf("an SMS has code %s", m.Code)
		}
		x.parts[m.ID] = m.Parts
	}
	return nil
}

// run submits SMS of one and of three parts, each until it is accepted, until ctx
// ends.
func (x *smsSender) run(ctx context.Context, pick func() string) {
	for n := 0; ctx.Err() == nil; n++ {
		submission, key := x.submission(10-5*(n%2), 1+2*(n%2), time.Time{}), fmt.Sprint("sms-", n)
		for x.try(context.WithoutCancel(ctx), pick(), key, submission) != nil {
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(250 * time.Millisecond)
	}
}

// count is how many parts the accepted messages have.
func (x *smsSender) count() (parts int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, n := range x.parts {
		parts += n
	}
	return parts
}

// sent reports whether a part has the id of an accepted message.
func (x *smsSender) sent(id string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	message, _, _ := strings.Cut(id, ".")
	return x.parts[message] > 0
}

// open counts the accepted messages without a final report.
func (x *smsSender) open() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.parts) - len(x.ends)
}

// check fails the test for messages if their report is missing, is another one than
// want or was followed by a different one, and for jobs that were given up.
func (x *smsSender) check(t *testing.T, want string) {
	t.Helper()
	x.mu.Lock()
	ends := maps.Clone(x.ends)
	differ := x.differ
	x.mu.Unlock()
	for id := range x.parts {
		if ends[id] != want {
			t.Errorf("message %s was accepted and its end is %q, want %s", id, ends[id], want)
		}
	}
	var open, pending int
	if err := x.fleet.pool.QueryRow(t.Context(), `select (select count(*) from messages where state = 'accepted'), (select count(*) from deliveries where state = 'pending')`).Scan(&open, &pending); err != nil {
		t.Fatal(err)
	}
	lost := x.fleet.countJobs(`state in ('discarded', 'cancelled')`)
	if len(ends) != len(x.parts) || open+pending+lost+differ > 0 {
		t.Errorf("%d SMS were accepted and %d have a report; %d messages and %d callbacks have no end, %d jobs were given up, %d reports contradict the first", len(x.parts), len(ends), open, pending, lost, differ)
	}
}

// rush makes what waits due: other attempts, and scheduled messages.
func (x *smsSender) rush(t *testing.T) {
	t.Helper()
	d := &faultDrill{fleet: x.fleet}
	d.exec(t, `update messages set scheduled_at = now() where state = 'accepted' and scheduled_at > now()`)
	d.rush(t)
}

// TestChannelsKillDrill kills the worker while SMS of one and of three parts, some
// of them scheduled, and messages of the other channel are on their way. All of them
// end, each with one result. -drill.kills and -drill.sends make it smaller.
func TestChannelsKillDrill(t *testing.T) {
	f := newFleet(t)
	web, p := f.start("web"), newPartner(t, f)
	p.setWebhook(t, web.url)
	x := newSMSSender(t, f, p)
	d := &killDrill{fleet: f}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var wg sync.WaitGroup
	t.Cleanup(func() { stop(); wg.Wait() })
	worker := &member{command: "worker", address: freeAddress()}
	wg.Go(func() { d.supervise(ctx, worker) })
	ready := func() bool { return statusOf(worker.url()+"/readyz") == 200 }
	waitUntil(t, time.Minute, "the worker is ready", ready)

	l := &load{partner: p, clients: 8, rate: 20, retry: true, recipient: mixed, pick: func() string { return web.url }}
	sending, end := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { l.run(sending); close(done) }()
	began := time.Now()
	each := (*drillSends + 2**drillKills - 1) / (2 * *drillKills) // of each length for a kill
	for kill := range *drillKills {
		at := time.Time{}
		if kill%2 == 1 {
			at = time.Now().Add(20 * time.Minute)
		}
		x.submit(t, web.url, each, 1, at)
		x.submit(t, web.url, each, 3, at)
		time.Sleep(300 * time.Millisecond)
		if kill%4 == 3 {
			x.rush(t) // the scheduled ones are due, and the worker is killed over them
			time.Sleep(100 * time.Millisecond)
		}
		worker.current.Load().end(syscall.SIGKILL)
		waitUntil(t, time.Minute, "the worker is back", ready)
	}
	end()
	<-done
	waitUntil(t, 15*time.Minute, "every SMS is reported", func() bool { x.rush(t); return x.open() == 0 })
	waitUntil(t, 5*time.Minute, "every callback arrived", func() bool { x.rush(t); return len(l.missing()) == 0 })
	waitUntil(t, time.Minute, "every job is done", func() bool { x.rush(t); return f.unfinished() == 0 })
	x.check(t, "DELIVRD")
	carried, parts := f.handOvers(), len(l.accepted)+x.count()
	// Each kill comes in the middle of the hand-overs, so many are repeated, under the
	// same id. TestKillDrill bounds how many that are under a steady load.
	if len(carried) != parts {
		t.Errorf("%d parts and messages reached the carrier, want %d", len(carried), parts)
	}
	t.Logf("%d kills in %v: %d SMS and %d messages accepted, %d carriages, %d handed over again under the same id, %d final reports came twice, 0 lost",
		*drillKills, time.Since(began).Round(time.Second), len(x.parts), len(l.accepted), len(carried), repeats(carried), x.extra)
}

// awayCarrier is a gateway that is away until it comes back. It counts
// what it was asked and what it took. It takes a repeated id as the same message, so
// a hand-over is repeated after a broken connection without waiting for its report.
type awayCarrier struct {
	mu    sync.Mutex
	back  bool
	asked map[string]int
	took  map[string]int
}

// ServeHTTP refuses, drops the connection in turn, or takes a part.
func (a *awayCarrier) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var part struct{ ID, Report string }
	if json.Unmarshal(body, &part) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked[part.ID]++
	switch {
	case !a.back && a.asked[part.ID]%2 == 0:
		panic(http.ErrAbortHandler)
	case !a.back:
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	a.took[part.ID]++
	fmt.Fprintf(w, `{"id":%q}`, part.ID)
	go func() { // the report follows at once
		res, err := http.PostForm(part.Report, url.Values{"status": {"DELIVRD"}}) //nolint:noctx // a drill
		if err == nil {
			res.Body.Close()
		}
	}()
}

// tries is how often the carrier was asked for each part: at least and at most.
func (a *awayCarrier) tries() (least, most int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, n := range a.asked {
		if least == 0 || n < least {
			least = n
		}
		most = max(most, n)
	}
	return least, most
}

// heardOf counts the parts that the carrier was asked for.
func (a *awayCarrier) heardOf() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.asked)
}

// TestCarrierAwayDrill has the carrier of live SMS away for 30 back-offs, which is
// more than the 25 attempts after which a job was once given up. Every message then
// arrives, once.
func TestCarrierAwayDrill(t *testing.T) {
	const backoffs = 30
	f := newFleet(t)
	p, address := newPartner(t, f), freeAddress()
	f.environ = append(f.environ, "CARRIER_NETWORKS=127.0.0.0/8", "PUBLIC_URL=http://"+address)
	carrier := &awayCarrier{asked: map[string]int{}, took: map[string]int{}}
	server := httptest.NewServer(carrier)
	t.Cleanup(server.Close)
	f.run("carrier", "set", "--name", "operator", "--kind", "http", "--url", server.URL+"/send", "--setting", `body={"id":"{id}","report":"{report}"}`, "--setting", "id=id", "--setting", "idempotent=true")
	f.run("carrier", "route", "--name", "operator", "--channel", "sms")
	d := &faultDrill{fleet: f}
	d.exec(t, `update organisations set sandbox = false`)
	d.exec(t, `update sms_headers set state = 'contested'`) // every organisation of the drill sends with the same one
	web, err := f.launch("web", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { web.end(syscall.SIGKILL) })
	if !web.ready(30 * time.Second) {
		t.Fatalf("the web process is not ready:\n%s", web.written())
	}
	f.start("worker")
	x := newSMSSender(t, f, p)
	x.submit(t, web.url, 100, 1, time.Time{})
	x.submit(t, web.url, 50, 3, time.Time{})
	x.submit(t, web.url, 50, 1, time.Now().Add(20*time.Minute))
	parts := 100 + 50*3 + 50
	away := time.Now()
	waitUntil(t, 8*time.Minute, "every message was put off often enough", func() bool {
		x.rush(t)
		least, _ := carrier.tries() // the further parts wait for the first
		return least >= backoffs && carrier.heardOf() == len(x.parts)
	})
	if x.open() != len(x.parts) {
		t.Errorf("%d messages have an end while the carrier is away", len(x.parts)-x.open())
	}
	least, most := carrier.tries()
	carrier.mu.Lock()
	carrier.back = true
	carrier.mu.Unlock()
	back := time.Now()
	waitUntil(t, 4*time.Minute, "every SMS is reported", func() bool { x.rush(t); return x.open() == 0 })
	waitUntil(t, time.Minute, "every job is done", func() bool { x.rush(t); return f.unfinished() == 0 })
	x.check(t, "DELIVRD")
	if extra := repeats(carrier.took); len(carrier.took) != parts || extra > 0 {
		t.Errorf("the carrier took %d parts, want %d; %d came again", len(carrier.took), parts, extra)
	}
	t.Logf("%d SMS of %d parts, each message refused %d to %d times in %v; all reported %v after the carrier came back, none lost, none twice",
		len(x.parts), parts, least, most, back.Sub(away).Round(time.Second), time.Since(back).Round(time.Second))
}

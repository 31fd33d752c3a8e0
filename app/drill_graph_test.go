//go:build drill && linux

package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/messaging"
	"heliograph/app/keyring"
)

var drillGraph = flag.Int("drill.graph", 20_000, "how many messages the drill of upstreams sends")

// The twelve points at which the worker is killed: each of these three times.
const (
	beforeTaking = iota // a hand-over has arrived and nothing is stored of it
	beforeAnswer        // it is taken, and not answered
	afterAnswer         // it is answered
	beforeStatus        // its statuses come
	killPlaces
)

const graphKills = 3 * killPlaces

// graphStandIn is an upstream with every fault. It kills the worker at points.
type graphStandIn struct {
	*httptest.Server
	mu     sync.Mutex
	tries  map[string]int
	took   map[string]int // by our id
	calls  int
	every  int // calls between two kills
	kills  int
	kill   func() // the worker, and starts another
	post   func(body []byte)
	posts  sync.WaitGroup
	slots  chan struct{} // for posts at once
	number string
	failed atomic.Int64 // posts
}

func (g *graphStandIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m struct {
		Reference string `json:"biz_opaque_callback_data"`
	}
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		return
	}
	g.mu.Lock()
	g.calls++
	place := -1
	if g.kills < graphKills && g.calls >= (g.kills+1)*g.every {
		place = g.kills % killPlaces
		g.kills++
	}
	g.tries[m.Reference]++
	chance := g.chance(m.Reference, g.tries[m.Reference])
	g.mu.Unlock()
	if place == beforeTaking {
		g.kill()
		return // the connection is gone, and the upstream took nothing
	}
	taken := chance >= 60
	if taken {
		g.mu.Lock()
		g.took[m.Reference]++
		g.mu.Unlock()
	}
	if place == beforeAnswer {
		g.kill()
	}
	g.answer(w, r, m.Reference, chance)
	if place == afterAnswer {
		g.posts.Go(g.kill)
	}
	if taken && chance%10 != 0 { // one report in ten is lost
		g.posts.Go(func() {
			if place == beforeStatus {
				g.kill()
			}
			g.report(m.Reference, chance)
		})
	}
}

// chance returns a number below 1000 that is the same in each run for a place in the
// order of the messages.
func (g *graphStandIn) chance(id string, try int) int {
	sum := fnv.New64a()
	fmt.Fprint(sum, id, try)
	return int(sum.Sum64() % 1000)
}

// answer answers 500, 429, with an error of a server in between, never, or too late.
func (g *graphStandIn) answer(w http.ResponseWriter, r *http.Request, id string, chance int) {
	switch {
	case chance < 45:
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprint(w, `{"error":{"code":131000,"message":"Something went wrong"}}`)
	case chance < 48:
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"error":{"code":130429,"message":"(#130429) Rate limit hit"}}`)
	case chance < 57, chance >= 990:
		w.WriteHeader(http.StatusBadGateway)
	case chance < 60, chance >= 987:
		select { // longer than the worker waits
		case <-r.Context().Done():
		case <-time.After(time.Minute):
		}
	default:
		fmt.Fprintf(w, `{"messages":[{"id":"wamid.U%s"}]}`, id)
	}
}

// report posts the statuses of a message, out of order and one twice.
func (g *graphStandIn) report(id string, chance int) {
	states := []string{"sent", "delivered", "read", "delivered"}
	rand.New(rand.NewPCG(1, uint64(chance))).Shuffle(len(states), func(i, k int) { states[i], states[k] = states[k], states[i] })
	var list bytes.Buffer
	for i, state := range states {
		if i > 0 {
			list.WriteByte(',')
		}
		fmt.Fprintf(&list, `{"id":"wamid.U%s","status":%q,"timestamp":"1","biz_opaque_callback_data":%q}`, id, state, id)
	}
	g.slots <- struct{}{}
	defer func() { <-g.slots }()
	g.post(fmt.Appendf(nil, `{"entry":[{"changes":[{"field":"messages","value":{"metadata":{"phone_number_id":%q},"statuses":[%s]}}]}]}`, g.number, list.Bytes()))
}

// TestGraphDrill sends messages to an upstream with every fault while the worker is
// killed at twelve points. None is lost, and none reaches the upstream twice: nobody
// knows of some whether they arrived, and these are listed for a person.
func TestGraphDrill(t *testing.T) {
	f, address := newFleet(t), freeAddress()
	f.environ = append(f.environ, "CARRIER_NETWORKS=127.0.0.0/8", "PUBLIC_URL=http://"+address, "RATE_PHONE=1000")
	p := newPartner(t, f)
	g := &graphStandIn{tries: map[string]int{}, took: map[string]int{}, number: "106540352242922", every: max(1, *drillGraph/(graphKills+1)), slots: make(chan struct{}, 8)}
	g.Server = httptest.NewServer(g)
	t.Cleanup(g.Close)
	f.routeToGraph(t, p, g)
	web, err := f.launch("web", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { web.end(syscall.SIGKILL) })
	if !web.ready(30 * time.Second) {
		t.Fatalf("the web process is not ready:\n%s", web.written())
	}
	g.post = func(body []byte) { g.postSigned(web.url, body) }
	var worker atomic.Pointer[process]
	worker.Store(f.start("worker"))
	var killing sync.Mutex
	g.kill = func() {
		killing.Lock()
		defer killing.Unlock()
		worker.Load().end(syscall.SIGKILL)
		next, err := f.launch("worker", freeAddress())
		if err != nil {
			t.Error(err)
			return
		}
		worker.Store(next)
	}
	t.Cleanup(func() { worker.Load().end(syscall.SIGKILL) })

	began := time.Now()
	ids := p.sendToMany(t, web.url, *drillGraph)
	sending := time.Since(began)
	rush := &faultDrill{fleet: f}
	settled := func() bool {
		rush.rush(t)
		// Statuses are awaited for five minutes. Here fifteen seconds are enough.
		rush.exec(t, `update carriages set updated_at = now() - interval '6 minutes' where state = 'dialling' and updated_at < now() - interval '15 seconds' and updated_at > now() - interval '5 minutes'`)
		open := f.column(`select count(*)::text from messages m where state = 'accepted' and not exists (select from parked_parts p where p.message_id = m.id)`)
		return open[0] == "0"
	}
	waitUntil(t, 10*time.Minute, "every message has an end or is listed", settled)
	g.posts.Wait()
	waitUntil(t, 5*time.Minute, "every post is read", func() bool {
		rush.exec(t, `update river.river_job set scheduled_at = now(), state = 'available' where kind = 'take_post' and state in ('scheduled', 'retryable')`)
		return f.column(`select count(*)::text from upstream_posts`)[0] == "0"
	})
	g.judge(t, f, ids)
	t.Logf("%d sends in %v, all settled after %v, %d calls, %d kills", len(ids), sending.Round(time.Second), time.Since(began).Round(time.Second), g.calls, g.kills)
}

// postSigned posts a body until it is taken, as the upstream does.
func (g *graphStandIn) postSigned(url string, body []byte) {
	mac := hmac.New(sha256.New, []byte("quiet-lantern"))
	mac.Write(body)
	for range 20 {
		req, err := http.NewRequest(http.MethodPost, url+messaging.UpstreamPath("upstream"), bytes.NewReader(body))
		if err != nil {
			break
		}
		req.Header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
		res, err := http.DefaultClient.Do(req)
		if err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return
			}
		}
		time.Sleep(200 * time.Millisecond)
	}
	g.failed.Add(1)
}

// routeToGraph makes the partner live, in the middle of conversations with everybody.
func (f *fleet) routeToGraph(t testing.TB, p *partner, g *graphStandIn) {
	t.Helper()
	settings, err := json.Marshal(map[string]string{"numbers": p.organisation.PhoneNumberID + " " + g.number, "per_second": "1000"})
	if err != nil {
		t.Fatal(err)
	}
	sealed := f.keyring.Seal([]byte(`{"access_token":"token-1","app_secret":"quiet-lantern"}`), keyring.Place("carriers", "secret", "upstream"))
	for _, statement := range []struct {
		sql  string
		args []any
	}{
		{`insert into carriers (name, kind, url, settings, secret) values ('upstream', 'graph', $1, $2, $3)`, []any{g.URL, settings, sealed}},
		{`insert into carrier_routes (channel, carrier_id) select 'messaging', id from carriers`, nil},
		{`update organisations set sandbox = false`, nil},
		{`insert into conversations (phone_number_id, contact, last_inbound_at) select $1::bigint, '91981' || lpad(n::text, 7, '0'), now() from generate_series(1, $2::int) n`, []any{p.organisation.PhoneNumberID, *drillGraph}},
	} {
		if _, err := f.pool.Exec(t.Context(), statement.sql, statement.args...); err != nil {
			t.Fatal(err)
		}
	}
}

// sendToMany sends a text to each of many people, again until it is accepted, and returns
// the ids.
func (p *partner) sendToMany(t *testing.T, url string, n int) []string {
	t.Helper()
	ids := make([]string, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for {
				i := int(next.Add(1))
				if i > n {
					return
				}
				body := fmt.Sprintf(`{"messaging_product":"msgapp","to":"91981%07d","type":"text","text":{"body":"Your lamp is ready."}}`, i)
				for try := 0; ids[i-1] == "" && try < 100; try++ {
					ids[i-1] = p.sendOnce(url, body, fmt.Sprint("drill-", i))
				}
				if ids[i-1] == "" {
					t.Errorf("message %d came to no acceptance", i)
				}
			}
		})
	}
	wg.Wait()
	return ids
}

// sendOnce sends a message and returns its id, or nothing after a pause.
func (p *partner) sendOnce(url, body, key string) string {
	req, err := http.NewRequest(http.MethodPost, url+"/v3/"+p.organisation.PhoneNumberID+"/messages", bytes.NewReader([]byte(body)))
	if err != nil {
		return ""
	}
	req.Header.Set("apikey", p.organisation.APIKey)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", key)
	res, err := http.DefaultClient.Do(req)
	if err == nil {
		defer res.Body.Close()
		var taken struct{ Messages []struct{ ID string } }
		if err := json.NewDecoder(res.Body).Decode(&taken); err == nil && res.StatusCode == http.StatusOK && len(taken.Messages) == 1 {
			return taken.Messages[0].ID
		}
	}
	time.Sleep(200 * time.Millisecond)
	return ""
}

// judge holds what the upstream took against what is stored and listed.
func (g *graphStandIn) judge(t *testing.T, f *fleet, ids []string) {
	t.Helper()
	parked := map[string]bool{}
	for _, id := range f.column(`select p.message_id::text from parked_parts p join messages m on m.id = p.message_id where m.state = 'accepted'`) {
		parked[id] = true
	}
	states := map[string]string{}
	for _, line := range f.column(`select id::text || ' ' || state from messages`) {
		states[line[:36]] = line[37:]
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.kills != graphKills || g.failed.Load() > 0 {
		t.Errorf("the worker was killed %d times, want %d; %d posts were not taken", g.kills, graphKills, g.failed.Load())
	}
	lost, twice, kinds := 0, 0, map[string]int{}
	var wrong []string
	for _, public := range ids {
		id, ok := messaging.ParseMessageID(public)
		if !ok || id == uuid.Nil {
			continue // named already
		}
		state, took, listed := states[id.String()], g.took[public], parked[id.String()]
		kinds[state]++
		switch {
		case state == "", state == "accepted" && !listed, took == 0 && state != "failed" && !listed, took > 0 && state == "failed":
			lost++
			wrong = append(wrong, fmt.Sprintf("%s is %q and was taken %d times", public, state, took))
		case took > 1:
			twice++
			wrong = append(wrong, fmt.Sprintf("%s was taken %d times", public, took))
		}
	}
	if lost+twice > 0 {
		t.Errorf("%d lost, %d twice, such as %v", lost, twice, slices.Clip(wrong[:min(len(wrong), 10)]))
	}
	t.Logf("%d lost, %d twice, %d listed, states %v", lost, twice, len(parked), kinds)
}

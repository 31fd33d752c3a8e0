package jobs_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/messaging"
	"heliograph/app/outbound"
)

// faulty stands in for an upstream that refuses messages, hangs, breaks off before and
// after it took a message, and loses, doubles and reorders statuses.
type faulty struct {
	*httptest.Server
	mu    sync.Mutex
	tries map[string]int
	took  map[string]int // by our id
	post  func(body string)
	posts sync.WaitGroup
}

func (f *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m struct {
		Reference string `json:"biz_opaque_callback_data"`
	}
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		return
	}
	f.mu.Lock()
	f.tries[m.Reference]++
	chance := chanceOf(m.Reference, f.tries[m.Reference])
	taken := chance >= 25
	if taken {
		f.took[m.Reference]++
	}
	f.mu.Unlock()
	if taken && chance%5 != 0 { // one status in five is lost
		f.posts.Go(func() { f.report(m.Reference, chance) })
	}
	switch {
	case chance < 15:
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprint(w, `{"error":{"code":131000,"message":"Something went wrong"}}`)
	case chance < 20, chance >= 90:
		w.WriteHeader(http.StatusBadGateway)
	case chance < 25, chance >= 85:
		select { // longer than we wait
		case <-r.Context().Done():
		case <-time.After(2 * time.Second):
		}
	default:
		fmt.Fprintf(w, `{"messages":[{"id":"wamid.U%s"}]}`, m.Reference)
	}
}

// chanceOf returns a number below 100 that is the same in each run of the test.
func chanceOf(id string, try int) int {
	sum := fnv.New64a()
	fmt.Fprint(sum, id, try)
	return int(sum.Sum64() % 100)
}

// report posts the statuses of a message, some of them early, twice or out of order.
func (f *faulty) report(id string, chance int) {
	states := []string{"sent", "delivered", "read", "delivered"}
	rand.New(rand.NewPCG(1, uint64(chance))).Shuffle(len(states), func(i, k int) { states[i], states[k] = states[k], states[i] })
	for _, state := range states {
		f.post(fmt.Sprintf(`"statuses":[{"id":"wamid.U%s","status":%q,"timestamp":"1","biz_opaque_callback_data":%q}]`, id, state, id))
	}
}

// Behind an upstream with every fault, and with a worker that is stopped again and
// again, no message is lost and none is handed over twice: nobody knows of some whether
// they arrived, and these are listed.
func TestFaultsOfAnUpstreamLoseAndRepeatNothing(t *testing.T) {
	t.Parallel()
	l := prepareLive(t)
	f := &faulty{tries: map[string]int{}, took: map[string]int{}}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	f.post = func(value string) {
		body := fmt.Appendf(nil, `{"entry":[{"changes":[{"field":"messages","value":{"metadata":{"phone_number_id":%q},%s}}]}]}`, theirNumber, value)
		if err := l.posts.Receive(t.Context(), "upstream", body, signedByApp(body)); err != nil {
			t.Error(err)
		}
	}
	l.deps.Gateways = outbound.New(outbound.Options{AllowLoopback: true, Timeout: time.Second})
	l.exec(t, `update carriers set url = $1, settings = json_build_object('version', 'v23.0', 'per_second', '1000', 'numbers', $2::text), updated_at = now()`, f.URL, fmt.Sprintf("%d %s", l.number.ID, theirNumber))
	const sends = 150
	ids := map[string]uuid.UUID{}
	for n := range sends {
		id := l.sendTo(t, fmt.Sprintf("9198123%05d", n))
		ids[messaging.MessageID(id)] = id
	}
	for range 4 { // workers come and go
		stop := l.workUntil(t, slog.New(slog.DiscardHandler))
		time.Sleep(400 * time.Millisecond)
		stop()
	}
	l.work(t, slog.New(slog.DiscardHandler))
	settled := `select count(*) from messages m where state <> 'accepted' or exists (select from parked_parts p where p.message_id = m.id)`
	l.hasten(t, func() bool {
		l.exec(t, `update carriages set updated_at = now() - interval '6 minutes' where state = 'dialling' and updated_at < now() - interval '3 seconds' and updated_at > now() - interval '5 minutes'`)
		return l.count(t, settled) == sends
	})
	f.posts.Wait()
	l.read(t)
	parked := map[uuid.UUID]bool{}
	parts, err := l.parking.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		parked[p.MessageID] = true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	states := map[string]int{}
	for reference, id := range ids {
		state, took := l.stateOf(t, id), f.took[reference]
		states[state]++
		switch {
		case took > 1:
			t.Errorf("the upstream took message %s %d times", reference, took)
		case state == "accepted" && !parked[id]:
			t.Errorf("message %s is accepted and not listed", reference)
		case took == 0 && state != "failed" && !parked[id]:
			t.Errorf("message %s is %s, and the upstream never took it", reference, state)
		case took == 1 && state == "failed":
			t.Errorf("message %s failed, and the upstream has it", reference)
		}
	}
	if len(parked) == 0 || states["read"] == 0 {
		t.Errorf("%d are parked, and the states are %v: the upstream was not faulty enough", len(parked), states)
	}
	t.Log(strings.TrimSpace(fmt.Sprint(len(parked), " parked, states ", states)))
}

//go:build drill

package jobs_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/relay"
	"heliograph/jobs"
)

// The drills of callbacks check and print what they measure, each alone:
//
//	go test -tags drill -run Drill -v ./jobs

// hasty is a schedule with as many attempts as the standard one has, for those
// who cannot wait for three days.
var hasty = relay.Schedule{
	Pauses: []time.Duration{
		time.Second, time.Second, time.Second, 2 * time.Second, 2 * time.Second, 2 * time.Second, 4 * time.Second, 4 * time.Second, 4 * time.Second,
	},
	Circuit: time.Second,
}

// flaky is an endpoint that fails so many requests of a hundred: which, follows
// from the delivery and its attempt.
type flaky struct {
	percent int
	mu      sync.Mutex
	calls   int
	tried   map[string]int           // attempts by delivery
	took    map[string]time.Duration // until it was taken, by delivery
	began   time.Time
}

func (f *flaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get("X-Heliograph-Delivery")
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	f.tried[id]++
	number, _ := strconv.ParseUint(id, 10, 64)
	if rand.New(rand.NewPCG(number, uint64(f.tried[id]))).IntN(100) < f.percent {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	f.took[id] = time.Since(f.began)
}

func (f *flaky) taken() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.took)
}

// TestRelayThroughFailuresDrill has 10,000 callbacks go to an endpoint that
// fails three requests of ten. All of them arrive.
func TestRelayThroughFailuresDrill(t *testing.T) {
	const events = 10_000
	b := setup(t, func(d *jobs.Deps) { d.Schedule = hasty })
	endpoint := &flaky{percent: 30, tried: map[string]int{}, took: map[string]time.Duration{}, began: time.Now()}
	server := httptest.NewServer(endpoint)
	t.Cleanup(server.Close)
	b.setWebhook(t, server.URL+"/hook")
	b.sendMany(t, events, "+919812340003") // sent, and nothing more
	accepted := time.Since(endpoint.began)
	for deadline := time.Now().Add(20 * time.Minute); endpoint.taken() < events; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d callbacks are delivered after 20 minutes", endpoint.taken(), events)
		}
	}
	drained := time.Since(endpoint.began)
	b.settles(t, events)
	endpoint.mu.Lock()
	defer endpoint.mu.Unlock()
	attempts := make([]int, 11)
	for _, n := range endpoint.tried {
		attempts[min(n, 10)]++
	}
	var took []time.Duration
	for _, d := range endpoint.took {
		took = append(took, d)
	}
	t.Logf("%d callbacks, all delivered by %d requests; accepted in %v, the last delivered after %v (half after %v, 99 %% after %v); deliveries by attempts: %v",
		events, endpoint.calls, accepted.Round(time.Millisecond), drained.Round(time.Millisecond),
		share(took, 50).Round(time.Millisecond), share(took, 99).Round(time.Millisecond), attempts[1:])
}

// settles waits until so many deliveries are stored as delivered, and no other.
func (b *bundle) settles(t *testing.T, want int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		var delivered, others int
		err := b.pool.QueryRow(t.Context(), `select count(*) filter (where state = 'delivered'), count(*) filter (where state <> 'delivered') from deliveries`).Scan(&delivered, &others)
		if err != nil {
			t.Fatal(err)
		}
		if delivered == want && others == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d deliveries are stored as delivered and %d are not, want %d and none", delivered, others, want)
		}
	}
}

// sendMany sends as fast as it is taken.
func (b *bundle) sendMany(t *testing.T, n int, recipient string) {
	t.Helper()
	number, work := b.number, make(chan int)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for i := range work {
				body := fmt.Sprintf(`{"messaging_product":"msgapp","to":%q,"text":{"body":"Hello"},"biz_opaque_callback_data":"order-%d"}`, recipient, i)
				if _, err := b.service.Sender.Send(t.Context(), number, []byte(body), ""); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range n {
		work <- i
	}
	close(work)
	wg.Wait()
}

// share is the value that n of a hundred do not exceed.
func share(values []time.Duration, n int) time.Duration {
	slices.Sort(values)
	return values[min(len(values)-1, len(values)*n/100)]
}

// TestDeadEndpointDrill has 2,000 callbacks wait for an endpoint that is dead,
// in two ways, and measures what another partner notices of it.
func TestDeadEndpointDrill(t *testing.T) {
	const queued = 2000
	for _, dead := range []struct {
		name   string
		handle http.HandlerFunc
	}{
		{"takes connections and never answers", func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) //nolint:errcheck // the end of the connection is seen behind the body only
			<-r.Context().Done()
		}},
		{"answers 503", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }},
	} {
		t.Run(dead.name, func(t *testing.T) {
			b := setup(t)
			url, calls := receiver(t, always(200))
			b.setWebhook(t, url)
			alone := b.latencies(t, calls)
			sick := *b
			sick.join(t, "Sick")
			server := httptest.NewServer(dead.handle)
			t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
			sick.setWebhook(t, server.URL+"/hook")
			sick.sendMany(t, queued, "+919812340003")
			b.holds(t, queued) // the burst itself is over; what is left of it waits
			beside := b.latencies(t, calls)
			waiting := b.pending(t)
			added := share(beside, 95) - share(alone, 95)
			t.Logf("from acceptance to callback: alone %v in the middle and %v for 95 %%; beside the dead endpoint, with %d callbacks waiting, %v and %v; added for 95 %%: %v",
				share(alone, 50), share(alone, 95), waiting, share(beside, 50), share(beside, 95), added)
			if waiting < queued*3/4 || added > time.Second {
				t.Errorf("%d callbacks wait and 95 %% take %v longer, want most of %d and 1 s at most", waiting, added, queued)
			}
		})
	}
}

// pending counts the callbacks that wait.
func (b *bundle) pending(t *testing.T) (n int) {
	t.Helper()
	if err := b.pool.QueryRow(t.Context(), `select count(*) from deliveries where state = 'pending'`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// holds waits until so many callbacks wait.
func (b *bundle) holds(t *testing.T, n int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); b.pending(t) < n; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d callbacks wait, want %d", b.pending(t), n)
		}
	}
}

// latencies sends 300 messages, 20 a second, and returns how long each took
// from its acceptance to its callback.
func (b *bundle) latencies(t *testing.T, calls <-chan received) (took []time.Duration) {
	t.Helper()
	const messages = 300
	accepted := make(chan map[string]time.Time, 1)
	go func() {
		at := map[string]time.Time{}
		ticker := time.NewTicker(50 * time.Millisecond)
		defer ticker.Stop()
		for i := range messages {
			<-ticker.C
			body := fmt.Sprintf(`{"messaging_product":"msgapp","to":"+919812340003","text":{"body":"Hello"},"biz_opaque_callback_data":"order-%d"}`, i)
			reply, err := b.service.Sender.Send(t.Context(), b.number, []byte(body), "")
			var sent messaging.SendReply
			if err == nil {
				err = json.Unmarshal(reply.Body, &sent)
			}
			if err != nil {
				t.Error(err)
				break
			}
			at[sent.Messages[0].ID] = time.Now()
		}
		accepted <- at
	}()
	came := map[string]time.Time{}
	for range messages {
		c := next(t, calls)
		came[c.status.ID] = time.Now()
	}
	for id, at := range <-accepted {
		took = append(took, max(0, came[id].Sub(at)))
	}
	return took
}

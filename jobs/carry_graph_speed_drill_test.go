//go:build drill

package jobs_test

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/channels"
	"heliograph/app/channels/carry"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/keyring"
	"heliograph/app/outbound"
	"heliograph/app/web/api"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/jobs"
)

// swift stands in for both upstreams, takes everything at once, and answers as they do: one
// with its id of the message, the other with the message that it made.
func swift(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	switch {
	case r.URL.Path == "/token":
		fmt.Fprint(w, `{"access_token":"t","expires_in":3600}`)
	case strings.HasSuffix(r.URL.Path, "/messages"):
		fmt.Fprintf(w, `{"messages":[{"id":"wamid.%s"}]}`, uuid.NewString())
	default:
		fmt.Fprintf(w, `{"name":"phones/+919810000000/agentMessages/%s","sendTime":"2026-11-28T09:30:00.000000Z"}`, uuid.NewString())
	}
}

// paths are a bundle with a live organisation that sends through both upstreams.
type paths struct {
	*bundle
	organisation int64
	address      string // of the web process
}

func newPaths(t *testing.T) *paths {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(swift))
	t.Cleanup(server.Close)
	b := prepare(t, func(d *jobs.Deps) {
		d.Gateways = outbound.New(outbound.Options{AllowLoopback: true, Idle: carry.Handovers})
	})
	listener := db.NewListener(b.pool)
	b.deps.Routes = pipeline.NewRoutes(b.pool, listener)
	dbtest.Listen(t, listener)
	p := &paths{bundle: b, organisation: b.number.OrganisationID}
	b.exec(t, `update organisations set sandbox = false where id = $1`, p.organisation)
	b.exec(t, `insert into rcs_bots (id, organisation_id, name, profile) values ($1, $2, 'Lamps', '{}')`, liveBot, p.organisation)
	b.addRBM(t, server.URL)
	b.exec(t, `
		with c as (insert into carriers (name, kind, url, settings, secret) values ('upstream', 'graph', $1, json_build_object('version', 'v23.0', 'per_second', '1000', 'numbers', $2::text), $3) returning id)
		insert into carrier_routes (channel, carrier_id) select 'messaging', id from c`, server.URL, p.numbers(), sealSecret(b))
	router := echo.New()
	events := &rcs.CarrierEvents{DB: b.pool, Keyring: b.keyring, Jobs: b.client, Channels: channels.Declared()}
	router.Any(pipeline.ReportPrefix+"/*", api.NewReports(nil, events, &messaging.Upstreams{DB: b.pool, Keyring: b.keyring, Jobs: b.client}, 8).Handle)
	web := httptest.NewServer(router)
	t.Cleanup(web.Close)
	p.address = web.URL
	return p
}

// senders is how many numbers of the upstream send in turns. Each is paced to 1,000
// messages a second, which is less than one worker carries.
const senders = 16

// numbers are the ids of the senders with the ids of the upstream, as the setting of a
// carrier has them.
func (p *paths) numbers() string {
	lines := []string{fmt.Sprintf("%d %s", p.number.ID, theirNumber)}
	for i := 1; i < senders; i++ {
		lines = append(lines, fmt.Sprintf("%d %s%02d", p.number.ID+int64(i), theirNumber, i))
	}
	return strings.Join(lines, "\n")
}

// sender returns the sender of the ith message of the messaging channel.
func (p *paths) sender(i int) string { return fmt.Sprint(p.number.ID + int64(i%senders)) }

// bot returns the sender of all messages of RCS.
func (p *paths) bot(int) string { return liveBot }

// acceptMany stores messages of a channel, which nobody carries yet.
func (p *paths) acceptMany(t *testing.T, channel string, sender func(i int) string, payload string, n int) {
	t.Helper()
	group := pipeline.Group{}
	for i := range n {
		group.Messages = append(group.Messages, models.Message{
			ID: uuid.Must(uuid.NewV7()), OrganisationID: p.organisation, Channel: channel, Sender: sender(i), Recipient: fmt.Sprintf("91981%07d", i),
			Kind: "text", Payload: []byte(payload), TTL: 3600, Category: "service", CreatedAt: time.Now(),
		})
		if len(group.Messages) == 100 || i == n-1 {
			if _, err := pipeline.NewAcceptor(p.pool, nil).Accept(t.Context(), group); err != nil {
				t.Fatal(err)
			}
			group.Messages = nil
		}
	}
}

// handOver accepts n messages of a channel, and returns how many of them were handed over
// in a second.
func (p *paths) handOver(t *testing.T, channel string, n int) float64 {
	t.Helper()
	if channel == rcs.Channel {
		p.acceptMany(t, channel, p.bot, `{"contentMessage":{"text":"Your lamp is ready."}}`, n)
	} else {
		p.acceptMany(t, channel, p.sender, `{"messaging_product":"whatsapp","type":"text","text":{"body":"Your lamp is ready."}}`, n)
	}
	return p.carry(t, channel, n)
}

// carry returns how many of n accepted messages of a channel were handed over in a second.
func (p *paths) carry(t *testing.T, channel string, n int) float64 {
	t.Helper()
	began, before := time.Now(), p.sent(t, channel)
	stop := p.workUntil(t, slog.New(slog.DiscardHandler))
	defer stop()
	for p.sent(t, channel) < before+n {
		if time.Sleep(20 * time.Millisecond); time.Since(began) > 2*time.Minute {
			t.Fatalf("%d of %d messages of %s were sent", p.sent(t, channel)-before, n, channel)
		}
	}
	return float64(n) / time.Since(began).Seconds()
}

// sent counts the messages of a channel that a carrier took.
func (p *paths) sent(t *testing.T, channel string) int {
	t.Helper()
	return p.count(t, `select count(*) from messages where channel = $1 and state = 'sent'`, channel)
}

// postGraph posts an inbound message of the number.
func (p *paths) postGraph(i int) error {
	body := fmt.Appendf(nil, `{"entry":[{"id":"1","changes":[{"field":"messages","value":{"metadata":{"phone_number_id":%q},"contacts":[{"wa_id":"91981%07d","user_id":"IN.%d"}],
		"messages":[{"from":"91981%07d","id":"wamid.IN%d","timestamp":"1","type":"text","text":{"body":"Hello"}}]}}]}]}`, theirNumber, i, i, i, i)
	return p.postTo(messaging.UpstreamPath("upstream"), "X-Hub-Signature-256", signedByApp(body), body)
}

// postRBM posts an inbound message of the bot.
func (p *paths) postRBM(i int) error {
	data := fmt.Appendf(nil, `{"agentId":"lamps_agent","senderPhoneNumber":"+91981%07d","messageId":"in-%d","text":"Hello"}`, i, i)
	mac := hmac.New(sha512.New, []byte("quiet-lantern"))
	mac.Write(data)
	body := fmt.Appendf(nil, `{"message":{"data":%q}}`, base64.StdEncoding.EncodeToString(data))
	return p.postTo(pipeline.ReportPrefix+"/google/rcs/events", "X-Goog-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)), body)
}

var poster = &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

func (p *paths) postTo(path, header, signature string, body []byte) error {
	req, err := http.NewRequest(http.MethodPost, p.address+path, strings.NewReader(string(body)))
	if err != nil {
		return err
	}
	req.Header.Set(header, signature)
	req.Header.Set("Content-Type", "application/json")
	res, err := poster.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if answer, err := io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s %w", res.Status, answer, err)
	}
	return nil
}

// receive returns how many posts were answered in a second.
func receive(t *testing.T, n int, post func(i int) error) float64 {
	t.Helper()
	began := time.Now()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := int(next.Add(1)); i <= n; i = int(next.Add(1)) {
				if err := post(i); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	return float64(n) / time.Since(began).Seconds()
}

// least is how fast the paths of the Graph API are beside the ones of RCS Business
// Messaging. RBM knows idempotency and our ids. A hand-over to the Graph API is recorded
// before it is dialled, and the id that comes back is kept: two more rows of a message.
var least = map[string]float64{"hand-overs": 0.85, "posts": 0.9}

// TestDrillGraphSpeed measures the paths of an upstream that speaks the Graph API beside
// the ones of RCS Business Messaging, in turns: hand-overs, and posts that are answered.
// Then it posts 100 times a second while the worker reads.
func TestDrillGraphSpeed(t *testing.T) {
	const sends, posts, rounds, warm = 12000, 2000, 9, 500
	ratios := map[string][]float64{}
	for round := range rounds {
		p := newPaths(t)
		order := []string{messaging.Channel, rcs.Channel}
		if round%2 == 1 {
			slices.Reverse(order)
		}
		for _, channel := range order { // a worker that has just started keeps house first
			p.handOver(t, channel, warm)
		}
		rates := map[string]float64{}
		for _, channel := range order {
			rates[channel] = p.handOver(t, channel, sends)
		}
		graph, rbm := rates[messaging.Channel], rates[rcs.Channel]
		inGraph := receive(t, posts, func(i int) error { return p.postGraph(round*posts + i) })
		inRBM := receive(t, posts, func(i int) error { return p.postRBM(round*posts + i) })
		t.Logf("round %d: %.0f hand-overs a second, %.0f by RBM; %.0f posts a second, %.0f by RBM", round+1, graph, rbm, inGraph, inRBM)
		ratios["hand-overs"], ratios["posts"] = append(ratios["hand-overs"], graph/rbm), append(ratios["posts"], inGraph/inRBM)
	}
	for what, all := range ratios {
		slices.Sort(all)
		if median := all[len(all)/2]; median < least[what] {
			t.Errorf("%s are %.2f times as fast as by RBM, want %.2f at least: %.2f", what, median, least[what], all)
		} else {
			t.Logf("%s are %.2f times as fast as by RBM", what, median)
		}
	}
	p := newPaths(t)
	p.work(t, slog.New(slog.DiscardHandler))
	const paced = 2000
	took := make([]time.Duration, paced)
	var wg sync.WaitGroup
	for i, tick := 0, time.NewTicker(10*time.Millisecond); i < paced; i++ {
		<-tick.C
		wg.Go(func() {
			began := time.Now()
			if err := p.postGraph(i); err != nil {
				t.Error(err)
			}
			took[i] = time.Since(began)
		})
	}
	wg.Wait()
	slices.Sort(took)
	if p99 := took[paced*99/100]; p99 > 250*time.Millisecond {
		t.Errorf("at 100 posts a second the 99th percentile is %v, want 250 ms at most", p99)
	} else {
		t.Logf("at 100 posts a second the median is %v and the 99th percentile %v", took[paced/2], p99)
	}
	for end := time.Now().Add(time.Minute); p.count(t, `select count(*) from inbound_messages where channel = 'messaging'`) < paced; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not every message is stored within a minute")
		}
	}
}

// sealSecret returns the sealed secret of the carrier.
func sealSecret(b *bundle) []byte {
	text, err := json.Marshal(map[string]string{"access_token": "token-1", "app_secret": appSecret})
	if err != nil {
		panic(err)
	}
	return b.keyring.Seal(text, keyring.Place("carriers", "secret", "upstream"))
}

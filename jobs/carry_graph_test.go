package jobs_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/jobs"
	"heliograph/storage"
)

// upstream stands in for an upstream that speaks the Graph API, and keeps what it was
// sent. What it does with a message depends on the recipient.
type upstream struct {
	*httptest.Server
	mu     sync.Mutex
	sent   []map[string]any // the messages that it took
	tries  map[string]int   // by recipient
	files  int              // that were uploaded
	tokens map[string]bool
}

const (
	appSecret   = "quiet-lantern"
	theirNumber = "106540352242922"
)

func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.tokens[r.Header.Get("Authorization")] = true
	switch {
	case r.Method == http.MethodPost && r.URL.Path == "/v23.0/"+theirNumber+"/media":
		file, header, err := r.FormFile("file")
		if err != nil || r.FormValue("messaging_product") != "whatsapp" || r.FormValue("type") != header.Header.Get("Content-Type") {
			http.Error(w, `{"error":{"code":100,"message":"no file"}}`, http.StatusBadRequest)
			return
		}
		_, _ = io.Copy(io.Discard, file)
		u.files++
		fmt.Fprintf(w, `{"id":"9000%d"}`, u.files)
	case r.Method == http.MethodPost && r.URL.Path == "/v23.0/"+theirNumber+"/messages":
		u.takeMessage(w, r)
	case r.URL.Path == "/v23.0/77001":
		fmt.Fprintf(w, `{"url":"%s/file","mime_type":"image/png","id":"77001"}`, u.URL)
	case r.URL.Path == "/file":
		fmt.Fprint(w, png)
	default:
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"error":{"code":100,"error_subcode":33,"message":"(#100) Unsupported get request"}}`)
	}
}

func (u *upstream) takeMessage(w http.ResponseWriter, r *http.Request) {
	var m map[string]any
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	to, _ := m["to"].(string)
	u.tries[to]++
	refuse := func(status int, body string) {
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
	switch {
	case strings.HasSuffix(to, "0429") && u.tries[to] == 1:
		w.Header().Set("Retry-After", "7")
		refuse(http.StatusTooManyRequests, `{"error":{"code":130429,"message":"(#130429) Rate limit hit","error_data":{"details":"Too many messages."}}}`)
		return
	case strings.HasSuffix(to, "0026"):
		refuse(http.StatusBadRequest, `{"error":{"code":131026,"message":"(#131026) Message undeliverable","error_data":{"details":"The recipient is not on the channel."}}}`)
		return
	case strings.HasSuffix(to, "0190"):
		refuse(http.StatusUnauthorized, `{"error":{"code":190,"message":"Invalid OAuth access token."}}`)
		return
	}
	u.sent = append(u.sent, m)
	if strings.HasSuffix(to, "0500") && u.tries[to] == 1 {
		w.WriteHeader(http.StatusBadGateway) // it has the message all the same
		return
	}
	fmt.Fprintf(w, `{"messages":[{"id":"wamid.UP%d"}]}`, len(u.sent))
}

// took returns the messages to a recipient that it took, or all receipts for "".
func (u *upstream) took(to string) (found []map[string]any) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, m := range u.sent {
		if sentTo, _ := m["to"].(string); sentTo == to {
			found = append(found, m)
		}
	}
	return found
}

// live is a bundle of a live organisation behind an upstream.
type live struct {
	*bundle
	up      *upstream
	posts   *messaging.Upstreams
	parking *pipeline.Parking
}

// goLive starts the worker of a live organisation.
func goLive(t *testing.T) *live {
	t.Helper()
	l := prepareLive(t)
	l.work(t, slog.New(slog.DiscardHandler))
	return l
}

// prepareLive makes a live organisation with a carrier to an upstream.
func prepareLive(t *testing.T) *live {
	t.Helper()
	up := &upstream{tries: map[string]int{}, tokens: map[string]bool{}}
	up.Server = httptest.NewServer(up)
	t.Cleanup(up.Close)
	b := prepare(t, func(d *jobs.Deps) { d.Gateways = outbound.New(outbound.Options{AllowLoopback: true}) })
	b.deps.Routes = pipeline.NewRoutes(b.pool, db.NewListener(nil))
	b.exec(t, `update organisations set sandbox = false where id = $1`, b.number.OrganisationID)
	secret := b.keyring.Seal([]byte(`{"access_token":"token-1","app_secret":"`+appSecret+`"}`), keyring.Place("carriers", "secret", "upstream"))
	b.exec(t, `
		with c as (insert into carriers (name, kind, url, settings, secret) values ('upstream', 'graph', $1, json_build_object('version', 'v23.0', 'numbers', $2::text), $3) returning id)
		insert into carrier_routes (channel, carrier_id) select 'messaging', id from c`, up.URL, fmt.Sprintf("%d %s", b.number.ID, theirNumber), secret)
	l := &live{bundle: b, up: up}
	l.posts = &messaging.Upstreams{DB: b.pool, Keyring: b.keyring, Jobs: b.client}
	l.parking = &pipeline.Parking{DB: b.pool, Jobs: b.client, Channels: channels.Declared()}
	return l
}

// post posts changes of the number as the upstream does.
func (l *live) post(t *testing.T, value string) {
	t.Helper()
	body := fmt.Appendf(nil, `{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":{"messaging_product":"whatsapp","metadata":{"display_phone_number":"15550783881","phone_number_id":%q},%s}}]}]}`, theirNumber, value)
	if err := l.posts.Receive(t.Context(), "upstream", body, signedByApp(body)); err != nil {
		t.Fatal(err)
	}
}

func signedByApp(body []byte) string {
	mac := hmac.New(sha256.New, []byte(appSecret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// read waits until no post is left to read.
func (l *live) read(t *testing.T) {
	t.Helper()
	l.until(t, "all posts are read", func() bool { return l.count(t, `select count(*) from upstream_posts`) == 0 })
}

func (l *live) until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(90 * time.Second); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("within 90 s it is not so that %s", what)
		}
	}
}

// write makes a person write to the number.
func (l *live) write(t *testing.T, from, id string) {
	t.Helper()
	l.post(t, fmt.Sprintf(`"contacts":[{"wa_id":%q,"user_id":"IN.1","profile":{"name":"Asha"}}],"messages":[{"from":%q,"id":%q,"timestamp":"%d","type":"text","text":{"body":"Hello"}}]`, from, from, id, time.Now().Unix()))
	l.read(t)
}

// sendTo sends a text and returns its id.
func (l *live) sendTo(t *testing.T, to string) uuid.UUID {
	t.Helper()
	l.exec(t, `insert into conversations (phone_number_id, contact, last_inbound_at) values ($1, $2, now()) on conflict do nothing`, l.number.ID, to)
	id, _ := messaging.ParseMessageID(l.send(t, "+"+to))
	return id
}

func (l *live) reaches(t *testing.T, id uuid.UUID, state string) {
	t.Helper()
	l.until(t, "message "+id.String()+" is "+state, func() bool { return l.stateOf(t, id) == state })
}

// A message goes to the upstream in its own words. Statuses move it, a refusal fails it
// with what the upstream said, and a pace that is too fast only delays it.
func TestMessagesGoToAnUpstream(t *testing.T) {
	t.Parallel()
	l := goLive(t)
	calls, _ := l.hook(t)
	id := l.sendTo(t, "919812345678")
	l.reaches(t, id, "sent")
	sent := l.up.took("919812345678")
	want := map[string]any{
		"messaging_product": "whatsapp", "recipient_type": "individual", "to": "919812345678", "type": "text", "biz_opaque_callback_data": messaging.MessageID(id),
		"text": map[string]any{"body": "Hello"},
	}
	if len(sent) != 1 || fmt.Sprint(sent[0]) != fmt.Sprint(want) || !l.up.tokens["Bearer token-1"] {
		t.Errorf("the upstream got %v, want %v", sent, want)
	}
	refused := l.sendTo(t, "919812340026")
	l.reaches(t, refused, "failed")
	if f := l.failureOf(t, refused); !strings.Contains(f, "131026") || !strings.Contains(f, "Message undeliverable") || !strings.Contains(f, "The recipient is not on the channel.") {
		t.Errorf("a refusal is stored as %s", f)
	}
	fast := l.sendTo(t, "919812340429")
	l.until(t, "the pace was too fast", func() bool {
		return l.count(t, `select count(*) from carriages where message_id = $1 and state = 'waiting'`, fast) == 1
	})
	l.until(t, "it waits as long as Retry-After says", func() bool {
		return l.count(t, `select count(*) from river.river_job where kind = 'carry_message' and args->>'message_id' = $1 and state = 'scheduled' and scheduled_at - now() between '3 s' and '7 s'`, fast.String()) == 1
	})
	revoked := l.sendTo(t, "919812340190")
	l.until(t, "the health says that the token is wrong", func() bool {
		return l.count(t, `select count(*) from carrier_minutes where carrier = 'upstream' and error like '%190 Invalid OAuth access token.%'`) > 0
	})
	if state := l.stateOf(t, revoked); state != "accepted" {
		t.Errorf("a message without a token is %s, want it to wait", state)
	}
	l.post(t, fmt.Sprintf(`"statuses":[{"id":"wamid.UP1","status":"delivered","timestamp":"%d","recipient_id":"919812345678","biz_opaque_callback_data":%q,"unknown":{"a":[1]}},{"id":"wamid.UP1","status":"hovering"}]`, time.Now().Unix(), messaging.MessageID(id)))
	l.reaches(t, id, "delivered")
	l.post(t, `"statuses":[{"id":"wamid.UP1","status":"read","timestamp":"1"}]`) // by the upstream's id alone
	l.reaches(t, id, "read")
	for _, state := range []string{"sent", "delivered", "read"} {
		l.until(t, "the partner gets "+state, func() bool {
			return slices.ContainsFunc(calls(), func(c string) bool {
				return strings.Contains(c, `"status":"`+state+`"`) && strings.Contains(c, `"id":"`+messaging.MessageID(id)+`"`) && strings.Contains(c, `"biz_opaque_callback_data":"order-7"`)
			})
		})
	}
}

// hook sets a webhook and returns the bodies that it got.
func (l *live) hook(t *testing.T) (calls func() []string, url string) {
	t.Helper()
	var mu sync.Mutex
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		bodies = append(bodies, string(body))
	}))
	t.Cleanup(server.Close)
	l.setWebhook(t, server.URL)
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(bodies)
	}, server.URL
}

// A hand-over is never repeated by itself when its answer was lost. A
// status settles it, or a person.
func TestAHandOverWithoutAnAnswerWaitsForAPerson(t *testing.T) {
	t.Parallel()
	l := goLive(t)
	ids := map[string]uuid.UUID{}
	for _, to := range []string{"919812310500", "919812320500", "919812330500", "919812340500", "919812350500"} {
		ids[to] = l.sendTo(t, to)
	}
	l.until(t, "all are handed over", func() bool {
		return l.count(t, `select count(*) from carriages where state = 'dialling'`) == 5 && len(l.up.took("919812350500")) == 1
	})
	reported := ids["919812310500"]
	l.post(t, fmt.Sprintf(`"statuses":[{"id":"wamid.UPX","status":"delivered","timestamp":"1","biz_opaque_callback_data":%q}]`, messaging.MessageID(reported)))
	l.reaches(t, reported, "delivered")
	l.exec(t, `update carriages set updated_at = now() - interval '6 minutes' where state = 'dialling'`)
	l.hasten(t, func() bool { return l.count(t, `select count(*) from parked_parts`) == 4 })
	parts, err := l.parking.List(t.Context())
	if err != nil || len(parts) != 4 || parts[0].Carrier != "upstream" || parts[0].Organisation == "" {
		t.Fatalf("parked are %+v, %v", parts, err)
	}
	late := ids["919812350500"] // a status comes after all
	l.post(t, fmt.Sprintf(`"statuses":[{"id":"wamid.UPY","status":"sent","timestamp":"1","biz_opaque_callback_data":%q}]`, messaging.MessageID(late)))
	l.reaches(t, late, "sent")
	if err := l.parking.Decide(t.Context(), late, pipeline.ParkedAgain, "admin:1"); !fault.Is(err, fault.Conflict) {
		t.Errorf("deciding about a message that has moved: %v", err)
	}
	for to, decision := range map[string]string{"919812320500": pipeline.ParkedArrived, "919812330500": pipeline.ParkedAgain, "919812340500": pipeline.ParkedFailed} {
		if err := l.parking.Decide(t.Context(), ids[to], decision, "admin:1"); err != nil {
			t.Errorf("%s: %v", decision, err)
		}
		l.reaches(t, ids[to], map[bool]string{true: "failed", false: "sent"}[decision == pipeline.ParkedFailed])
		if n, want := len(l.up.took(to)), map[bool]int{true: 2, false: 1}[decision == pipeline.ParkedAgain]; n != want {
			t.Errorf("%s: the upstream has the message %d times, want %d", decision, n, want)
		}
		if n := l.count(t, `select count(*) from audit_entries where action = 'message.parked_' || $1`, decision); n != 1 {
			t.Errorf("%s is in the audit %d times", decision, n)
		}
	}
	if parts, err := l.parking.List(t.Context()); err != nil || len(parts) != 0 {
		t.Errorf("still parked: %+v, %v", parts, err)
	}
	l.hasten(t, func() bool {
		return l.count(t, `select count(*) from river.river_job where kind = 'carry_message' and state <> 'completed'`) == 0
	})
	for to := range ids {
		if n, want := len(l.up.took(to)), map[bool]int{true: 2, false: 1}[to == "919812330500"]; n != want {
			t.Errorf("in the end the upstream has the message to %s %d times, want %d", to, n, want)
		}
	}
}

// Four statuses end alike in each of their 24 orders, also before the answer to the
// hand-over, and each state reaches the partner once.
func TestStatusesInAnyOrder(t *testing.T) {
	t.Parallel()
	l := goLive(t)
	n := 0
	var permute func(done, left []string)
	permute = func(done, left []string) {
		if len(left) > 0 {
			for i := range left {
				rest := slices.Delete(slices.Clone(left), i, i+1)
				permute(append(slices.Clone(done), left[i]), rest)
			}
			return
		}
		n++
		id := l.sendTo(t, fmt.Sprintf("919812%02d", n)+map[bool]string{true: "0500", false: "5678"}[n%2 == 0]) // every second one has no answer
		l.until(t, "it is handed over", func() bool { return l.count(t, `select count(*) from carriages where message_id = $1`, id) == 1 })
		for _, status := range done {
			for range 1 + n%2 {
				l.post(t, fmt.Sprintf(`"statuses":[{"id":"wamid.P%d","status":%q,"timestamp":"1","biz_opaque_callback_data":%q}]`, n, status, messaging.MessageID(id)))
			}
		}
		l.read(t)
		l.reaches(t, id, "read")
	}
	permute(nil, []string{"sent", "delivered", "read", "played"})
	if n != 24 {
		t.Fatalf("%d orders", n)
	}
	if twice := l.count(t, `select count(*) from (select from message_events group by message_id, state having count(*) > 1) e`); twice != 0 {
		t.Errorf("%d states are stored twice", twice)
	}
}

// What people send arrives once, with our ids in place of the upstream's and everything
// else as it came.
func TestPeopleWriteThroughAnUpstream(t *testing.T) {
	t.Parallel()
	l := goLive(t)
	calls, _ := l.hook(t)
	id := l.sendTo(t, "919812345678")
	l.reaches(t, id, "sent")
	const from = "919812345678"
	message := func(kind, id, content string) string {
		return fmt.Sprintf(`{"from":%q,"from_user_id":"IN.13491208655302741918","id":%q,"timestamp":"%d","type":%q,%s}`, from, id, time.Now().Unix(), kind, content)
	}
	all := strings.Join([]string{
		message("text", "wamid.IN1", `"text":{"body":"Where is it?"},"context":{"from":"15550783881","id":"wamid.UP1"},"fresh":{"member":true}`),
		message("image", "wamid.IN2", `"image":{"id":"77001","mime_type":"image/png","sha256":"x","caption":"This one","url":"https://lookaside.example.com/secret"}`),
		message("reaction", "wamid.IN3", `"reaction":{"message_id":"wamid.UP1","emoji":"👍"}`),
		message("document", "wamid.IN4", `"document":{"id":"77999","mime_type":"application/pdf","filename":"gone.pdf"}`),
		message("location", "wamid.IN5", `"location":{"latitude":12.5,"longitude":77.5}`),
		message("contacts", "wamid.IN6", `"contacts":[{"name":{"formatted_name":"Asha","first_name":"Asha"},"origin":"request"}]`),
		message("button", "wamid.IN7", `"button":{"payload":"p","text":"Yes"}`),
		message("interactive", "wamid.IN8", `"interactive":{"type":"list_reply","list_reply":{"id":"a","title":"A"}}`),
		message("order", "wamid.IN9", `"order":{"catalog_id":"1","product_items":[{"product_retailer_id":"r","quantity":2,"item_price":5.5,"currency":"INR"}]}`),
		message("system", "wamid.IN10", `"system":{"body":"changed","type":"user_changed_number","wa_id":"919812345670"}`),
		message("hologram", "wamid.IN11", `"hologram":{"depth":3}`),
		message("text", "wamid.IN12", `"text":["not","an","object"]`),
		`{"id":"wamid.IN13","type":"text"}`, `"nothing"`,
	}, ",")
	for range 3 {
		l.post(t, `"contacts":[{"wa_id":"919812345678","user_id":"IN.13491208655302741918","profile":{"name":"Asha","username":"asha"}}],"messages":[`+all+`]`)
	}
	l.read(t)
	if n := l.count(t, `select count(*) from inbound_messages`); n != 12 {
		t.Errorf("%d messages are stored, want 12", n)
	}
	l.until(t, "the partner has all", func() bool { return len(calls()) == 13 })
	find := func(kind string) (message, contact map[string]any) {
		for _, call := range calls() {
			var c struct {
				Entry []struct {
					Changes []struct {
						Value struct{ Messages, Contacts []map[string]any }
					}
				}
			}
			if err := json.Unmarshal([]byte(call), &c); err != nil {
				t.Fatal(err)
			}
			if v := c.Entry[0].Changes[0].Value; len(v.Messages) == 1 && v.Messages[0]["type"] == kind {
				if _, odd := v.Messages[0]["text"].([]any); !odd {
					return v.Messages[0], v.Contacts[0]
				}
			}
		}
		t.Fatalf("no %s reached the partner", kind)
		return nil, nil
	}
	text, contact := find("text")
	quoted, _ := text["context"].(map[string]any)
	if quoted["id"] != messaging.MessageID(id) || quoted["from"] != l.number.Number[1:] || fmt.Sprint(text["fresh"]) != "map[member:true]" || text["from_user_id"] != "IN.13491208655302741918" || strings.Contains(fmt.Sprint(text), "wamid.IN1 ") {
		t.Errorf("the text is %v", text)
	}
	if profile, _ := contact["profile"].(map[string]any); profile["username"] != "asha" || contact["user_id"] != "IN.13491208655302741918" {
		t.Errorf("the contact is %v", contact)
	}
	image, _ := find("image")
	described, _ := image["image"].(map[string]any)
	media, err := l.service.Media.Get(t.Context(), l.number.OrganisationID, fmt.Sprint(described["id"]))
	if err != nil || media.MIMEType != "image/png" || described["url"] != nil || described["caption"] != "This one" {
		t.Errorf("the image is %v: %+v, %v", described, media, err)
	}
	key, err := storage.ParseKey(media.Object)
	if err != nil {
		t.Fatal(err)
	}
	file, err := storage.Open(t.Context(), l.deps.Store, key)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(file)
	if err = errors.Join(err, file.Close()); err != nil || string(content) != png {
		t.Errorf("the file is %q, %v", content, err)
	}
	reaction, _ := find("reaction")
	if r, _ := reaction["reaction"].(map[string]any); r["message_id"] != messaging.MessageID(id) {
		t.Errorf("the reaction is %v", reaction)
	}
	if gone, _ := find("document"); !strings.Contains(fmt.Sprint(gone["errors"]), "131052") || gone["document"] != nil {
		t.Errorf("a file that is gone: %v", gone)
	}
	if odd, _ := find("hologram"); fmt.Sprint(odd["hologram"]) != "map[depth:3]" {
		t.Errorf("an unknown type: %v", odd)
	}
	if n := l.count(t, `select count(*) from media`); n != 1 {
		t.Errorf("%d files are kept, want 1", n)
	}
}

// Files go to the upstream once, whatever the number of messages. Replies, reactions
// and read receipts name the upstream's messages.
func TestIDsAreTranslatedOutward(t *testing.T) {
	t.Parallel()
	l := goLive(t)
	const to = "919812345678"
	l.write(t, to, "wamid.IN1")
	var inbound uuid.UUID
	if err := l.pool.QueryRow(t.Context(), `select id from inbound_messages`).Scan(&inbound); err != nil {
		t.Fatal(err)
	}
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("file", "lamp.png")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(part, png); err != nil || writer.Close() != nil {
		t.Fatal(err)
	}
	reply, err := l.service.Media.Upload(t.Context(), l.number, multipart.NewReader(&form, writer.Boundary()), "")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ ID string }
	if err := json.Unmarshal(reply.Body, &file); err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{
		`"type":"image","image":{"id":"` + file.ID + `"}`, `"type":"image","image":{"id":"` + file.ID + `","caption":"Again"}`,
		`"type":"interactive","interactive":{"type":"button","header":{"type":"image","image":{"id":"` + file.ID + `"}},"body":{"text":"b"},"action":{"buttons":[{"type":"reply","reply":{"id":"1","title":"t"}}]}}`,
		`"type":"text","text":{"body":"A reply"},"context":{"message_id":"` + messaging.MessageID(inbound) + `"}`,
		`"type":"reaction","reaction":{"message_id":"` + messaging.MessageID(inbound) + `","emoji":"👍"}`,
		`"type":"text","text":{"body":"A reply to nothing"},"context":{"message_id":"` + messaging.MessageID(uuid.New()) + `"}`,
	} {
		id, _ := messaging.ParseMessageID(l.sendBody(t, `{"messaging_product":"msgapp","to":"+`+to+`",`+content+`}`))
		l.reaches(t, id, "sent")
	}
	if l.up.files != 1 {
		t.Errorf("one file was uploaded %d times", l.up.files)
	}
	sent := fmt.Sprint(l.up.took(to))
	if strings.Contains(sent, file.ID) || strings.Count(sent, "id:90001") != 3 || strings.Count(sent, "message_id:wamid.IN1") != 2 || strings.Contains(sent, messaging.MessageID(inbound)) {
		t.Errorf("the upstream got %s", sent)
	}
	unknown, _ := messaging.ParseMessageID(l.sendBody(t, `{"messaging_product":"msgapp","to":"+`+to+`","type":"reaction","reaction":{"message_id":"`+messaging.MessageID(uuid.New())+`","emoji":"👍"}}`))
	l.reaches(t, unknown, "failed")
	receipt := `{"messaging_product":"msgapp","status":"read","message_id":"` + messaging.MessageID(inbound) + `","typing_indicator":{"type":"text"}}`
	if _, err := l.service.Sender.Send(t.Context(), l.number, []byte(receipt), ""); err != nil {
		t.Fatal(err)
	}
	l.until(t, "the upstream knows that the message was read", func() bool {
		return slices.ContainsFunc(l.up.took(""), func(m map[string]any) bool {
			return m["status"] == "read" && m["message_id"] == "wamid.IN1" && m["messaging_product"] == "whatsapp" && m["typing_indicator"] != nil
		})
	})
}

// Posts count only with the signature of the app secret, and the challenge is answered
// with its bytes.
func TestUpstreamsAreVerified(t *testing.T) {
	t.Parallel()
	l := goLive(t)
	token := messaging.VerifyToken(l.keyring, "upstream")
	for _, tt := range []struct{ carrier, mode, token, want string }{
		{"upstream", "subscribe", token, "1158201444"}, {"upstream", "subscribe", "another", ""}, {"upstream", "unsubscribe", token, ""}, {"nobody", "subscribe", messaging.VerifyToken(l.keyring, "nobody"), ""},
	} {
		answer, err := l.posts.Challenge(t.Context(), tt.carrier, url.Values{"hub.mode": {tt.mode}, "hub.verify_token": {tt.token}, "hub.challenge": {"1158201444"}})
		if answer != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s %s: %q, %v", tt.carrier, tt.mode, answer, err)
		}
	}
	body := []byte(`{"entry":[]}`)
	for signature, kind := range map[string]fault.Kind{"": fault.Forbidden, "sha256=00": fault.Forbidden, signedByApp([]byte(`{}`)): fault.Forbidden} {
		if err := l.posts.Receive(t.Context(), "upstream", body, signature); !fault.Is(err, kind) {
			t.Errorf("signature %q: %v", signature, err)
		}
	}
	if err := l.posts.Receive(t.Context(), "nobody", body, signedByApp(body)); !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown carrier: %v", err)
	}
	if n := l.count(t, `select count(*) from carrier_minutes where carrier = 'upstream' and error like '%not signed%'`); n != 1 {
		t.Errorf("wrong signatures are counted %d times, want once a minute", n)
	}
	// Accounts that are not ours, and bodies of another shape, are read and stop nothing.
	for _, body := range []string{`{"entry":[]}`, `{"entry":"no"}`, `[]`, `{"entry":[{"changes":[{"field":"account_update","value":{"event":"DISABLED_UPDATE"}},{"field":"messages","value":{"metadata":{"phone_number_id":"1"},"messages":[{}]}},{"field":"messages","value":7}]}]}`} {
		if err := l.posts.Receive(t.Context(), "upstream", []byte(body), signedByApp([]byte(body))); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
	l.read(t)
	if n := l.count(t, `select count(*) from inbound_messages`); n != 0 {
		t.Errorf("%d messages of other accounts are stored", n)
	}
}

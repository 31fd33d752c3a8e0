package jobs_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/assets"
	"heliograph/app/channels/messaging/shop"
	"heliograph/app/channels/pipeline"
	"heliograph/app/input"
	"heliograph/db/models"
	"heliograph/jobs/args"
)

// cabinet stands in for what an upstream has of a number and a catalogue.
type cabinet struct {
	mu       sync.Mutex
	down     bool // nothing can be reached
	profile  map[string]any
	key      string
	keyState string
	codes    map[string]string // messages by code
	made     int
	lost     bool              // the answer to the next creation of a code is lost
	products map[string]string // names by retailer id
	payments string
	uploads  int
}

const theirCatalogue = "204455667788"

func (u *cabinet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.down {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	var body map[string]any
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
	}
	switch call := r.Method + " " + strings.Replace(strings.TrimPrefix(r.URL.Path, "/v23.0/"), theirNumber, "number", 1); call {
	case "POST app/uploads":
		fmt.Fprint(w, `{"id":"upload:cGljdHVyZQ?sig=abc"}`)
	case "POST upload:cGljdHVyZQ":
		u.uploads++
		fmt.Fprint(w, `{"h":"4::aW1hZ2U="}`)
	case "GET number/whatsapp_business_profile":
		text, _ := json.Marshal(map[string]any{"data": []any{u.profile}})
		_, _ = w.Write(text)
	case "POST number/whatsapp_business_profile":
		if body["about"] == "Forbidden" {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":{"code":100,"message":"(#100) Invalid parameter","error_user_msg":"The text breaks the rules."}}`)
			return
		}
		u.profile = body
		fmt.Fprint(w, `{"success":true}`)
	case "GET number/whatsapp_business_encryption":
		text, _ := json.Marshal(map[string]any{"data": []any{map[string]string{"business_public_key": u.key, "business_public_key_signature_status": u.keyState}}})
		_, _ = w.Write(text)
	case "POST number/whatsapp_business_encryption":
		u.key, u.keyState = r.FormValue("business_public_key"), "VALID"
		fmt.Fprint(w, `{"success":true}`)
	case "GET number/message_qrdls":
		list := []map[string]string{}
		for code, message := range u.codes {
			list = append(list, map[string]string{"code": code, "prefilled_message": message, "deep_link_url": "https://wa.example/message/" + code})
		}
		text, _ := json.Marshal(map[string]any{"data": list})
		_, _ = w.Write(text)
	case "POST number/message_qrdls":
		u.saveCode(w, body)
	case "POST " + theirCatalogue + "/batch":
		u.changeProducts(w, body)
	case "GET " + theirCatalogue + "/check_batch_request_status":
		fmt.Fprint(w, `{"data":[{"handle":"b1","status":"finished","errors":[{"line":1,"id":"LAMP-2","message":"The picture cannot be read."}],"errors_total_count":1}]}`)
	case "GET number/payments/upi-main/INV-9":
		fmt.Fprint(w, u.payments)
	default:
		if code, ok := strings.CutPrefix(call, "DELETE number/message_qrdls/"); ok && u.codes[code] != "" {
			delete(u.codes, code)
			fmt.Fprint(w, `{"success":true}`)
			return
		}
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"error":{"code":100,"message":"(#100) Unsupported request"}}`)
	}
}

func (u *cabinet) saveCode(w http.ResponseWriter, body map[string]any) {
	code, _ := body["code"].(string)
	if code == "" {
		u.made++
		code = fmt.Sprintf("ABCDEFGHIJKL%d1", u.made)
	}
	u.codes[code], _ = body["prefilled_message"].(string)
	if u.lost {
		u.lost = false
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	fmt.Fprintf(w, `{"code":%q,"prefilled_message":%q,"deep_link_url":"https://wa.example/message/%s"}`, code, u.codes[code], code)
}

func (u *cabinet) changeProducts(w http.ResponseWriter, body map[string]any) {
	requests, _ := body["requests"].([]any)
	for _, r := range requests {
		change, _ := r.(map[string]any)
		id, _ := change["retailer_id"].(string)
		if change["method"] == "DELETE" {
			delete(u.products, id)
			continue
		}
		data, _ := change["data"].(map[string]any)
		u.products[id], _ = data["name"].(string)
	}
	fmt.Fprint(w, `{"handles":["b1"]}`)
}

// is waits until something at the upstream holds.
func (u *cabinet) is(t *testing.T, l *live, what string, holds func() bool) {
	t.Helper()
	l.until(t, what, func() bool {
		u.mu.Lock()
		defer u.mu.Unlock()
		return holds()
	})
}

func (u *cabinet) set(change func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	change()
}

// hurry makes jobs that wait for an upstream run now.
func (l *live) hurry(t *testing.T) {
	t.Helper()
	l.exec(t, `update river.river_job set scheduled_at = now(), state = 'available' where kind = 'push_asset' and state in ('retryable', 'scheduled')`)
}

// sync reads everything back and waits for the end.
func (l *live) sync(t *testing.T) {
	t.Helper()
	l.add(t, args.SyncAssets{})
	l.until(t, "the synchronisation has ended", func() bool {
		return l.count(t, `select count(*) from river.river_job where kind = 'sync_assets' and finalized_at is null`) == 0
	})
}

func (l *live) add(t *testing.T, job river.JobArgs) {
	t.Helper()
	if _, err := l.client.Insert(t.Context(), job, nil); err != nil {
		t.Fatal(err)
	}
}

func (l *live) about(t *testing.T, text string) {
	t.Helper()
	if err := l.service.Profiles.SetProfile(t.Context(), l.number, assets.ProfileChange{About: new(input.Text(text))}, "test"); err != nil {
		t.Fatal(err)
	}
}

// liveAt makes a live organisation with a number and a catalogue that live at a server.
func liveAt(t *testing.T, up http.Handler) *live {
	t.Helper()
	l := prepareLive(t)
	server := httptest.NewServer(up)
	t.Cleanup(server.Close)
	l.exec(t, `update carriers set url = $1, settings = json_build_object('version', 'v23.0', 'numbers', $2::text, 'catalogues', $3::text), updated_at = now()`,
		server.URL, fmt.Sprintf("%d %s", l.number.ID, theirNumber), fmt.Sprintf("%d %s", l.sandbox.CatalogueID, theirCatalogue))
	return l
}

// The profile, the key and the QR codes of a number that lives at an upstream go there,
// and what the upstream has comes back. While it cannot be reached, changes are kept.
func TestNumbersLiveUpstream(t *testing.T) {
	t.Parallel()
	up := &cabinet{profile: map[string]any{"about": "Old"}, codes: map[string]string{}}
	l := liveAt(t, up)
	l.about(t, "Filled before the worker ran")
	up.set(func() { up.down = true })
	l.work(t, slog.New(slog.DiscardHandler))
	waits := func(reason string) bool {
		return l.count(t, `select count(*) from upstream_assets where kind = 'profile' and pushed < revision and error like $1`, reason) == 1
	}
	l.until(t, "the profile waits for the upstream, with the reason", func() bool { return waits("%131016%") })
	l.about(t, "We light lamps")
	if p, err := l.service.Profiles.Profile(t.Context(), l.number); err != nil || p.About != "We light lamps" {
		t.Errorf("while the upstream is down the profile is %+v, %v", p, err)
	}
	up.set(func() { up.down = false })
	l.until(t, "the profile has arrived", func() bool {
		l.hurry(t)
		return l.count(t, `select count(*) from upstream_assets where kind = 'profile' and pushed = revision and error = ''`) == 1
	})
	up.is(t, l, "the newest text is there", func() bool {
		return up.profile["about"] == "We light lamps" && up.profile["messaging_product"] == "whatsapp"
	})
	// What was changed there is taken over, and so is what was there before a refusal.
	up.set(func() {
		up.profile["about"], up.profile["websites"] = "We repair lamps", []string{"https://lamps.example"}
	})
	l.sync(t)
	if p, err := l.service.Profiles.Profile(t.Context(), l.number); err != nil || p.About != "We repair lamps" || !slices.Equal(p.Websites, []string{"https://lamps.example"}) {
		t.Errorf("the profile that was changed there is %+v, %v", p, err)
	}
	l.about(t, "Forbidden")
	l.until(t, "the refusal is kept", func() bool {
		return l.count(t, `select count(*) from upstream_assets where kind = 'profile' and pushed = revision and error like '%breaks the rules%'`) == 1
	})
	l.sync(t)
	if p, err := l.service.Profiles.Profile(t.Context(), l.number); err != nil || p.About != "We repair lamps" {
		t.Errorf("after a refusal the profile is %+v, %v", p, err)
	}

	if err := l.service.FlowKeys.SetKey(t.Context(), l.number, "", false, "test"); err != nil {
		t.Fatal(err)
	}
	signed := func(want string) {
		t.Helper()
		l.until(t, "the key is "+want, func() bool {
			k, err := l.service.FlowKeys.PublicKey(t.Context(), l.number)
			return err == nil && k.Signature == want
		})
	}
	signed("VALID")
	up.is(t, l, "the key is there", func() bool { return strings.HasPrefix(up.key, "-----BEGIN PUBLIC KEY-----") })
	up.set(func() { up.keyState = "MISMATCH" })
	l.sync(t)
	signed("MISMATCH")
	up.set(func() { up.keyState = "VALID" })
	l.sync(t)
	signed("VALID")
	l.codesLiveUpstream(t, up)
}

func (l *live) codesLiveUpstream(t *testing.T, up *cabinet) {
	t.Helper()
	save := func(code, message string) string {
		t.Helper()
		tx, err := l.pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback(t.Context()) }()
		c, err := l.service.QRCodes.SaveQRCode(t.Context(), tx, models.QRCode{Code: code, PhoneNumberID: l.number.ID, Message: message})
		if err != nil || tx.Commit(t.Context()) != nil {
			t.Fatal(err)
		}
		return c.Code
	}
	up.set(func() { up.lost = true })
	code := save("", "Is my lamp ready?")
	has := func(theirs, message string) {
		t.Helper()
		l.until(t, theirs+" is "+message, func() bool {
			l.hurry(t)
			return l.count(t, `select count(*) from upstream_assets where kind = 'qr_code' and item = $1 and upstream_id = $2 and pushed = revision and error = ''`, code, theirs) == 1
		})
		up.is(t, l, "the message is there", func() bool { return up.codes[theirs] == message })
	}
	has("ABCDEFGHIJKL11", "Is my lamp ready?") // its creation was found, not repeated
	save(code, "Where is my lamp?")
	has("ABCDEFGHIJKL11", "Where is my lamp?")
	up.set(func() { up.codes["ABCDEFGHIJKL11"] = "I want a lamp." })
	l.sync(t)
	if n := l.count(t, `select count(*) from qr_codes where code = $1 and message = 'I want a lamp.'`, code); n != 1 {
		t.Error("the message that was changed there is not taken over")
	}
	if err := l.service.QRCodes.DeleteQRCode(t.Context(), l.number, code); err != nil {
		t.Fatal(err)
	}
	up.is(t, l, "the code is deleted there", func() bool { return len(up.codes) == 0 && up.made == 1 })
	l.until(t, "nothing is left of the code", func() bool { return l.count(t, `select count(*) from upstream_assets where kind = 'qr_code'`) == 0 })
}

// Products go to the catalogue at the upstream, with the reasons of refusals beside them.
// Payments of orders come back by posts, and by asking.
func TestCataloguesAndPaymentsLiveUpstream(t *testing.T) {
	t.Parallel()
	up := &cabinet{products: map[string]string{"LAMP-3": "Old"}, codes: map[string]string{}, profile: map[string]any{}}
	l := liveAt(t, up)
	calls, _ := l.hook(t)
	l.work(t, slog.New(slog.DiscardHandler))
	batch := func(requests string) {
		t.Helper()
		var b shop.Batch
		if err := json.Unmarshal([]byte(`{"requests":[`+requests+`]}`), &b); err != nil {
			t.Fatal(err)
		}
		key := pipeline.Key{OrganisationID: l.number.OrganisationID, Body: []byte(requests)}
		if _, err := l.service.Shop.Change(t.Context(), fmt.Sprint(l.sandbox.CatalogueID), b, key); err != nil {
			t.Fatal(err)
		}
	}
	batch(`{"method":"CREATE","retailer_id":"LAMP-1","data":{"name":"Lamp","price":21000,"currency":"INR"}},{"method":"CREATE","retailer_id":"LAMP-2","data":{"name":"Lantern"}}`)
	up.is(t, l, "both products are there", func() bool { return up.products["LAMP-1"] == "Lamp" && up.products["LAMP-2"] == "Lantern" })
	l.until(t, "the refusal of the batch is kept", func() bool {
		return l.count(t, `select count(*) from upstream_assets where item = 'LAMP-2' and error = 'The picture cannot be read.' and upstream_id = ''`) == 1
	})
	batch(`{"method":"DELETE","retailer_id":"LAMP-1"}`)
	up.is(t, l, "one is deleted there", func() bool { return up.products["LAMP-1"] == "" && up.products["LAMP-2"] == "Lantern" })
	l.until(t, "nothing is left of it", func() bool { return l.count(t, `select count(*) from upstream_assets where item = 'LAMP-1'`) == 0 })

	order := func(reference string) string {
		t.Helper()
		id := l.sendOne(t, `"type":"interactive","interactive":{"type":"order_details","body":{"text":"Your lamp"},"action":{"name":"review_and_pay","parameters":{"reference_id":"`+reference+`",
			"type":"physical-goods","payment_configuration":"upi-main","payment_type":"upi","currency":"INR","total_amount":{"value":21000,"offset":100},
			"order":{"status":"pending","items":[{"retailer_id":"LAMP-2","name":"Lantern","amount":{"value":21000,"offset":100},"quantity":1}],"subtotal":{"value":21000,"offset":100},"tax":{"value":0,"offset":100}}}}}`)
		l.until(t, "the order is handed over or waits", func() bool {
			return l.count(t, `select count(*) from carriages where message_id = $1`, id) == 1
		})
		return id.String()
	}
	paid := func(id, status, transaction string) {
		t.Helper()
		l.until(t, "the order is "+status, func() bool {
			return l.count(t, `select count(*) from orders o join payment_transactions p on p.order_id = o.message_id where o.message_id = $1::uuid and o.payment_status = $2 and p.id = $3`, id, status, transaction) == 1
		})
	}
	first := order("INV-8")
	ours, err := messageOf(first)
	if err != nil {
		t.Fatal(err)
	}
	l.post(t, `"statuses":[{"id":"wamid.PAY","type":"payment","status":"captured","timestamp":"1","recipient_id":"919812340008","biz_opaque_callback_data":"`+ours+`",
		"payment":{"reference_id":"INV-8","amount":{"value":21000,"offset":100},"currency":"INR","transaction":{"id":"upi-77","type":"upi","status":"success"}}}]`)
	l.read(t)
	paid(first, "CAPTURED", "upi-77")
	l.until(t, "the partner gets the payment", func() bool {
		return strings.Contains(strings.Join(calls(), "\n"), `"status":"captured"`) && strings.Contains(strings.Join(calls(), "\n"), "upi-77")
	})
	second := order("INV-9")
	up.set(func() {
		up.payments = `{"payments":[{"reference_id":"INV-9","status":"PENDING","transactions":[{"id":"upi-78","status":"pending","updated_timestamp":1}]}]}`
	})
	l.exec(t, `update orders set created_at = created_at - interval '5 minutes'`)
	l.sync(t)
	paid(second, "PENDING", "upi-78")
}

// messageOf returns the public id of a message.
func messageOf(id string) (string, error) {
	n, err := uuid.Parse(id)
	return messaging.MessageID(n), err
}

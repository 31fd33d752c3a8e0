package outbound_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"heliograph/app/outbound"
)

// shelf is a library with our ids behind a letter.
type shelf struct{ uploads int }

func (*shelf) UpstreamMessage(_ context.Context, _, _, id string) (string, error) {
	return "their-" + id, nil
}

func (s *shelf) UpstreamFile(ctx context.Context, _, id string, upload func(context.Context, outbound.GraphFile) (string, error)) (string, error) {
	s.uploads++
	return upload(ctx, outbound.GraphFile{Body: strings.NewReader("OggS"), Type: "audio/ogg", Name: id + ".ogg"})
}

func openTestGraph(t *testing.T, answer http.HandlerFunc) (*outbound.Graph, string) {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	settings := json.RawMessage(`{"version":"v23.0","numbers":"100000000000001 555","accounts":"100000000000002 777","catalogues":"100000000000003 888","per_second":"5"}`)
	g, err := outbound.OpenGraph(outbound.New(outbound.Options{AllowLoopback: true}), outbound.CarrierSettings{
		Name: "up", Kind: outbound.KindGraph, URL: server.URL, Settings: settings, Secret: `{"access_token":"token","app_secret":"secret"}`, Library: &shelf{},
	})
	if err != nil {
		t.Fatal(err)
	}
	return g, server.URL
}

func graphMessage(payload string) outbound.Message {
	return outbound.Message{ID: "wamid.ours", Channel: "messaging", Sender: "100000000000001", Recipient: "919812345678", Payload: []byte(payload), HandOver: 1}
}

// Messages of every kind are prepared with the upstream's ids, and the data of flows is
// left alone.
func TestGraphMessagesOfEveryKind(t *testing.T) {
	t.Parallel()
	g, _ := openTestGraph(t, func(w http.ResponseWriter, r *http.Request) {
		file, header, err := r.FormFile("file")
		if err != nil || header.Header.Get("Content-Type") != "audio/ogg; codecs=opus" || r.FormValue("type") != "audio/ogg; codecs=opus" {
			t.Errorf("an upload without its type: %v", err)
			return
		}
		if content, err := io.ReadAll(file); err != nil || string(content) != "OggS" {
			t.Errorf("the file is %q, %v", content, err)
		}
		fmt.Fprint(w, `{"id":"42"}`)
	})
	for payload, want := range map[string]string{
		`{"messaging_product":"msgapp","to":"+91 98","type":"text","text":{"body":"b"},"biz_opaque_callback_data":"order-7"}`: `{"text":{"body":"b"},"type":"text"}`,
		`{"type":"audio","audio":{"id":"7"}}`:                                    `{"audio":{"id":"42"},"type":"audio"}`,
		`{"type":"image","image":{"link":"https://a.example.com/a.png"}}`:        `{"image":{"link":"https://a.example.com/a.png"},"type":"image"}`,
		`{"type":"reaction","reaction":{"message_id":"wamid.a","emoji":"x"}}`:    `{"reaction":{"emoji":"x","message_id":"their-wamid.a"},"type":"reaction"}`,
		`{"type":"text","text":{"body":"b"},"context":{"message_id":"wamid.a"}}`: `{"context":{"message_id":"their-wamid.a"},"text":{"body":"b"},"type":"text"}`,
		`{"type":"template","template":{"name":"t","components":[{"type":"header","parameters":[{"type":"video","video":{"id":"7"}}]},{"type":"carousel","cards":[{"card_index":0,"components":[{"type":"header","parameters":[{"type":"image","image":{"id":"7"}}]}]}]}]}}`: `{"template":{"components":[{"parameters":[{"type":"video","video":{"id":"42"}}],"type":"header"},{"cards":[{"card_index":0,"components":[{"parameters":[{"image":{"id":"42"},"type":"image"}],"type":"header"}]}],"type":"carousel"}],"name":"t"},"type":"template"}`,
		`{"type":"interactive","interactive":{"type":"product","action":{"catalog_id":"100000000000003","product_retailer_id":"r"}}}`:                                                                                                                                        `{"interactive":{"action":{"catalog_id":"888","product_retailer_id":"r"},"type":"product"},"type":"interactive"}`,
		`{"type":"interactive","interactive":{"type":"flow","action":{"parameters":{"flow_action_payload":{"data":{"image":{"id":"mine"},"catalog_id":"100000000000003"}}}}}}`:                                                                                               `{"interactive":{"action":{"parameters":{"flow_action_payload":{"data":{"catalog_id":"100000000000003","image":{"id":"mine"}}}}},"type":"flow"},"type":"interactive"}`,
		`{"type":"location","location":{"latitude":12.345678901234567,"longitude":77}}`:                                                                                                                                                                                      `{"location":{"latitude":"12.345678901234567","longitude":"77"},"type":"location"}`,
	} {
		m := graphMessage(payload)
		m.Sender = "100000000000001"
		time.Sleep(200 * time.Millisecond) // five a second
		prepared, err := g.Prepare(t.Context(), m)
		if err != nil {
			t.Errorf("%s: %v", payload, err)
			continue
		}
		var got map[string]json.RawMessage
		if err := json.Unmarshal(prepared.Payload, &got); err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{"messaging_product": `"whatsapp"`, "recipient_type": `"individual"`, "to": `"919812345678"`, "biz_opaque_callback_data": `"wamid.ours"`} {
			if string(got[name]) != value {
				t.Errorf("%s: %s is %s", payload, name, got[name])
			}
			delete(got, name)
		}
		if rest, err := json.Marshal(got); err != nil || string(rest) != want {
			t.Errorf("%s\n is %s\nwant %s", payload, rest, want)
		}
	}
}

// What an upstream answers decides whether it has the message, and when to try again.
func TestGraphAnswers(t *testing.T) {
	t.Parallel()
	fault := func(code int) string {
		return fmt.Sprintf(`{"error":{"code":%d,"message":"(#%d) Title","error_data":{"details":"Details."}}}`, code, code)
	}
	for name, tt := range map[string]struct {
		status   int
		header   string // Retry-After
		body     string
		handOver int
		want     string // taken, unknown, final or later
		code     int
		wait     time.Duration
	}{
		"taken":                       {200, "", `{"messages":[{"id":"wamid.UP"}]}`, 1, "taken", 0, 0},
		"taken without an id":         {200, "", `{}`, 1, "unknown", 0, 0},
		"a server in between":         {502, "", `<html>`, 1, "unknown", 0, 0},
		"an empty error":              {500, "", `{"error":{}}`, 1, "unknown", 0, 0},
		"too fast":                    {400, "30", fault(130429), 1, "later", 130429, 30 * time.Second},
		"too fast for the pair":       {400, "", fault(131056), 1, "later", 131056, 6 * time.Second},
		"rate of the account":         {400, "", fault(80007), 1, "later", 80007, time.Second},
		"unknown to it":               {500, "", fault(131000), 1, "later", 131000, 0},
		"unknown to it for long":      {500, "", fault(2), 5, "final", 131000, 0},
		"undeliverable":               {400, "", fault(131026), 1, "final", 131026, 0},
		"window closed":               {400, "", fault(131047), 1, "final", 131047, 0},
		"a template":                  {404, "", fault(132001), 1, "final", 132001, 0},
		"an error of tomorrow":        {400, "", fault(139999), 1, "final", 139999, 0},
		"a token":                     {401, "", fault(190), 1, "later", 190, time.Minute},
		"a locked account":            {400, "", fault(131031), 1, "later", 131031, time.Minute},
		"a number without its rights": {403, "", fault(10), 1, "later", 10, time.Minute},
		"moved":                       {302, "", ``, 1, "later", 131005, time.Minute},
		"busy":                        {503, "9", ``, 1, "later", 131016, 9 * time.Second},
	} {
		g, _ := openTestGraph(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v23.0/555/messages" || r.Header.Get("Authorization") != "Bearer token" || r.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%s: %s %v", name, r.URL, r.Header)
			}
			if tt.header != "" {
				w.Header().Set("Retry-After", tt.header)
			}
			w.WriteHeader(tt.status)
			fmt.Fprint(w, tt.body)
		})
		m := graphMessage(`{}`)
		m.HandOver = tt.handOver
		receipt, err := g.Send(t.Context(), m)
		got := "unknown"
		var refusal *outbound.CarrierError
		switch {
		case err == nil:
			got = "taken"
		case errors.As(err, &refusal) && refusal.Temporary:
			got = "later"
		case refusal != nil:
			got = "final"
		}
		if got != tt.want || got == "taken" && (receipt.ProviderID != "wamid.UP" || receipt.State != outbound.Sent) {
			t.Errorf("%s: %s, %+v, %v; want %s", name, got, receipt, err, tt.want)
		}
		if refusal != nil && (refusal.Code != tt.code || refusal.Wait != tt.wait || strings.Contains(tt.body, "Details") && (refusal.Detail != "Details." || refusal.Title != "Title")) {
			t.Errorf("%s: %+v, want code %d and wait %s", name, refusal, tt.code, tt.wait)
		}
	}
}

// Messages of a number wait for their turn, and after an answer that says so only the
// pair that was too fast waits.
func TestGraphPace(t *testing.T) {
	t.Parallel()
	g, _ := openTestGraph(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":{"code":131056,"message":"Pair"}}`)
	})
	wait := func(to string) (int, time.Duration) {
		m := graphMessage(`{}`)
		m.Recipient = to
		_, err := g.Prepare(t.Context(), m)
		var refusal *outbound.CarrierError
		if errors.As(err, &refusal) && refusal.Temporary {
			return refusal.Code, refusal.Wait
		}
		return 0, 0
	}
	if _, err := g.Send(t.Context(), graphMessage(`{}`)); err == nil {
		t.Error("a pair that is too fast was taken")
	}
	if code, left := wait("919812345678"); code != 131056 || left < 5*time.Second || left > 6*time.Second {
		t.Errorf("the pair waits %s for %d", left, code)
	}
	for n := range 5 {
		if code, _ := wait(fmt.Sprint(919812345670 + n)); code != 0 {
			t.Errorf("message %d to others waits for %d", n, code)
		}
	}
	if code, left := wait("919812345679"); code != 130429 || left <= 0 || left > 200*time.Millisecond {
		t.Errorf("the sixth message of a second waits %s for %d", left, code)
	}
}

// A test says what each step answered, and sends nothing.
func TestGraphCheck(t *testing.T) {
	t.Parallel()
	g, address := openTestGraph(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method != http.MethodGet:
			t.Errorf("the test made a %s", r.Method)
		case r.URL.Path == "/hook":
			fmt.Fprint(w, r.URL.Query().Get("hub.challenge"))
		case r.URL.Query().Get("appsecret_proof") == "":
			t.Errorf("%s has no proof", r.URL)
		case r.URL.Path == "/v23.0/555":
			fmt.Fprint(w, `{"display_phone_number":"+91 98123 45678","verified_name":"Lamps","quality_rating":"GREEN"}`)
		default:
			fmt.Fprint(w, `{"data":[]}`)
		}
	})
	steps := append(g.Check(t.Context(), map[string]string{"100000000000002": "777"}), g.CheckWebhook(t.Context(), address+"/hook", "v"), g.CheckWebhook(t.Context(), address+"/other?appsecret_proof=1", "v"))
	want := []string{
		"Access token true It is stored.", "App secret true It is stored. The upstream confirms it with the numbers below.",
		"Number 100000000000001 true +91 98123 45678, name Lamps, quality GREEN.",
		"Account 100000000000002 false No application is subscribed, so that nothing is posted. Subscribe it at the upstream.",
		"Webhook address true It answers challenges.", `Webhook address false It answers 200 OK to a challenge: {"data":[]}`,
	}
	for i, s := range steps {
		if got := fmt.Sprintf("%s %t %s", s.Name, s.Passed, s.Answer); i >= len(want) || got != want[i] {
			t.Errorf("step %d is %q", i, got)
		}
	}
}

// Settings that cannot work are refused when they are entered.
func TestGraphSettings(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]string{
		`{"numbers":"1 2\n3 4"}`:  "",
		`{"numbers":"1"}`:         "is not written as",
		`{"numbers":"1 x"}`:       "is not written as",
		`{"numbers":"1 2\n3 2"}`:  "named twice",
		`{"catalogues":"a b"}`:    "of catalogues",
		`{"per_second":"0"}`:      "not a number from 1 to 1000",
		`{"per_second":"plenty"}`: "not a number from 1 to 1000",
	} {
		_, err := outbound.OpenCarrier(outbound.New(outbound.Options{}), outbound.CarrierSettings{Name: "up", Kind: outbound.KindGraph, URL: "https://graph.example.com", Settings: json.RawMessage(settings)})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", settings, err, want)
		}
	}
}

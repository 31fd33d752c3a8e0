package simulate

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"hash"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/sms"
	"heliograph/app/documentation/openapi/spectest"
	"heliograph/app/outbound"
	"heliograph/db/seed"
)

// relayed makes headers as the client does that posts callbacks.
type relayed struct{}

func (relayed) Headers(s Sending) (http.Header, error) {
	h := http.Header{}
	d := outbound.Delivery{ID: s.ID, At: s.At, Method: s.Request.Method, URL: s.Request.URL, Body: s.Request.Body, Secret: s.Secret, Signature: s.Signature, Signed: s.Signed}
	return h, d.SetHeaders(h)
}

// All that can follow an example keeps to the contract of its callback, in each form,
// and a receiver with the secret of the page accepts the signature.
func TestCallbacksKeepToTheirContracts(t *testing.T) {
	contracts := map[string]*spectest.Contract{}
	for _, channel := range Channels {
		text, err := seed.Files.ReadFile(channel + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		if contracts[channel], err = spectest.New(text); err != nil {
			t.Fatal(err)
		}
	}
	declared := map[string]*pipeline.Channel{"messaging": messaging.Declaration, "rcs": rcs.Declaration, "sms": sms.Declaration}
	s := simulator()
	s.Signer = relayed{}
	kinds := map[string]int{}
	for channel, list := range examples {
		for _, e := range list {
			for _, following := range check(t, channel, e.Text).Follows {
				kinds[channel+" "+following.Kind]++
				callbacks, err := s.Callbacks(declared[channel], following)
				if err != nil {
					t.Fatal(err)
				}
				if len(callbacks) == 0 {
					t.Errorf("%s %s: nothing is relayed about %s", channel, e.Name, following.ID)
				}
				for _, c := range callbacks {
					promise := promiseOf(channel, following, c)
					if promise != "" {
						if err := contracts[channel].RequestBody(promise, "application/json", c.Request.Body); err != nil {
							t.Errorf("%s %s %s %s: %v\n%s", channel, e.Name, following.ID, c.Form, err, c.Request.Body)
						}
					}
					verify(t, c)
				}
			}
		}
	}
	for kind, least := range map[string]int{
		"messaging state": 3, "messaging failure": 7, "messaging answer": 10, "rcs state": 4, "rcs failure": 7, "rcs answer": 10, "sms state": 3, "sms failure": 20,
	} {
		if kinds[kind] < least {
			t.Errorf("%d of %s, at least %d are wanted", kinds[kind], kind, least)
		}
	}
}

// promiseOf returns the operation of the contract that describes a callback; empty for
// a query, which has none.
func promiseOf(channel string, f pipeline.Following, c Callback) string {
	switch {
	case c.Request.Method == http.MethodGet:
		return ""
	case channel == "rcs":
		return map[string]string{"DEFAULT": "receiveEvent", "GOOGLE_RBM": "receiveGoogleRbmEvent", "MAAP": "receiveMaapEvent"}[c.Form]
	case channel == "sms" && f.Kind == pipeline.FollowsAnswer:
		return "receiveMessage"
	case channel == "sms":
		return "receiveDeliveryReport"
	case f.Kind == pipeline.FollowsAnswer:
		return "inboundMessage"
	}
	return "messageStatus"
}

// verify checks the signature of a callback as a receiver does.
func verify(t *testing.T, c Callback) {
	t.Helper()
	signed := string(c.Request.Body)
	if c.Request.Method == http.MethodGet {
		_, signed, _ = strings.Cut(c.Request.URL, "?")
	}
	mac := func(hash func() hash.Hash, key []byte, text string) []byte {
		h := hmac.New(hash, key)
		h.Write([]byte(text))
		return h.Sum(nil)
	}
	hex256 := "sha256=" + hex.EncodeToString(mac(sha256.New, []byte(Secret), signed))
	switch {
	case c.Header.Get("X-Goog-Signature") != "":
		var wrapper struct{ Message struct{ Data []byte } }
		if err := json.Unmarshal(c.Request.Body, &wrapper); err != nil {
			t.Fatal(err)
		}
		if got := c.Header.Get("X-Goog-Signature"); got != base64.StdEncoding.EncodeToString(mac(sha512.New, []byte(Secret), string(wrapper.Message.Data))) {
			t.Errorf("%s: signature %s", c.Form, got)
		}
	case slices.Contains(rcs.Forms, c.Form):
		if got := c.Header.Get("X-Signature-256"); got != hex256 {
			t.Errorf("%s: signature %s, want %s", c.Form, got, hex256)
		}
	default:
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(Secret, "whsec_"))
		if err != nil {
			t.Fatal(err)
		}
		content := c.Header.Get("webhook-id") + "." + c.Header.Get("webhook-timestamp") + "." + signed
		if got := c.Header.Get("webhook-signature"); got != "v1,"+base64.StdEncoding.EncodeToString(mac(sha256.New, key, content)) {
			t.Errorf("%s: webhook-signature %s", c.Form, got)
		}
		if got := c.Header.Get("X-Hub-Signature-256") + c.Header.Get("X-Signature-256"); got != hex256 {
			t.Errorf("%s: signature %s, want %s", c.Form, got, hex256)
		}
	}
}

// What was sent comes back in what is tapped, and a failure has its code.
func TestWhatFollowsIsAboutTheMessage(t *testing.T) {
	tests := []struct{ channel, text, label, want string }{
		{"messaging", `{"messaging_product":"msgapp","to":"919812345678","biz_opaque_callback_data":"order-7","type":"template","template":{"name":"delivery_question","language":{"code":"en_US"},"components":[{"type":"header","parameters":[{"type":"text","text":"A-1"}]},{"type":"body","parameters":[{"type":"text","text":"Monday"}]},{"type":"button","sub_type":"quick_reply","index":"1","parameters":[{"type":"payload","payload":"later-7"}]}]}}`, "Taps Another day", `"button":{"payload":"later-7","text":"Another day"}`},
		{"messaging", `{"messaging_product":"msgapp","to":"919812345678","biz_opaque_callback_data":"order-7","text":{"body":"x"}}`, "Delivered", `"biz_opaque_callback_data":"order-7"`},
		{"messaging", `{"messaging_product":"msgapp","to":"919812345678","text":{"body":"x"}}`, "131026: Message undeliverable", `"errors":[{"code":131026,`},
		{"messaging", `{"messaging_product":"msgapp","to":"919812345678","type":"interactive","interactive":{"type":"button","body":{"text":"?"},"action":{"buttons":[{"type":"reply","reply":{"id":"yes-1","title":"Yes"}}]}}}`, "Taps Yes", `"button_reply":{"id":"yes-1","title":"Yes"}`},
		{"rcs", `{"botId":"b","to":"+919812345678","contentMessage":{"text":"x","suggestions":[{"reply":{"text":"Yes","postbackData":"yes-1"}}]}}`, "Taps Yes", `"postbackData":"yes-1"`},
		{"rcs", `{"botId":"b","to":"+919812345678","contentMessage":{"text":"x"}}`, "404: rcs_disabled", `"error":{"code":404,`},
		{"sms", `{"messages":[{"dest":["447400123456"],"header":"Heliograph","msg":"x"}]}`, "613: Unknown subscriber", `"code":"613"`},
	}
	declared := map[string]*pipeline.Channel{"messaging": messaging.Declaration, "rcs": rcs.Declaration, "sms": sms.Declaration}
	s := simulator()
	s.Signer = relayed{}
	for _, tt := range tests {
		list := check(t, tt.channel, tt.text).Follows
		i := slices.IndexFunc(list, func(f pipeline.Following) bool { return f.Label == tt.label })
		if i < 0 {
			t.Errorf("%s: nothing is labelled %s", tt.channel, tt.label)
			continue
		}
		callbacks, err := s.Callbacks(declared[tt.channel], list[i])
		if err != nil {
			t.Fatal(err)
		}
		if body := string(callbacks[0].Request.Body); !strings.Contains(body, tt.want) {
			t.Errorf("%s %s: got %s, want %s", tt.channel, tt.label, body, tt.want)
		}
	}
}

// A report as a query has the values of the report, and the one about a message of
// several parts comes for the part and for all of them.
func TestReportsByQuery(t *testing.T) {
	s := simulator()
	s.Signer = relayed{}
	list := check(t, "sms", examples["sms"][4].Text).Follows
	i := slices.IndexFunc(list, func(f pipeline.Following) bool { return f.ID == "delivered" })
	callbacks, err := s.Callbacks(sms.Declaration, list[i])
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, c := range callbacks {
		if c.Request.Method != http.MethodGet {
			continue
		}
		address, err := url.Parse(c.Request.URL)
		if err != nil {
			t.Fatal(err)
		}
		if q := address.Query(); q.Get("status") != "DELIVRD" || q.Get("code") != "600" || q.Get("id") == "" {
			t.Errorf("query %s", address.RawQuery)
		}
		parts = append(parts, address.Query().Get("part"))
		if len(c.Request.Body) > 0 || strings.Contains(c.CURL(), "--data") {
			t.Errorf("a query has a body: %s", c.CURL())
		}
	}
	if !slices.Equal(parts, []string{"1", ""}) {
		t.Errorf("reports about the parts %q", parts)
	}
}

func TestCommandsKeepQuotes(t *testing.T) {
	if got := quoted("it's"); got != `'it'\''s'` {
		t.Errorf("got %s", got)
	}
}

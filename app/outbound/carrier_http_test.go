package outbound

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func openTemplate(t *testing.T, url string, settings map[string]string) (Carrier, error) {
	t.Helper()
	raw, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	return OpenCarrier(New(Options{AllowLoopback: true}), CarrierSettings{
		Name: "operator", Kind: kindHTTP, URL: url, Settings: raw, Secret: `s"cret`,
		Report: func(m Message) string { return "https://heliograph.example.com/carriers/" + m.ID },
	})
}

// part is one SMS with characters that every format writes in its own way.
var part = Message{
	ID: "m1", Channel: "sms", Sender: "HELIOG", Recipient: "919812345678", Part: 2, Parts: 3, Until: time.Now().Add(time.Hour),
	Payload: []byte(`{"encoding":"GSM7","text":"5 < 6 & \"ok\"","entity_id":"1101"}`),
}

// A template says where each value goes, and each format has its own escapes.
func TestTemplatesAreFilledIn(t *testing.T) {
	t.Parallel()
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = strings.Join([]string{r.Method, r.URL.RequestURI(), r.Header.Get("Authorization"), r.Header.Get("Content-Type"), string(body)}, "|")
	}))
	t.Cleanup(server.Close)
	for want, tt := range map[string]struct {
		path     string
		settings map[string]string
	}{
		`POST|/send|Bearer s"cret|application/json|{"to":"+919812345678","text":"5 \u003c 6 \u0026 \"ok\"","id":"m1","dlr":"https://heliograph.example.com/carriers/m1?status=%s"}`: {
			"/send", map[string]string{"headers": "Authorization: Bearer {secret}\n\n", "body": `{"to":"+{to}","text":"{text}","id":"{id}","dlr":"{report}?status=%s"}`},
		},
		`POST|/send||application/x-www-form-urlencoded|to=919812345678&text=5+%3C+6+%26+%22ok%22&part=2/3`: {
			"/send", map[string]string{"content_type": "application/x-www-form-urlencoded", "body": "to={to}&text={text}&part={part}/{parts}"},
		},
		`PUT|/send||text/xml|<sms from="HELIOG">5 &lt; 6 &amp; &quot;ok&quot;</sms>`: {
			"/send", map[string]string{"method": "put", "content_type": "text/xml", "body": `<sms from="{from}">{text}</sms>`},
		},
		`GET|/send?text=5+%3C+6+%26+%22ok%22&key=s%22cret|||`: {"/send?text={text}&key={secret}", map[string]string{"method": "GET", "body": "left out"}},
		`POST|/send||application/json|{"message":{"encoding":"GSM7","text":"5 < 6 & \"ok\"","entity_id":"1101"}}`: {
			"/send", map[string]string{"body": `{"message":{payload}}`},
		},
	} {
		carrier, err := openTemplate(t, server.URL+tt.path, tt.settings)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := carrier.Send(t.Context(), part); err != nil || got != want {
			t.Errorf("%v:\ngot  %s\nwant %s", err, got, want)
		}
	}
}

// The status of a response, and the words in it, say whether a message was taken.
func TestResponsesOfTemplates(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status   int
		body     string
		settings map[string]string
		want     string
	}{
		{200, "", nil, "taken"},
		{202, `{"messages":[{"id":17}]}`, map[string]string{"id": "messages.0.id"}, "taken 17"},
		{200, `{"ok":true,"id":"a-1"}`, map[string]string{"id": "id", "state": "ok", "taken": "true"}, "taken a-1"},
		{200, `{"status":"QUEUED"}`, map[string]string{"state": "status", "taken": "sent, queued", "busy": "full"}, "taken"},
		{200, `{"status":"full"}`, map[string]string{"state": "status", "taken": "queued", "busy": "full"}, "later 609"},
		{200, `{"status":"bad number"}`, map[string]string{"state": "status", "taken": "queued", "busy": "full"}, "refused 608"},
		{200, `{}`, map[string]string{"state": "status", "taken": "queued"}, "refused 608"},
		{200, `gateway down`, map[string]string{"id": "id"}, "unknown"},
		{400, `{"error":"number"}`, nil, "refused 608"},
		{422, "", nil, "refused 608"},
		{401, "", nil, "later 609"},
		{404, "", nil, "later 609"},
		{429, "", nil, "later 609"},
		{503, "", nil, "later 609"},
		{500, "", nil, "unknown"},
		{302, "", nil, "unknown"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(tt.status)
			fmt.Fprint(w, tt.body)
		}))
		carrier, err := openTemplate(t, server.URL, tt.settings)
		if err != nil {
			t.Fatal(err)
		}
		receipt, err := carrier.Send(t.Context(), part)
		got := strings.TrimSpace("taken " + receipt.ProviderID)
		var refusal *CarrierError
		switch {
		case errors.As(err, &refusal) && refusal.Temporary:
			got = fmt.Sprint("later ", refusal.Code)
		case errors.As(err, &refusal):
			got = fmt.Sprint("refused ", refusal.Code)
		case err != nil:
			got = "unknown"
		}
		if got != tt.want {
			t.Errorf("%d %s with %v: %s (%v), want %s", tt.status, tt.body, tt.settings, got, err, tt.want)
		}
		server.Close()
		if carrier, err = openTemplate(t, "http://127.0.0.1:1", tt.settings); err != nil { // nothing listens there
			t.Fatal(err)
		}
		if _, err := carrier.Send(t.Context(), part); !errors.As(err, &refusal) || !refusal.Temporary {
			t.Errorf("a carrier that is away: %v, want to try again later", err)
		}
	}
}

// A template that cannot work is refused when it is opened, and names what is
// wrong.
func TestWrongTemplatesAreRefused(t *testing.T) {
	t.Parallel()
	for want, settings := range map[string]map[string]string{
		"{number}": {"body": "{number}"}, "DELETE": {"method": "delete"}, "Name: value": {"headers": "Authorization Bearer"},
		"taken": {"state": "status"}, "unknown: use": {"headers": "X: {x}"},
	} {
		if _, err := openTemplate(t, "https://operator.example.com/", settings); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", settings, err, want)
		}
	}
	for idempotent, want := range map[string]bool{"": false, "true": true} {
		carrier, err := openTemplate(t, "https://operator.example.com/", map[string]string{"idempotent": idempotent})
		if err != nil || carrier.Traits().Idempotent != want || carrier.Traits().Name != "operator" {
			t.Errorf("idempotent %q: %+v, %v", idempotent, carrier.Traits(), err)
		}
	}
}

package api_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"heliograph/app/channels/sms"
)

// Bodies that programs send by habit are read, or refused with what to change.
func TestBodiesOfOtherHabits(t *testing.T) {
	t.Parallel()
	p, _ := setup(t)
	send := func(body, kind string, headers ...string) answer {
		return p.call(t, http.MethodPost, p.number("/messages"), body, append([]string{"Content-Type", kind}, headers...)...)
	}
	const json, form = "application/json", "application/x-www-form-urlencoded"
	for name, a := range map[string]answer{
		"a byte order mark": send("\xef\xbb\xbf"+hello, json), "curl's own type": send(hello, form), "no type": send(hello, ""),
	} {
		if a.status != 200 {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(hello)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		a    answer
		says string
	}{
		"gzip":             {send(packed.String(), json, "Content-Encoding", "gzip"), "without Content-Encoding"},
		"gzip, undeclared": {send(packed.String(), json), "without Content-Encoding"},
		"UTF-16":           {send("\xff\xfe{\x00}\x00", json), "encode it as UTF-8"},
		"a form":           {send("messaging_product=msgapp&to=919812345678", form), "application/json"},
		"Latin-1":          {send(strings.Replace(hello, `"type"`, "\"biz_opaque_callback_data\":\"caf\xe9\",\"type\"", 1), json), "not UTF-8"},
		"half a character": {send(strings.Replace(hello, `"type"`, `"biz_opaque_callback_data":"Hi \ud83d","type"`, 1), json), `\\ud83d`},
	} {
		if tt.a.status != 400 || tt.a.code(t) != 100 || !strings.Contains(string(tt.a.body), tt.says) {
			t.Errorf("%s: %d %s", name, tt.a.status, tt.a.body)
		}
	}
	if a := p.call(t, http.MethodPost, "/business"+p.number("/message_qrdls"), "{\"prefilled_message\":\"caf\xe9\"}", "Content-Type", json); a.status != 400 || !strings.Contains(string(a.body), "not UTF-8") {
		t.Errorf("a QR code in Latin-1: %d %s", a.status, a.body)
	}
	if a := send(strings.Replace(hello, `"type"`, `"biz_opaque_callback_data":"Hi \ud83d\ude00 \\ud83d","type"`, 1), json); a.status != 200 {
		t.Errorf("a whole character: %s", a.body)
	}
}

// The same habits where SMS are submitted and looked up.
func TestSMSBodiesOfOtherHabits(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	post := func(path, body, kind string) *http.Request {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("apikey", p.key)
		if kind != "" {
			r.Header.Set("Content-Type", kind)
		}
		return r
	}
	marked := p.request(t, nil)
	body := new(bytes.Buffer)
	if _, err := body.ReadFrom(marked.Body); err != nil {
		t.Fatal(err)
	}
	whole := body.String()
	if a := p.do(t, post(submitPath, "\xef\xbb\xbf"+whole, "application/json")); a.Status.Code != sms.CodeAccepted {
		t.Errorf("a byte order mark: %s", a.text)
	}
	for _, kind := range []string{"", "application/x-www-form-urlencoded"} {
		for _, path := range []string{"/hlr/lookup", "/index.php/sms/verifyclientotp"} {
			w := httptest.NewRecorder()
			p.handler.ServeHTTP(w, post(path, `{"numbers":["+919812345678"],"uniqueid":"otp_x","otp":"123456"}`, kind))
			if text := w.Body.String(); strings.Contains(text, "is required") {
				t.Errorf("%s as %q: %s", path, kind, text)
			}
		}
	}
	if a := p.do(t, post(submitPath, "accesskey=x&dest=919812345678", "application/x-www-form-urlencoded")); a.status != 400 || !strings.Contains(a.Status.Desc, "application/json") {
		t.Errorf("a form: %d %s", a.status, a.text)
	}
	if a := p.do(t, post(submitPath, strings.Replace(whole, p.sandbox.Text, `x \udc00`, 1), "application/json")); a.status != 400 || !strings.Contains(a.Status.Desc, `\udc00`) {
		t.Errorf("half a character: %d %s", a.status, a.text)
	}
	if a := p.do(t, post(submitPath, strings.Replace(whole, p.sandbox.Text, "caf\xe9", 1), "application/json")); a.status != 400 || !strings.Contains(a.Status.Desc, "not UTF-8") {
		t.Errorf("Latin-1: %d %s", a.status, a.text)
	}
}

// And where RCS are sent. A body in the wrong characters has the right type.
func TestRCSBodiesOfOtherHabits(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	for text, want := range map[string]string{"caf\xe9": "not UTF-8", `Hi \udfff`: "half of a character"} {
		if a := p.call(t, http.MethodPost, "/send-message", `{"contentMessage":{"text":"`+text+`"}}`); a.status != 400 || !strings.Contains(a.Message, want) {
			t.Errorf("%q: %d %s", text, a.status, a.body)
		}
	}
}

// Allow names what the path takes, and a path with another version is answered in the
// envelope of its channel.
func TestPathsOfOtherHabits(t *testing.T) {
	t.Parallel()
	p, _ := setup(t)
	for _, method := range []string{http.MethodPut, http.MethodPost, http.MethodDelete} {
		if a := p.call(t, method, "/getuserdetails", ""); a.header.Get("Allow") != "GET" || a.status != 400 {
			t.Errorf("%s /getuserdetails: %d, Allow %q: %s", method, a.status, a.header.Get("Allow"), a.body)
		}
	}
	for _, path := range []string{"/v3", "/v2/x", "/V3/x", "/v21.0/123/messages"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		r.Header.Set("apikey", p.key)
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, r)
		if a := (answer{w.Code, w.Header(), w.Body.Bytes()}); a.status != 404 || !strings.HasPrefix(a.header.Get("Content-Type"), "application/json") || a.code(t) != 1 {
			t.Errorf("%s: %d %.300s", path, a.status, a.body)
		}
	}
	texts := setupSMS(t)
	rich, _ := setupRCS(t)
	for handler, paths := range map[http.Handler][]string{texts.handler: {"/GenericAPI/x", "/index.php/SMS/x"}, rich.handler: {"/API/V1/x", "/api/v2/get-all-bots", "/mgmt/api/v2/x"}} {
		for _, path := range paths {
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
			if w.Code != 404 || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") || strings.Contains(w.Body.String(), "problem") {
				t.Errorf("%s: %d %.300s", path, w.Code, w.Body.String())
			}
		}
	}
}

package api_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"heliograph/app/channels/sms"
)

// Fields that other services have in a message or in the request are read at both
// places, the message's first. Fields that no place has are named.
func TestSMSFieldsAtBothLevels(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	later := sms.LocalTime(time.Now().Add(24 * time.Hour))
	scheduled := func(id string) (n int) {
		t.Helper()
		if err := p.pool.QueryRow(t.Context(), `select count(*) from messages where scheduled_at is not null and reference = $1`, id).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if a := p.submit(t, map[string]any{"cust_ref": "later", "schedule_time": later}); a.Status.Code != sms.CodeAccepted || scheduled("later") != 1 || len(a.Warnings) != 0 {
		t.Errorf("schedule_time of a message: %s", a.text)
	}
	if a := p.submit(t, map[string]any{"cust_ref": "dlr", "dlr_url": "https://93.184.215.14/dlr"}); a.Status.Code != sms.CodeAccepted {
		t.Errorf("dlr_url of a message: %s", a.text)
	}
	var subject string
	if err := p.pool.QueryRow(t.Context(), `select subject from messages where reference = 'dlr'`).Scan(&subject); err != nil || subject != sms.Subject(p.id, "https://93.184.215.14/dlr") {
		t.Errorf("reports go to %q, %v", subject, err)
	}
	if a := p.submit(t, map[string]any{"dlr_url": "http://10.0.0.1/"}); a.Messages[0].Code != sms.CodeBadRequest || !strings.Contains(a.text, "dlr_url") {
		t.Errorf("dlr_url that cannot be used: %s", a.text)
	}
	for _, tt := range []struct {
		changes map[string]any
		ttl     int
	}{
		{map[string]any{".expiry": 600, "cust_ref": "t1"}, 600}, {map[string]any{".expiry": 600, "expiry": 900, "cust_ref": "t2"}, 900},
	} {
		if a := p.submit(t, tt.changes); a.Status.Code != sms.CodeAccepted || len(a.Warnings) != 0 {
			t.Errorf("%v: %s", tt.changes, a.text)
		}
		var ttl int
		if err := p.pool.QueryRow(t.Context(), `select ttl_seconds from messages where reference = $1`, tt.changes["cust_ref"]).Scan(&ttl); err != nil || ttl != tt.ttl {
			t.Errorf("%v: expires after %d s, %v", tt.changes, ttl, err)
		}
	}
	a := p.submit(t, map[string]any{"priority": 1, ".callback": "x", "dlr_req": "1"})
	if got := strings.Join(a.Warnings, "; "); len(a.Warnings) != 3 || !strings.Contains(got, "callback is") || !strings.Contains(got, "messages[0].priority is") || !strings.Contains(got, "no address") {
		t.Errorf("warnings: %q", got)
	}
	query := url.Values{"accesskey": {p.key}, "dest": {"919812345678"}, "header": {p.sandbox.Header}, "msg": {p.sandbox.Text}, "dlt_template_id": {p.sandbox.TemplateID}, "senderid": {"X"}}
	if a := p.send(t, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/genericapi/QSGenericReceiver?"+query.Encode(), nil)); len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], "senderid") {
		t.Errorf("warnings of a query: %s", a.text)
	}
}

// Refusals name the field, its value's form and the number in its normal form.
func TestSMSRefusalsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	for name, tt := range map[string]struct {
		changes map[string]any
		code    string
		says    string
	}{
		"udhi without udh": {map[string]any{"udhi": "1"}, "327", "udhi"},
		"a NUL character":  {map[string]any{"msg": "a\x00b"}, "304", "msg has a NUL character"},
		"an object":        {map[string]any{"msg": map[string]any{}}, "304", "msg must be a text or a number"},
		"another header":   {map[string]any{"header": "NOBODY"}, "330", `"dest":"919812345678"`},
	} {
		if a := p.submit(t, tt.changes); a.Status.Code.String() != tt.code || !strings.Contains(a.text, tt.says) {
			t.Errorf("%s: %s, want %s and %q", name, a.text, tt.code, tt.says)
		}
	}
	for parameter, says := range map[string]string{"dlttempid": "dlttempid", "dltentityid": "dltentityid"} {
		query := url.Values{"sender": {p.sandbox.Header}, "numbers": {"919812345678"}, "dlttempid": {p.sandbox.TemplateID}}
		query.Set(parameter, "x")
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/index.php/sms/clientotp?"+query.Encode(), nil)
		r.Header.Set("apikey", p.key)
		w := httptest.NewRecorder()
		if p.handler.ServeHTTP(w, r); !strings.Contains(w.Body.String(), "Invalid "+says) {
			t.Errorf("%s: %s", parameter, w.Body)
		}
	}
}

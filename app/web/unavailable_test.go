package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"heliograph/app/channels/messaging"
	"heliograph/app/keyring"
	"heliograph/app/web"
	"heliograph/app/web/api"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// A database without free connections or disk is an outage that passes: every
// surface says so in its own words, with Retry-After.
func TestExhaustedDatabaseIsTemporary(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"53300", "53100"} {
		fail := func(echo.Context) error {
			return fmt.Errorf("looking a key up: %w", &pgconn.PgError{Code: code, Message: "secret detail"})
		}
		site := webtest.New(t, func(d *web.Deps) {
			d.APIs = []web.API{
				{Name: "messaging", Prefixes: []string{api.Prefix}, Handle: fail, Fail: api.NewMessaging(nil, messaging.New(messaging.Options{Words: []string{"msgapp"}, Keyring: d.Keyring, Listener: db.NewListener(nil)}), "https://example.com").Fail},
				{Name: "sms", Prefixes: api.SMSPrefixes, Handle: fail, Fail: api.NewSMS(nil, api.SMSRules{}).Fail},
			}
		})
		for path, want := range map[string]string{
			"/v3/1/messages":                   `"is_transient":true`,
			"/genericapi/QSGenericReceiver":    `temporarily unavailable`,
			"/index.php/sms/clientotp?sender=": `temporarily unavailable`,
		} {
			a := site.Client(t).Get(path)
			status := http.StatusServiceUnavailable
			if strings.HasPrefix(path, api.Prefix) {
				status = http.StatusInternalServerError // its clients know no 503
			}
			if a.Status != status || a.Header.Get("Retry-After") == "" || !strings.Contains(a.Body, want) || strings.Contains(a.Body, "secret") {
				t.Errorf("%s at %s gives %d, Retry-After %q: %s", code, path, a.Status, a.Header.Get("Retry-After"), a.Body)
			}
		}
	}
}

// away is file storage that does not answer.
type away struct{}

func (away) Available() bool { return false }

// Without file storage a process is ready, and says what is missing.
func TestReadyWithoutStorage(t *testing.T) {
	t.Parallel()
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	ops := web.Ops(web.OpsDeps{
		Pool: dbtest.Pool(t), Keyring: keys, Registry: prometheus.NewRegistry(), Draining: func() bool { return false }, Storage: away{},
	})
	w := httptest.NewRecorder()
	ops.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	if body := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(body, `"status":"ok"`) || !strings.Contains(body, "file storage does not answer") {
		t.Errorf("/readyz gives %d %s", w.Code, body)
	}
}

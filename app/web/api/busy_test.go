package api_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/web/api"
)

// A busy service is 503 in SMS and RCS, so that clients try again; an unexpected failure
// stays 500.
func TestBusyIsTemporary(t *testing.T) {
	t.Parallel()
	busy := &fault.Error{Kind: fault.Unavailable, Message: "The service is busy. Try again in a moment.", RetryAfter: 2 * time.Second}
	texts, rich := api.NewSMS(nil, api.SMSRules{}), api.NewRCS(api.RCSOptions{})
	for _, tt := range []struct {
		fail                     func(echo.Context, error) error
		err                      error
		path, name, circumstance string
		status                   int
		want                     string
	}{
		{texts.Fail, busy, "/hlr/lookup", "sms otp", "while the service is busy", 503, `"code":503`},
		{texts.Fail, errors.New("unexpected"), "/hlr/lookup", "sms otp", "after an unexpected failure", 500, `"code":500`},
		{texts.Fail, busy, "/genericapi/QSGenericReceiver", "sms", "while the service is busy", 503, `"code":"398"`},
		{rich.Fail, busy, "/api/v1/get-all-bots", "rcs", "while the service is busy", 503, `"code":503`},
	} {
		w := httptest.NewRecorder()
		c := echo.New().NewContext(httptest.NewRequestWithContext(t.Context(), http.MethodGet, tt.path, nil), w)
		if err := tt.fail(c, tt.err); err != nil || w.Code != tt.status || !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("%s %s: %d %s, %v", tt.path, tt.circumstance, w.Code, w.Body, err)
		}
		noteCodes(t, tt.name, "GET "+tt.path+" "+tt.circumstance, w.Body.Bytes())
	}
}

package rcs

import (
	"strings"
	"testing"
	"time"

	"heliograph/app/config"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/db/dbtest"
)

// An organisation has the rates that the contract says: 100 requests to send in a second
// and 60 others in a minute, each counted apart and apart from other organisations.
func TestRequestsOfAnOrganisationHaveARate(t *testing.T) {
	t.Parallel()
	c, err := config.Load(nil, config.Nothing)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	tx := dbtest.Tx(t) // its clock stands still
	limits := &Limits{limiter: limit.New(tx, keys), rates: Rates{Send: c.RateRCSSend, Management: c.RateRCSManagement}}
	for _, tt := range []struct {
		sends bool
		most  int
		in    time.Duration
	}{{true, 100, time.Second}, {false, 60, time.Minute}} {
		for i := range tt.most {
			if err := limits.Throttle(t.Context(), 1, tt.sends); err != nil {
				t.Fatalf("request %d of %d: %v", i+1, tt.most, err)
			}
		}
		err := limits.Throttle(t.Context(), 1, tt.sends)
		if f := fault.As(err); !fault.Is(err, fault.Limited) || f.RetryAfter <= 0 || f.RetryAfter > tt.in {
			t.Errorf("after %d requests: %v", tt.most, err)
		}
		if err := limits.Throttle(t.Context(), 2, tt.sends); err != nil {
			t.Errorf("another organisation: %v", err)
		}
	}
}

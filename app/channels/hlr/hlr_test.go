package hlr

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/app/outbound"
	"heliograph/app/people/identity/identitytest"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// lookups returns lookups of an organisation that ask a register.
func lookups(t *testing.T, sandbox bool, register Register) (*Lookups, pgx.Tx, int64) {
	t.Helper()
	tx := dbtest.Tx(t)
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	id := identitytest.AddOrganisation(t, tx, models.Organisation{Name: "Lighthouse", Sandbox: sandbox}, "asha@example.com")
	return New(tx, limit.New(tx, keys), register), tx, id
}

// fakeRegister knows every number as active, or fails.
type fakeRegister struct {
	asked []string
	err   error
}

func (f *fakeRegister) Lookup(_ context.Context, numbers []string) (map[string]Number, error) {
	f.asked = append(f.asked, numbers...)
	known := map[string]Number{}
	for _, number := range numbers {
		known[number] = Number{Status: numberActive, MCCMNC: "40420"}
	}
	return known, f.err
}

// The numbering plan says what a number is, and nothing about its use.
func TestLookupByNumberingPlan(t *testing.T) {
	t.Parallel()
	l, _, org := lookups(t, false, nil)
	got, err := l.Lookup(t.Context(), org, []string{"+919812345678", "911234", "+442079460018", "919812345678"})
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for i, n := range got {
		ids[n.ID] = true
		if n.Source != fromNumberingPlan || n.Reachable != nil || n.Ported != nil || n.Current != nil || n.Roaming != nil || n.MCCMNC != "" || n.CheckedAt.IsZero() {
			t.Errorf("item %d claims what the plan cannot know: %+v", i, n)
		}
	}
	if len(got) != 4 || len(ids) != 4 {
		t.Fatalf("%d items with %d ids", len(got), len(ids))
	}
	if n := got[0]; !n.Valid || n.Status != numberUnknown || n.Line != "mobile" || *n.Country != (numberCountry{Code: "IN", Name: "India", Prefix: "91"}) {
		t.Errorf("a mobile number is %+v", n)
	}
	if n := got[1]; n.Valid || n.Status != numberFailed || n.MSISDN != "911234" || n.Country != nil {
		t.Errorf("an impossible number is %+v", n)
	}
	if n := got[2]; n.Line != "fixed" || n.Country.Code != "GB" {
		t.Errorf("a fixed line is %+v", n)
	}
	if n := got[3]; n.MSISDN != "+919812345678" {
		t.Errorf("digits without a plus sign give %s", n.MSISDN)
	}
}

func TestLookupByRegister(t *testing.T) {
	t.Parallel()
	register := &fakeRegister{}
	l, _, org := lookups(t, false, register)
	got, err := l.Lookup(t.Context(), org, []string{"919812345678", "+919812345678", "911234"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"+919812345678"}, register.asked); diff != "" {
		t.Errorf("asked:\n%s", diff)
	}
	if n := got[0]; n.Source != fromRegister || n.Status != numberActive || n.Line != "mobile" || n.Country == nil || n.ID == "" || n.MSISDN != "+919812345678" {
		t.Errorf("the number is %+v", n)
	}
	if n := got[2]; n.Source != fromNumberingPlan || n.Status != numberFailed {
		t.Errorf("an impossible number is %+v", n)
	}
	register.err = errors.New("out of order")
	if got, err = l.Lookup(t.Context(), org, []string{"919812345678"}); err != nil || got[0].Status != numberUnknown || got[0].Source != fromNumberingPlan {
		t.Errorf("a register that fails gives %+v, %v", got, err)
	}
}

// A sandbox costs nothing and learns nothing about real people.
func TestLookupOfSandboxStaysHere(t *testing.T) {
	t.Parallel()
	register := &fakeRegister{}
	l, _, org := lookups(t, true, register)
	got, err := l.Lookup(t.Context(), org, []string{"919812345678"})
	if err != nil || len(register.asked) != 0 || got[0].Source != fromNumberingPlan {
		t.Errorf("%+v, %v; asked %v", got, err, register.asked)
	}
}

func TestLookupLimits(t *testing.T) {
	t.Parallel()
	l, tx, org := lookups(t, false, nil)
	for _, numbers := range [][]string{nil, {""}, {"+"}, {"asha"}, {"+91 98123"}, {strings.Repeat("9", 21)}, slices.Repeat([]string{"919812345678"}, maxLookups+1)} {
		if _, err := l.Lookup(t.Context(), org, numbers); !fault.Is(err, fault.Invalid) {
			t.Errorf("%d numbers give %v", len(numbers), err)
		}
	}
	if got, err := l.Lookup(t.Context(), org, slices.Repeat([]string{"919812345678"}, maxLookups)); err != nil || len(got) != maxLookups {
		t.Errorf("%d items, %v", len(got), err)
	}
	if _, err := tx.Exec(t.Context(), `update rate_limits set tat = now() + interval '2 minutes'`); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Lookup(t.Context(), org, []string{"919812345678", "919812345679"}); !fault.Is(err, fault.Limited) {
		t.Errorf("one batch too many gives %v", err)
	}
	if _, err := l.Lookup(t.Context(), org, []string{"919812345678"}); err != nil {
		t.Errorf("a single number counts apart: %v", err)
	}
}

// What a provider answers reaches partners only where the contract allows it.
func TestHTTPRegister(t *testing.T) {
	t.Parallel()
	var got struct{ Numbers []string }
	answer := `{"data": [
		{"id": "theirs", "msisdn": "919812345678", "valid": true, "status": "ACTIVE", "reachable": true, "mcc": "404", "mnc": "2x", "mccmnc": "40420",
		 "country": {"code": "in", "name": "India", "prefix": "91"}, "original_carrier": {"network_code": "40445", "name": "A", "network_type": "mobile"},
		 "current_carrier": {"network_code": "?"}, "ported": true, "roaming": {"status": "lost"}, "cost": 0.05, "gsm_message": "No error"},
		{"msisdn": "+919812345679", "status": "SLEEPING"},
		{"msisdn": "911234", "status": "ACTIVE"},
		{"msisdn": "+919812345670", "status": "UNKNOWN", "source": "numbering-plan"},
		"nonsense"]}`
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer hlr-key" || r.Method != http.MethodPost {
			t.Errorf("%s with %v", r.Method, r.Header)
		}
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		w.WriteHeader(status)
		io.WriteString(w, answer) //nolint:errcheck // the client sees it
	}))
	t.Cleanup(server.Close)
	register := HTTPRegister{Client: outbound.New(outbound.Options{AllowLoopback: true}), URL: server.URL, Key: "hlr-key"}
	known, err := register.Lookup(t.Context(), []string{"+919812345678", "+919812345679"})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Numbers) != 2 || len(known) != 1 {
		t.Fatalf("asked about %v, known %+v", got.Numbers, known)
	}
	yes := true
	want := Number{
		ID: "theirs", MSISDN: "+919812345678", Valid: true, Status: "ACTIVE", Reachable: &yes, MCC: "404", MCCMNC: "40420", Ported: &yes,
		Original: &network{Code: "40445", Name: "A", Type: "mobile"}, GSMMessage: "No error",
	}
	if diff := cmp.Diff(want, known["+919812345678"]); diff != "" {
		t.Error(diff)
	}
	status = http.StatusBadGateway
	if _, err := register.Lookup(t.Context(), []string{"+919812345678"}); err == nil || !strings.Contains(fmt.Sprint(err), "502") {
		t.Errorf("a provider that fails gives %v", err)
	}
	answer, status = "<html>", http.StatusOK
	if _, err := register.Lookup(t.Context(), []string{"+919812345678"}); err == nil {
		t.Error("a page passes for an answer")
	}
}

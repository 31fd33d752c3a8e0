package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"heliograph/db/queries/channels/writes"
)

func TestBusinessAccount(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	a := first.call(t, http.MethodGet, fmt.Sprintf("/%d", first.sandbox.BusinessAccountID), "")
	if a.status != 200 || !strings.Contains(string(a.body), `"currency":"INR"`) {
		t.Fatalf("account = %d %s", a.status, a.body)
	}
	trimmed := first.call(t, http.MethodGet, fmt.Sprintf("/%d/?fields=name", first.sandbox.BusinessAccountID), "")
	if want := fmt.Sprintf(`{"id":"%d","name":"First"}`, first.sandbox.BusinessAccountID); string(trimmed.body) != want && trimmed.status != 200 {
		t.Errorf("trimmed = %s, want %s", trimmed.body, want)
	}
	for _, tt := range []struct {
		name, path   string
		status, code int
	}{
		{"another tenant", fmt.Sprintf("/%d", second.sandbox.BusinessAccountID), 403, 200},
		{"unknown", "/1234567890123456", 404, 803},
		{"nonsense", "/%00", 404, 803},
		{"a catalogue", fmt.Sprintf("/%d", first.sandbox.CatalogueID), 400, 100},
	} {
		if a := first.call(t, http.MethodGet, tt.path, ""); a.status != tt.status || a.code(t) != tt.code {
			t.Errorf("%s: %d %s, want %d code %d", tt.name, a.status, a.body, tt.status, tt.code)
		}
	}
}

// accounts is a page of accounts as partners read it.
type accounts struct {
	Data   []struct{ ID string }
	Paging *struct {
		Cursors        struct{ Before, After string }
		Next, Previous string
	}
}

func (p *partner) accounts(t *testing.T, path string) (got accounts) {
	t.Helper()
	a := p.call(t, http.MethodGet, path, "")
	if a.status != 200 {
		t.Fatalf("%s = %d %s", path, a.status, a.body)
	}
	if err := json.Unmarshal(a.body, &got); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestAccountsArePaged(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	path := fmt.Sprintf("/%d/owned_msgapp_business_accounts", first.sandbox.BusinessID)
	for i := range 4 {
		id := int64(2000000000000000 + i)
		if err := writes.RegistryInsert(t.Context(), first.pool, id, "business_account", first.organisation(t)); err != nil {
			t.Fatal(err)
		}
		if err := writes.BusinessAccountInsert(t.Context(), first.pool, id, first.sandbox.BusinessID, "More", fmt.Sprintf("00000000_0000_0000_0000_00000000000%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	var seen []string
	next := path + "?limit=2"
	for next != "" {
		page := first.accounts(t, strings.TrimPrefix(next, "http://localhost:8080/v3"))
		for _, account := range page.Data {
			seen = append(seen, account.ID)
		}
		if strings.Contains(page.Paging.Next, first.key) {
			t.Error("the address of the next page holds the key")
		}
		if page.Paging.Next == "" {
			back := first.accounts(t, strings.TrimPrefix(page.Paging.Previous, "http://localhost:8080/v3"))
			if len(back.Data) != 2 || back.Data[1].ID != seen[len(seen)-2] && back.Data[1].ID != seen[len(seen)-1-len(page.Data)] {
				t.Errorf("the page before the last is %v of %v", back.Data, seen)
			}
		}
		next = page.Paging.Next
	}
	if len(seen) != 5 {
		t.Errorf("walked over %d accounts, want 5: %v", len(seen), seen)
	}
	for _, bad := range []string{"?limit=0", "?limit=101", "?limit=x", "?after=!!", "?after=eA", "?after=MQ&before=MQ", "?fields=%00"} {
		if a := first.call(t, http.MethodGet, path+bad, ""); a.status != 400 || a.code(t) != 100 || strings.Contains(string(a.body), "listInput") {
			t.Errorf("%s: %d %s, want 400 code 100", bad, a.status, a.body)
		}
	}
	if a := second.call(t, http.MethodGet, path, ""); a.status != 403 {
		t.Errorf("another tenant: %d", a.status)
	}
	if got := first.accounts(t, strings.Replace(path, "owned", "client", 1)); len(got.Data) != 0 || got.Paging != nil {
		t.Errorf("client accounts = %+v, want none", got)
	}
	if _, err := first.pool.Exec(t.Context(), `insert into business_account_clients (business_account_id, business_id) values ($1, $2)`,
		second.sandbox.BusinessAccountID, first.sandbox.BusinessID); err != nil {
		t.Fatal(err)
	}
	shared := first.accounts(t, strings.Replace(path, "owned_msgapp", "client_whatsapp", 1))
	if len(shared.Data) != 1 || shared.Data[0].ID != fmt.Sprint(second.sandbox.BusinessAccountID) {
		t.Errorf("client accounts = %+v, want the shared one", shared)
	}
}

func TestCatalogueID(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	if a := first.call(t, http.MethodGet, "/fetchcatalogId", ""); a.status != 200 || !strings.Contains(string(a.body), fmt.Sprintf(`"catlogid":"%d"`, first.sandbox.CatalogueID)) {
		t.Errorf("catalogue id = %d %s", a.status, a.body)
	}
	if _, err := first.pool.Exec(t.Context(), `delete from catalogues`); err != nil {
		t.Fatal(err)
	}
	if a := first.call(t, http.MethodGet, "/fetchcatalogId", ""); a.status != 404 || a.code(t) != 803 {
		t.Errorf("without a catalogue: %d %s", a.status, a.body)
	}
}

func TestBusinessProfile(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	path := first.number("/msgapp_business_profile")
	if a := first.call(t, http.MethodGet, path, ""); string(a.body) != `{"data":[{"messaging_product":"msgapp"}]}` {
		t.Errorf("empty profile = %s", a.body)
	}
	set := `{"messaging_product":"msgapp","about":"Lamps","email":"hello@example.com","vertical":"retail","websites":["https://example.com/"]}`
	if a := first.call(t, http.MethodPost, path, set); string(a.body) != `{"success":true}` {
		t.Fatalf("set = %d %s", a.status, a.body)
	}
	if a := first.call(t, http.MethodPost, path, `{"address":"Mill road"}`); a.status != 200 {
		t.Fatalf("second change = %d %s", a.status, a.body)
	}
	want := `{"data":[{"messaging_product":"whatsapp","about":"Lamps","address":"Mill road","email":"hello@example.com","websites":["https://example.com/"],"vertical":"RETAIL"}]}`
	if a := first.call(t, http.MethodGet, strings.Replace(path, "msgapp", "whatsapp", 1), ""); string(a.body) != want {
		t.Errorf("profile = %s, want %s", a.body, want)
	}
	if a := first.call(t, http.MethodGet, path+"?fields=about", ""); string(a.body) != `{"data":[{"about":"Lamps","messaging_product":"msgapp"}]}` {
		t.Errorf("trimmed = %s", a.body)
	}
	for _, bad := range []string{
		`{"about":""}`, `{"messaging_product":"sms","about":"Lamps"}`, `{"messaging_product":{},"about":"Lamps"}`, `{"about":"` + strings.Repeat("x", 140) + `"}`, `{"email":"nonsense"}`, `{"vertical":"SPACE"}`,
		`{"websites":["ftp://example.com"]}`, `{"websites":["https://a.example","https://b.example","https://c.example"]}`, `{"about":{}}`,
	} {
		if a := first.call(t, http.MethodPost, path, bad); a.status != 400 || a.code(t) != 100 {
			t.Errorf("%.60s: %d %s, want 400 code 100", bad, a.status, a.body)
		}
	}
	if a := second.call(t, http.MethodPost, path, set); a.status != 403 {
		t.Errorf("another tenant: %d", a.status)
	}
}

package channels_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

// An account shows its own refused requests, the newest first, and each leads to the
// entry of its code. The administration shows all.
func TestRefusedRequests(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	reader, own := site.SignIn(t, 0, identity.Viewer)
	_, other := site.SignIn(t, 0, identity.Owner)
	add := func(organisation any, path string, code, repeats int) {
		t.Helper()
		_, err := site.DB.Exec(t.Context(), `
			insert into refused_calls (organisation_id, key_prefix, channel, method, path, status, code, request_id, repeats, at)
			values ($1, 'hg_test_abcd', 'messaging', 'POST', $2, 400, $3::int, 'req-' || ($3::int)::text, $4, $5)`, organisation, path, code, repeats, time.Now())
		if err != nil {
			t.Fatal(err)
		}
	}
	if a := reader.Get("/account/refused-requests"); a.Status != 200 || !strings.Contains(a.Find("main").Text(), "No refused requests") {
		t.Errorf("an account without refused requests shows %d", a.Status)
	}
	add(own, "/v3/1/messages", 131008, 1)
	add(other, "/v3/2/messages", 131009, 1)
	add(nil, "/v3/3/messages", 190, 1)
	for i := range 60 {
		add(own, "/v3/1/media/"+strconv.Itoa(i), 100, 3)
	}
	a := reader.Get("/account/refused-requests")
	if rows := a.Find("main tbody tr:has(.identifier)"); rows.Length() != 50 || !strings.Contains(rows.First().Text(), "/v3/1/media/59") || !strings.Contains(rows.First().Text(), "3 times") {
		t.Errorf("the account shows %d rows, first %s", rows.Length(), rows.First().Text())
	}
	if a = reader.Get(a.Find("a[href*='before=']").AttrOr("href", "")); a.Find("main tbody tr:has(.identifier)").Length() != 11 {
		t.Errorf("the next page has %d rows", a.Find("main tbody tr:has(.identifier)").Length())
	}
	for _, query := range []string{"code=131008", "text=/v3/1/messages", "text=req-131008", "order=asc&code=131008", "channel=messaging&text=messages"} {
		a = reader.Get("/account/refused-requests?" + query)
		rows := a.Find("main tbody tr:has(.identifier)")
		if href := rows.Find("a").AttrOr("href", ""); rows.Length() != 1 || !strings.HasSuffix(href, "/errors#error-131008") {
			t.Errorf("%s gives %d rows, with a link to %q", query, rows.Length(), href)
		}
	}
	if a = reader.Get("/account/refused-requests?organisation=" + strconv.FormatInt(other, 10) + "&code=131009"); a.Find("main tbody tr:has(.identifier)").Length() != 0 {
		t.Error("an account shows requests of another")
	}
	for _, query := range []string{"code=x", "code=-1", "from=yesterday", "channel=fax"} {
		if a = reader.Get("/account/refused-requests?" + query); a.Status != 422 || a.Find("[aria-invalid=true]").Length() == 0 {
			t.Errorf("%s gives %d", query, a.Status)
		}
	}
	boss := site.SignInAdmin(t, identity.SuperAdmin)
	if a = boss.Get("/admin/refused-requests?code=190"); a.Find("main tbody tr:has(.identifier)").Length() != 1 || !strings.Contains(a.Find("main tbody").Text(), "Unknown") {
		t.Errorf("a request without an organisation is shown as %s", a.Find("main tbody").Text())
	}
	a = boss.Get("/admin/refused-requests?organisation=" + strconv.FormatInt(other, 10))
	if rows := a.Find("main tbody tr:has(.identifier)"); rows.Length() != 1 || rows.Find("a[href='/admin/organisations/"+strconv.FormatInt(other, 10)+"']").Length() != 1 {
		t.Errorf("the requests of an organisation are %s", rows.Text())
	}
}

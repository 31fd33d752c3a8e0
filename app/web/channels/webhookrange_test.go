package channels_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

const path = "/account/webhook-range"

// opened opens an address and returns its path.
func opened(t *testing.T, c *webtest.Client) string {
	t.Helper()
	c.Get(path)
	if a := c.Post(path+"/open", nil); a.Status != http.StatusSeeOther {
		t.Fatalf("opening gives %d %s", a.Status, a.Find("main").Text())
	}
	address, err := url.Parse(c.Get(path).Find("figure.code pre").First().Text())
	if err != nil || !strings.HasPrefix(address.Path, "/range/") {
		t.Fatalf("the address is %v, %v", address, err)
	}
	return address.Path
}

// outside sends a request as a stranger does.
func outside(site *webtest.Site, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	site.Server.Handler().ServeHTTP(w, r)
	return w
}

// The whole way: open, send test events and requests, look, check, keep, compare,
// replay, answer otherwise, extend and end.
func TestRangeFromOpenToEnd(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c, organisation := site.SignIn(t, 0, identity.Developer)
	if a := c.Get(path); a.Status != http.StatusOK || a.Find("form[action='"+path+"/open']").Length() != 1 || a.Find("form[action='"+path+"/test']").Length() != 0 {
		t.Fatalf("a new organisation sees %d %s", a.Status, a.Find("main").Text())
	}
	address := opened(t, c)
	page := c.Get(path)
	kinds := page.Find("#field-kind option")
	if kinds.Length() < 60 || page.Find("#field-kind optgroup").Length() != 3 {
		t.Errorf("%d kinds of test events", kinds.Length())
	}
	// One of each: a signature matches in every form of every channel.
	for _, kind := range []string{"messaging.delivered", "rcs.read", "sms.delivered", kinds.Last().AttrOr("value", "")} {
		if a := c.Post(path+"/test", url.Values{"kind": {kind}}); a.Status != http.StatusSeeOther {
			t.Fatalf("the test event %s gives %d %s", kind, a.Status, a.Find("main").Text())
		}
	}
	rows := c.Get(path).Find("tbody tr")
	if rows.Length() < 7 {
		t.Errorf("%d requests came", rows.Length())
	}
	for i := range rows.Length() {
		one := c.Get(rows.Eq(i).Find("a").AttrOr("href", ""))
		if one.Status != http.StatusOK || !strings.Contains(one.Find("#form-check .badge").First().Text(), "The signature matches") {
			t.Errorf("%s: %s", rows.Eq(i).Text(), one.Find("#form-check").Text())
		}
	}
	if a := c.Post(path+"/test", url.Values{"kind": {"nothing"}}); a.Status != http.StatusConflict {
		t.Errorf("an unknown event gives %d", a.Status)
	}
	if a := c.Post(path+"/answer", url.Values{"status": {"99"}, "delay": {"x"}, "body": {"kept"}}); a.Status != http.StatusUnprocessableEntity || a.Find("#field-status-error, #field-delay-error").Length() != 2 || !strings.Contains(a.Find("#field-body").Text(), "kept") {
		t.Errorf("a wrong answer gives %d %s", a.Status, a.Find("main").Text())
	}
	if a := c.Post(path+"/answer", url.Values{"status": {"418"}, "delay": {"0"}, "body": {"<script>alert(1)</script>"}}); a.Status != http.StatusSeeOther {
		t.Errorf("an answer gives %d", a.Status)
	}
	got := outside(site, httptest.NewRequest("POST", address, strings.NewReader(`{"text":"<img src=x onerror=alert(1)>"}`)))
	if got.Code != 418 || got.Body.String() != "<script>alert(1)</script>" || got.Header().Get("Content-Type") != "text/plain; charset=utf-8" || got.Header().Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(got.Header().Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("%d %v %s", got.Code, got.Header(), got.Body)
	}
	list := c.Get(path).Find("tbody a")
	latest, before := list.Eq(0).AttrOr("href", ""), list.Eq(1).AttrOr("href", "")
	one := c.Get(latest)
	if one.Find("main img, main script").Length() != 0 || !strings.Contains(one.Find("main").Text(), "<img src=x") || !strings.Contains(one.Find("#form-check").Text(), "Not signed") {
		t.Errorf("what came in is shown as %s", one.Find("main").Text())
	}
	if a := c.Post(latest, url.Values{"secret": {""}}); a.Status != http.StatusUnprocessableEntity {
		t.Errorf("an empty secret gives %d", a.Status)
	}
	c.Get(before)
	if a := c.Post(before, url.Values{"secret": {"whsec_eHh4eHh4"}}); a.Status != http.StatusOK || !strings.Contains(a.Find("#form-check").Text(), "does not match") {
		t.Errorf("another secret gives %d %s", a.Status, a.Find("#form-check").Text())
	}
	c.Get(latest)
	for _, keep := range []string{"yes", "no"} {
		if a := c.Post(latest+"/keep", url.Values{"keep": {keep}}); a.Status != http.StatusSeeOther {
			t.Errorf("keep %s gives %d", keep, a.Status)
		}
	}
	if a := c.Post(latest+"/replay", nil); a.Status != http.StatusSeeOther || !strings.Contains(c.Get(path).Find("tbody tr").First().Text(), "Replayed from") {
		t.Errorf("replaying gives %d", a.Status)
	}
	id := func(href string) string { return href[strings.LastIndex(href, "/")+1:] }
	if a := c.Get(path + "/compare?a=" + id(before) + "&b=" + id(latest)); a.Status != http.StatusOK || a.Find("main table tbody tr").Length() == 0 || a.Find("main pre").Length() != 1 {
		t.Errorf("comparing gives %d %s", a.Status, a.Find("main").Text())
	}
	foreign, _ := site.SignIn(t, 0, identity.Owner)
	for _, href := range []string{latest, path + "/compare?a=" + id(before) + "&b=" + id(latest)} {
		if a := foreign.Get(href); a.Status != http.StatusNotFound {
			t.Errorf("another organisation gets %d for %s", a.Status, href)
		}
	}
	viewer, _ := site.SignIn(t, organisation, identity.Viewer)
	if a := viewer.Get(path); a.Status != http.StatusOK || a.Find("main form[method=post]").Length() != 0 {
		t.Errorf("a viewer can change the range: %s", a.Find("main").Text())
	}
	c.Get(path)
	if a := c.Post(path+"/extend", nil); a.Status != http.StatusSeeOther {
		t.Errorf("extending gives %d", a.Status)
	}
	if a := c.Post(path+"/end", nil); a.Status != http.StatusSeeOther {
		t.Errorf("ending gives %d", a.Status)
	}
	if got := outside(site, httptest.NewRequest("POST", address, nil)); got.Code != http.StatusGone {
		t.Errorf("an ended address answers %d", got.Code)
	}
	if log := site.Log.String(); strings.Contains(log, strings.TrimPrefix(address, "/range/")) {
		t.Error("the log has the address")
	}
}

// hostile are requests that mean harm.
func hostile(address string) (list []*http.Request) {
	bodies := []string{"", "{", "\x00\xff\xfe", "<script>alert(1)</script>", strings.Repeat("[", 100_000), `{"a":"` + strings.Repeat("x", 250<<10) + `"}`, "' or 1=1 --", "\u202e{}", "{{7*7}}${7*7}", "\r\n\r\nHTTP/1.1 200 OK"}
	for i, body := range bodies {
		for j, method := range []string{"POST", "PUT", "DELETE", "PATCH", "GET", "HEAD", "OPTIONS", "POST", "TRACE", "M-SEARCH"} {
			r := httptest.NewRequest(method, address, strings.NewReader(body))
			r.Header.Set("Content-Type", []string{"text/html", "application/xml", "multipart/form-data; boundary=x", "application/json; charset=utf-7", ""}[i%5])
			r.Header.Set("Webhook-Id", []string{"1", "-1", "99999999999999999999", "<b>", strings.Repeat("9", 4000), "1; drop table deliveries", "\u00e9", "0", "1e9", " "}[j])
			r.Header.Set("Webhook-Timestamp", fmt.Sprint(i*1e17))
			r.Header.Set("Webhook-Signature", "v1,<script>"+strings.Repeat(" v1,x", 300))
			r.Header.Set("X-Evil-"+strings.Repeat("n", i*20), "<svg onload=alert(1)>\x7f")
			r.Header.Set("Cookie", "planted-session=1")
			r.URL.RawQuery = "a=%00%ff&<script>" + strings.Repeat("q", i*100)
			list = append(list, r)
		}
	}
	return list
}

// A hundred hostile requests are answered as the owner chose, shown as text, and break
// nothing.
func TestHostileRequestsAreText(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c, _ := site.SignIn(t, 0, identity.Developer)
	address := opened(t, c)
	requests := hostile(address)
	if len(requests) != 100 {
		t.Fatalf("%d requests", len(requests))
	}
	for i, r := range requests {
		want := http.StatusOK
		if r.Method == "TRACE" || r.Method == "M-SEARCH" {
			want = http.StatusMethodNotAllowed
		}
		if got := outside(site, r); got.Code != want || got.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("request %d, %s: %d %s", i, r.Method, got.Code, got.Body)
		}
	}
	page := c.Get(path)
	if page.Find("tbody tr").Length() != 80 || page.Find("main script, main svg, main b").Length() != 0 {
		t.Errorf("%d requests are listed", page.Find("tbody tr").Length())
	}
	for i := 0; i < 80; i += 7 {
		href := page.Find("tbody tr").Eq(i).Find("a").AttrOr("href", "")
		one := c.Get(href)
		if one.Status != http.StatusOK || one.Find("main script, main svg, main img, main iframe").Length() != 0 || strings.Contains(one.Body, "planted-session") {
			t.Errorf("%s: %d", href, one.Status)
		}
	}
	large := httptest.NewRequest("POST", address, strings.NewReader(strings.Repeat("x", 256<<10+1)))
	if got := outside(site, large); got.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a body over the limit gives %d", got.Code)
	}
	limited := 0
	for range 400 {
		if got := outside(site, httptest.NewRequest("POST", address, nil)); got.Code == http.StatusTooManyRequests && got.Header().Get("Retry-After") != "" {
			limited++
		}
	}
	if limited < 100 {
		t.Errorf("%d of 400 were refused", limited)
	}
}

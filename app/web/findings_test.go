package web_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

// What readers of the portal once met, and must not meet again: dead links of products
// that are coming, commands of this program in guides for partners, and a list of errors
// without a way to find one.
func TestReadersMeetNoOldFaults(t *testing.T) {
	t.Parallel()
	reader := readSeed(t)
	for _, product := range []string{"voice", "customer-data-platform"} {
		soon := reader.Get("/docs/" + product).Find("main")
		if soon.Find("a[href^='/contact-us?']").Length() != 1 || strings.Contains(soon.Text(), "No version is published") {
			t.Errorf("%s is announced as %s", product, soon.Text())
		}
		for _, link := range soon.Find("a[href^='/']").EachIter() {
			if a := reader.Get(link.AttrOr("href", "")); a.Status != 200 {
				t.Errorf("%s links to %s, which gives %d", product, link.AttrOr("href", ""), a.Status)
			}
		}
	}
	for _, at := range []string{"/docs/business-messaging", "/docs/sms", "/docs/rcs"} {
		start := reader.Get(at).Find("main a[href^='/productguide/']").First().AttrOr("href", "/productguide/none")
		if a := reader.Get(start); a.Status != 200 || strings.Contains(a.Find("main").Text(), "go run ./app") {
			t.Errorf("%s begins with %s, which gives %d or names this program", at, start, a.Status)
		}
	}
	for _, at := range []string{"/docs/sms", "/docs/sms/1.0/submit-sms"} {
		if text := reader.Get(at).Find("main").Text(); strings.Contains(text, "?accesskey=<API_KEY>") || !strings.Contains(text, `"accesskey": "<API_KEY>"`) {
			t.Errorf("%s does not show the key where its sample has it", at)
		}
	}
	if list := reader.Get("/docs/sms/1.0/errors"); list.Find("input[name=find]").Length() != 1 {
		t.Error("error codes have no filter")
	}
	found := reader.Get("/search?q=3.0").Find("main .results a, main li a").Map(func(_ int, a *goquery.Selection) string { return a.AttrOr("href", "") })
	if first := slices.IndexFunc(found, func(at string) bool { return strings.HasPrefix(at, "/docs/") }); first < 0 || found[first] != "/docs/business-messaging/3.0" {
		t.Errorf("3.0 finds %v", found)
	}
}

// Secrets of other systems are typed as secrets, and never shown.
func TestSecretsAreTypedAsSecrets(t *testing.T) {
	t.Parallel()
	boss := webtest.New(t, nil).SignInAdmin(t, identity.SuperAdmin)
	for at, names := range map[string][]string{"/admin/sms-settings": {"api_key"}, "/admin/email-settings": {"password", "api_key"}, "/admin/carriers/new?preset=json": {"secret"}, "/admin/carriers/new?preset=cloud": {"access_token", "app_secret"}} {
		page := boss.Get(at)
		for _, name := range names {
			if field := page.Find("main input[name=" + name + "]"); field.Length() != 1 || field.AttrOr("type", "") != "password" || field.AttrOr("value", "") != "" {
				t.Errorf("%s: %d fields %s of type %q", at, field.Length(), name, field.AttrOr("type", ""))
			}
		}
	}
}

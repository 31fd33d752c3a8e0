package admin_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

// A template of a live organisation is read and reviewed at the desk. Viewers read it
// only.
func TestTemplatesAreReviewed(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	boss, viewer := site.SignInAdmin(t, identity.SuperAdmin), site.SignInAdmin(t, identity.Viewer)
	if a := boss.Get("/admin/message-templates"); a.Status != 200 || !strings.Contains(a.Find("main").Text(), "No template waits") {
		t.Errorf("without any: %d %s", a.Status, a.Find("main").Text())
	}
	exec(t, site, templateRows...)
	if text := boss.Get("/admin/message-templates").Find("main table").Text(); !strings.Contains(text, "news") || !strings.Contains(text, "Live ferries") {
		t.Errorf("the list says %s", text)
	}
	if text := boss.Get("/admin").Find("main").Text(); !strings.Contains(text, "1 template waits for a review") {
		t.Errorf("the overview says %s", text)
	}
	if a := viewer.Get(templatePath); a.Status != 200 || !strings.Contains(a.Find("main").Text(), "Hello there") || a.Find("select").Length() != 0 {
		t.Errorf("a viewer gets %d %s", a.Status, a.Find("main").Text())
	}
	if a := boss.Post(templatePath, url.Values{"decision": {"reject"}, "revision": {"1"}}); a.Status != 422 {
		t.Errorf("a rejection without a reason: %d", a.Status)
	}
	if a := boss.Post(templatePath, url.Values{"decision": {"approve"}, "revision": {"1"}}); a.Status != 303 {
		t.Errorf("approving: %d %s", a.Status, a.Find("main").Text())
	}
	if a := boss.Get(templatePath); !strings.Contains(a.Find("main").Text(), "APPROVED") || a.Find("select[name=decision]").Length() != 0 {
		t.Errorf("an approved template: %s", a.Find("main").Text())
	}
}

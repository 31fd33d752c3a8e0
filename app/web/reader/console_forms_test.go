package reader_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

// Both doors send calls and write samples, and a Super Admin shows and hides the console.
func TestFormsOfTheConsole(t *testing.T) {
	t.Parallel()
	site := newSite(t, &upstream{body: `{"id":5}`})
	boss, reader := site.SignInAdmin(t, identity.SuperAdmin), site.Client(t)
	boss.Get("/admin/console")
	for shown, state := range map[string]int{"yes": http.StatusOK, "no": http.StatusNotFound} {
		if a := boss.Post("/admin/console/settings", url.Values{"shown": {shown}}); a.Status != http.StatusSeeOther {
			t.Fatalf("saving the setting gives %d", a.Status)
		}
		if a := reader.Get("/console"); a.Status != state {
			t.Errorf("shown is %s, and readers get %d", shown, a.Status)
		}
	}
	if a := boss.Post("/admin/console/settings", url.Values{"shown": {"yes"}}); a.Status != http.StatusSeeOther {
		t.Fatalf("saving the setting gives %d", a.Status)
	}
	const endpoint = "/lamps/1.0/get-lamp"
	form := url.Values{"v.path.id": {"7"}, "secret.key": {"planted-credential"}, "auth": {"0"}, "lang": {"curl"}}
	for door, c := range map[string]*webtest.Client{"/console": reader, "/admin/console": boss} {
		c.Get(door + endpoint)
		if a := c.Post(door+endpoint, form); a.Status != http.StatusOK || !strings.Contains(a.Find("#console-result").Text(), "200 OK") {
			t.Errorf("%s answers %d: %s", door, a.Status, a.Find("#console-result").Text())
		}
		a := c.Post(door+endpoint+"/sample", form)
		if text := a.Find("#console-sample pre").Text(); a.Status != http.StatusOK || !strings.Contains(text, "/v1/lamps/7") || strings.Contains(a.Body, "planted-credential") {
			t.Errorf("%s writes the sample %d: %s", door, a.Status, text)
		}
		// An open page gets the part that changes, and no form.
		for part, to := range map[ui.Region]struct{ path, want string }{
			"console-result": {door + endpoint, "200 OK"}, "console-sample": {door + endpoint + "/sample", "/v1/lamps/7"},
		} {
			a := c.HX(part).Post(to.path, form)
			if a.Status != http.StatusOK || !strings.Contains(a.Find(part.Selector()).Text(), to.want) || a.Find("#console-call, main, header").Length() > 0 || strings.Contains(a.Body, "planted-credential") {
				t.Errorf("%s%s answers %d: %s", door, part, a.Status, a.Body)
			}
			if a = c.HX(part).Post(to.path, url.Values{"v.path.id": {".."}}); a.Find(part.Selector()).Length() != 1 || a.Find("#console-call").Length() > 0 {
				t.Errorf("%s%s answers a broken form with %d: %s", door, part, a.Status, a.Body)
			}
		}
	}
}

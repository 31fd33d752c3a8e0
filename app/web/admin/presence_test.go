package admin_test

import (
	"strings"
	"testing"

	"heliograph/views/ui"
)

// Open pages name the others who have the draft open, for less than a minute, and
// keep no session alive.
func TestPresence(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "One."))
	for _, path := range []string{p.guide, p.set()} {
		page := p.ada.Get(path)
		asks := page.Find("#presence i")
		if asks.AttrOr("hx-get", "") != path+"/presence" || !strings.Contains(asks.AttrOr("hx-headers", ""), "X-Live") {
			t.Fatalf("%s does not ask who else is there", path)
		}
		ask := func(who string) string {
			c := p.ada
			if who == "vic" {
				c = p.vic
			}
			a := c.With("X-Live", "quiet").HX(ui.Region("presence")).Get(path + "/presence")
			if a.Status != 200 || a.Find("h1").Length() != 0 {
				t.Fatalf("%s gives %d: %s", path, a.Status, a.Body)
			}
			return strings.TrimSpace(a.Find("#presence").Text())
		}
		if got := ask("ada"); got != "" {
			t.Errorf("alone, the page says %q", got)
		}
		if got := ask("vic"); got != "ada has this page open too." {
			t.Errorf("beside ada, the page says %q", got)
		}
		if got := ask("ada"); got != "vic has this page open too." {
			t.Errorf("beside vic, the page says %q", got)
		}
		exec(t, p.Site, `update presences set seen_at = seen_at - interval '46 seconds'`)
		if got := ask("ada"); got != "" {
			t.Errorf("after a minute the page says %q", got)
		}
		if a := p.ada.Get(path + "/presence"); a.Status != 303 || a.Header.Get("Location") != path {
			t.Errorf("without script: %d to %s", a.Status, a.Header.Get("Location"))
		}
	}
	exec(t, p.Site, `delete from sessions`)
	if a := p.ada.With("X-Live", "quiet").HX(ui.Region("presence")).Get(p.guide + "/presence"); a.Status != 204 {
		t.Errorf("after the session ended the page is interrupted with %d", a.Status)
	}
}

package web_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

// The gallery works with and without htmx.
func TestListPatterns(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c, _ := site.SignIn(t, 0, identity.Viewer)
	c = c.Once() // the deliveries and the note are in memory
	rows := func(a *webtest.Answer) int { return a.Find("#list td[data-label=Recipient]").Length() }
	for _, c := range []*webtest.Client{c, c.HX(ui.List).On("/ui")} {
		a := c.Get("/ui?q=98123&state=waiting")
		if a.Status != 200 || rows(a) != 30 || strings.Contains(a.Find("#list tbody").Text(), "Delivered") {
			t.Errorf("the filtered list gives %d with %d rows", a.Status, rows(a))
		}
	}
	first := c.Get("/ui")
	if rows(first) != 50 || first.Find(".shelf .code").Length() < 8 || !strings.Contains(first.Text(), "func (h *Handlers) SaveNote(c echo.Context, form noteForm) error {") || !strings.Contains(first.Text(), "page.Again(c, err, func(") {
		t.Errorf("the gallery has %d rows and no source", rows(first))
	}
	more := c.HX(ui.More).On("/ui").Get(first.Find("#more a").AttrOr("href", ""))
	if more.Status != 200 || strings.Count(more.Body, `data-label="Recipient"`) != 50 {
		t.Errorf("the next rows give %d", more.Status)
	}
	turned := c.HX(ui.Filtered).On("/ui").Get(first.Find("th a").AttrOr("href", ""))
	if turned.Find("th[aria-sort=ascending]").Length() != 1 || !strings.HasPrefix(turned.Find("#list tbody td").Text(), "08:00") {
		t.Errorf("the other order begins with %.40s", turned.Find("#list tbody td").Text())
	}
	const waiting = "/ui/deliveries/4"
	for _, c := range []*webtest.Client{c, c.HX("details-4").On("/ui")} {
		if a := c.Get(waiting); a.Status != 200 || a.Find("#details-4 dl").Length() != 1 || !strings.Contains(a.Find("#details-4").Text(), "Waiting") {
			t.Errorf("the details give %d %s", a.Status, a.Text())
		}
	}
	if a := c.HX(ui.List).On("/ui").Post("/ui/advance", nil); a.Status != 200 || rows(a) != 50 || a.Find(".toast .done").Length() != 1 {
		t.Errorf("the action gives %d with %d rows", a.Status, rows(a))
	}
	if a := c.HX(ui.List).On("/ui?state=delivered&order=asc").Post("/ui/advance", nil); !strings.HasPrefix(a.Find("#list tbody td").Text(), "08:00") || strings.Contains(a.Find("#list tbody").Text(), "Waiting") {
		t.Errorf("after the action the filtered list is %.200s", a.Find("#list tbody").Text())
	}
	if a := c.Post("/ui/advance", nil); a.Status != 303 || a.Address() != "/ui" {
		t.Errorf("without htmx the action gives %d", a.Status)
	}
	if a := c.Get(waiting); !strings.Contains(a.Find("main").Text(), "Delivered") {
		t.Error("nothing was delivered")
	}
	question := c.HX("confirm-4").On("/ui").Get(waiting + "/removal")
	if question.Status != 200 || question.Find("form[hx-target='#list']").Length() != 1 || question.Find("[data-dismiss]").Length() != 1 {
		t.Errorf("the question gives %d %s", question.Status, question.Body)
	}
	if a := c.HX(ui.List).On("/ui").Post(waiting+"/removal", nil); a.Status != 200 || !strings.Contains(a.Find(".done").Text(), "removed") || a.Find("#open-details-4").Length() != 0 {
		t.Errorf("removing gives %d", a.Status)
	}
	if a := c.Get(waiting); a.Status != 404 {
		t.Errorf("what was removed gives %d", a.Status)
	}
}

func TestFormPatterns(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c, _ := site.SignIn(t, 0, identity.Viewer)
	c = c.Once() // the deliveries and the note are in memory
	base := c.Get("/ui").Find("input[name=base]").AttrOr("value", "")
	for _, c := range []*webtest.Client{c, c.HX("form-note").On("/ui")} {
		if a := c.Post("/ui/note", url.Values{"base": {base}}); a.Status != 422 || a.Find("#form-note [data-focus]").Length() != 1 {
			t.Errorf("an empty note gives %d", a.Status)
		}
	}
	hx := c.HX("form-note").On("/ui")
	if a := hx.Post("/ui/note/elsewhere", nil); a.Status != 204 {
		t.Errorf("somebody else gets %d", a.Status)
	}
	a := hx.Post("/ui/note", url.Values{"base": {base}, "text": {"mine"}})
	if a.Status != 409 || a.Find("input[name=text]").AttrOr("value", "") != "mine" || !strings.Contains(a.Find("dl").Text(), "somebody else") {
		t.Errorf("a conflict gives %d %s", a.Status, a.Body)
	}
	a = hx.Post("/ui/note", url.Values{"base": {a.Find("input[name=base]").AttrOr("value", "")}, "text": {"mine"}})
	if a.Status != 200 || a.Find(".done").Text() != "The note is saved." || a.Find("#form-note").Length() != 1 {
		t.Errorf("saving again gives %d %s", a.Status, a.Body)
	}
	var last *webtest.Answer
	for range 3 {
		last = hx.Post("/ui/note", url.Values{"text": {"mine"}})
	}
	if last.Status != 429 || last.Find("#form-note .alert.bad").Length() != 1 || last.Header.Get("Retry-After") == "" {
		t.Errorf("the sixth change in a minute gives %d", last.Status)
	}
}

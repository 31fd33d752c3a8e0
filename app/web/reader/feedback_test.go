package reader_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
)

// Readers say at the end of a page whether it helped, as a page and in place.
// Administrators see it; the last answer of a reader counts.
func TestFeedback(t *testing.T) {
	t.Parallel()
	site := documented(t)
	c := site.Client(t)
	const about = "/docs/rcs/1.0/create-bot"
	link := c.Get(about).Find(".helpful a").Last().AttrOr("href", "")
	first := c.Get(link)
	if first.Status != 200 || first.Find("[name=helpful][checked]").AttrOr("value", "") != "no" || first.Find("[name=page]").AttrOr("value", "") != about {
		t.Fatalf("%s gives %d", link, first.Status)
	}
	c.Token = first.Find("[name=_csrf]").First().AttrOr("value", "")
	answer := func(page, helpful, comment string) url.Values {
		return url.Values{"page": {page}, "helpful": {helpful}, "comment": {comment}}
	}
	for name, wrong := range map[string]url.Values{
		"no answer":      answer(about, "", "x"),
		"a long comment": answer(about, "no", strings.Repeat("ä", 1001)),
		"no page":        answer("/docs/rcs/1.0/nowhere", "no", ""),
		"another site":   answer("//evil.example/docs", "no", ""),
	} {
		if a := c.Post("/feedback", wrong); a.Status != 422 || a.Find("textarea").Text() != wrong.Get("comment") {
			t.Errorf("%s gives %d", name, a.Status)
		}
	}
	a := c.Post("/feedback", answer(about, "no", "What is a <b>logo</b>?"))
	if thanks := c.Get(a.Header.Get("Location")); a.Status != 303 || !strings.Contains(thanks.Find("main").Text(), "Thank you") {
		t.Fatalf("an answer gives %d", a.Status)
	}
	part := c.HX("form-feedback").On(about).Post("/feedback", answer(about, "yes", "What is a <b>logo</b>?"))
	if part.Status != 200 || part.Find("#form-feedback[role=status]").Length() != 1 {
		t.Errorf("in place it gives %d: %s", part.Status, part.Body)
	}
	desk := site.SignInAdmin(t, identity.Viewer).Get("/admin/feedback")
	if got := strings.Join(strings.Fields(desk.Find("main").Text()), " "); !strings.Contains(got, about+" 1 0 ") || !strings.Contains(got, "What is a <b>logo</b>? Yes") {
		t.Errorf("administrators see %s", got)
	}
	for range 20 {
		a = c.Post("/feedback", answer(about, "yes", ""))
	}
	if a.Status != 429 {
		t.Errorf("the twenty-third answer within an hour gives %d", a.Status)
	}
}

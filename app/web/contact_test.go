package web_test

import (
	"net/url"
	"strings"
	"testing"

	"heliograph/app/web/webtest"
)

func enquiry() url.Values {
	return url.Values{"organisation": {"Lighthouse"}, "name": {"Mira"}, "email": {"mira@example.com"}, "message": {"What does going live take?"}, "consent": {"yes"}}
}

// The form works as a page and in place. What a program could have sent is asked
// for once more, and nothing that was typed is lost.
func TestContactForm(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"page", "fragment"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := webtest.New(t, nil)
			c := site.Client(t)
			if name == "fragment" {
				c = c.HX("form-contact").On("/contact-us")
			}
			first := c.With("Referer", "http://localhost:8080/docs/sms/1.0").With("HX-Request", "").Get("/contact-us")
			if first.Status != 200 || first.Header.Get("Cache-Control") != "no-store" {
				t.Fatalf("the form gives %d", first.Status)
			}
			form := enquiry()
			form.Set("stamp", first.Find("input[name=stamp]").AttrOr("value", ""))
			form.Set("page", "/docs/sms/1.0")
			c.Token = first.Find("input[name=_csrf]").First().AttrOr("value", "")

			wrong := url.Values{}
			for field, values := range form {
				wrong[field] = values
			}
			wrong.Set("email", "mira")
			a := c.Post("/contact-us", wrong)
			if a.Status != 422 || a.Find("#field-email-error").Length() != 1 || a.Find("textarea").Text() != form.Get("message") || a.Find("[name=consent][checked]").Length() != 1 {
				t.Fatalf("a wrong address gives %d", a.Status)
			}
			form.Set("stamp", a.Find("input[name=stamp]").AttrOr("value", ""))
			a = c.Post("/contact-us", form) // within a second
			if a.Status != 422 || !strings.Contains(a.Find(".alert").Text(), "once more") || a.Find("[name=organisation]").AttrOr("value", "") != "Lighthouse" {
				t.Fatalf("a quick one gives %d: %s", a.Status, a.Find(".alert").Text())
			}
			form.Set("stamp", a.Find("input[name=stamp]").AttrOr("value", ""))
			a = c.Post("/contact-us", form)
			if a.Address() != "/contact-us/thanks" {
				t.Fatalf("sending gives %d and leads to %q", a.Status, a.Address())
			}
			if thanks := c.With("HX-Request", "").Get("/contact-us/thanks"); thanks.Find(".quoted-reference strong").Length() != 1 || !strings.Contains(thanks.Find("main").Text(), "mira@example.com") {
				t.Errorf("the thanks are %s", thanks.Find("main").Text())
			}
			if a := site.Client(t).Get("/contact-us/thanks"); a.Address() != "/contact-us" {
				t.Errorf("another browser is thanked: %d", a.Status)
			}
		})
	}
}

func TestContactFormNeedsItsToken(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.Client(t)
	if a := c.Post("/contact-us", enquiry()); a.Status != 403 {
		t.Errorf("without a token: %d", a.Status)
	}
	if a := c.Get("/contact-us/confirm?token=x"); a.Status != 422 {
		t.Errorf("a confirmation of nothing: %d", a.Status)
	}
}

// Pages and errors link to the form, and the form that is opened from one names
// it. Pages of other sites are not named.
func TestPagesOpenTheFormWithTheirName(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.Client(t)
	for path, where := range map[string]string{"/search": "footer", "/none": "main", "/docs/none/1.0": "main", "/docs/none/1.0/schemas/x": "main", "/docs/guides/none": "main", "/account/none": "footer"} {
		a := c.Get(path)
		if a.Find(where+` a[href="/contact-us"]`).Length() == 0 {
			t.Errorf("%s gives %d without a link in its %s", path, a.Status, where)
		}
		form := c.With("Referer", "http://localhost:8080"+path+"?q=planted").Get("/contact-us")
		if named := form.Find(`input[name="page"]`).AttrOr("value", ""); named != path || !strings.Contains(form.Find("main").Text(), path) || strings.Contains(form.Body, "planted") {
			t.Errorf("from %s the form names %q", path, named)
		}
		if named := c.Get("/contact-us?page="+path).Find(`input[name="page"]`).AttrOr("value", ""); named != path {
			t.Errorf("with %s in the address the form names %q", path, named)
		}
	}
	for _, other := range []string{"http://evil.example/docs", "http://localhost:8080.evil.example/docs", "http://localhost:8080/", "http://localhost:8080/contact-us/thanks", "nonsense"} {
		if a := c.With("Referer", other).Get("/contact-us"); strings.Contains(a.Find("main").Text(), "come from") {
			t.Errorf("from %s the form says %s", other, a.Find(".hint").Text())
		}
	}
	for _, words := range []string{"call+1+900+555", "//evil.example", "https://evil.example", "javascript:alert(1)"} {
		if a := c.Get("/contact-us?page=" + words); a.Find(`input[name="page"]`).AttrOr("value", "x") != "" {
			t.Errorf("the form shows %s", words)
		}
	}
	if a := c.Get("/forgot-password"); a.Find(`main a[href="/contact-us"]`).Length() != 1 {
		t.Error("a person without a number has no way to us")
	}
}

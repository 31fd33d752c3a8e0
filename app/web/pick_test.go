package web_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/web/people/pick"
	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

const organisations = `
	insert into organisations (id, name, status) overriding system value values
		(70, 'Harbour', 'active'), (71, 'North Harbour', 'active'), (72, 'Twin', 'active'), (73, 'twin', 'active'), (74, 'Harbour (71)', 'active'), (75, '100% Cotton', 'active')`

// An organisation is named by its label, its id or its whole name, and by nothing less.
func TestOrganisationIsNamed(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	webtest.Exec(t, site, organisations)
	for text, want := range map[string]int64{
		"": 0, "  ": 0, "70": 70, " Harbour ": 70, "harbour": 70, "Harbour (70)": 70, "North Harbour (71)": 71, "Harbour (71)": 74, "Harbour (71) (74)": 74, "100% Cotton": 75,
	} {
		if got, err := pick.Organisation(t.Context(), site.DB, text, "within"); err != nil || got.ID != want {
			t.Errorf("%q is %v %v, not %d", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"Twin": "Choose Twin (73)", "harb": "Is it Harbour (71) (74) or Harbour (70) or North Harbour (71)?", "999": "No organisation has this name or id.", "%": "Is it 100% Cotton (75)?", "Harbour (75)": "No organisation", "99999999999999999999": "No organisation",
	} {
		_, err := pick.Organisation(t.Context(), site.DB, text, "within")
		f := fault.As(err)
		if f == nil || f.Kind != fault.Invalid || f.Fields[0].Name != "within" || !strings.Contains(strings.ToLower(f.Fields[0].Message), strings.ToLower(want)) {
			t.Errorf("%q is %v, not %q", text, err, want)
		}
	}
}

// Every field for an organisation offers the organisations, without script as well, and
// takes what it offers.
func TestFieldsOfferOrganisations(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	webtest.Exec(t, site, organisations, `insert into carriers (name, kind, url) values ('operator', 'http', 'https://gateway.example.com')`)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	for at, fields := range map[string][]string{
		"/admin/carriers": {"organisation"}, "/admin/retention": {"organisation", "within"}, "/admin/refused-requests": {"organisation"}, "/admin/audit": {"target"},
	} {
		a := c.Get(at)
		for _, name := range fields {
			field := a.Find("input#field-" + name)
			list := a.Find("datalist#" + field.AttrOr("list", ""))
			if list.Find("option").Length() < 6 || field.AttrOr("hx-get", "") != pick.Path {
				t.Errorf("%s: the field %s offers %d organisations", at, name, list.Find("option").Length())
			}
		}
	}
	offered := func(field, text string) []string {
		a := c.HX(ui.Region("field-" + field + "-choices")).Get(pick.Path + "?" + url.Values{field: {text}}.Encode())
		return a.Find("datalist#field-" + field + "-choices option").Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("value", "") })
	}
	if got := strings.Join(offered("within", "north"), "|"); got != "North Harbour (71)" {
		t.Errorf("north is offered %s", got)
	}
	if got := strings.Join(offered("target", "organisation:72"), "|"); got != "organisation:72" {
		t.Errorf("an organisation of the audit is offered %s", got)
	}
	if a := c.Get(pick.Path + "?organisation=x"); a.Status != 303 || a.Header.Get("Location") != "/admin/organisations" {
		t.Errorf("a visit of the choices is %d", a.Status)
	}
	if a := c.Post("/admin/carriers/routes", url.Values{"channel": {"sms"}, "carrier": {"operator"}, "organisation": {"north harbour"}}); a.Status != 303 {
		t.Fatalf("a route by name is %d %s", a.Status, a.Find(".error").Text())
	}
	if a := c.Get("/admin/carriers"); a.Find("a[href='/admin/organisations/71']").Text() != "North Harbour" {
		t.Errorf("the route is shown for %s", a.Find("#routes ~ *").Text())
	}
	a := c.Post("/admin/retention/erasure", url.Values{"recipient": {"+919812345678"}, "within": {"harbour"}, "reason": {"asked for it"}})
	if !strings.Contains(a.Find("main").Text(), "Harbour (70)") || a.Find("input[name=within]").AttrOr("value", "") != "70" {
		t.Errorf("the erasure is asked about as %d %s", a.Status, a.Find("main").Text())
	}
}

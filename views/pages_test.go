package views_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"heliograph/views/gallery"
	"heliograph/views/layout"
	overviewview "heliograph/views/operation/overview"
	settingsview "heliograph/views/operation/settings"
	"heliograph/views/people/login"
	notificationsview "heliograph/views/people/notifications"
	"heliograph/views/reader"
	"heliograph/views/ui"
	"heliograph/views/viewtest"
)

type page struct {
	name  string
	frame layout.Page
	body  templ.Component
}

// pages are all templates with rich data, and with as little as they can get.
func pages() []page {
	home, product, version, endpoint := homePage(), productPage(), versionPage(), endpointPage()
	form, dashboard := loginPage(), adminPage()
	python, schema, callback, failed := inPython(endpointPage()), schemaPage(), callbackPage(), atStatus(endpointPage())
	guides, guide := guidesPage(), guidePage()
	lost := reader.NewErrorPage(frame(""), 404, "01JPXH2M7C")
	return slices.Concat([]page{
		{"home", home.Page, reader.Home(home)},
		{"product", product.Page, reader.Product(product)},
		{"version", version.Page, reader.Version(version)},
		{"endpoint", endpoint.Page, reader.Endpoint(endpoint)},
		{"callback", callback.Page, reader.Endpoint(callback)},
		{"schema", schema.Page, reader.Schema(schema)},
		{"endpoint?lang=python", python.Page, reader.Endpoint(python)},
		{"endpoint?status=400", failed.Page, reader.Endpoint(failed)},
		{"error", lost.Page, reader.Error(lost)},
		{"login", form.Page, login.Login(form)},
		{"admin", dashboard.Page, overviewview.Home(dashboard)},
		{"settings", settingsPage().Page, settingsview.Settings(settingsPage())},
		{"inbox", inboxPage().Page, notificationsview.Inbox(inboxPage())},
		{"guides", guides.Page, reader.Guides(guides)},
		{"guide", guide.Page, reader.Guide(guide)},
		{"guides-empty", layout.Page{HasNav: true}, reader.Guides(reader.GuidesPage{Nav: reader.GuideNav{Overview: ui.Link{Label: "Product guide", Href: "/productguide"}}})},
		{"guide-empty", layout.Page{HasNav: true}, reader.Guide(reader.GuidePage{Name: "Begin", Nav: reader.GuideNav{Overview: ui.Link{Label: "Product guide", Href: "/productguide"}}})},
		{"gallery", galleryPage().Page, gallery.Gallery(galleryPage())},
		{"home-empty", layout.Page{}, reader.Home(reader.HomePage{Heading: "APIs, documented to the last field.", Lead: "What to send, what comes back, and what to do when it fails."})},
		{"product-empty", layout.Page{}, reader.Product(reader.ProductPage{Name: "Voice"})},
		{"version-empty", layout.Page{HasNav: true}, reader.Version(reader.VersionPage{Name: "Voice 1.0", Nav: reader.Nav{Product: ui.Link{Label: "Voice", Href: "/docs/voice"}}})},
		{"endpoint-empty", layout.Page{HasNav: true}, reader.Endpoint(reader.EndpointPage{Name: "Ping", Request: reader.RequestLine{Method: "GET"}, Nav: reader.Nav{Product: ui.Link{Label: "Voice", Href: "/docs/voice"}}})},
		{"schema-empty", layout.Page{HasNav: true}, reader.Schema(reader.SchemaPage{Name: "Pong", Nav: reader.Nav{Product: ui.Link{Label: "Voice", Href: "/docs/voice"}}})},
		{"error-empty", layout.Page{}, reader.Error(reader.ErrorPage{Heading: "Unknown"})},
		{"login-empty", layout.Page{}, login.Login(login.Page{Heading: "Sign in", Email: ui.Input{Name: "email", Label: "Email"}, Password: ui.Input{Name: "password", Label: "Password"}})},
		{"settings-empty", bareFrame().Page, settingsview.Settings(settingsview.SettingsPage{Frame: bareFrame(), Save: "Save", Trial: settingsview.Trial{To: ui.Input{Name: "to", Label: "To"}}})},
		{"inbox-empty", bareFrame().Page, notificationsview.Inbox(notificationsview.InboxPage{Frame: bareFrame(), List: ui.Listing{Empty: ui.EmptyState{Title: "No messages", Text: "Codes appear here."}}})},
		{"admin-empty", bareFrame().Page, overviewview.Home(overviewview.HomePage{Frame: bareFrame()})},
	}, searchPages(), accountPages(), logPages(), adminPages(), enrolPages(), widePages())
}

func render(t *testing.T, p page) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := layout.Document(p.frame, p.body).Render(context.Background(), &b); err != nil {
		t.Fatalf("rendering %s: %v", p.name, err)
	}
	return b.Bytes()
}

func parse(t *testing.T, p page) *goquery.Document {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(render(t, p)))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestPagesAreWellFormed(t *testing.T) {
	t.Parallel()
	for _, p := range pages() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			doc := parse(t, p)
			for selector, want := range map[string]int{"h1": 1, "main#main": 1, "head title": 1, "header": 1, "footer": 1, "a.skip[href='#main']": 1, "html[lang=en]": 1} {
				if got := doc.Find(selector).Length(); got != want {
					t.Errorf("%d × %s, want %d", got, selector, want)
				}
			}
			ids := map[string]bool{}
			doc.Find("[id]").Each(func(_ int, s *goquery.Selection) {
				id := s.AttrOr("id", "")
				if id == "" || ids[id] {
					t.Errorf("id %q is empty or not unique", id)
				}
				ids[id] = true
			})
			checkReferences(t, doc, ids)
			checkPolicy(t, doc)
		})
	}
}

// checkReferences follows everything that names an id or a label.
func checkReferences(t *testing.T, doc *goquery.Document, ids map[string]bool) {
	t.Helper()
	for _, attr := range []string{"for", "aria-labelledby", "aria-describedby", "popovertarget"} {
		doc.Find("[" + attr + "]").Each(func(_ int, s *goquery.Selection) {
			for id := range strings.FieldsSeq(s.AttrOr(attr, "")) {
				if !ids[id] {
					t.Errorf("%s names %q, which is not on the page", attr, id)
				}
			}
		})
	}
	doc.Find("link[rel=expect]").Each(func(_ int, s *goquery.Selection) {
		if awaited := s.AttrOr("href", ""); !ids[strings.TrimPrefix(awaited, "#")] {
			t.Errorf("the page is not painted before %q, which is not on it", awaited)
		}
	})
	doc.Find("[data-open]").Each(func(_ int, s *goquery.Selection) {
		for id := range strings.FieldsSeq(s.AttrOr("data-open", "")) {
			if !ids[id] {
				t.Errorf("the samples go with %q, which is not on the page", id)
			}
		}
	})
	doc.Find("input:not([type=hidden]):not([hidden])").Each(func(_ int, s *goquery.Selection) {
		if doc.Find("label[for='"+s.AttrOr("id", "?")+"']").Length() != 1 && s.Closest("label").Length() != 1 {
			t.Errorf("input %q has no label", s.AttrOr("name", ""))
		}
	})
	doc.Find("a").Each(func(_ int, s *goquery.Selection) {
		if strings.TrimSpace(s.Text()) == "" || s.AttrOr("href", "") == "" {
			html, _ := goquery.OuterHtml(s)
			t.Errorf("a link without text or address: %s", html)
		}
	})
	doc.Find("button").Each(func(_ int, s *goquery.Selection) {
		if s.AttrOr("type", "") == "" || strings.TrimSpace(s.Text())+s.AttrOr("aria-label", "") == "" {
			html, _ := goquery.OuterHtml(s)
			t.Errorf("a button without type or name: %s", html)
		}
	})
}

// checkPolicy finds what the content security policy would block.
func checkPolicy(t *testing.T, doc *goquery.Document) {
	t.Helper()
	doc.Find("script:not([type='application/ld+json'])").Each(func(_ int, s *goquery.Selection) {
		if !strings.HasPrefix(s.AttrOr("src", ""), "/static/") || s.Text() != "" {
			t.Error("a script that is not a file of this host")
		}
	})
	for _, finding := range viewtest.Check(doc) {
		t.Error(finding)
	}
	doc.Find("*").Each(func(_ int, s *goquery.Selection) {
		for _, a := range s.Nodes[0].Attr {
			if (a.Key == "src" || a.Key == "href") && s.Is("script, link:not([rel=canonical], [rel=expect]), img") && !strings.HasPrefix(a.Val, "/") {
				t.Errorf("%s is fetched from elsewhere: %s", s.Nodes[0].Data, a.Val)
			}
		}
	})
	if doc.Find("style").Length() > 0 {
		t.Error("a style element")
	}
}

// A bare templ.Fragment hands its children on to components that have none.
func TestRegionsAreParts(t *testing.T) {
	t.Parallel()
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".templ" {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "templ.Fragment(") {
			t.Errorf("%s uses templ.Fragment: use ui.Part", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

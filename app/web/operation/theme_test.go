package operation_test

import (
	"bytes"
	"image"
	"image/png"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/documentation/media"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
)

const edit = "/admin/themes/public"

// version returns the version of the draft that a page shows.
func version(a *webtest.Answer) string { return a.Find("[name=version]").First().AttrOr("value", "") }

// stylesheet returns the address of the theme's style sheet on a page.
func stylesheet(a *webtest.Answer) string {
	return a.Find(`link[rel=stylesheet][href^="/theme/"]`).AttrOr("href", "")
}

// A theme is drafted, seen in its preview alone, published, restored and reset.
func TestThemeIsPublished(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	reader, admin := site.Client(t), site.SignInAdmin(t, identity.SuperAdmin)
	before := reader.Get("/")
	if stylesheet(before) != "" || before.Find(".brand span").Text() != "Heliograph" {
		t.Fatalf("the default theme has the style sheet %q", stylesheet(before))
	}
	admin.Get(edit)
	form := url.Values{"version": {"0"}, "preset": {"harbour"}, "name": {"Semaphore"}, "links": {"System status https://status.example.com"}, "footer": {"Signals by sea"}}
	if a := admin.Post(edit, form); a.Status != 303 {
		t.Fatalf("saving gives %d: %s", a.Status, a.Find(".alert").Text())
	}
	if a := reader.Get("/"); a.Body != before.Body {
		t.Error("readers see a draft")
	}
	preview := admin.Get(edit + "/preview?of=/&scheme=dark")
	if preview.Find("html").AttrOr("data-theme", "") != "dark" || stylesheet(preview) == "" || preview.Find(".brand span").Text() != "Semaphore" || preview.Find("script[src]").Length() != 0 {
		t.Errorf("the preview is %.300s", preview.Body)
	}
	if policy := preview.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'self'") || strings.Contains(policy, "script-src") {
		t.Errorf("the policy of the preview is %s", policy)
	}
	shown := admin.Get(edit)
	if a := admin.Post(edit+"/publication", url.Values{"version": {"9"}}); a.Status != 409 {
		t.Errorf("publishing another version gives %d", a.Status)
	}
	if a := admin.Post(edit+"/publication", url.Values{"version": {version(shown)}}); a.Status != 303 {
		t.Fatalf("publishing gives %d", a.Status)
	}
	after := reader.Get("/")
	sheet := reader.Get(stylesheet(after))
	if sheet.Status != 200 || !strings.HasPrefix(sheet.Body, "@layer theme{:root{--paper:light-dark(#") || !strings.Contains(sheet.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("the style sheet at %q: %d %.80s", stylesheet(after), sheet.Status, sheet.Body)
	}
	if after.Header.Get("Etag") == before.Header.Get("Etag") || after.Find(".brand span").Text() != "Semaphore" || after.Find("title").Text() != "Semaphore" ||
		after.Find(`.site-links a[href="https://status.example.com"]`).Text() != "System status" || !strings.Contains(after.Find(".site-footer").Text(), "Signals by sea") {
		t.Errorf("the page has %q, %q", after.Find("header").Text(), after.Find(".site-footer").Text())
	}
	if a := reader.Get("/llms.txt"); !strings.HasPrefix(a.Body, "# Semaphore API documentation") {
		t.Errorf("llms.txt begins %.60q", a.Body)
	}
	if a := reader.Get("/missing"); a.Status != 404 || a.Find(".brand span").Text() != "Semaphore" {
		t.Errorf("the page of an error shows %q", a.Find(".brand").Text())
	}
	if a := admin.Get("/admin"); stylesheet(a) != "" || a.Find(".brand span").Text() != "Semaphore" {
		t.Errorf("the administration has %q, %q", stylesheet(a), a.Find(".brand").Text())
	}

	if a := admin.Post(edit+"/reset", nil); a.Status != 303 {
		t.Fatalf("a reset gives %d", a.Status)
	}
	if a := reader.Get("/"); a.Body != before.Body {
		t.Error("the page after a reset differs from the one before the theme")
	}
	if a := reader.Get(stylesheet(after)); a.Body != sheet.Body {
		t.Error("the style sheet of an open page is gone")
	}
	if a := admin.Post(edit+"/revisions/1", nil); a.Status != 303 {
		t.Fatalf("restoring gives %d", a.Status)
	}
	if a := reader.Get("/"); a.Body != after.Body {
		t.Error("the page of a restored revision differs")
	}
	if a := admin.Get(edit); a.Find("main table tbody tr").Length() != 3 {
		t.Errorf("the history has %d rows", a.Find("main table tbody tr").Length())
	}
}

// Colours that cannot be read are refused with what was typed, the figure, and a button
// that takes the nearest colour.
func TestContrastIsRefused(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	c.Get(edit)
	form := url.Values{"version": {"0"}, "light.soft": {"#CCC"}, "dark.on-amber": {"#ffffff"}, "name": {"Semaphore"}}
	a := c.Post(edit, form)
	if a.Status != 422 || a.Find(`[name="light.soft"]`).AttrOr("value", "") != "#CCC" || a.Find(`[name="name"]`).AttrOr("value", "") != "Semaphore" {
		t.Fatalf("refused with %d, %q", a.Status, a.Find(`[name="light.soft"]`).AttrOr("value", ""))
	}
	if text := a.Find(".theme-offers").Text(); !strings.Contains(text, "Secondary text has a contrast of 1.") || !strings.Contains(text, "at least 4.5 to 1 is needed") {
		t.Errorf("the refusal says %q", text)
	}
	take := a.Find(".theme-offers button").First().AttrOr("value", "")
	form.Set("take", take)
	if a = c.Post(edit, form); a.Status != 422 || a.Find(".theme-offers button").Length() != 1 || "light.soft="+a.Find(`[name="light.soft"]`).AttrOr("value", "") != take {
		t.Errorf("taking %q leaves %q", take, a.Find(".theme-offers").Text())
	}
	form.Set("take", "all")
	if a := c.Post(edit, form); a.Status != 303 {
		t.Errorf("taking all gives %d: %s", a.Status, a.Find(".alert").Text())
	}
	for _, bad := range []url.Values{
		{"light.paper": {"white"}, "version": {"0"}}, {"radius": {"99"}, "version": {"0"}}, {"light.paper": {"white"}, "take": {"all"}, "version": {"0"}}, {"links": {"x javascript:alert(1)"}, "version": {"0"}},
		{"take": {"x"}, "version": {"0"}}, {"preset": {"x"}, "version": {"0"}}, {"logo": {"../x.png"}, "version": {"0"}}, {"dark.amber": {"}"}, "version": {"0"}}, {"density": {"x"}, "version": {"-1"}},
	} {
		if a := c.Post(edit, bad); a.Status != 422 || a.Find("main .alert.bad").Length() == 0 {
			t.Errorf("%v gives %d", bad, a.Status)
		}
	}
	a = c.Post(edit, url.Values{"light.paper": {"reddish"}, "version": {"0"}})
	for _, alert := range a.Find("main .alert.bad").EachIter() {
		if text := alert.Text(); strings.Count(text, "Page, light:") != 1 || !strings.Contains(text, `"reddish" is no colour`) {
			t.Errorf("the message about a wrong colour is %q", text)
		}
	}
}

// A theme is exported and imported, and a file that is none is refused beside its field.
func TestThemeIsExchanged(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	c.Get(edit)
	if a := c.Post(edit, url.Values{"version": {"0"}, "preset": {"grove"}, "name": {"Semaphore"}}); a.Status != 303 {
		t.Fatal(a.Status)
	}
	exported := c.Get(edit + "/export")
	if a := c.Post(edit+"/discard", nil); a.Status != 303 {
		t.Fatal(a.Status)
	}
	if a := c.Upload(edit+"/import", "file", exported.Body); a.Status != 303 {
		t.Fatalf("an import gives %d: %s", a.Status, a.Find(".error").Text())
	}
	if a := c.Get(edit + "/export"); a.Body != exported.Body {
		t.Errorf("imported: %s", a.Body)
	}
	for _, bad := range []string{"x", `{"format":"heliograph-theme-1","light":{"paper":"#777777"}}`} {
		if a := c.Upload(edit+"/import", "file", bad); a.Status != 422 {
			t.Errorf("%q gives %d", bad, a.Status)
		}
	}
}

// Pictures are stored without anything but their pixels, and served for ever.
func TestPictureIsUploaded(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	c.Get(edit)
	var body bytes.Buffer
	if err := png.Encode(&body, image.NewGray(image.Rect(0, 0, 40, 20))); err != nil {
		t.Fatal(err)
	}
	canary := "<script>canary</script>"
	if a := c.Upload(edit, "logo_file", body.String()+canary); a.Status != 303 {
		t.Fatalf("an upload gives %d: %s", a.Status, a.Find(".error").Text())
	}
	a := c.Get(edit)
	address := a.Find(".theme-picture img").AttrOr("src", "")
	picture := c.Get(address)
	if picture.Status != 200 || picture.Header.Get("Content-Type") != "image/png" || strings.Contains(picture.Body, canary) || !strings.Contains(picture.Header.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("the picture at %q: %d %s", address, picture.Status, picture.Header)
	}
	logo := a.Find("[name=logo]").AttrOr("value", "")
	if a := c.Post(edit, url.Values{"version": {version(a)}, "logo": {logo}, "logo_remove": {"true"}}); a.Status != 303 {
		t.Fatal(a.Status)
	}
	if a := c.Get(edit); a.Find(".theme-picture").Length() != 0 {
		t.Error("the picture is still there")
	}
	for _, bad := range []string{"GIF89a", "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "\x89PNG\r\n\x1a\nx", strings.Repeat("x", 200_001)} {
		if a := c.Upload(edit, "icon_file", bad); a.Status != 422 || a.Find("#field-icon-error").Length() != 1 {
			t.Errorf("%.20q gives %d", bad, a.Status)
		}
	}
}

// A picture of the gallery becomes a logo, and stays one when the gallery changes.
func TestPictureOfTheGallery(t *testing.T) {
	t.Parallel()
	var gallery *media.Library
	site := webtest.New(t, func(d *web.Deps) { gallery = d.Media })
	by := media.Actor{Name: "system"}
	lamp, err := gallery.Add(t.Context(), by, media.Upload{Name: "lamp.svg", Body: strings.NewReader(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#123456"/></svg>`)})
	if err != nil {
		t.Fatal(err)
	}
	c := site.SignInAdmin(t, identity.SuperAdmin)
	if a := c.Get(edit); a.Find("select[name=logo_gallery] option[value=\""+lamp.ID+"\"]").Text() != "lamp.svg" {
		t.Fatalf("the form offers %q", a.Find("select[name=logo_gallery]").Text())
	}
	if a := c.Post(edit, url.Values{"version": {"0"}, "logo_gallery": {lamp.ID}}); a.Status != 303 {
		t.Fatalf("taking it gives %d: %s", a.Status, a.Find(".error").Text())
	}
	if err := gallery.Trash(t.Context(), by, lamp.ID); err != nil {
		t.Fatal(err)
	}
	shown := c.Get(edit)
	if a := c.Get(shown.Find(".theme-picture img").AttrOr("src", "")); a.Status != 200 || !strings.Contains(a.Body, "#123456") {
		t.Errorf("the logo is %d %.200s", a.Status, a.Body)
	}
	for _, missing := range []string{lamp.ID, "aaaaaaaaaa"} {
		if a := c.Post(edit, url.Values{"version": {version(shown)}, "icon_gallery": {missing}}); a.Status < 400 {
			t.Errorf("%s gives %d", missing, a.Status)
		}
	}
}

// The form is sent while it is filled in, and its answer is the preview alone.
func TestDraftIsSeenWhileItIsTyped(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	c.Get(edit)
	a := c.HX("live-theme").Post(edit+"/live", url.Values{"version": {"0"}, "radius": {"12"}, "of": {"/search"}})
	if a.Status != 200 || version(a) != "1" || a.Find("iframe").Length() != 2 || !strings.Contains(a.Find("iframe").First().AttrOr("src", ""), "of=%2Fsearch") || a.Find("#theme-form").Length() != 0 {
		t.Errorf("the answer is %d: %.500s", a.Status, a.Body)
	}
	if a := c.Post(edit+"/live", url.Values{"version": {"1"}, "radius": {"4"}}); a.Status != 200 || a.Find("#theme-form").Length() != 1 {
		t.Errorf("without htmx the answer is %d", a.Status)
	}
	a = c.HX("live-theme").Post(edit+"/live", url.Values{"version": {"1"}, "light.text": {"#fff"}})
	if a.Status != 422 || a.Find("#live-theme .theme-offers button").Length() == 0 {
		t.Errorf("the answer is %d: %.500s", a.Status, a.Body)
	}
	for _, surface := range []string{"public", "organisation", "administration"} {
		shown := c.Get("/admin/themes/" + surface)
		pages := shown.Find("#field-of option").Map(func(_ int, o *goquery.Selection) string { return o.AttrOr("value", "") })
		for _, of := range pages {
			a := c.Get("/admin/themes/" + surface + "/preview?scheme=light&of=" + url.QueryEscape(of))
			if a.Status != 200 && of != "/missing" || a.Find("h1").Length() != 1 || a.Find("html").AttrOr("data-theme", "") != "light" {
				t.Errorf("%s, %s: %d %.200s", surface, of, a.Status, a.Body)
			}
		}
	}
	if a := c.Get("/admin/themes/nothing"); a.Status != 404 {
		t.Error(a.Status)
	}
}

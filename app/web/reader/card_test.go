package reader_test

import (
	"encoding/json"
	"image/png"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"heliograph/app/documentation/editorial"
	"heliograph/app/web/webtest"
	"heliograph/static"
)

// imageOf returns the address of the picture of a page, without the host.
func imageOf(t *testing.T, c *webtest.Client, path string) string {
	t.Helper()
	address, err := url.Parse(c.Get(path).Find(`meta[property="og:image"]`).AttrOr("content", ""))
	if err != nil || !address.IsAbs() {
		t.Fatalf("%s has the picture %v: %v", path, address, err)
	}
	return address.RequestURI()
}

// Each page has a picture of its own at an address with the hash of what it shows,
// which caches keep. An address with another hash redirects to it.
func TestPagesHavePictures(t *testing.T) {
	t.Parallel()
	c := documented(t).Client(t)
	seen := map[string]string{}
	for _, path := range []string{
		"/", "/docs/rcs", "/docs/rcs/1.0", "/docs/rcs/1.0/create-bot", "/docs/portal/1.1", "/docs/portal/1.0", "/docs/portal/1.1/schemas/Slug", "/docs/sms/1.0/errors", "/productguide",
		"/productguide/rcs/send-your-first-rich-message", "/mcp-setup", "/docs/portal/compare", "/docs/portal/compare?from=1.1&to=1.0", "/docs/portal/changelog", "/docs/portal/changelog?version=1.0",
	} {
		image := imageOf(t, c, path)
		if !strings.HasPrefix(image, "/card/") {
			t.Errorf("%s has the picture %s", path, image)
			continue
		}
		answer := c.Get(image)
		size, err := png.DecodeConfig(strings.NewReader(answer.Body))
		if err != nil || size.Width != 1200 || size.Height != 630 || answer.Header.Get("Content-Type") != "image/png" {
			t.Errorf("%s: %d %v %v %v", image, answer.Status, size, answer.Header, err)
		}
		if answer.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%s may be kept: %v", image, answer.Header)
		}
		if other := seen[answer.Body]; other != "" && path != "/docs/portal/changelog?version=1.0" {
			t.Errorf("%s and %s have the same picture", path, other)
		}
		seen[answer.Body] = path
		again := c.With("If-None-Match", answer.Header.Get("Etag")).Get(image)
		if head := c.Head(image); again.Status != http.StatusNotModified || head.Status != 200 || head.Body != "" || head.Header.Get("Content-Length") != answer.Header.Get("Content-Length") {
			t.Errorf("%s: %d with its tag, HEAD %d %v", image, again.Status, head.Status, head.Header)
		}
		_, rest, _ := strings.Cut(strings.TrimPrefix(image, "/card/"), "/")
		old := c.Get("/card/0123456789abcdef0123456789abcdef/" + rest)
		if old.Status != http.StatusTemporaryRedirect || old.Header.Get("Location") != image {
			t.Errorf("an old picture of %s: %d to %q, want %s", path, old.Status, old.Header.Get("Location"), image)
		}
	}
	for _, missing := range []string{"/card/x/docs/rcs/9.9.png", "/card/x/docs/rcs", "/card/x/sitemap.xml.png", "/card/x/docs/rcs/1.0/create-bot.md.png", "/card/x/openapi/rcs/1.0.json.png", "/card/x/docs/rcs/compare.png", "/card/x/../../etc/passwd.png"} {
		if answer := c.Get(missing); answer.Status != http.StatusNotFound {
			t.Errorf("%s: %d", missing, answer.Status)
		}
	}
}

// A changed summary changes the address of the picture, and the earlier one leads
// to the current one.
func TestPictureFollowsThePage(t *testing.T) {
	t.Parallel()
	p := publish(t)
	im := editorial.Import{ProductSlug: "lamps"}
	im.Product.Name, im.Product.Summary, im.Product.Homepage = "Lamps", "Sends light.", true
	p.release(t, im, "")
	image := func() string {
		return strings.TrimPrefix(p.page(t, "/docs/lamps").Find(`meta[property="og:image"]`).AttrOr("content", ""), origin)
	}
	before := image()
	if w := p.ask("GET", before); w.Code != 200 || !strings.HasPrefix(before, "/card/") {
		t.Fatalf("%s: %d", before, w.Code)
	}
	im.Product.Summary = "Sends light over the hills."
	p.release(t, im, "")
	if w := p.ask("GET", before); image() == before || w.Code != http.StatusTemporaryRedirect || w.Header().Get("Location") != image() {
		t.Errorf("the picture is %s, and %s answers %d to %q", image(), before, w.Code, w.Header().Get("Location"))
	}
	im.Product.Name = "प्रकाश"
	p.release(t, im, "")
	if !strings.HasPrefix(image(), static.Prefix) {
		t.Errorf("a name that the fonts cannot write has the picture %s", image())
	}
	im.Product.Name, im.Product.Hidden = "Lamps", true
	p.release(t, im, "")
	if w := p.ask("GET", before); w.Code < 400 || image() != "" {
		t.Errorf("a hidden product has the picture %q, and %s answers %d", image(), before, w.Code)
	}
}

// Without storage all pages have the picture of the portal. Storage that does not
// answer leads there too.
func TestPicturesWithoutStorage(t *testing.T) {
	t.Parallel()
	pool := documentation(t)
	image := imageOf(t, withCards(t, pool, cardsIn(t, t.TempDir())).Client(t), "/docs/rcs/1.0")
	folder := t.TempDir()
	broken := withCards(t, pool, cardsIn(t, folder))
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	answer := broken.Client(t).Get(image)
	if answer.Status != http.StatusTemporaryRedirect || answer.Header.Get("Location") != static.URL("img/card.png") || answer.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("without its folder: %d %v", answer.Status, answer.Header)
	}
	none := withCards(t, pool, nil).Client(t)
	if got := imageOf(t, none, "/docs/rcs/1.0"); got != static.URL("img/card.png") {
		t.Errorf("without storage: %s", got)
	}
	if answer := none.Get(image); answer.Status != http.StatusNotFound {
		t.Errorf("without storage, %s: %d", image, answer.Status)
	}
}

// The breadcrumbs of a page are those that it shows, with absolute addresses.
func TestBreadcrumbsForSearchEngines(t *testing.T) {
	t.Parallel()
	c := documented(t).Client(t)
	for _, path := range []string{"/docs/rcs", "/docs/rcs/1.0/create-bot", "/docs/portal/1.1/schemas/Slug", "/docs/portal/compare", "/docs/portal/changelog", "/docs/sms/1.0/errors", "/productguide/rcs/send-your-first-rich-message", "/mcp-setup"} {
		doc := c.Get(path)
		var trail struct {
			Type  string `json:"@type"`
			Items []struct {
				Type       string `json:"@type"`
				Position   int
				Name, Item string
			} `json:"itemListElement"`
		}
		if err := json.Unmarshal([]byte(doc.Find("script[type='application/ld+json']").Eq(1).Text()), &trail); err != nil || trail.Type != "BreadcrumbList" {
			t.Errorf("%s: %v %+v", path, err, trail)
			continue
		}
		shown := doc.Find(".breadcrumb li")
		if len(trail.Items) < 2 || len(trail.Items) != shown.Length() {
			t.Errorf("%s shows %d breadcrumbs and tells %d", path, shown.Length(), len(trail.Items))
			continue
		}
		for i, item := range trail.Items {
			to := doc.Find("link[rel=canonical]").AttrOr("href", "")
			if href, linked := shown.Eq(i).Find("a").Attr("href"); linked {
				to = "http://localhost:8080" + href
			}
			if item.Type != "ListItem" || item.Position != i+1 || item.Name != strings.TrimSpace(shown.Eq(i).Text()) || item.Item != to {
				t.Errorf("%s: breadcrumb %d is %+v, want %s", path, i, item, to)
			}
		}
	}
	if n := c.Get("/").Find("script[type='application/ld+json']").Length(); n != 1 {
		t.Errorf("the homepage has %d descriptions", n)
	}
}

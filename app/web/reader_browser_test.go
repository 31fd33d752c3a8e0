//go:build browser

package web_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/app/documentation/editorial"
	"heliograph/db/seed"
	"heliograph/views/browsertest"
)

// publish publishes the documentation that comes with the program.
func (s *stand) publish() {
	s.t.Helper()
	if err := editorial.Seed(s.t.Context(), s.pool, seed.Files); err != nil {
		s.t.Fatal(err)
	}
	if err := s.documentation.Refresh(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// publicPages has a page of each type that readers see.
var publicPages = []string{
	"/", "/docs/business-messaging", "/docs/business-messaging/3.0", "/docs/business-messaging/3.0/send-message",
	"/docs/business-messaging/3.0/message-status", "/docs/business-messaging/3.0/schemas/SendRequest",
	"/docs/business-messaging/3.0/schemas/AuthenticationTemplateCreate", "/docs/business-messaging/3.0/schemas/PublicKey", "/docs/business-messaging/3.0/errors",
	"/docs/portal/1.0/search-documentation", "/docs/portal/compare?from=1.0&to=1.1", "/docs/portal/changelog",
	"/productguide", "/productguide/business-messaging/receive-callbacks", "/search?q=template", "/search?q=zzqqxx",
	"/contact-us", "/mcp-setup", "/login", "/register", "/forgot-password",
}

// missingPages has the pages of what does not exist.
var missingPages = []string{"/nowhere", "/docs/business-messaging/3.0/send-mesage"}

// No page scrolls sideways on a small phone or on a tablet, in the account and the
// administration neither.
func TestPagesFitSmallScreens(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	s.publish()
	area := append(signedInPages(t), "/admin/console/business-messaging/3.0/delete-qr-code")
	if len(area) < 40 {
		t.Fatalf("only %d pages of the account and the administration are tried", len(area))
	}
	for _, path := range slices.Concat(area, publicPages, missingPages) {
		for i, width := range []int64{390, 320, 700, 1024} {
			if err := chromedp.Do(s.ctx, chromedp.EmulateViewport(width, 800)); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				s.open(path)
			}
			if wide := browsertest.Evaluate[int64](t, s.ctx, `document.documentElement.scrollWidth`); wide > width {
				t.Errorf("%s is %d pixels wide on a screen of %d", path, wide, width)
			}
		}
		if missing := browsertest.Evaluate[bool](t, s.ctx, `document.querySelector(".error-status")?.textContent === "404"`); missing != slices.Contains(missingPages, path) {
			t.Errorf("%s is missing: %t", path, missing)
		}
	}
}

// signedInPages reads the pages of the account and the administration that need no
// id from the table of access.
func signedInPages(t *testing.T) (list []string) {
	t.Helper()
	table, err := os.ReadFile("testdata/access.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		cells := strings.Split(line, "\t")
		if len(cells) < 3 || cells[1] != "GET" || !strings.HasPrefix(cells[2], "/account") && !strings.HasPrefix(cells[2], "/admin") {
			continue
		}
		if path := cells[2]; !strings.ContainsAny(path, ":.*") && !strings.HasSuffix(path, "/events") && !strings.HasSuffix(path, "/export") {
			list = append(list, path)
		}
	}
	return list
}

// copyStops is the number of Tab stops within which the sample of an endpoint is
// copied, with its skip links.
const copyStops = 12

// Someone without a pointer copies the sample in a few steps, at any width.
func TestSampleIsCopiedByKeyboard(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	s.publish()
	for _, width := range []int64{1440, 390} {
		if err := chromedp.Do(s.ctx, chromedp.EmulateViewport(width, 900)); err != nil {
			t.Fatal(err)
		}
		s.open("/docs/business-messaging/3.0/send-message")
		s.await("the script", `document.documentElement.classList.contains("js") && document.readyState === "complete"`)
		stops := 0
		for ; stops < copyStops && !browsertest.Focused(t, s.ctx, ".samples .copy"); stops++ {
			s.keys("\t")
			if browsertest.Focused(t, s.ctx, ".skip") {
				target := browsertest.Evaluate[string](t, s.ctx, `document.activeElement.hash`)
				s.keys("\r")
				s.await("the skip link leads on", `location.hash === "`+target+`" && !document.activeElement.matches(".skip")`)
			}
		}
		if !browsertest.Focused(t, s.ctx, ".samples .copy") {
			t.Errorf("after %d stops at %d pixels the focus is not on the button of the sample", stops, width)
			continue
		}
		t.Logf("%d stops at %d pixels", stops, width)
		s.keys("\r")
		s.await("it says that it is copied", `document.activeElement.textContent.includes("Copied")`)
	}
}

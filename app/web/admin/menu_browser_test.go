//go:build browser

package admin_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// The menu shows the name, the role and the way out without scrolling in a window of 900
// pixels, whichever of its groups is open.
func TestMenuShowsTheWayOut(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	for _, path := range []string{"/admin", "/admin/products", "/admin/organisations", "/admin/carriers", "/admin/jobs"} {
		d.do(chromedp.EmulateViewport(1440, 900), chromedp.Navigate(d.origin+path))
		d.await("the account in the menu of "+path, `[...document.querySelectorAll(".nav-account :is(strong, small, button)")].length === 3 && [...document.querySelectorAll(".nav-account :is(strong, small, button)")].every((part) => {
			const r = part.getBoundingClientRect();
			return r.top >= 0 && r.bottom <= innerHeight && part.scrollWidth <= part.clientWidth + 1 && part.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2));
		})`)
	}
}

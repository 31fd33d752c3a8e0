//go:build browser && drill

package admin_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/jackc/pgx/v5"

	rule "heliograph/app/documentation/importing"
	"heliograph/app/documentation/published"
	"heliograph/app/web"
	"heliograph/storage/storagetest"
	"heliograph/views/browsertest"
)

// newcomer is an administrator with a mouse, who counts clicks.
type newcomer struct {
	*desk
	clicks int
	began  time.Time
}

// click clicks on an element once it is there and htmx knows it.
func (n *newcomer) click(selector string) {
	n.t.Helper()
	n.await(selector, fmt.Sprintf(`document.querySelector(%q) && !document.querySelector(".htmx-added, .htmx-settling, .htmx-swapping, .htmx-request")`, selector))
	at := browsertest.Evaluate[[]float64](n.t, n.ctx, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "center", behavior: "instant"}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, selector))
	n.do(chromedp.MouseClickXY(at[0], at[1]))
	n.clicks++
	n.t.Logf("%5.1f s: %s", time.Since(n.began).Seconds(), selector)
}

// write clicks into a field and types.
func (n *newcomer) write(selector, text string) {
	n.t.Helper()
	n.click(selector)
	n.await("the focus in "+selector, fmt.Sprintf(`document.activeElement === document.querySelector(%q)`, selector))
	n.do(chromedp.KeyEvent(text))
}

// netlify finds the real document beside the project or above it.
func netlify(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
		for _, file := range []string{filepath.Join(parent, "shared/data/documents/netlify-swagger2.yml"), filepath.Join(parent, "work/shared/data/documents/netlify-swagger2.yml")} {
			if _, err := os.Stat(file); err == nil {
				return file
			}
		}
	}
	t.Skip("the folder of real documents is absent")
	return ""
}

// A newcomer, alone in an empty portal, brings the Netlify API in and publishes it by
// what the pages offer. No step needs an address or a page of help.
func TestNewcomerPublishesAnAPI(t *testing.T) {
	t.Parallel()
	file := netlify(t)
	var imports *rule.Service
	n := &newcomer{desk: openDeskWith(t, func(deps *web.Deps) {
		imports = rule.New(rule.Deps{DB: deps.DB, Store: storagetest.Folder(t), Jobs: deps.Jobs, Preparer: inProcess{}, Signals: deps.Signals})
		documentation := published.New(deps.DB, deps.Listener)
		deps.Imports, deps.Documentation = imports, documentation
		go documentation.Run(t.Context())
	})}
	n.began = time.Now()
	n.click(`main a[href="/admin/imports/new"]`)
	n.await("the form", `document.querySelector("h1").textContent === "Bring your API in"`)
	n.write("#field-name", "Netlify")
	n.write("#field-version", "2.0")
	n.do(chromedp.SetUploadFiles(chromedp.CSS("#field-file"), []string{file}))
	n.clicks += 2 // the field and the file in the dialog of the browser
	n.click("main form.import-form button[type=submit]")
	n.await("the progress", `document.querySelector("progress")`)
	if err := imports.Run(t.Context(), lastImport(t, n.desk), 1, func(pgx.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	n.await("all that was read, without a reload", `document.querySelectorAll("input[name=take]").length > 100`)
	n.click(".import-choice button[type=submit]")
	n.click(`.actions.above a`)
	n.await("the change set", `document.querySelector(".state-line .badge").textContent === "Draft"`)
	n.await("the way for an only administrator", `document.querySelector("details.ends[open] #form-override")`)
	for _, id := range browsertest.Evaluate[[]string](t, n.ctx, `[...document.querySelectorAll("#form-override textarea")].map(({ id }) => "#" + id)`) {
		n.write(id, "First version, checked by hand")
	}
	n.click("#form-override button[type=submit]")
	n.await("the release", `document.querySelector(".state-line .badge").textContent === "Published"`)
	n.click(`main a[href^="/docs/"]`)
	n.await("the page for readers", `location.pathname.startsWith("/docs/netlify") && document.querySelector("h1").textContent.includes("Netlify") && document.querySelector("main").innerText.includes("https://api.netlify.com/api/v1")`)
	t.Logf("%d clicks, %.1f seconds", n.clicks, time.Since(n.began).Seconds())
	if n.clicks > 20 {
		t.Errorf("publishing takes %d clicks", n.clicks)
	}
	for _, s := range n.said() {
		t.Errorf("the browser says: %s", s)
	}
}

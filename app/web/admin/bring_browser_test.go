//go:build browser

package admin_test

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/jackc/pgx/v5"

	rule "heliograph/app/documentation/importing"
	"heliograph/app/documentation/importing/prepare"
	"heliograph/app/documentation/media"
	"heliograph/app/web"
	"heliograph/storage/storagetest"
	"heliograph/views/browsertest"
)

// inProcess prepares documents in the process of the test.
type inProcess struct{}

func (inProcess) Prepare(_ context.Context, r prepare.Request, progress func(int, string)) (*prepare.Result, error) {
	return prepare.Prepare(r, progress)
}

const broughtDocument = `swagger: '2.0'
info: {title: Pets, version: '1'}
host: api.example.com
schemes: [https]
paths:
  /pets: {get: {operationId: listPets, summary: List pets, parameters: [{name: kind, in: query}], responses: {'200': {description: OK}}}}
  /pets/{id}: {delete: {operationId: deletePet, summary: Delete a pet, parameters: [{name: id, in: path, required: true, type: string}], responses: {'204': {description: Gone}}}}
`

// judgeAll judges a page in both themes and photographs it in a wide and a narrow window.
func (d *desk) judgeAll(at string) {
	d.t.Helper()
	for _, width := range []int64{1280, 400} {
		d.do(chromedp.EmulateViewport(width, 900))
		d.judge(at + map[int64]string{1280: " wide", 400: " narrow"}[width])
	}
	d.do(chromedp.EmulateViewport(1280, 900))
}

// A newcomer finds the way from an empty overview to a change set by keyboard alone, in
// seven presses besides what is typed.
func TestImportByKeyboard(t *testing.T) {
	t.Parallel()
	var imports *rule.Service
	d := openDeskWith(t, func(deps *web.Deps) {
		imports = rule.New(rule.Deps{DB: deps.DB, Store: storagetest.Folder(t), Jobs: deps.Jobs, Preparer: inProcess{}, Signals: deps.Signals})
		deps.Imports = imports
	})
	d.judgeAll("overview of an empty portal")
	d.press(`main a[href="/admin/imports/new"]`)
	d.await("the form", `document.querySelector("h1").textContent === "Bring your API in"`)
	d.judgeAll("import form")
	d.enter("#field-name", "Pets")
	d.enter("#field-version", "1.0")
	d.press(`main form.import-form button[type=submit]`)
	d.await("what is missing, with the focus there", `document.querySelector(".field.invalid") && document.activeElement.closest("main form")`)
	d.said() // the browser says that it was refused
	d.judgeAll("import form refused")
	d.enter("#field-text", broughtDocument)
	d.press(`main form.import-form button[type=submit]`)
	d.await("the progress", `document.querySelector("progress")`)
	d.judgeAll("import being read")
	if err := imports.Run(t.Context(), lastImport(t, d), 1, func(pgx.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	d.await("what was read, without a reload", `document.querySelectorAll("input[name=take]").length === 2`)
	d.await("the title of the document", `document.querySelector("h1").textContent === "Pets" && document.title.startsWith("Pets")`)
	d.judgeAll("import read")
	d.enter("input[name=take][value=delete-pet]", " ")
	d.press(`.import-choice button[type=submit]`)
	d.await("the change set", `location.pathname.startsWith("/admin/drafts_and_reviews/") || document.querySelector(".actions.above a")`)
	d.judge("import accepted")
	d.do(chromedp.Navigate(d.origin + "/admin/imports"))
	d.await("the list", `document.querySelectorAll("#list tbody tr").length === 1`)
	d.judgeAll("imports")
	d.do(chromedp.Navigate(d.origin + "/admin/imports/automation"))
	d.await("the page of programs", `document.querySelector("#form-watch")`)
	d.judgeAll("watched addresses")
}

func lastImport(t *testing.T, d *desk) (id int64) {
	t.Helper()
	if err := d.site.DB.QueryRow(t.Context(), `select max(id) from imports`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

// The gallery is used by keyboard alone: a folder, an upload of three files with different
// results, a description, a search, a deletion.
func TestGalleryByKeyboard(t *testing.T) {
	t.Parallel()
	store := storagetest.Folder(t)
	d := openDeskWith(t, func(deps *web.Deps) {
		deps.Media = media.New(media.Options{DB: deps.DB, Store: store, Jobs: deps.Jobs, Limits: deps.Settings})
	})
	d.do(chromedp.Navigate(d.origin + "/admin/media"))
	d.await("the empty gallery", `document.querySelector("#field-files")`)
	d.judgeAll("gallery empty")
	// A file dialog is no part of the page: the files come from script, all else by keys.
	browsertest.Evaluate[bool](t, d.ctx, `(() => { const list = new DataTransfer();
		for (const [name, text] of [["square.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'], ["notes.txt", "words"], ["evil.svg", '<svg viewBox="0 0 1 1"><script/></svg>']])
			list.items.add(new File([text], name));
		const field = document.querySelector("#field-files"); field.files = list.files; field.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
	d.press(`.media-upload button[type=submit]`)
	d.await("the outcome of each file, with the focus there", `document.querySelectorAll(".media-results li").length === 3 && document.activeElement.closest(".media-results")`)
	d.said() // the browser says that one was refused
	d.judgeAll("gallery with results")
	d.enter(".media-describe input", "A square")
	d.press(`.media-results form button[type=submit]`)
	d.await("the description is saved", `document.querySelector(".media-card img[alt='A square']")`)
	d.judgeAll("gallery")
	d.press(`.media-card a`)
	d.await("a file", `location.pathname.startsWith("/admin/media/items/")`)
	d.judgeAll("file of the gallery")
	d.do(chromedp.Navigate(d.origin + "/admin/media/settings"))
	d.await("the limits", `document.querySelector("input[name=image]")`)
	d.judge("limits of files")
}

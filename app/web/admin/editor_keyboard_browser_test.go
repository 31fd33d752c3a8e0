//go:build browser

package admin_test

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/search"
	"heliograph/app/web"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// saves presses the button that saves a draft.
func (d *desk) saves() {
	d.t.Helper()
	d.run(`document.querySelectorAll(".toast .done").forEach((said) => { said.dataset.before = ""; })`)
	d.press("#item .actions button.primary")
	d.await("the saved draft", `document.querySelector(".toast .done:not([data-before])").textContent === "The draft is saved."`)
}

// submits gives a change set a summary and sends it to review.
func (d *desk) submits(set, summary string) {
	d.t.Helper()
	d.do(chromedp.Navigate(d.origin + set))
	d.await("the change set", `document.querySelector("#field-submit")`)
	d.typeOver("#field-submit", summary)
	d.press("#form-submit button.primary")
	d.await("the submission", `document.querySelector(".state-line .badge").textContent === "In review"`)
}

// tabs presses Tab until the focus is on an element, and counts.
func (d *desk) tabs(selector string) (count int) {
	d.t.Helper()
	for ; count < 200 && !browsertest.Focused(d.t, d.ctx, selector); count++ {
		d.do(chromedp.KeyEvent("\t"))
	}
	return count
}

// The places of a field of the schema and of the examples of the endpoint.
const (
	keyedField = "[data-at='/properties/id']"
	keyedMedia = "/responses/200/content/application~1json"
)

// keyed is a press by people without a mouse.
type keyed struct {
	*press
	origin                  string
	published               *published.Documentation
	author, reviewer, admin *desk
	schema, changes         string // pages
}

func openKeyed(t *testing.T) *keyed {
	t.Helper()
	pool := dbtest.Pool(t)
	listener := db.NewListener(pool)
	j := &keyed{published: published.New(pool, listener)}
	j.press = newPressOver(t, pool, func(deps *web.Deps) {
		deps.Listener, deps.Documentation, deps.Search = listener, j.published, search.New(pool, listener)
	})
	j.refresh()
	server := httptest.NewServer(j.Server.Handler())
	t.Cleanup(server.CloseClientConnections)
	j.origin, j.schema = server.URL, j.page("schema", "letter")
	j.author, j.reviewer, j.admin = j.writing(j.origin, "ada"), j.writing(j.origin, "ben"), j.writing(j.origin, "sue")
	return j
}

// openEndpoint has the author open the form of the endpoint.
func openEndpoint(t *testing.T) *keyed {
	t.Helper()
	j := openKeyed(t)
	j.author.do(chromedp.Navigate(j.origin + j.endpoint))
	j.author.await("the editor", `document.querySelector("code-editor#field-purpose")`)
	return j
}

func (j *keyed) refresh() {
	j.Helper()
	if err := j.published.Refresh(j.Context()); err != nil {
		j.Fatal(err)
	}
}

// The whole way of a change is gone without a mouse: an Editor changes a field, an
// endpoint and an example, duplicates an endpoint and moves it, and submits. Somebody
// else asks for a change, which the author makes and answers. It is approved and
// published, and readers find it everywhere. A Super Admin restores what was before.
// The seed leaves all of it.
func TestJourneyByKeyboard(t *testing.T) {
	t.Parallel()
	j := openKeyed(t)
	j.changesWords()
	j.addsAnEndpoint()
	j.changes = j.set()
	j.author.submits(j.changes, "Letters on parchment, and parcels")
	j.asksForMore()
	j.answers()
	j.author.submits(j.changes, "Letters on parchment, and parcels")
	j.publishes()
	j.isRead()
	j.restores()
	j.isRestored("after the restoration")
	j.seedsAgain()
	j.isRestored("after the seed")
}

// changesWords has the author change the endpoint, which is what is done most often,
// an example of it, and a field of a schema.
func (j *keyed) changesWords() {
	j.Helper()
	j.author.do(chromedp.Navigate(j.origin + j.endpoint))
	j.author.await("the editor", `document.querySelector("code-editor#field-purpose")`)
	j.author.press("a.skip")
	there := 1 + j.author.tabs("#field-purpose")
	j.author.typeOver("#field-purpose", "Sends one letter on parchment.")
	back := j.author.tabs("#item .actions button.primary")
	j.author.saves()
	j.Logf("changing a word takes %d times Tab from the top of the page, over the link to its content, to the field, and %d to the button that saves", there, back)

	// An example of it, which matches its schema.
	j.author.press(`.outline [data-at='/responses/200'] > summary`)
	j.author.press(`.outline [data-at='` + keyedMedia + `'] > summary`)
	j.author.press(`button[value="example:` + keyedMedia + `"]`)
	j.author.await("the editor of the example", `document.querySelector(".outline code-editor.mono")`)
	j.author.typeOver(".outline code-editor.mono", `{"id": "goose quill"}`)
	j.author.saves()

	// A field of a schema.
	j.author.do(chromedp.Navigate(j.origin + j.schema))
	j.author.await("the rows", `document.querySelector(".arranged [data-list]")`)
	j.author.press(keyedField + " > summary")
	j.author.await("the editor of the field", `document.querySelector("`+keyedField+` code-editor")`)
	j.author.typeOver(keyedField+" code-editor", "Names the letter.")
	j.author.saves()
}

// addsAnEndpoint has the author make a second endpoint from the first one, and move it
// before that.
func (j *keyed) addsAnEndpoint() {
	j.Helper()
	j.author.do(chromedp.Navigate(j.origin + j.endpoint))
	j.author.press(".item-menu > button")
	j.author.press("a[href*='copy=']")
	j.author.await("the copy", `document.querySelector("#field-name").value === "Mail a letter (copy)"`)
	j.author.typeOver("#field-name", "Send a parcel")
	j.author.typeOver("#field-path", "/parcels")
	j.author.saves()
	parcel := `[data-at='` + j.id("endpoint", "send-a-parcel") + `']`
	j.author.do(chromedp.Navigate(j.origin + j.product))
	j.author.await("the tree", `document.querySelector(".arranged [data-list]")`)
	if !browsertest.Evaluate[bool](j.T, j.author.ctx, `document.querySelector(".branch:has(`+parcel+`)").open`) {
		j.author.press(".branch:has(" + parcel + ") > summary")
	}
	browsertest.Tab(j.T, j.author.ctx, parcel+" > a")
	j.author.alt(kb.ArrowUp)
	j.author.await("the new order", `document.querySelector("#live").textContent === "Send a parcel is now 1 of 2 in Letters."`)
	j.author.await("the focus on the item", `document.activeElement.matches("`+parcel+` > a")`)
}

// asksForMore has the reviewer request a change of the schema.
func (j *keyed) asksForMore() {
	j.Helper()
	j.reviewer.do(chromedp.Navigate(j.origin + "/admin/drafts_and_reviews?whose=review"))
	j.reviewer.await("the queue", `document.querySelector("#list td a")`)
	j.reviewer.press("#list td a")
	j.reviewer.await("the review", `document.querySelector("#form-comment select")`)
	browsertest.Tab(j.T, j.reviewer.ctx, "#form-comment select")
	about := j.id("schema", "letter") + "."
	for range 30 {
		if browsertest.Evaluate[bool](j.T, j.reviewer.ctx, `document.activeElement.value.startsWith("`+about+`")`) {
			break
		}
		j.reviewer.do(chromedp.KeyEvent(kb.ArrowDown))
	}
	j.reviewer.typeOver("#form-comment textarea", "Say for **how long**.")
	j.reviewer.press("#form-comment button[formaction]")
	j.reviewer.await("the request", `document.querySelector(".state-line .badge").textContent === "Changes requested"`)
}

// answers has the author make the change and answer.
func (j *keyed) answers() {
	j.Helper()
	j.author.do(chromedp.Navigate(j.origin + j.schema))
	j.author.await("the guidance beside the form", `document.querySelector(".rail .thread[open] .prose strong").textContent === "how long"`)
	j.author.press(keyedField + " > summary")
	j.author.await("the editor of the field", `document.querySelector("`+keyedField+` code-editor")`)
	j.author.typeOver(keyedField+" code-editor", "Names the letter for a century.")
	j.author.saves()
	j.author.typeOver(".rail .thread textarea", "It is said now.")
	j.author.press(".rail .thread button[value=resolve]")
	j.author.await("the answer", `document.querySelector(".rail .thread .badge").textContent.includes("Resolved by ada")`)
}

// publishes has the reviewer approve and the author publish.
func (j *keyed) publishes() {
	j.Helper()
	j.reviewer.do(chromedp.Navigate(j.origin + j.changes))
	j.reviewer.await("the review", `document.querySelector("form[action$=approve]")`)
	j.reviewer.press("form[action$=approve] button")
	j.reviewer.await("the approval", `document.querySelector(".state-line .badge").textContent === "Approved"`)
	j.author.do(chromedp.Navigate(j.origin + j.changes))
	j.author.press("#open-confirm-publish")
	j.author.await("the question", `document.activeElement.matches("#confirm-publish h2")`)
	j.author.press("#confirm-publish button.primary")
	j.author.await("the release", `document.querySelector(".toast .done").textContent === "The changes are public."`)
	j.refresh()
}

// isRead has a reader find what is published.
func (j *keyed) isRead() {
	j.Helper()
	reader := j.Client(j.T)
	for path, words := range map[string][]string{
		"/docs/letters/1.0/send-letter":    {"Sends one letter on parchment.", "goose quill"},
		"/docs/letters/1.0/send-a-parcel":  {"/parcels"},
		"/docs/letters/1.0/schemas/Letter": {"Names the letter for a century."},
		"/api/search?q=parchment":          {"/docs/letters/1.0/send-letter"},
		"/api/search?q=parcel":             {"/docs/letters/1.0/send-a-parcel"},
		"/openapi/letters/1.0.json":        {"on parchment", "goose quill", `"/parcels"`, "for a century"},
		"/docs/letters/changelog":          {"Send a parcel"},
	} {
		a := reader.Get(path)
		for _, word := range words {
			if a.Status != 200 || !strings.Contains(a.Body, word) {
				j.Errorf("%s gives %d without %q", path, a.Status, word)
			}
		}
	}
	contents := reader.Get("/docs/letters/1.0").Find("main").Text()
	if first, second := strings.Index(contents, "Send a parcel"), strings.Index(contents, "Mail a letter"); first < 0 || second < first {
		j.Errorf("readers get the endpoints in the order %d, %d", first, second)
	}
}

// restores has a Super Admin publish the first revision of the endpoint again.
func (j *keyed) restores() {
	j.Helper()
	j.admin.do(chromedp.Navigate(j.origin + j.endpoint + "/history"))
	j.admin.press("td a[href$='/history/1']")
	j.admin.await("the first revision", `document.querySelector("a[href$='/restore']")`)
	j.admin.press("a[href$='/restore']")
	j.admin.await("the question", `document.querySelector("form[action$='/restore']")`)
	j.admin.press("form[action$='/restore'] button")
	j.admin.await("the restored draft", `document.querySelector("#item") && document.querySelector("[name=purpose]").value === "Sends one letter."`)
	j.admin.do(chromedp.Navigate(j.origin + j.set()))
	j.admin.press(".ends > summary")
	j.admin.typeOver("#field-override", "Parchment is sold out")
	j.admin.press("#form-override button")
	j.admin.await("the release", `document.querySelector(".toast .done").textContent === "The changes are public."`)
	j.refresh()
}

// isRestored holds that readers get the first revision of the endpoint, and the rest
// as it was published.
func (j *keyed) isRestored(at string) {
	j.Helper()
	reader := j.Client(j.T)
	if a := reader.Get("/docs/letters/1.0/send-letter"); strings.Contains(a.Body, "parchment") || !strings.Contains(a.Body, "Sends one letter.") {
		j.Errorf("%s readers do not get the first revision", at)
	}
	if a := reader.Get("/docs/letters/1.0/schemas/Letter"); !strings.Contains(a.Body, "for a century") {
		j.Errorf("%s the other items are not as published", at)
	}
}

// seedsAgain has the program publish its seed again, which changes nothing.
func (j *keyed) seedsAgain() {
	j.Helper()
	state := `select json_build_array((select count(*) from revisions), (select count(*) from releases), (select count(*) from change_sets))::text`
	before := j.text(state)
	if err := editorial.Seed(j.Context(), j.DB, pressFiles()); err != nil {
		j.Fatal(err)
	}
	if after := j.text(state); after != before {
		j.Errorf("the seed makes of %s %s (revisions, releases, change sets)", before, after)
	}
	j.refresh()
}

// What was typed a moment before "Save" was pressed is saved once: an autosave that
// waited meanwhile would come with the revision from before.
func TestAutosaveEndsWithSave(t *testing.T) {
	t.Parallel()
	j := openEndpoint(t)
	j.author.run(`
		window.late = [];
		document.addEventListener("htmx:beforeRequest", (e) => { if (e.detail.elt.id === "item") setTimeout(() => htmx.trigger(document.querySelector("[data-autosave]"), "late"), 1); });
		document.addEventListener("htmx:beforeSend", (e) => { if (e.detail.elt.matches("[data-autosave]")) late.push(e.detail.pathInfo.requestPath); });`)
	j.author.typeOver("#field-purpose", "Sends one letter on parchment.")
	j.author.run(`window.late = []; document.querySelector("#item .actions button.primary").click()`)
	j.author.await("the saved draft", `document.querySelector(".toast .done").textContent === "The draft is saved."`)
	if late := browsertest.Evaluate[[]string](t, j.author.ctx, `window.late`); len(late) != 0 {
		t.Errorf("after Save the form was saved again: %v", late)
	}
}

// What is saved is not kept in the browser, whether or not the page that says so
// comes: a copy that stayed would be put back with the revision from before.
func TestNoCopyOutlivesSave(t *testing.T) {
	t.Parallel()
	j := openEndpoint(t)
	j.author.run(`
		window.copies = () => Object.keys(localStorage).filter((name) => name.startsWith("unsaved:")).length;
		document.addEventListener("htmx:afterRequest", (e) => { if (e.detail.elt.id === "item") setTimeout(() => { window.left = copies(); }); });`)
	j.author.typeOver("#field-purpose", "Sends one letter on parchment.")
	j.author.run(`document.querySelector("#item [name=purpose]").dispatchEvent(new Event("input", { bubbles: true })); // an autosave may have had all
		window.before = copies();
		document.querySelector("#item .actions button.primary").click();`)
	if kept := browsertest.Evaluate[int](t, j.author.ctx, `window.before`); kept != 1 {
		t.Fatalf("while typing the browser keeps %d copies", kept)
	}
	j.author.await("the answer", `window.left !== undefined`)
	if left := browsertest.Evaluate[int](t, j.author.ctx, `left`); left != 0 {
		t.Errorf("after Save the browser keeps %d copies", left)
	}
}

// Save pressed twice saves once, and no autosave that comes while another one is under
// way takes the place of the Save that waits for it.
func TestSaveIsNeitherRepeatedNorDropped(t *testing.T) {
	t.Parallel()
	j := openEndpoint(t)
	j.author.run(`window.sent = [];
		document.addEventListener("htmx:beforeSend", (e) => { if (e.detail.elt.matches("#item, [data-autosave]")) sent.push(e.detail.elt.id || "autosave"); });`)
	j.author.typeOver("#field-purpose", "Sends one letter on parchment.")
	j.author.run(`const autosave = document.querySelector("[data-autosave]"), button = document.querySelector("#item .actions button.primary");
		window.sent = [];
		htmx.trigger(autosave, "late"); button.click(); htmx.trigger(autosave, "late"); button.click();
		document.addEventListener("htmx:beforeSend", (e) => { if (e.detail.elt.id === "item") button.click(); });`)
	j.author.await("the saved draft", `document.querySelector(".toast .done").textContent === "The draft is saved."`)
	sent := browsertest.Evaluate[[]string](t, j.author.ctx, `window.sent`) // the typing may have begun the autosave already
	if !slices.Equal(sent, []string{"item"}) && !slices.Equal(sent, []string{"autosave", "item"}) {
		t.Errorf("sent were %v", sent)
	}
}

package admin_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/PuerkitoBio/goquery"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/documentation/editorial"
	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

const letters = `openapi: 3.1.0
info: {title: Letters, version: '1.0'}
paths:
  /letters:
    post:
      operationId: sendLetter
      summary: Mail a letter
      description: Sends one letter.
      tags: [Letters]
      x-last: 1
      responses: {'200': {description: Sent, content: {application/json: {schema: {$ref: '#/components/schemas/Letter'}}}}}
      x-first: 2
components:
  schemas:
    Letter: {type: object, properties: {id: {type: string}, text: {type: string}}}
tags: [{name: Letters, description: Written on paper.}]
`

// press is a site with the product Letters and people who write it: Ada and Ben
// are Editors of it, Eva of nothing, Vic is a Viewer and Sue a Super Admin.
type press struct {
	*testing.T
	*webtest.Site
	ada, ben, eva, vic, sue           *webtest.Client
	product, version, guide, endpoint string // pages
}

// pressFiles is the seed of a press.
func pressFiles() fstest.MapFS {
	return fstest.MapFS{
		"products.json": {Data: []byte(`[{"slug":"letters","product":{"name":"Letters","summary":"On paper.","homepage":true},"version":"1.0","label":"Current","document":"letters.yaml",
			"guides":[{"slug":"begin","title":"Begin","summary":"The first letter.","group":"Start"}]}]`)},
		"letters.yaml": {Data: []byte(letters)}, "guides/letters/begin.md": {Data: []byte("Write **one** letter.\n\nThen post it.\n")},
	}
}

func newPress(t *testing.T, change func(*web.Deps)) *press {
	t.Helper()
	return furnish(t, webtest.New(t, change))
}

// newPressOver is newPress over a database that a browser's requests may use at once.
func newPressOver(t *testing.T, pool *pgxpool.Pool, change func(*web.Deps)) *press {
	t.Helper()
	return furnish(t, webtest.Over(t, pool, change))
}

// furnish gives a site the documentation and the people of a press.
func furnish(t *testing.T, site *webtest.Site) *press {
	t.Helper()
	p := &press{T: t, Site: site}
	if err := editorial.Seed(t.Context(), p.DB, pressFiles()); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]**webtest.Client{"ada": &p.ada, "ben": &p.ben, "eva": &p.eva, "vic": &p.vic, "sue": &p.sue} {
		role := map[string]string{"vic": identity.Viewer, "sue": identity.SuperAdmin}[name]
		if role == "" {
			role = identity.Editor
		}
		*to = p.enter(name, role)
	}
	exec(t, p.Site, `insert into product_editors (admin_user_id, product_id) select u.id, i.id from admin_users u, items i where u.name in ('ada', 'ben') and i.kind = 'product'`)
	p.product = "/admin/products/" + p.id("product", "letters")
	p.version, p.guide, p.endpoint = p.page("version", "1.0"), p.page("guide", "begin"), p.page("endpoint", "send-letter")
	return p
}

func (p *press) enter(name, role string) *webtest.Client {
	p.Helper()
	email := name + "@example.com"
	identitytest.AddAdmin(p.T, p.DB, name, email, role)
	c := p.Client(p.T)
	c.Get("/admin/login")
	if a := c.Once().Post("/admin/login", url.Values{"email": {email}, "password": {webtest.Password}}); a.Status != 303 {
		p.Fatalf("%s cannot sign in: %d", name, a.Status)
	}
	c.Get("/admin")
	return c
}

func (p *press) id(kind, slug string) (id string) {
	p.Helper()
	if err := p.DB.QueryRow(p.Context(), `select id::text from items where kind = $1 and slug = $2`, kind, slug).Scan(&id); err != nil {
		p.Fatalf("%s %s: %v", kind, slug, err)
	}
	return id
}

func (p *press) page(kind, slug string) string { return p.product + "/items/" + p.id(kind, slug) }

// filled returns what a browser would send of the form of a page, with changes.
func (p *press) filled(a *webtest.Answer, change ...string) url.Values {
	p.Helper()
	values := url.Values{}
	a.Find("#item").Find("input[name], textarea[name], select[name]").Each(func(_ int, s *goquery.Selection) {
		name, value := s.AttrOr("name", ""), s.AttrOr("value", "")
		switch {
		case s.Is("textarea"):
			value = strings.ReplaceAll(s.Text(), "\n", "\r\n")
		case s.Is("select"):
			value = s.Find("option[selected]").AttrOr("value", "")
		case s.Is("[type=checkbox]") && !s.Is("[checked]"):
			return
		}
		if name != "_csrf" {
			values.Set(name, value)
		}
	})
	if len(values) == 0 {
		p.Fatalf("the page has no form: %s", a.Find("main").Text())
	}
	for i := 0; i < len(change); i += 2 {
		values.Set(change[i], change[i+1])
	}
	return values
}

// save changes fields of an item and saves it.
func (p *press) save(c *webtest.Client, path string, change ...string) *webtest.Answer {
	p.Helper()
	return c.Post(path, p.filled(c.Get(path), change...))
}

// ok follows an answer that a form did its work.
func (p *press) ok(c *webtest.Client, a *webtest.Answer) *webtest.Answer {
	p.Helper()
	if a.Status != 303 {
		p.Fatalf("the form gives %d: %s", a.Status, a.Find("main").Text())
	}
	return c.Follow(a)
}

func (p *press) text(sql string) (text string) {
	p.Helper()
	if err := p.DB.QueryRow(p.Context(), sql).Scan(&text); err != nil {
		p.Fatal(err)
	}
	return text
}

// set is the page of the newest change set.
func (p *press) set() string {
	p.Helper()
	return "/admin/drafts_and_reviews/" + p.text(`select max(id)::text from change_sets`)
}

// An Editor writes, another one approves, and what is published is what was
// written. Every step is in the audit.
func TestWriteReviewPublish(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	a := p.ok(p.ada, p.save(p.ada, p.guide, "text", "Write **two** letters.\r\n\r\nThen post them.\r\n"))
	if a.Find(".toast .done").Text() != "The draft is saved." || a.Find(".state-line .badge").Text() != "Live with changes" {
		t.Errorf("after saving: %s", a.Find("main").Text())
	}
	if a := p.save(p.ada, p.guide); a.Address() != p.guide+"?done=unchanged" {
		t.Errorf("saving without a change goes to %s", a.Address())
	}
	set := p.set()
	a = p.ada.Get(set)
	if a.Find(".diff-line.removed del").Text() == "" || !strings.Contains(a.Find(".diff-line.added").Text(), "two") || a.Find(".concerns .good").Length() != 1 {
		t.Errorf("the change set shows %s", a.Find("main").Text())
	}
	if a := p.ada.Post(set+"/approve", url.Values{"hash": {"00"}}); a.Status != 403 {
		t.Errorf("approving one's own draft gives %d", a.Status)
	}
	if a := p.ada.HX("form-submit").On(set).Post(set+"/submit", url.Values{"summary": {" "}}); a.Status != 422 || a.Find("#form-submit .alert[data-focus]").Length() != 1 {
		t.Errorf("submitting without a summary gives %d: %s", a.Status, a.Body)
	}
	p.ok(p.ada, p.ada.Post(set+"/submit", url.Values{"summary": {"Two letters"}}))
	a = p.ben.Get("/admin/drafts_and_reviews?whose=review")
	if a.Find("#list td[data-label='Change set'] a").AttrOr("href", "") != set {
		t.Errorf("the queue of the reviewer holds %s", a.Find("#list").Text())
	}
	a = p.ben.Get(set)
	hash := a.Find("input[name=hash]").AttrOr("value", "")
	p.ok(p.ben, p.ben.Post(set+"/request-changes", url.Values{"reason": {"Say why."}}))
	if a := p.ada.Get(set); !strings.Contains(a.Find(".remarks").Text(), "Say why.") || a.Find(".state-line .badge").Text() != "Changes requested" {
		t.Errorf("the author sees %s", a.Find("main").Text())
	}
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Write two letters, to be sure."))
	p.ok(p.ada, p.ada.Post(set+"/submit", url.Values{"summary": {"Two letters"}}))
	if a := p.ben.Post(set+"/approve", url.Values{"hash": {hash}}); a.Status != 409 {
		t.Errorf("approving what changed meanwhile gives %d", a.Status)
	}
	p.ok(p.ben, p.ben.Post(set+"/approve", url.Values{"hash": {p.ben.Get(set).Find("input[name=hash]").AttrOr("value", "")}}))
	if a := p.ada.HX("confirm-publish").On(set).Get(set + "/publish"); strings.TrimSpace(a.Find("#confirm-publish button.primary").Text()) != "Publish 1 change" {
		t.Errorf("the question is %s", a.Body)
	}
	p.ok(p.ada, p.ada.Post(set+"/publish", nil))
	if got := p.text(`select r.content->>'text' from items i join revisions r on r.id = i.live_revision_id where i.slug = 'begin'`); got != "Write two letters, to be sure." {
		t.Errorf("published is %q", got)
	}
	var steps []string
	if err := json.Unmarshal([]byte(p.text(`select json_agg(action order by seq) from audit_entries where target like 'change_set:%' and actor like 'admin:%'`)), &steps); err != nil {
		t.Fatal(err)
	}
	want := "change_set.open change_set.submit change_set.request_changes change_set.submit change_set.approve release.publish"
	if strings.Join(steps, " ") != want {
		t.Errorf("the audit has %v, want %s", steps, want)
	}
}

// Opening every item of the product and saving it makes no revision.
func TestSavingWithoutAChange(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	before := p.text(`select count(*)::text from revisions`)
	for _, item := range [][2]string{{"product", "letters"}, {"version", "1.0"}, {"guide", "begin"}, {"endpoint", "send-letter"}, {"schema", "letter"}, {"category", "letters"}} {
		path := p.page(item[0], item[1])
		if a := p.save(p.ada, path); a.Address() != path+"?done=unchanged" {
			t.Errorf("saving the %s gives %d: %s", item[0], a.Status, a.Find(".alert, .error").Text())
		}
	}
	if after := p.text(`select count(*)::text from revisions`); after != before {
		t.Errorf("%s revisions became %s", before, after)
	}
}

// What is wrong with an API description is named by field and line, and what was
// typed stays.
func TestInvalidItem(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	broken := "{\r\n  \"responses\": {},\r\n  \"x\" 1\r\n}"
	for _, c := range []*webtest.Client{p.ada, p.ada.HX().On(p.endpoint)} {
		a := c.Post(p.endpoint, p.filled(p.ada.Get(p.endpoint), "raw", broken, "order", "first"))
		if a.Status != 422 || !strings.Contains(a.Find("#field-raw-error").Text(), "Line 3") || a.Find("#field-order-error").Length() != 1 ||
			a.Find(".alert[data-focus] a[href='#field-raw']").Length() != 1 || !strings.Contains(a.Find("#field-raw").Text(), `"x" 1`) {
			t.Errorf("an invalid form gives %d: %s", a.Status, a.Find("#item").Text())
		}
	}
	// YAML is taken, and keys keep their order.
	p.ok(p.ada, p.save(p.ada, p.endpoint, "raw", "x-last: 1\nresponses: {'200': {description: Sent}}\nx-first: 2\n", "name", "Send one letter"))
	if got := p.text(`select r.content->>'raw' from items i join revisions r on r.id = i.draft_revision_id where i.slug = 'send-letter'`); got != `{"x-last":1,"responses":{"200":{"description":"Sent"}},"x-first":2}` {
		t.Errorf("the draft holds %s", got)
	}
	// What is not complete is drafted, and blocks the release, as the content type
	// that is gone does.
	p.ok(p.ada, p.save(p.ada, p.endpoint, "name", ""))
	if a := p.ada.Get(p.set()); a.Find(".concerns .bad").Length() != 2 || a.Find(".draft-item .alert.bad").Length() != 1 {
		t.Errorf("the change set shows %s", a.Find("main").Text())
	}
}

// conflict has Ada and Sue open the guide, and Sue publish a text of hers.
func (p *press) conflict(field, theirs string) (form url.Values) {
	p.Helper()
	form = p.filled(p.ada.Get(p.guide))
	p.ok(p.sue, p.save(p.sue, p.guide, field, theirs))
	p.ok(p.sue, p.sue.Post(p.set()+"/override", url.Values{"reason": {"Urgent"}}))
	return form
}

// A stale save shows both texts, and one takes either or edits on.
func TestStaleSave(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	form := p.conflict("text", "Write **three** letters.")
	form.Set("text", "Write **nine** letters.")
	form.Set("summary", "My summary.")
	if a := p.ada.HX().On(p.guide).Post(p.guide, form); a.Status != 409 || a.Find("main .conflict").Length() != 1 {
		t.Errorf("a stale save through htmx gives %d", a.Status)
	}
	a := p.ada.Post(p.guide, form)
	if a.Status != 409 || a.Find(".conflict-field").Length() != 1 || !strings.Contains(a.Find(".conflict").Text(), "three") || !strings.Contains(a.Find("#field-text").Text(), "nine") ||
		a.Find("#field-summary").AttrOr("value", "") != "My summary." {
		t.Fatalf("a stale save gives %d: %s", a.Status, a.Find("main").Text())
	}
	taken := p.filled(a, "take", "theirs.text")
	a = p.ada.Post(p.guide, taken)
	if a.Status != 200 || !strings.Contains(a.Find("#field-text").Text(), "three") || !strings.Contains(a.Find(".conflict .note").Text(), "saved text") {
		t.Fatalf("taking theirs gives %d: %s", a.Status, a.Find("main").Text())
	}
	a = p.ada.Post(p.guide, p.filled(a, "take", "mine.text"))
	if !strings.Contains(a.Find("#field-text").Text(), "nine") {
		t.Errorf("taking mine gives %s", a.Find("#item").Text())
	}
	a = p.ok(p.ada, p.ada.Post(p.guide, p.filled(a, "text", "Write twelve letters.")))
	if got := p.text(`select (r.content->>'text') || (r.content->>'summary') from items i join revisions r on r.id = i.draft_revision_id where i.slug = 'begin'`); got != "Write twelve letters.My summary." {
		t.Errorf("the draft holds %q", got)
	}
	// Somebody else's draft holds the item; nothing typed is lost.
	other := p.filled(a, "text", "Ben's text.")
	b := p.ben.Post(p.guide, other)
	if b.Status != 409 || !strings.Contains(b.Find("#field-text").Text(), "Ben's text.") || !strings.Contains(b.Find(".problem").Text(), "ada is changing") {
		t.Errorf("a draft of somebody else gives %d: %s", b.Status, b.Find("main").Text())
	}
}

// Changes of different fields are put together, and the page says so.
func TestStaleSaveWithoutOverlap(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	form := p.conflict("title", "Start here")
	form.Set("text", "Mine.")
	a := p.ada.Post(p.guide, form)
	if a.Status != 409 || a.Find(".conflict-field").Length() != 0 || a.Find(".conflict strong").Text() != "Title" || a.Find("#field-title").AttrOr("value", "") != "Start here" {
		t.Fatalf("a stale save gives %d: %s", a.Status, a.Find("main").Text())
	}
	p.ok(p.ada, p.ada.Post(p.guide, p.filled(a)))
}

// Markdown is shown as readers will see it, without saving it.
func TestPreviewOfTyping(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	form := p.filled(p.ada.Get(p.guide), "text", "## Fresh\n\n*ink* <script>alert(1)</script>")
	a := p.ada.HX("preview").On(p.guide).Post(p.guide+"/preview", form)
	if a.Status != 200 || a.Find("#preview .prose em").Text() != "ink" || a.Find("main, script").Length() != 0 {
		t.Errorf("the preview in place gives %d: %s", a.Status, a.Body)
	}
	a = p.ada.Post(p.guide+"/preview", form)
	if a.Find("#preview .prose h2").Length() != 1 || !strings.Contains(a.Find("#field-text").Text(), "## Fresh") {
		t.Errorf("the preview as a page is %s", a.Find("main").Text())
	}
	if got := p.text(`select count(*)::text from change_sets where state = 'draft'`); got != "0" {
		t.Errorf("%s change sets were opened", got)
	}
}

// The tree finds items by name, path and state.
func TestProductTree(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	if a := p.vic.Get("/admin/products"); strings.TrimSpace(a.Find("#list td[data-label=State]").Text()) != "Live" || strings.TrimSpace(a.Find("#list td[data-label='Live version']").Text()) != "1.0" {
		t.Errorf("the list shows %s", a.Find("#list").Text())
	}
	p.ok(p.ada, p.save(p.ada, p.endpoint, "name", "Post a letter"))
	if a := p.vic.Get("/admin/products"); strings.TrimSpace(a.Find("#list td[data-label=Drafts]").Text()) != "1" {
		t.Errorf("the list shows %s", a.Find("#list").Text())
	}
	for query, want := range map[string]int{"": 4, "?q=post+a": 1, "?q=POST": 1, "?state=changed": 1, "?q=nothing": 0, "?state=trash": 0} {
		a := p.vic.HX(ui.List).On(p.product).Get(p.product + query)
		if n := a.Find(".leaves li:not(.leaf-add)").Length(); a.Status != 200 || n != want || a.Find("h1").Length() != 0 {
			t.Errorf("%q gives %d items, want %d: %s", query, n, want, a.Find("#list").Text())
		}
	}
}

// Who may see and do what on the pages of a product.
func TestEditorsByProduct(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Ada's text."))
	set := p.set()
	form := url.Values{"base": {"1"}, "title": {"T"}, "slug": {"x"}, "reason": {"R"}, "summary": {"S"}}
	people := map[string]*webtest.Client{"ada": p.ada, "ben": p.ben, "eva": p.eva, "vic": p.vic, "sue": p.sue}
	for _, try := range []struct {
		method, path string
		refused      string // people who get 403
	}{
		{"GET", "/admin/products", ""}, {"GET", p.product, ""}, {"GET", p.guide, ""}, {"GET", p.version, ""}, {"GET", p.guide + "/history", ""},
		{"GET", p.guide + "/history/1", ""}, {"GET", p.product + "/releases", ""}, {"GET", "/admin/drafts_and_reviews", ""}, {"GET", set, ""},
		{"GET", set + "/items/" + p.id("guide", "begin") + "/preview", ""},
		{"GET", "/admin/products/new", "ada ben eva vic"}, {"GET", p.product + "/new?kind=guide&parent=" + p.id("product", "letters"), "eva vic"},
		{"GET", p.guide + "/history/1/restore", "ada ben eva vic"},
		{"POST", p.guide, "eva vic"}, {"POST", p.endpoint + "/archive", "eva vic"}, {"POST", p.endpoint + "/move", "eva vic"}, {"POST", p.endpoint + "/trash", "eva vic"},
		{"POST", p.guide + "/history/1/restore", "ada ben eva vic"}, {"POST", set + "/submit", "ben eva vic"}, {"POST", set + "/comment", "eva vic"},
		{"POST", set + "/approve", "ada eva vic"}, {"POST", set + "/override", "ada ben eva vic"}, {"POST", set + "/discard", "ben eva vic"},
	} {
		for name, c := range people {
			exec(t, p.Site, "savepoint tried")
			var a *webtest.Answer
			if try.method == "GET" {
				a = c.Get(try.path)
			} else {
				a = c.Post(try.path, form)
			}
			exec(t, p.Site, "rollback to savepoint tried")
			if refused := strings.Contains(try.refused, name); refused != (a.Status == 403) || a.Status >= 500 || a.Status == 404 {
				t.Errorf("%s at %s %s gets %d, refused should be %v: %.200s", name, try.method, try.path, a.Status, refused, a.Find("main").Text())
			}
		}
	}
	// Those who only read have no form, and see why.
	for name, c := range map[string]*webtest.Client{"eva": p.eva, "vic": p.vic, "ben": p.ben} {
		if a := c.Get(p.guide); a.Find("form#item").Length() != 0 || a.Find(".editor .alert").Text() == "" || !strings.Contains(a.Find(".editor .shown").Text(), "Ada's text.") {
			t.Errorf("%s sees %s", name, a.Find("main").Text())
		}
	}
	if a := p.ada.Get(fmt.Sprintf("/admin/products/%s/items/%s", p.id("guide", "begin"), p.id("guide", "begin"))); a.Status != 404 {
		t.Errorf("an item as a product gives %d", a.Status)
	}
}

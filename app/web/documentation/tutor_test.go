package documentation_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	rule "heliograph/app/documentation/tutor"
	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/app/web/documentation/tutor"
	"heliograph/app/web/webtest"
)

// learner is an Editor of nothing who uses the tutor without script. It counts what a
// person would do: every link that is followed, every field that is changed (two: to go
// there and to type), and every button.
type learner struct {
	*testing.T
	*webtest.Client
	site  *webtest.Site
	email string
	page  *webtest.Answer
	at    string
	used  int
}

func newLearner(t *testing.T, site *webtest.Site, name, role string) *learner {
	t.Helper()
	l := &learner{T: t, Client: site.Client(t), site: site, email: name + "@example.com"}
	identitytest.AddAdmin(t, site.DB, name, l.email, role)
	l.Client.Get("/admin/login")
	if a := l.Once().Post("/admin/login", url.Values{"email": {l.email}, "password": {webtest.Password}}); a.Status != 303 {
		t.Fatalf("signing in gives %d", a.Status)
	}
	l.open("/admin")
	return l
}

func (l *learner) open(path string) {
	l.Helper()
	path, _, _ = strings.Cut(path, "#")
	l.page, l.at = l.Client.Get(path), path
	if l.page.Status != 200 {
		l.Fatalf("%s gives %d: %s", path, l.page.Status, l.page.Find("main").Text())
	}
}

// follow follows the only link with a text.
func (l *learner) follow(text string) {
	l.Helper()
	var to string
	l.page.Find("a").EachWithBreak(func(_ int, a *goquery.Selection) bool {
		if strings.TrimSpace(a.Text()) == text {
			to = a.AttrOr("href", "")
		}
		return to == ""
	})
	if to == "" {
		l.Fatalf("%s has no link %q: %s", l.at, text, l.page.Find("main").Text())
	}
	l.used++
	l.open(to)
}

// press sends the form with a button, with fields changed.
func (l *learner) press(text string, change ...string) {
	l.Helper()
	button := l.page.Find("button").FilterFunction(func(_ int, b *goquery.Selection) bool {
		return strings.Join(strings.Fields(b.Text()), " ") == text && b.AttrOr("hidden", "-") == "-"
	}).First()
	form := button.Closest("form")
	if form.Length() == 0 {
		l.Fatalf("%s has no button %q: %s", l.at, text, l.page.Find("main").Text())
	}
	values := url.Values{}
	form.Find("input[name], textarea[name], select[name]").Each(func(_ int, s *goquery.Selection) {
		name, value := s.AttrOr("name", ""), s.AttrOr("value", "")
		switch {
		case s.Is("textarea"):
			value = s.Text()
		case s.Is("select"):
			value = s.Find("option[selected]").AttrOr("value", "")
		case s.Is("[type=checkbox]") && !s.Is("[checked]"):
			return
		}
		if name != "_csrf" {
			values.Set(name, value)
		}
	})
	if name := button.AttrOr("name", ""); name != "" {
		values.Set(name, button.AttrOr("value", ""))
	}
	for i := 0; i < len(change); i += 2 {
		if _, known := values[change[i]]; !known {
			l.Fatalf("the form of %q has no field %s: %v", text, change[i], values)
		}
		values.Set(change[i], change[i+1])
		l.used += 2
	}
	l.used++
	action := button.AttrOr("formaction", form.AttrOr("action", ""))
	a := l.Client.Post(action, values)
	if to := a.Address(); to != "" {
		l.open(to)
		return
	}
	l.page = a
}

// step is the step that the page shows as the next one.
func (l *learner) step() string {
	l.Helper()
	return strings.TrimSuffix(l.page.Find(".tutor-step strong").Text(), ".")
}

func (l *learner) expect(step string) {
	l.Helper()
	if got := l.step(); got != step {
		l.Fatalf("on %s the next step is %q, want %q: %s", l.at, got, step, l.page.Find("main").Text())
	}
}

func (l *learner) field(name string) string {
	l.Helper()
	return l.page.Find("[name='" + name + "']").First().Text()
}

// exampleField is the name of the field with the example of the response.
func (l *learner) exampleField() (name string) {
	l.Helper()
	l.page.Find("textarea[name]").Each(func(_ int, s *goquery.Selection) {
		if strings.Contains(s.Text(), "sixty") && s.AttrOr("name", "") != "raw" {
			name = s.AttrOr("name", "")
		}
	})
	if name == "" {
		l.Fatalf("the form has no example: %s", l.page.Find("#item").Text())
	}
	return name
}

// A newcomer goes through every step by the links and forms of the pages themselves,
// without script, in at most 40 interactions.
func TestTutorWithoutScript(t *testing.T) {
	t.Parallel()
	l := newLearner(t, webtest.New(t, nil), "asha", identity.Editor)
	l.follow("Editor tutor")
	l.press("Start practising")
	l.follow("Go to the products")
	l.expect("Find your product")
	l.follow(rule.Name)

	l.expect("Edit a guide")
	l.follow("Go to the guide")
	l.press("Save the draft", "text", strings.Replace(l.field("text"), "a few minutes", "60 minutes", 1))

	l.expect("Correct an example")
	l.follow("Go to the endpoint")
	name := l.exampleField()
	l.press("Save the draft", name, strings.Replace(l.field(name), `"sixty"`, "60", 1))

	l.expect("Preview your draft")
	l.follow("Go to the change set")
	l.follow("Preview as a reader")
	if text := l.page.Find("main").Text(); !strings.Contains(text, "60") {
		t.Errorf("the preview shows %s", text)
	}
	l.follow(strings.TrimSpace(l.page.Find(".draft-strip a").Text()))

	l.expect("Submit for review")
	l.press("Submit for review", "summary", "Say when the message is sent")
	l.expect("Answer a request for changes")
	if text := l.page.Find(".thread").Text(); !strings.Contains(text, "Practice reviewer") || !strings.Contains(text, "cancelled") {
		t.Errorf("the request for changes is %s", text)
	}
	l.press("Submit for review")
	if l.page.Status != 409 {
		t.Errorf("submitting without an answer gives %d", l.page.Status)
	}
	l.follow("Send your first reminder")
	l.press("Save the draft", "text", l.field("text")+"\r\n\r\nA cancelled appointment has no reminder.")
	l.follow("Go to the comment")
	l.press("Reply", "text", "There is a sentence now.")
	l.press("Submit for review")

	l.expect("Approve as the other")
	l.press("Approve as the practice reviewer")
	l.expect("Publish, and see it live")
	l.follow("Publish 2 changes")
	l.press("Publish 2 changes")
	l.expect("Publish, and see it live")
	l.follow("See it live")
	if text := l.page.Find("main").Text(); !strings.Contains(text, "A cancelled appointment has no reminder.") {
		t.Errorf("live is %s", text)
	}
	l.follow("Back to the tutor")
	l.follow("Go to revision 1")
	l.expect("Restore a revision")
	l.follow("Restore this revision")
	l.press("Restore the revision")
	l.expect("You are through")
	if l.used > 40 {
		t.Errorf("it took %d interactions, at most 40", l.used)
	}
	t.Logf("%d interactions", l.used)
	l.open(tutor.Path)
	if l.page.Find(".tutor-steps li.done").Length() != 9 {
		t.Errorf("done are %s", l.page.Find(".tutor-steps").Text())
	}
	if l.count(`select count(*) from audit_entries where action ~ '^(change_set|release|revision|item|product)'`) != 0 {
		t.Error("practice is in the audit, where it could not be erased")
	}
	if l.count(`select count(*) from search_rows`)+l.count(`select count(*) from sdk_builds`)+l.count(`select count(*) from review_notices`) != 0 {
		t.Error("practice is in search, builds or notices")
	}

	// Starting again leaves nothing of it.
	before := l.count(`select max(id) from revisions`)
	l.follow("Start again")
	l.press("Erase it and start again")
	if l.page.Find(".tutor-steps li.done").Length() != 0 || l.count(`select count(*) from revisions where id <= `+strconv.Itoa(before)) != 0 ||
		l.count(`select count(*) from change_sets`) != 1 || l.count(`select count(*) from reviews`)+l.count(`select count(*) from review_threads`) != 0 {
		t.Errorf("after starting again: %s", l.page.Find("main").Text())
	}
	l.follow("Remove the practice product")
	l.press("Erase the practice product")
	if n := l.count(`select count(*) from items where practice_of is not null`) + l.count(`select count(*) from tutor_progress`); n != 0 {
		t.Errorf("%d rows are left after the practice product was removed", n)
	}
}

// count returns the number that a statement selects.
func (l *learner) count(sql string) (n int) {
	l.Helper()
	if err := l.site.DB.QueryRow(l.Context(), sql).Scan(&n); err != nil {
		l.Fatalf("%s: %v", sql, err)
	}
	return n
}

// Nobody but its owner finds a practice product in the administration: not in lists, not at
// the addresses of its pages, whatever their role.
func TestPracticeIsPrivate(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	owner := newLearner(t, site, "asha", identity.Editor)
	owner.open(tutor.Path)
	owner.press("Start practising")
	owner.follow("Go to the products")
	owner.follow(rule.Name)
	owner.follow("Go to the guide")
	owner.press("Save the draft", "title", "Begin "+canary, "text", "Written by "+canary+".")
	ids := map[string]string{
		"id": owner.text(`select id::text from items where kind = 'product' and practice_of is not null`), "item": owner.text(`select guide_id::text from tutor_progress`),
		"number": "1", "release": owner.text(`select max(id)::text from releases`), "set": owner.text(`select max(id)::text from change_sets`),
		"thread": "1", "link": "1", "version": owner.text(`select id::text from items where kind = 'version' and practice_of is not null`),
	}
	slug := owner.text(`select slug from items where kind = 'product' and practice_of is not null`)
	others := []*learner{newLearner(t, site, "ben", identity.Editor), newLearner(t, site, "sue", identity.SuperAdmin), newLearner(t, site, "vic", identity.Viewer)}
	walked := 0
	for _, route := range site.Server.Routes() {
		if !strings.HasPrefix(route.Path, "/admin") || route.Method != http.MethodGet || route.Name == "admin.events" {
			continue
		}
		path := filled(route.Path, ids)
		for _, other := range others {
			a := other.Client.Get(path)
			walked++
			if strings.Contains(a.Body, canary) || strings.Contains(a.Body, slug) || strings.Contains(a.Body, rule.Name) {
				t.Errorf("%s shows the practice product to %s", path, other.email)
			}
			if strings.Contains(route.Path, ":") && (strings.HasPrefix(route.Path, "/admin/products") || strings.HasPrefix(route.Path, "/admin/drafts_and_reviews")) && a.Status != 404 && a.Status != 403 {
				t.Errorf("%s gives %s %d", path, other.email, a.Status)
			}
		}
	}
	if walked < 200 {
		t.Errorf("only %d pages were walked", walked)
	}
	set := "/admin/drafts_and_reviews/" + ids["set"]
	for _, other := range others {
		for _, move := range []string{"submit", "approve", "discard", "publish", "override"} {
			if a := other.Once().Post(set+"/"+move, url.Values{"summary": {"x"}, "reason": {"x"}, "hash": {"00"}}); a.Status != 404 && a.Status != 403 {
				t.Errorf("%s of %s gives %d", move, other.email, a.Status)
			}
		}
		if a := other.Client.Get("/docs/" + slug); a.Status != 404 {
			t.Errorf("the public page gives %d", a.Status)
		}
	}
	// The owner sees it, and no public page of it.
	for _, path := range []string{set, "/admin/products", "/admin/drafts_and_reviews"} {
		if a := owner.Client.Get(path); !strings.Contains(a.Body, rule.Name) {
			t.Errorf("%s does not show the owner the practice product", path)
		}
	}
	if a := owner.Client.Get("/docs/" + slug + "/1.0"); a.Status != 404 {
		t.Errorf("the public page gives the owner %d", a.Status)
	}
	if a := owner.Once().Post("/admin/products/"+ids["id"]+"/items/"+ids["item"]+"/previews", url.Values{"days": {"7"}}); a.Status != 409 && a.Status != 422 {
		t.Errorf("a preview link for strangers gives %d", a.Status)
	}
	// The account goes with its practice.
	sue := others[1]
	deletion := "/admin/users/" + owner.text(`select id::text from admin_users where name = 'asha'`) + "/deletion"
	sue.open(deletion)
	if a := sue.Once().Post(deletion, nil); a.Status != 303 {
		t.Errorf("deleting the owner gives %d: %s", a.Status, a.Find("main").Text())
	}
	if n := owner.count(`select count(*) from items where practice_of is not null`); n != 0 {
		t.Errorf("%d items are left after their owner", n)
	}
}

const canary = "quetzalnine"

// filled fills the parameters of a path.
func filled(pattern string, ids map[string]string) string {
	parts := strings.Split(pattern, "/")
	for i, part := range parts {
		name, is := strings.CutPrefix(part, ":")
		if !is {
			continue
		}
		if parts[i] = ids[name]; parts[i] == "" {
			parts[i] = "1"
		}
		if name == "id" && strings.HasPrefix(pattern, "/admin/drafts_and_reviews") {
			parts[i] = ids["set"]
		}
		if name == "id" && strings.HasPrefix(pattern, "/admin/versions") {
			parts[i] = ids["version"]
		}
	}
	return strings.Join(parts, "/")
}

func (l *learner) text(sql string) (text string) {
	l.Helper()
	if err := l.site.DB.QueryRow(l.Context(), sql).Scan(&text); err != nil {
		l.Fatalf("%s: %v", sql, err)
	}
	return text
}

// A step is skipped, the steps are put away and taken out again, and a Viewer reads why
// there is nothing to do. It never begins by itself.
func TestTutorIsLeftAndTakenUp(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	l := newLearner(t, site, "asha", identity.SuperAdmin)
	l.open("/admin/products")
	if l.step() != "" || l.count(`select count(*) from items where practice_of is not null`) != 0 {
		t.Error("the tutor began by itself")
	}
	l.open(tutor.Path)
	l.press("Start practising")
	l.press("Skip this step")
	if got := l.page.Find("[aria-current=step] strong").Text(); got != "Edit a guide" {
		t.Errorf("after a skipped step comes %q", got)
	}
	l.follow("Go to the guide") // which opens the product: the skipped step is done after all
	l.expect("Edit a guide")
	if l.count(`select count(*) from tutor_progress where found_at is not null`) != 1 {
		t.Error("opening the product is not noted")
	}
	l.press("Put away")
	l.open("/admin/products")
	if l.step() != "" {
		t.Error("the steps are shown although they were put away")
	}
	l.open(tutor.Path)
	l.press("Go on")
	l.open("/admin/products")
	l.expect("Edit a guide")
	l.open(tutor.Path)
	l.press("Skip this step")

	// What is done elsewhere counts, and a step that lost its object says so.
	exec := func(sql string) {
		t.Helper()
		if _, err := site.DB.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	exec(`update items set trashed_at = now() where id = (select endpoint_id from tutor_progress)`)
	l.open(tutor.Path)
	if text := l.page.Find("[aria-current=step]").Text(); !strings.Contains(text, "no longer there") {
		t.Errorf("a step without its object says %s", text)
	}
	exec(`update items set trashed_at = null where id = (select endpoint_id from tutor_progress)`)

	// Nobody uses it for a month: it goes.
	if err := rule.Sweep(t.Context(), site.DB, time.Now()); err != nil || l.count(`select count(*) from tutor_progress`) != 1 {
		t.Errorf("what is in use is swept: %v", err)
	}
	if err := rule.Sweep(t.Context(), site.DB, time.Now().Add(rule.Keep+time.Hour)); err != nil || l.count(`select count(*) from items where practice_of is not null`)+l.count(`select count(*) from tutor_progress`) != 0 {
		t.Errorf("what nobody uses stays: %v", err)
	}

	vic := newLearner(t, site, "vic", identity.Viewer)
	vic.open(tutor.Path)
	if text := vic.page.Find("main").Text(); !strings.Contains(text, "Viewers read documentation") || vic.page.Find("main form").Length() != 0 {
		t.Errorf("a Viewer sees %s", text)
	}
	if a := vic.Once().Post(tutor.Path+"/start", nil); a.Status != 403 {
		t.Errorf("a Viewer starts with %d", a.Status)
	}
}

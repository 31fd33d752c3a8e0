package admin_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/documentation/content"
	"heliograph/app/web/webtest"
)

// publishBehind publishes another text of the guide while a change set holds it, as
// reverting a release does.
func (p *press) publishBehind(text, summary string) {
	p.Helper()
	raw, err := json.Marshal(content.Guide{Title: "Begin", Summary: summary, Group: "Start", Text: text})
	if err == nil {
		_, err = p.DB.Exec(p.Context(), `with r as (insert into revisions (item_id, number, content, content_hash, base_id, origin)
			select id, (select max(number) from revisions where item_id = i.id) + 1, $1::text::json, sha256(convert_to($1::text, 'UTF8')), live_revision_id, 'edit' from items i where slug = 'begin' returning id, item_id)
			update items set live_revision_id = r.id from r where items.id = r.item_id`, string(raw))
	}
	if err != nil {
		p.Fatal(err)
	}
}

// chosen is what the page of a rebase would send, with changes.
func (p *press) chosen(a *webtest.Answer, change ...string) url.Values {
	values := url.Values{}
	a.Find("main form.wide").Find("input[type=hidden], textarea, input[checked]").Each(func(_ int, s *goquery.Selection) {
		value := s.AttrOr("value", "")
		if s.Is("textarea") {
			value = strings.ReplaceAll(s.Text(), "\n", "\r\n")
		}
		if name := s.AttrOr("name", ""); name != "_csrf" {
			values.Set(name, value)
		}
	})
	for i := 0; i < len(change); i += 2 {
		values.Set(change[i], change[i+1])
	}
	return values
}

// What different people changed merges, and its author chooses in each field that
// both changed.
func TestRebasePage(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Write **two** letters.\n\nThen post it.\n"))
	set := p.set()
	p.submit(set)
	p.approve(set)
	if p.ada.Get(set).Find("a[href='"+set+"/rebase']").Length() != 0 {
		t.Error("a rebase is offered without a reason")
	}
	p.publishBehind("Write **one** letter.\n\nPost it at once.\n", "Their summary.")
	if a := p.ada.Get(set); a.Find(".rail a[href='"+set+"/rebase']").Length() != 1 || !strings.Contains(a.Find(".draft-item .alert").Text(), "Text was changed in another place and merges. Summary was changed by others only.") {
		t.Fatalf("the change set shows %s", a.Find("main").Text())
	}
	if p.ben.Get(set).Find("a[href='"+set+"/rebase']").Length() != 0 || p.ben.Get(set+"/rebase").Status != 403 || p.ben.Post(set+"/rebase", nil).Status != 403 || p.vic.Get(set+"/rebase").Status != 403 {
		t.Error("others may rebase it")
	}
	if got := p.ben.Get(set).Find(".hindered").Text(); !strings.Contains(got, "Only its author rebases") {
		t.Errorf("not possible now: %q", got)
	}
	a := p.ada.Get(set + "/rebase")
	if a.Status != 200 || a.Find("main input[type=radio]").Length() != 0 || a.Find(".conflict strong").Text() != "SummaryText" {
		t.Fatalf("the page gives %d: %q %d %d %q %q", a.Status, a.Find(".conflict strong").Text(), a.Find("main input[type=radio]").Length(), a.Find(".diff-line.added").Length(), a.Find("textarea").Text(), a.Find(".began").Text())
	}
	done := p.ok(p.ada, p.ada.Post(set+"/rebase", p.chosen(a)))
	if got := done.Find(".done, [role=status]").Text(); !strings.Contains(got, "2 fields merged without a conflict.") {
		t.Errorf("the outcome is %q", got)
	}
	if got := p.text(`select (r.content->>'text') || (r.content->>'summary') from items i join revisions r on r.id = i.draft_revision_id where i.slug = 'begin'`); got != "Write **two** letters.\n\nPost it at once.\nTheir summary." {
		t.Errorf("the draft holds %q", got)
	}
	if !strings.Contains(p.ada.Get(set).Find(".state-line").Text(), "In review") {
		t.Error("an approval of other content holds")
	}
	if got := p.ada.Get(set).Find(".rail .remarks").Text(); !strings.Contains(got, "Approved an earlier content") {
		t.Errorf("the approval is shown as %q", got)
	}
	if got := p.ben.Get("/admin/drafts_and_reviews").Find("#list tbody tr td:nth-child(7)").Text(); !strings.Contains(got, "A reviewer other than ada") {
		t.Errorf("it waits for %q", got)
	}
}

func TestRebaseChoices(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Write **two** letters.\n\nThen post it.\n"))
	set, name := p.set(), p.id("guide", "begin")+".text"
	p.publishBehind("Write **three** letters.\n\nPost it at once.\n", "The first letter.")
	a := p.ada.Get(set + "/rebase")
	if a.Find("main input[type=radio]").Length() != 3 || a.Find(".diff-line.added").Length() != 4 || !strings.Contains(a.Find("textarea").Text(), "**two** letters.\n\nPost it at once.") ||
		!strings.Contains(a.Find(".began").Text(), "**one**") {
		t.Fatalf("the page gives %d: %q %d %d %q %q", a.Status, a.Find(".conflict strong").Text(), a.Find("main input[type=radio]").Length(), a.Find(".diff-line.added").Length(), a.Find("textarea").Text(), a.Find(".began").Text())
	}
	for _, client := range []*webtest.Client{p.ada, p.ada.HX().On(set + "/rebase")} {
		if a = client.Post(set+"/rebase", p.chosen(a)); a.Status != 422 || a.Find(".radios.invalid .error").Length() != 1 || a.Find(".summary, .errors, [role=alert]").Length() == 0 {
			t.Fatalf("no choice gives %d: %s", a.Status, a.Find("main").Text())
		}
	}

	// Somebody publishes again: the choice is kept beside the new state.
	p.publishBehind("Write **four** letters.\n\nPost it at once.\n", "The first letter.")
	a = p.ada.Post(set+"/rebase", p.chosen(a, "take."+name, "edit", "text."+name, "Write **five** letters."))
	if a.Status != 409 || a.Find("input[value=edit][checked]").Length() != 1 || !strings.Contains(a.Find("textarea").Text(), "five") || !strings.Contains(a.Find(".diff").Text(), "four") ||
		!strings.Contains(a.Find(".problem").Text(), "Your choices are kept") {
		t.Fatalf("an outdated choice gives %d: %s", a.Status, a.Find("main").Text())
	}
	done := p.ok(p.ada, p.ada.Post(set+"/rebase", p.chosen(a)))
	if got := done.Find("main, [role=status]").Text(); !strings.Contains(got, "No field merged without a conflict, 1 chosen.") {
		t.Errorf("the outcome is %q", got)
	}
	draft := `select r.content->>'text' from items i join revisions r on r.id = i.draft_revision_id where i.slug = 'begin'`
	if got := p.text(draft); got != "Write **five** letters." {
		t.Errorf("the draft holds %q", got)
	}
	if location := p.ada.Get(set + "/rebase").Header.Get("Location"); !strings.HasPrefix(location, set) {
		t.Errorf("nothing to rebase leads to %q", location)
	}
	for take, want := range map[string]string{"theirs": "Live theirs", "mine": "Mine"} {
		p.ok(p.ada, p.save(p.ada, p.guide, "text", "Mine"))
		p.publishBehind("Live "+take, "The first letter.")
		p.ok(p.ada, p.ada.Post(set+"/rebase", url.Values{"take." + name: {take}}))
		if got := p.text(draft); got != want {
			t.Errorf("taking %s gives %q", take, got)
		}
	}
}

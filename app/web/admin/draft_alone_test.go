package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// The only administrator reads how a change set goes on, and finds
// the pages of what was published.
func TestAloneWithAChangeSet(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.sue, p.save(p.sue, p.guide, "text", "New words."))
	set := p.set()
	const alone = "Nobody else can review it yet"
	if text := p.sue.Get(set).Find(".state-line").Text(); strings.Contains(text, alone) {
		t.Errorf("with reviewers, the change set says %s", text)
	}
	exec(t, p.Site, `update admin_users set active = false where name in ('ada', 'ben', 'eva')`)
	for _, state := range []string{"draft", "in review"} {
		a := p.sue.Get(set)
		_, open := a.Find("details.ends:has(form[action$='/override'])").Attr("open")
		if line := a.Find(".state-line"); !strings.Contains(line.Text(), alone) || line.Find("a[href='/admin/users/invite']").Length() != 1 || !open {
			t.Errorf("alone, the change set that is %s says %s, and its way out is open: %v", state, line.Text(), open)
		}
		if text := p.vic.Get(set).Find(".state-line").Text(); strings.Contains(text, alone) {
			t.Errorf("a viewer reads %s", text)
		}
		if state == "draft" {
			p.ok(p.sue, p.sue.Post(set+"/submit", url.Values{"summary": {"New words."}}))
		}
	}
	p.ok(p.sue, p.sue.Post(set+"/override", url.Values{"reason": {"Alone."}}))
	if href := p.sue.Get(set).Find(".state-line a").AttrOr("href", ""); href != "/docs/letters" {
		t.Errorf("what was published leads to %q", href)
	}
}

package admin_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A schedule is changed and cancelled on the page of its change set, and both are in
// the audit. The page says that newer drafts are not part of the release.
func TestSchedulesAreChangedAndCancelled(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "First."))
	set := p.set()
	p.ok(p.ada, p.schedule(set, time.Now().Add(48*time.Hour)))
	a := p.ben.Get(set)
	form := a.Find("#form-schedule")
	if form.Find("button").Text() != "Change the time" || form.Find("input[name=scheduled_for]").AttrOr("value", "") == "" || a.Find("form[action$='/cancel']").Length() != 1 || p.vic.Get(set).Find("#form-schedule").Length() != 0 {
		t.Errorf("a scheduled change set offers %s", a.Find(".rail").Text())
	}
	for text, status := range map[string]int{"": 422, "2020-01-01T10:00": 422, "soon": 422} {
		if a := p.ben.Post(set+"/schedule", url.Values{"scheduled_for": {text}}); a.Status != status || a.Find("#form-schedule .error").Length() == 0 {
			t.Errorf("the time %q gives %d", text, a.Status)
		}
	}
	at := time.Now().UTC().Add(72 * time.Hour).Truncate(time.Minute)
	p.ok(p.ben, p.ben.Post(set+"/schedule", url.Values{"scheduled_for": {at.Format("2006-01-02T15:04")}}))
	if a := p.vic.Get(set); !strings.Contains(a.Find(".rail").Text(), at.Format("2 Jan 2006, 15:04 UTC")) || strings.Contains(a.Find(".concerns").Text(), "newer draft") {
		t.Errorf("after the change: %s", a.Find("main").Text())
	}

	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Second."))
	note := p.vic.Get(set).Find(".concerns li:has(a[href='" + p.guide + "'])")
	if !strings.Contains(note.Text(), "Begin has a newer draft, which is not part of this release.") || note.Find("a").Text() != "Open the draft" {
		t.Errorf("a newer draft: %s", p.vic.Get(set).Find(".concerns").Text())
	}
	p.ok(p.ben, p.ben.Post(set+"/cancel", nil))
	if a := p.ada.Get(set); !strings.Contains(a.Find(".state-line").Text(), "Approved") || !strings.Contains(a.Find(".concerns").Text(), "Take the change set back to draft to include it.") {
		t.Errorf("after cancelling: %s", a.Find("main").Text())
	}
	p.ok(p.ada, p.ada.Post(set+"/withdraw", nil))
	if a := p.ada.Get(set); strings.Contains(a.Find(".concerns").Text(), "newer draft") {
		t.Errorf("the draft was not taken up: %s", a.Find(".concerns").Text())
	}
	got := strings.Fields(p.text(`select string_agg(action, ' ' order by seq) from audit_entries where action in ('change_set.schedule', 'change_set.cancel')`))
	if diff := cmp.Diff([]string{"change_set.schedule", "change_set.schedule", "change_set.cancel"}, got); diff != "" {
		t.Errorf("the audit (-want +got):\n%s", diff)
	}
}

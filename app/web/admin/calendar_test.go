package admin_test

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

// The calendar shows scheduled releases and the dates of versions, what is blocked and
// what is overdue. Who may change a schedule finds the way to its form.
func TestCalendar(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	empty := p.vic.Get("/admin/calendar?month=2031-02")
	if empty.Find("#month").Text() != "February 2031" || !strings.Contains(empty.Find("main").Text(), "Nothing in February 2031") || empty.Find(".calendar-month td").Length() != 35 {
		t.Errorf("an empty month: %s", empty.Find("main").Text())
	}
	p.ok(p.sue, p.save(p.sue, p.version, "released_on", "2026-03-02", "sunset_on", "2031-02-28"))
	p.ok(p.sue, p.sue.Post(p.set()+"/override", url.Values{"reason": {"Dates."}}))

	at := time.Now().UTC().Add(48 * time.Hour).Truncate(time.Minute)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Later."))
	set := p.set()
	p.ok(p.ada, p.schedule(set, at))
	month := "/admin/calendar?month=" + at.Format("2006-01")
	for _, view := range []string{"", "&view=list"} {
		a := p.ada.Get(month + view)
		day := a.Find("time[datetime='" + at.Format("2006-01-02") + "']").Closest("td, li")
		if !strings.Contains(day.Text(), at.Format("15:04 UTC")) || !strings.Contains(day.Text(), "Letters, 1 change") || day.Find("a[href='"+set+"']").Length() != 1 || day.Find("a[href='"+set+"#form-schedule']").Length() != 1 {
			t.Errorf("the day has %s", day.Text())
		}
		if p.vic.Get(month+view).Find("a[href$='#form-schedule']").Length() != 0 || p.eva.Get(month+view).Find("a[href$='#form-schedule']").Length() != 0 {
			t.Error("others are led to the form of the schedule")
		}
	}
	if a := p.vic.Get("/admin/calendar?month=2031-02"); !strings.Contains(a.Find("td:has(time[datetime='2031-02-28'])").Text(), "SunsetLetters 1.0") {
		t.Errorf("the date of a version: %s", a.Find(".calendar").Text())
	}
	if a := p.vic.Get("/admin/calendar?month=2031-01&view=list"); a.Find(".calendar-days li").Length() != 0 {
		t.Errorf("a list has days of other months: %s", a.Find(".calendar").Text())
	}
	a := p.ada.Get(month)
	if got := a.Find(".calendar-head a").First().AttrOr("href", ""); got != "/admin/calendar?month="+at.AddDate(0, 0, 1-at.Day()).AddDate(0, -1, 0).Format("2006-01") {
		t.Errorf("the earlier month is at %s", got)
	}

	exec(t, p.Site, `update change_sets set scheduled_for = now() - interval '1 hour' where state = 'scheduled'`)
	if a := p.ada.Get(month); !strings.Contains(a.Find(".concerns").Text(), "Overdue") || !strings.Contains(a.Find(".concerns").Text(), "was not published") {
		t.Errorf("an overdue release: %s", a.Find(".calendar").Text())
	}
	if a := p.sue.Get("/admin"); !strings.Contains(a.Find(".concerns").Text(), "1 scheduled release is overdue.") || a.Find(".concerns a[href='/admin/calendar']").Length() != 1 {
		t.Errorf("the overview: %s", a.Find(".concerns").Text())
	}
	exec(t, p.Site, `update change_sets set state = 'blocked', scheduled_for = null, scheduled_by = null, blocked_reason = 'The page is gone.' where state = 'scheduled'`)
	if a := p.ada.Get(month); !strings.Contains(a.Find(".concerns").Text(), "The page is gone.") {
		t.Errorf("a blocked release: %s", a.Find(".calendar").Text())
	}
	for _, wrong := range []string{"2026-13", "soon", "0001-01", "9999-12"} {
		if a := p.vic.Get("/admin/calendar?month=" + wrong); a.Status != 404 {
			t.Errorf("the month %s gives %d", wrong, a.Status)
		}
	}
}

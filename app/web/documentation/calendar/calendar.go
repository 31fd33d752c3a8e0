// Package calendar shows scheduled releases and the dates of versions.
package calendar

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/calendar"
	"heliograph/views/documentation/quality"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB db.Querier // read only
}

// monthLayout is how a month is written in addresses.
const monthLayout = "2006-01"

// overdueAfter is how long after its time a scheduled release is a concern.
const overdueAfter = 2 * time.Minute

// calendarQuery is the query of the calendar.
type calendarQuery struct {
	Month string `query:"month"`
	View  string `query:"view"` // "list", or a month
}

// month is a month of the calendar.
type month struct {
	first, now time.Time
	isList     bool
	entries    map[string][]view.Entry // by day
}

// Show shows scheduled releases and the dates of versions in a month.
func (h *Handlers) Show(c echo.Context, asked calendarQuery) error {
	m := month{now: time.Now().UTC(), isList: asked.View == "list", entries: map[string][]view.Entry{}}
	m.first = time.Date(m.now.Year(), m.now.Month(), 1, 0, 0, 0, 0, time.UTC)
	var err error
	if asked.Month != "" {
		if m.first, err = time.Parse(monthLayout, asked.Month); err != nil || m.first.Year() < 2000 || m.first.Year() > 2999 {
			return fault.New(fault.NotFound, "The calendar has no month %s. Months are written as %s.", asked.Month, m.now.Format(monthLayout))
		}
	}
	p := view.Page{
		Frame: page.AdministrationFrame(c, "Calendar", page.CalendarPath),
		Lead:  "Scheduled releases, and the days on which versions are released, deprecated, sunset and retired. Times are in UTC.",
		Title: m.first.Format("January 2006"),
	}
	if p.Concerns, err = h.fillMonth(c, &m); err != nil {
		return err
	}
	p.Earlier, p.Later = ui.Link{Label: "Earlier month", Href: m.address(-1, m.isList)}, ui.Link{Label: "Later month", Href: m.address(1, m.isList)}
	if m.first.Format(monthLayout) != m.now.Format(monthLayout) {
		p.Today = ui.Link{Label: "This month", Href: page.Address(page.CalendarPath, page.Query("view", asked.View))}
	}
	p.Other = ui.Link{Label: "Show as a list", Href: m.address(0, true)}
	if m.isList {
		p.Other = ui.Link{Label: "Show the month", Href: m.address(0, false)}
		p.Days = m.list()
	} else {
		p.Weeks = m.weeks()
	}
	if len(m.entries) == 0 {
		p.Empty = ui.EmptyState{Title: "Nothing in " + p.Title, Text: "Approved change sets can be scheduled on their page.", Next: ui.Link{Label: "Drafts and reviews", Href: page.DraftsPath}}
	}
	p.Live = page.Refresh(c, view.Region, desk.DraftsTopic)
	p.Announcement = fmt.Sprintf("%s, days with entries: %d", p.Title, len(m.entries))
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Calendar(p), Address: m.address(0, m.isList)})
}

// address is the address of a month that is some months away.
func (m month) address(months int, asList bool) string {
	view := ""
	if asList {
		view = "list"
	}
	return page.Address(page.CalendarPath, page.Query("month", m.first.AddDate(0, months, 0).Format(monthLayout), "view", view))
}

// span returns the first day that the view of a month shows and the day after the
// last one. Weeks begin on Mondays.
func (m month) span() (from, until time.Time) {
	if m.isList {
		return m.first, m.first.AddDate(0, 1, 0)
	}
	from = m.first.AddDate(0, 0, -(int(m.first.Weekday())+6)%7)
	for until = from; until.Before(m.first.AddDate(0, 1, 0)); {
		until = until.AddDate(0, 0, 7)
	}
	return from, until
}

// fillMonth reads what happens in a month, and returns what did not happen.
func (h *Handlers) fillMonth(c echo.Context, m *month) (concerns []quality.Finding, err error) {
	ctx := c.Request().Context()
	from, until := m.span()
	sets, err := queries.CalendarSetList(ctx, h.DB, from, until)
	if err != nil {
		return nil, err
	}
	dates, err := queries.CalendarDateList(ctx, h.DB, from.Format(time.DateOnly), until.Format(time.DateOnly))
	if err != nil {
		return nil, err
	}
	writes := map[int64]bool{}
	for _, s := range sets {
		if _, known := writes[s.ProductID]; !known {
			if writes[s.ProductID], err = mayWrite(ctx, h.DB, desk.Actor(c), s.ProductID); err != nil {
				return nil, err
			}
		}
		concerns = append(concerns, concernOf(s, m.now)...)
		if at := s.ScheduledFor.UTC(); s.State == editorial.StateScheduled && !at.Before(from) && at.Before(until) {
			m.add(at.Format(time.DateOnly), scheduledEntry(s, writes[s.ProductID]))
		}
	}
	for _, d := range dates {
		m.add(d.Day, view.Entry{
			Tone: dateTones[d.Event], Word: dateWords[d.Event], Link: ui.Link{Label: d.Product + " " + d.Version, Href: desk.ItemPath(d.ProductID, d.ID)}, Note: dateNotes[d.Event],
		})
	}
	return concerns, nil
}

// mayWrite reports whether an actor may change schedules of a product.
func mayWrite(ctx context.Context, store db.Querier, by editorial.Actor, productID int64) (bool, error) {
	err := editorial.MayEdit(ctx, store, by, productID)
	if f := fault.As(err); f != nil && f.Kind == fault.Forbidden {
		return false, nil
	}
	return err == nil, err
}

func (m month) add(day string, e view.Entry) { m.entries[day] = append(m.entries[day], e) }

var (
	dateWords = map[string]string{"released": "Released", "deprecated": "Deprecated", "sunset": "Sunset", "retired": "Retired"}
	dateTones = map[string]ui.Tone{"released": ui.Good, "deprecated": ui.Warn, "sunset": ui.Bad}
	dateNotes = map[string]string{
		"deprecated": "Readers are asked to move to another version.", "sunset": "The version stops working.",
	}
)

func scheduledEntry(s models.ChangeSetEntry, writes bool) view.Entry {
	at := s.ScheduledFor.UTC()
	e := view.Entry{
		Tone: desk.StateTones[s.State], Word: desk.StateNames[s.State], Time: at.Format("15:04 UTC"), At: at.Format(time.RFC3339),
		Link: ui.Link{Label: listing.Clip(s.Summary, listing.LongestValue), Href: desk.DraftPath(s.ID)}, Note: s.Product + ", " + listing.Some(int64(s.Items), "change", "changes"),
	}
	if writes {
		e.Edit = ui.Link{Label: "Change or cancel", Href: desk.DraftPath(s.ID) + "#" + string(ui.Form.Of("schedule"))}
	}
	return e
}

// concernOf says that the release of a change set did not happen.
func concernOf(s models.ChangeSetEntry, now time.Time) []quality.Finding {
	place := ui.Link{Label: "Change set " + listing.Plain(s.ID), Href: desk.DraftPath(s.ID)}
	switch {
	case s.State == editorial.StateBlocked:
		return []quality.Finding{{
			Tone: ui.Bad, Level: desk.StateNames[s.State],
			Text:  s.Product + ": " + listing.Clip(strings.TrimSuffix(s.Summary, "."), listing.LongestValue) + ". " + s.BlockedReason,
			Place: place,
		}}
	case now.Sub(s.ScheduledFor) > overdueAfter:
		return []quality.Finding{{Tone: ui.Bad, Level: "Overdue", Text: fmt.Sprintf("%s: %s. It was due %s and was not published. Check that a worker is running.",
			s.Product, listing.Clip(strings.TrimSuffix(s.Summary, "."), listing.LongestValue), listing.Ago(s.ScheduledFor, now)), Place: place}}
	}
	return nil
}

// weeks are the days of the view of a month.
func (m month) weeks() (weeks [][]view.Day) {
	from, until := m.span()
	for at := from; at.Before(until); at = at.AddDate(0, 0, 1) {
		if at.Weekday() == time.Monday {
			weeks = append(weeks, nil)
		}
		last := &weeks[len(weeks)-1]
		*last = append(*last, m.day(at))
	}
	return weeks
}

func (m month) day(at time.Time) view.Day {
	date := at.Format(time.DateOnly)
	return view.Day{
		Date: date, Number: at.Format("2"), Label: at.Format("Monday, 2 January"), Outside: at.Month() != m.first.Month(),
		IsToday: date == m.now.Format(time.DateOnly), Entries: m.entries[date],
	}
}

// list are the days with entries in their order.
func (m month) list() (days []view.Day) {
	for date := range m.entries {
		if at, err := time.Parse(time.DateOnly, date); err == nil {
			days = append(days, m.day(at))
		}
	}
	slices.SortFunc(days, func(a, b view.Day) int { return cmp.Compare(a.Date, b.Date) })
	return days
}

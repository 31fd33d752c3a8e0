// Package audit shows the audit and exports it.
package audit

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/app/web/people/pick"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	view "heliograph/views/operation/audit"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB db.Querier // read only
}

// auditQuery is the query of the list.
type query struct {
	listing.Position
	Actor  string `query:"actor"`
	Action string `query:"action"`
	Target string `query:"target"`
	From   string `query:"from"`   // 2006-01-02, UTC
	To     string `query:"to"`     // the same, inclusive
	Before int64  `query:"before"` // the entry that the page follows
}

// filter returns the filter of the query. A malformed day is Invalid.
func (a query) filter() (models.AuditFilter, error) {
	f := models.AuditFilter{Actor: a.Actor, Action: a.Action, Target: a.Target, After: max(0, a.Before), OldestFirst: a.listing().Reversed()}
	var err error
	if f.From, err = parseDay(a.From); err != nil {
		return f, err
	}
	if f.To, err = parseDay(a.To); err == nil && !f.To.IsZero() {
		f.To = f.To.AddDate(0, 0, 1)
	}
	return f, err
}

func (a query) listing() listing.List {
	return listing.List{
		Position: a.Position, Path: page.AuditPath, Standard: "desc", Orders: listing.Newest, Later: a.Before > 0, One: "entry", Many: "entries",
		Filter: page.Query("actor", a.Actor, "action", a.Action, "target", a.Target, "from", a.From, "to", a.To),
	}
}

// List lists the entries of the audit.
func (h *Handlers) List(c echo.Context, asked query) error {
	filter, err := asked.filter()
	if err != nil {
		return err
	}
	l := asked.listing()
	filter.Limit = l.Rows() + 1
	ctx := c.Request().Context()
	var entries []models.AuditEntry
	err = queries.AuditEntryFind(ctx, h.DB, filter, func(e models.AuditEntry) error {
		entries = append(entries, e)
		return nil
	})
	if err != nil {
		return err
	}
	shown := entries[:min(len(entries), l.Rows())]
	names, err := queries.AuditNameList(ctx, h.DB, nouns(shown))
	if err != nil {
		return err
	}
	check, err := queries.AuditCheckGet(ctx, h.DB)
	if err != nil && !db.IsNoRows(err) {
		return err
	}
	anchor, err := queries.AuditAnchorGet(ctx, h.DB)
	if err != nil && !db.IsNoRows(err) {
		return err
	}
	p := view.AuditPage{Frame: page.AdministrationFrame(c, "Audit", page.AuditPath), List: list(asked, shown, names)}
	target := &p.List.Filter.Inputs[2]
	if *target, err = pick.Field(ctx, h.DB, *target); err != nil {
		return err
	}
	l.Finish(c, &p.List, listing.Rows{Count: len(shown), More: len(entries) > len(shown), Mark: func(v url.Values) { v.Set("before", listing.Plain(shown[len(shown)-1].Seq)) }})
	p.Announcement = p.List.Announcement()
	now := time.Now()
	p.ChainTone, p.Chain, p.ChainNote = chain(check, now)
	p.AnchorTone, p.Anchor, p.AnchorNote = anchored(anchor, now)
	if len(entries) > 0 {
		p.List.Links = []ui.Link{{Label: "Export as CSV", Href: page.Address(page.AuditPath+".csv", l.Values())}}
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Audit(p), Address: l.Address()})
}

func nouns(entries []models.AuditEntry) []string {
	list := make([]string, 0, 2*len(entries))
	for _, e := range entries {
		list = append(list, e.Actor, e.Target)
	}
	return list
}

// chain describes the result of the last verification.
func chain(check models.AuditCheck, now time.Time) (tone ui.Tone, label, note string) {
	switch {
	case check.At.IsZero():
		return ui.Info, "Not verified yet", "The first verification has not run yet."
	case check.BrokenSeq != nil:
		return ui.Bad, "Chain broken", "Entry " + listing.Number(*check.BrokenSeq) + ": " + check.Reason + ". Found " + listing.Ago(check.At, now) + ". Run heliograph audit verify to check the chain again. If a backup was restored, run heliograph audit accept."
	}
	return ui.Good, "Chain holds", listing.Number(check.Head.Seq) + " entries verified " + listing.Ago(check.At, now) + "."
}

// anchored describes the last copy that was kept outside of the database.
func anchored(a models.AuditAnchor, now time.Time) (tone ui.Tone, label, note string) {
	switch {
	case a.At.IsZero():
		return ui.Info, "Not anchored yet", "A worker stores the newest hash outside of the database every hour."
	case now.Sub(a.At) > audit.AnchorLate:
		return ui.Warn, "Anchor overdue", "The last anchor was made " + listing.Ago(a.At, now) + ", at entry " + listing.Number(a.Seq) + ". Workers make one every hour. Check that a worker is running."
	case a.Retained:
		return ui.Good, "Anchored", "At entry " + listing.Number(a.Seq) + ", " + listing.Ago(a.At, now) + ". The storage keeps it for a year, even from its owner."
	}
	return ui.Good, "Anchored", "At entry " + listing.Number(a.Seq) + ", " + listing.Ago(a.At, now) + ". The storage has no object lock: its owner can remove it."
}

func list(asked query, entries []models.AuditEntry, names map[string]string) ui.Listing {
	l := ui.Listing{
		Filter: ui.Filter{
			Inputs: []ui.Input{
				{Name: "actor", Label: "Who", Type: "search", Value: asked.Actor, Placeholder: "admin:1 or an email address"},
				{Name: "action", Label: "What", Type: "search", Value: asked.Action, Placeholder: "admin.sign_in"},
				{Name: "target", Label: "To what", Type: "search", Value: asked.Target, Placeholder: "organisation:4"},
				{Name: "from", Label: "From", Type: "date", Value: asked.From},
				{Name: "to", Label: "To", Type: "date", Value: asked.To},
			},
		},
		Table: ui.Table{Caption: "Audit entries", Columns: []ui.Column{asked.listing().Sorted(ui.Column{Label: "When (UTC)", Plain: true}), {Label: "Who"}, {Label: "What", Lead: true}, {Label: "To what"}, {Label: "Details", Plain: true}}},
		Empty: ui.EmptyState{Title: "No entries found", Text: "No entry of the audit matches this filter.", Next: ui.Link{Label: "Show all entries", Href: page.AuditPath}},
	}
	for _, e := range entries {
		details := ui.Cell{Text: "–"}
		if lines := changes(e.Details, listing.LongestValue); len(lines) > 0 {
			details = ui.Cell{Body: view.FoldedChanges(lines)}
		}
		l.Table.Rows = append(l.Table.Rows, []ui.Cell{
			opening(e), named(e.Actor, names), {Text: e.Action, Mono: true}, named(e.Target, names), details,
		})
	}
	return l
}

// pageOf returns the page of an actor or a target, or an empty text.
func pageOf(noun string) string {
	kind, id, _ := strings.Cut(noun, ":")
	switch kind {
	case "admin":
		return page.UsersPath + "/" + id
	case "organisation":
		return page.OrganisationsPath + "/" + id
	}
	return ""
}

// named is a cell with an actor or a target and its name.
func named(noun string, names map[string]string) ui.Cell {
	if name := names[noun]; name != "" {
		return ui.Cell{Text: name, Note: noun, Href: pageOf(noun)}
	}
	return ui.Cell{Text: noun}
}

// parseDay parses the value of a date field. An empty text is the zero time.
func parseDay(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil || t.Year() < 1 {
		return t, fault.New(fault.Invalid, "Write days as year, month and day, for example 2026-11-21.")
	}
	return t, nil
}

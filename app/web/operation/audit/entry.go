package audit

import (
	"encoding/hex"
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	view "heliograph/views/operation/audit"
	"heliograph/views/ui"
)

// Show shows one entry of the audit with all of its details.
func (h *Handlers) Show(c echo.Context, seq int64) error {
	var found []models.AuditEntry
	err := queries.AuditEntryFind(c.Request().Context(), h.DB, models.AuditFilter{After: seq - 1, OldestFirst: true, Limit: 1}, func(e models.AuditEntry) error {
		found = append(found, e)
		return nil
	})
	if err != nil {
		return err
	}
	if len(found) == 0 || found[0].Seq != seq {
		return fault.New(fault.NotFound, "The audit has no entry with this number.")
	}
	e := found[0]
	names, err := queries.AuditNameList(c.Request().Context(), h.DB, nouns(found))
	if err != nil {
		return err
	}
	p := view.AuditEntryPage{
		Frame: page.AdministrationFrame(c, "Entry "+listing.Number(seq), page.AuditPath), Region: ui.Details.Of(listing.Plain(seq)), Changes: changes(e.Details, wholeValue),
		Facts: []ui.Pair{
			{Key: "When", Value: ui.Moment(e.At).Text + " UTC"}, noun("Who", e.Actor, names), {Key: "What", Value: e.Action, Mono: true}, noun("To what", e.Target, names),
			{Key: "Hash", Value: hex.EncodeToString(e.Hash), Mono: true}, {Key: "Previous hash", Value: hex.EncodeToString(e.Prev), Mono: true},
		},
	}
	p.Up = ui.Link{Label: "Audit", Href: page.AuditPath}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.AuditEntry(p)})
}

// noun is a fact with an actor or a target, its name, and a link to its page.
func noun(key, text string, names map[string]string) ui.Pair {
	pair := ui.Pair{Key: key, Value: text}
	if name := names[text]; name != "" {
		pair.Value, pair.Href = name+" ("+text+")", pageOf(text)
	}
	return pair
}

// opening is a cell that opens the details of an entry.
func opening(e models.AuditEntry) ui.Cell {
	cell := ui.Moment(e.At)
	cell.Href, cell.Opens = page.AuditPath+"/"+listing.Plain(e.Seq), ui.Details.Of(listing.Plain(e.Seq))
	return cell
}

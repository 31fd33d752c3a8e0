// Package suppression serves the lists of numbers that must not be contacted: the list
// of an organisation in its account, and the list of all organisations in the
// administration.
package suppression

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/blocklist"
	"heliograph/app/fault"
	"heliograph/app/phone"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	view "heliograph/views/channels/suppression"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// options describes one list.
type options struct {
	DB    db.Querier  // read only
	Rules db.Beginner // where the rules write
	// Path is the address of the page, and Lead says what the list is for.
	Path, Lead string
	Owner      func(c echo.Context) blocklist.Owner
	// MayChange reports whether the user of a request may change the list.
	MayChange func(c echo.Context) bool
	Frame     func(c echo.Context, title, current string) layout.Frame
}

// Handlers answers the routes of one list.
type Handlers struct{ options }

// newHandlers returns the handlers of a list.
func newHandlers(o options) *Handlers { return &Handlers{o} }

// BodyLimit is the largest file to import with its form, in bytes.
const BodyLimit = 4 << 20

const heading = "Do not contact"

// form holds what the forms of the page send.
type form struct {
	Recipient string `form:"recipient"`
	Channel   string `form:"channel"`
	Note      string `form:"note"`
}

// query is the filter of the list.
type query struct {
	listing.Position
	Number string `query:"number"`
	After  string `query:"after"` // the last entry of the page before
}

// Show shows the list.
func (h *Handlers) Show(c echo.Context) error {
	return h.render(c, http.StatusOK, form{}, &page.Problems{})
}

// Add puts a number on the list.
func (h *Handlers) Add(c echo.Context, f form) error {
	row, err := blocklist.NewEntry(f.Recipient, f.Channel, f.Note)
	if err == nil {
		_, err = blocklist.Add(c.Request().Context(), h.Rules, h.Owner(c), []models.Suppression{row})
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.render(c, status, f, problems) })
	}
	return page.Done(c, h.Path, "added")
}

// AskRemove asks before a number is taken off the list.
func (h *Handlers) AskRemove(c echo.Context) (*page.Question, error) {
	recipient, channel, _ := strings.Cut(c.Param("id"), "-")
	before := queries.SuppressionFilter{OrganisationID: h.Owner(c).OrganisationID, Recipient: recipient}
	found, err := queries.SuppressionList(c.Request().Context(), h.DB, before, len(everyChannel))
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(found, func(s models.Suppression) bool { return s.Recipient == recipient && s.Channel == channel }) {
		return nil, fault.New(fault.NotFound, "The number is not on the list.")
	}
	f := h.Frame(c, "Remove "+phone.Show(recipient), h.Path)
	f.Up = ui.Link{Label: heading, Href: h.Path}
	return &page.Question{Frame: f, Question: ui.Question{
		Region: region(recipient, channel), Text: "Messages to " + phone.Show(recipient) + " are sent again. Remove it only if its owner agrees.",
		Action: ui.Post{Label: "Remove the number", Kind: ui.Danger},
		Back:   ui.Link{Label: "Keep it"},
	}}, nil
}

// Remove takes a number off the list.
func (h *Handlers) Remove(c echo.Context) error {
	recipient, channel, _ := strings.Cut(c.Param("id"), "-")
	if err := blocklist.Remove(c.Request().Context(), h.Rules, h.Owner(c), recipient, channel); err != nil {
		return err
	}
	return page.Done(c, h.Path, "removed")
}

// Export sends the list as CSV, in the form that can be imported.
func (h *Handlers) Export(c echo.Context) error {
	const patience, size = 2 * time.Minute, 1000
	return page.CSV(c, "do-not-contact", patience, func(write func(...string) error) error {
		if err := write("number", "channel", "note", "reason", "since"); err != nil {
			return err
		}
		filter := queries.SuppressionFilter{OrganisationID: h.Owner(c).OrganisationID}
		for {
			rows, err := queries.SuppressionList(c.Request().Context(), h.DB, filter, size)
			if err != nil {
				return err
			}
			for _, s := range rows {
				if err := write(s.Recipient, s.Channel, s.Note, s.Reason, s.CreatedAt.UTC().Format(time.RFC3339)); err != nil {
					return err
				}
				filter.After, filter.AfterChannel = s.Recipient, s.Channel
			}
			if len(rows) < size {
				return nil
			}
		}
	})
}

// removal returns the address that takes an entry off the list.
func (h *Handlers) removal(recipient, channel string) string {
	return h.Path + "/" + recipient + "-" + channel + "/removal"
}

// region names the place of a question. The dots of a user id would mean classes there.
func region(recipient, channel string) ui.Region {
	return ui.Confirm.Of(strings.ReplaceAll(recipient, ".", "_") + channel)
}

var done = map[string]string{
	"added": "The number is added. Messages to it are no longer sent.", "removed": "The number is removed. Messages to it are sent again.",
	"imported": "The file is imported. Messages to its numbers are no longer sent.",
}

var everyChannel = append([]ui.Option{{Label: "Every channel"}}, listing.Channels...)

func (h *Handlers) render(c echo.Context, status int, f form, problems *page.Problems) error {
	asked, err := page.Ask[query](c)
	if err != nil {
		return err
	}
	p := view.Page{Frame: h.Frame(c, heading, h.Path), Lead: h.Lead}
	if word := c.QueryParam("done"); word != "" {
		p.Done = done[word]
	}
	if h.MayChange(c) {
		wrong := problems.Fields
		p.Add = &view.Add{
			Action: h.Path, CSRF: p.CSRF,
			Recipient: ui.Input{Name: "recipient", Label: "Number or user id", Value: f.Recipient, Required: true, Placeholder: "+919812345678", Error: wrong["recipient"]},
			Note:      ui.Input{Name: "note", Label: "Note", Value: f.Note, Hint: "Why it must not be contacted.", Error: wrong["note"]},
			Channel:   ui.Select{Name: "channel", Label: "Channel", Value: f.Channel, Options: everyChannel, Error: wrong["channel"]},
		}
		p.Import = &view.Import{
			Action: h.Path + "/import", CSRF: p.CSRF,
			File: ui.Input{
				Name: "file", Label: "CSV file", Type: "file", Required: true,
				Hint:  "A number or a user id in each line, then the channel and a note if you like. A file that was exported here fits.",
				Error: wrong["file"],
			},
		}
	}
	if p.List, err = h.list(c, asked); err != nil {
		return err
	}
	p.Announcement = p.List.Announcement()
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Show(p)})
}

// list returns the entries that a query asks for.
func (h *Handlers) list(c echo.Context, asked query) (ui.Listing, error) {
	list := ui.Listing{
		Filter: ui.Filter{Inputs: []ui.Input{{Name: "number", Label: "Number or user id starts with", Type: "search", Value: asked.Number}}},
		Links:  []ui.Link{{Label: "Download CSV", Href: h.Path + ".csv"}},
		Table: ui.Table{Caption: heading, Columns: []ui.Column{
			{Label: "Number or user id"}, {Label: "Channel"}, {Label: "Reason"}, {Label: "Note"}, {Label: "Since (UTC)"}, {Label: "Change"},
		}},
		Empty: ui.EmptyState{Title: "No numbers found", Text: "Recipients who write STOP are added by themselves."},
	}
	filter := queries.SuppressionFilter{OrganisationID: h.Owner(c).OrganisationID, Recipient: strings.TrimLeft(strings.TrimSpace(asked.Number), "+")}
	filter.After, filter.AfterChannel, _ = strings.Cut(asked.After, "-")
	rows, err := queries.SuppressionList(c.Request().Context(), h.DB, filter, asked.Rows()+1)
	if err != nil {
		return list, err
	}
	more := len(rows) > asked.Rows()
	rows = rows[:min(len(rows), asked.Rows())]
	for _, s := range rows {
		list.Table.Rows = append(list.Table.Rows, h.row(c, s))
	}
	l := listing.List{Position: asked.Position, Path: h.Path, Filter: page.Query("number", asked.Number), Later: asked.After != "", One: "number", Many: "numbers"}
	l.Finish(c, &list, listing.Rows{Count: len(rows), More: more, Mark: func(next url.Values) {
		last := rows[len(rows)-1]
		next.Set("after", last.Recipient+"-"+last.Channel)
	}})
	return list, nil
}

func (h *Handlers) row(c echo.Context, s models.Suppression) []ui.Cell {
	channel := ui.LabelOf(everyChannel, s.Channel)
	reason := ui.Cell{Text: "On the list"}
	if s.Reason == string(blocklist.Stopped) {
		reason.Text = "The recipient asked"
	}
	cells := []ui.Cell{{Text: phone.Show(s.Recipient), Mono: true}, {Text: channel}, reason, {Text: s.Note}, ui.Minute(s.CreatedAt), {}}
	if h.MayChange(c) {
		at := region(s.Recipient, s.Channel)
		remove := ui.Ask{Link: ui.Link{Label: "Remove", Href: h.removal(s.Recipient, s.Channel)}, Object: phone.Show(s.Recipient), Small: true, Region: at}
		cells[5] = ui.Cell{Body: ui.AskButton(remove), Opens: at}
	}
	return cells
}

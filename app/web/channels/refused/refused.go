// Package refused serves the log of API requests that were refused: of an organisation
// in its account, and of all in the administration.
package refused

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/labstack/echo/v4"

	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/refusal"
	"heliograph/app/fault"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/app/web/people/pick"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	view "heliograph/views/channels/refused"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Options describes one log.
type Options struct {
	DB       db.Querier // read only
	Channels pipeline.Channels
	// Path is the address of the page, and Lead says what it shows.
	Path, Lead string
	// OrganisationPath is the address of an organisation, without its id. It is empty in
	// an account, which shows its own calls only.
	OrganisationPath string
	Frame            func(c echo.Context, title, current string) layout.Frame
}

// Handlers answers the routes of one log.
type Handlers struct{ Options }

// New returns the handlers of a log.
func New(o Options) *Handlers {
	o.Lead += fmt.Sprintf(" They are kept for %d days, the newest %s of each organisation. The code leads to its cause and remedy. Bodies and queries are not kept.", refusal.Keep/(24*time.Hour), humanize.Comma(refusal.MaxRows))
	return &Handlers{o}
}

const heading = "Refused requests"

// query is the filter of the log. Times are in UTC.
type query struct {
	listing.Position
	Channel      string `query:"channel"`
	Code         string `query:"code"`
	Text         string `query:"text"`
	From         string `query:"from"`
	To           string `query:"to"` // exclusive
	Organisation string `query:"organisation"`
	Before       int64  `query:"before"` // the last call of the page before
}

func (q query) listing(path string) listing.List {
	return listing.List{
		Position: q.Position, Path: path, Standard: "desc", Orders: listing.Newest, Later: q.Before > 0, One: "request", Many: "requests",
		Filter: page.Query("channel", q.Channel, "code", q.Code, "text", q.Text, "from", q.From, "to", q.To, "organisation", q.Organisation),
	}
}

// filter returns the filter of the query. The error names the invalid fields.
func (h *Handlers) filter(c echo.Context, q query, l listing.List) (f queries.RefusedCallFilter, err error) {
	var wrong listing.Faults
	f = queries.RefusedCallFilter{
		Channel: wrong.Choice("channel", q.Channel, listing.AnyChannel), Text: strings.TrimSpace(q.Text), Before: max(0, q.Before), OldestFirst: l.Reversed(),
		From: wrong.Minute("from", q.From), To: wrong.Minute("to", q.To),
	}
	code, err := strconv.ParseInt(strings.TrimSpace(q.Code), 10, 32)
	if q.Code != "" && (err != nil || code < 1) {
		wrong.Add("code", "Enter the code of an error, for example 131008.")
	}
	f.Code = int(code)
	if h.OrganisationPath == "" {
		f.OrganisationID = page.User(c).OrganisationID
		return f, wrong.Err()
	}
	organisation, err := pick.Organisation(c.Request().Context(), h.DB, q.Organisation, "organisation")
	if fault.Is(err, fault.Invalid) {
		wrong.Fields = append(wrong.Fields, fault.As(err).Fields...)
	} else if err != nil {
		return f, err
	}
	f.OrganisationID = organisation.ID
	return f, wrong.Err()
}

// List lists refused calls, the newest first.
func (h *Handlers) List(c echo.Context, asked query) error {
	if h.OrganisationPath == "" {
		asked.Organisation = ""
	}
	l := asked.listing(h.Path)
	p := view.Page{Frame: h.Frame(c, heading, h.Path), Lead: h.Lead, List: h.list(asked, l)}
	if h.OrganisationPath != "" {
		field := &p.List.Filter.Inputs[len(p.List.Filter.Inputs)-1]
		var err error
		if *field, err = pick.Field(c.Request().Context(), h.DB, *field); err != nil {
			return err
		}
	}
	filter, err := h.filter(c, asked, l)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			l.Prepare(&p.List)
			p.List.Reject(problems.Fields)
			return page.Render(c, status, page.View{Frame: p.Page, Body: view.Show(p), Region: listing.Rejected(c)})
		})
	}
	calls, err := queries.RefusedCallList(c.Request().Context(), h.DB, filter, l.Rows()+1)
	if err != nil {
		return err
	}
	shown := calls[:min(len(calls), l.Rows())]
	for _, call := range shown {
		p.List.Table.Rows = append(p.List.Table.Rows, h.row(call))
	}
	l.Finish(c, &p.List, listing.Rows{Count: len(shown), More: len(calls) > len(shown), Mark: func(v url.Values) {
		v.Set("before", strconv.FormatInt(shown[len(shown)-1].ID, 10))
	}})
	p.Announcement = p.List.Announcement()
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Show(p), Address: l.Address()})
}

// list returns the list without its rows.
func (h *Handlers) list(asked query, l listing.List) ui.Listing {
	list := ui.Listing{
		Filter: ui.Filter{
			Inputs: []ui.Input{
				{Name: "text", Label: "Path, id or key", Type: "search", Value: asked.Text, Placeholder: "/messages"},
				{Name: "code", Label: "Code", Type: "search", Value: asked.Code, Placeholder: "131008"},
			},
			Selects: []ui.Select{{Name: "channel", Label: "Channel", Value: asked.Channel, Options: listing.AnyChannel}},
			Times:   listing.Times(asked.From, asked.To),
		},
		Table: ui.Table{Caption: heading, Columns: []ui.Column{
			l.Sorted(ui.Column{Label: "Time (UTC)", Plain: true}), {Label: "Request", Lead: true}, {Label: "Status"}, {Label: "Code"}, {Label: "API key"}, {Label: "Request id", Plain: true},
		}},
		Empty: ui.EmptyState{Title: "No refused requests", Text: "A request that the API answers with an error appears here within seconds."},
	}
	if h.OrganisationPath != "" {
		list.Filter.Inputs = append(list.Filter.Inputs, ui.Input{Name: "organisation", Label: "Organisation", Type: "search", Value: asked.Organisation, Placeholder: "Name or id"})
		list.Table.Columns = append(list.Table.Columns, ui.Column{Label: "Organisation"})
	}
	if len(l.Filter) > 0 || asked.Before > 0 {
		list.Empty = ui.EmptyState{Title: "No requests found", Text: "No refused request matches this filter.", Next: ui.Link{Label: "Show all refused requests", Href: h.Path}}
	}
	return list
}

func (h *Handlers) row(call models.RefusedCall) []ui.Cell {
	request := ui.Cell{Text: call.Method + " " + call.Path, Mono: true}
	if call.Repeats > 1 {
		request.Note = listing.Number(call.Repeats) + " times"
	}
	key := ui.Cell{Text: call.KeyPrefix + "…", Mono: true}
	if call.KeyPrefix == "" {
		key = ui.Cell{Text: "None found"}
	}
	row := []ui.Cell{
		ui.Moment(call.At),
		request,
		{Text: strconv.Itoa(call.Status), Badge: true, Tone: tone(call.Status)},
		{Text: strconv.Itoa(call.Code), Href: h.Channels[call.Channel].ErrorEntry(call.Code), Title: "Cause and remedy of the code " + strconv.Itoa(call.Code)},
		key,
		{Body: view.RequestID(call.RequestID)},
	}
	if h.OrganisationPath == "" {
		return row
	}
	if call.OrganisationID == nil {
		return append(row, ui.Cell{Text: "Unknown"})
	}
	return append(row, ui.Cell{Text: call.Organisation, Href: h.OrganisationPath + "/" + strconv.FormatInt(*call.OrganisationID, 10)})
}

// tone returns the meaning of a status. An API may refuse a request with 200 and a code.
func tone(status int) ui.Tone {
	if status >= http.StatusInternalServerError {
		return ui.Bad
	}
	return ui.Warn
}

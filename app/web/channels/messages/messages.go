// Package messages serves the messages of all organisations to operators.
package messages

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/phone"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	notificationsview "heliograph/views/people/notifications"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB       db.Querier // read only
	Channels pipeline.Channels
}

// messagesQuery is the query of the search for messages.
type query struct {
	listing.Position
	Text string `query:"q"`
}

func (q query) listing() listing.List {
	return listing.List{Position: q.Position, Path: page.MessagesPath, Filter: page.Query("q", q.Text), One: "message", Many: "messages"}
}

// search returns what a text can mean: the id of a message, of a request or of an
// SMS submission, a number or a reference.
func (h *Handlers) search(q query, limit int) queries.MessageSearch {
	text := strings.TrimSpace(q.Text)
	s := queries.MessageSearch{Reference: text, Limit: limit}
	s.ID, _ = h.Channels.ParseMessageID(text)
	if at, ok := pipeline.ParseRequestTime(text); ok {
		s.RequestID, s.RequestAt = text, at
	}
	if id, err := uuid.Parse(text); err == nil && id.Version() == 7 {
		seconds, nanoseconds := id.Time().UnixTime()
		s.RequestID, s.RequestAt = id.String(), time.Unix(seconds, nanoseconds)
	}
	if strings.Trim(text, "+0123456789 -()") == "" {
		s.Recipient = strings.TrimPrefix(messaging.Digits(text), "00")
	}
	if phone.IsUserID(text) {
		s.Recipient = text
	}
	return s
}

// List finds messages of all organisations by id, recipient, reference
// or request id.
func (h *Handlers) List(c echo.Context, asked query) error {
	l := asked.listing()
	var found []models.FoundMessage
	if strings.TrimSpace(asked.Text) != "" {
		var err error
		if found, err = queries.MessageFind(c.Request().Context(), h.DB, h.search(asked, listing.PageSize)); err != nil {
			return err
		}
	}
	p := notificationsview.LogPage{
		Frame: page.AdministrationFrame(c, "Messages", page.MessagesPath), List: foundList(asked, found),
		Lead: "Find a message of any organisation by its id, the recipient's complete number or user id, the partner's reference, or the id of the request that sent it (X-Request-Id, fbtrace_id or req_id). The newest are shown.",
	}
	l.Finish(c, &p.List, listing.Rows{Count: len(found)})
	p.Announcement = p.List.Announcement()
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: notificationsview.Log(p), Address: l.Address()})
}

func foundList(asked query, found []models.FoundMessage) ui.Listing {
	l := ui.Listing{
		Filter: ui.Filter{Inputs: []ui.Input{{Name: "q", Label: "Id, recipient, reference or request id", Type: "search", Value: asked.Text, Placeholder: "wamid.… or +91 98123 45678"}}},
		Table:  ui.Table{Caption: "Messages", Columns: []ui.Column{{Label: "Accepted (UTC)"}, {Label: "Organisation"}, {Label: "Channel"}, {Label: "Recipient"}, {Label: "State"}, {Label: "Reference"}}},
		Empty:  ui.EmptyState{Title: "No message found", Text: "Check the number with its country code, or copy the whole id."},
	}
	if strings.TrimSpace(asked.Text) == "" {
		l.Empty = ui.EmptyState{Title: "Nothing searched yet", Text: "Enter an id, a number, a reference or a request id."}
	}
	for _, m := range found {
		accepted := ui.Moment(m.CreatedAt)
		accepted.Href, accepted.Opens = page.MessagesPath+"/"+m.ID.String(), ui.Details.Of(m.ID.String())
		l.Table.Rows = append(l.Table.Rows, []ui.Cell{
			accepted, {Text: m.Organisation, Href: page.OrganisationsPath + "/" + listing.Plain(m.OrganisationID)}, {Text: ui.LabelOf(listing.Channels, m.Channel)},
			{Text: phone.Show(m.Recipient), Mono: true}, {Text: m.State, Badge: true}, {Text: listing.Clip(m.Reference, listing.LongestValue), Mono: true},
		})
	}
	return l
}

// Show shows what happened to a message, without its content.
func (h *Handlers) Show(c echo.Context) error {
	missing := fault.New(fault.NotFound, "This message does not exist.")
	id, err := uuid.Parse(c.Param("id"))
	if err != nil {
		return missing
	}
	ctx := c.Request().Context()
	organisation, err := queries.MessageGetOwner(ctx, h.DB, id)
	if err != nil {
		return db.Absent(err, missing, "finding the owner of a message")
	}
	m, err := queries.MessageGetLogged(ctx, h.DB, organisation, id)
	if err != nil {
		return err
	}
	callbacks, err := queries.DeliveryListOfMessage(ctx, h.DB, organisation, id)
	if err != nil {
		return err
	}
	channel, err := h.Channels.Get(m.Channel)
	if err != nil {
		return err
	}
	p := notificationsview.RecordPage{Frame: page.AdministrationFrame(c, "Message to "+phone.Show(m.Recipient), page.MessagesPath), Region: ui.Details.Of(m.ID.String())}
	p.Up = ui.Link{Label: "Messages", Href: page.MessagesPath}
	p.Links = []ui.Link{{Label: "Organisation", Href: page.OrganisationsPath + "/" + listing.Plain(organisation)}}
	p.Facts = []ui.Pair{
		{Key: "State", Value: m.State}, {Key: "Message id", Value: channel.MessageID(m.ID), Mono: true}, {Key: "Accepted", Value: ui.Moment(m.CreatedAt).Text + " UTC"},
		{Key: "Channel", Value: ui.LabelOf(listing.Channels, m.Channel)}, {Key: "From", Value: m.Sender, Mono: true}, {Key: "Kind", Value: ui.LabelOf(listing.Kinds, m.Kind)},
		{Key: "Reference", Value: m.Reference, Mono: true}, {Key: "Carrier's id", Value: m.ProviderID, Mono: true}, {Key: "Request id", Value: m.RequestID, Mono: true},
	}
	reason := func(raw json.RawMessage) string {
		f, _, _ := channel.ParseFailure(raw)
		return f.Title
	}
	p.Tables = []ui.Table{stateTable(m, reason), callbackTable(callbacks)}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: notificationsview.Record(p)})
}

// stateTable lists the states of a message. reason reads why it failed.
func stateTable(m models.LoggedMessage, reason func(json.RawMessage) string) ui.Table {
	t := ui.Table{Caption: "States", Quiet: true, Columns: []ui.Column{{Label: "When (UTC)"}, {Label: "State"}, {Label: "Reason", Plain: true}}}
	t.Rows = append(t.Rows, []ui.Cell{ui.Moment(m.CreatedAt), {Text: "accepted", Badge: true}, {}})
	for _, e := range m.Events {
		t.Rows = append(t.Rows, []ui.Cell{ui.Moment(e.OccurredAt), {Text: e.State, Badge: true}, {Text: reason(e.Failure)}})
	}
	return t
}

func callbackTable(callbacks []models.LoggedDelivery) ui.Table {
	t := ui.Table{
		Caption: "Callbacks", Quiet: true,
		Columns: []ui.Column{{Label: "Stored (UTC)"}, {Label: "Event"}, {Label: "State"}, {Label: "Attempts", Numeric: true}, {Label: "Last response", Plain: true}},
	}
	for _, d := range callbacks {
		answer := d.LastError
		if answer == "" && d.LastStatus > 0 {
			answer = listing.Plain(int64(d.LastStatus))
		}
		t.Rows = append(t.Rows, []ui.Cell{ui.Moment(d.CreatedAt), {Text: d.Event}, {Text: d.State, Badge: true}, {Text: listing.Number(d.Attempts)}, {Text: answer}})
	}
	return t
}

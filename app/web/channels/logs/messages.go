// Package logs shows an organisation its messages, what it received, the callbacks and what
// it used.
package logs

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/phone"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	view "heliograph/views/channels/logs"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB       db.Querier // read only
	Channels pipeline.Channels
	Webhooks *messaging.Webhooks
}

var messageStates = append([]ui.Option{{Label: "All states"}}, listing.States...)

// messageQuery is the query of the log. Times are in UTC.
type messageQuery struct {
	listing.Position
	Recipient string `query:"recipient"`
	ID        string `query:"id"`
	State     string `query:"state"`
	Channel   string `query:"channel"`
	From      string `query:"from"`
	To        string `query:"to"` // exclusive
	Before    string `query:"before"`
}

// filter returns the filter of the query. The error names the invalid fields.
func (h *Handlers) filter(q messageQuery, organisationID int64) (queries.MessageFilter, error) {
	var wrong listing.Faults
	f := queries.MessageFilter{OrganisationID: organisationID, From: wrong.Minute("from", q.From), To: wrong.Minute("to", q.To), OldestFirst: q.listing().Reversed()}
	f.State, f.Channel = wrong.Choice("state", q.State, messageStates), wrong.Choice("channel", q.Channel, listing.AnyChannel)
	var ok bool
	if text := strings.TrimSpace(q.Recipient); text != "" {
		if f.Recipient, ok = phone.Beginning(text); !ok {
			wrong.Add("recipient", "Enter a number with its country code, or its first digits, for example +91 98123, or a user id.")
		}
	}
	if text := strings.TrimSpace(q.ID); text != "" {
		if f.ID, ok = h.Channels.ParseMessageID(text); !ok {
			wrong.Add("id", "Enter the complete id of a message, for example wamid.AZq…")
		}
	}
	if q.Before != "" {
		if f.Before, ok = h.Channels.ParseMessageID(q.Before); !ok {
			wrong.Add("from", "The URL of this page is incomplete. Filter again.")
		}
	}
	return f, wrong.Err()
}

func (q messageQuery) listing() listing.List {
	return listing.List{
		Position: q.Position, Path: page.AccountMessagesPath, Standard: "desc", Orders: listing.Newest, Later: q.Before != "", One: "message", Many: "messages",
		Filter: page.Query("recipient", q.Recipient, "id", q.ID, "state", q.State, "channel", q.Channel, "from", q.From, "to", q.To),
	}
}

// MessagePath is where the history of a message is.
func MessagePath(id uuid.UUID) string { return page.AccountMessagesPath + "/" + id.String() }

// Messages lists the messages of the organisation, the newest first.
func (h *Handlers) Messages(c echo.Context, asked messageQuery) error {
	l := asked.listing()
	lead, err := withRetention(c, h.DB, "Messages sent with your API keys and their current status. Times are in UTC.")
	if err != nil {
		return err
	}
	p := view.LogPage{Frame: page.AccountFrame(c, "Messages", page.AccountMessagesPath), Lead: lead, List: messageList(asked)}
	filter, err := h.filter(asked, page.User(c).OrganisationID)
	if err != nil {
		return rejectFilter(c, l, p, err)
	}
	found, err := readPages(l.Pages(), &filter.Before, func() (queries.LogPage[models.Message, uuid.UUID], error) {
		return queries.MessageList(c.Request().Context(), h.DB, filter, listing.PageSize)
	})
	if err != nil {
		return err
	}
	p.List.Table.Rows = h.messageRows(found.Items)
	l.Finish(c, &p.List, listing.Rows{Count: len(found.Items), More: found.More, Mark: func(v url.Values) { v.Set("before", found.Next.String()) }})
	sayReached(l, &p.List, timeOf(found.Next))
	p.List.Live, p.Announcement = page.Refresh(c, ui.List, "messages"), p.List.Announcement()
	p.Next = []ui.Link{{Label: "Received messages", Href: receivedPath}}
	if len(found.Items) > 0 {
		p.List.Links = []ui.Link{{Label: "Export the newest 10,000 as CSV", Href: page.Address(messagesCSV, l.Filter)}}
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.LogView(p), Address: l.Address()})
}

func (h *Handlers) messageRows(messages []models.Message) (rows [][]ui.Cell) {
	for _, m := range messages {
		details := ui.Details.Of(m.ID.String())
		rows = append(rows, []ui.Cell{
			ui.Moment(m.CreatedAt), {Text: ui.LabelOf(listing.Channels, m.Channel)}, {Text: phone.Show(m.Recipient), Mono: true}, {Text: ui.LabelOf(listing.Kinds, m.Kind)},
			{Text: ui.LabelOf(messageStates, m.State), Badge: true, Tone: listing.Tone(m.State)},
			{Body: view.Identifier(h.Channels.MessageID(m.Channel, m.ID), MessagePath(m.ID), details), Opens: details},
		})
	}
	return rows
}

// timeOf reads when an id of version 7 was drawn.
func timeOf(id uuid.UUID) time.Time {
	seconds, nanoseconds := id.Time().UnixTime()
	return time.Unix(seconds, nanoseconds)
}

func messageList(asked messageQuery) ui.Listing {
	l := ui.Listing{
		Filter: ui.Filter{
			Inputs: []ui.Input{
				{Name: "recipient", Label: "Recipient", Type: "search", Value: asked.Recipient, Placeholder: "+91 98123, or a user id"},
				{Name: "id", Label: "Message id", Type: "search", Value: asked.ID, Placeholder: "wamid.…"},
			},
			Selects: []ui.Select{
				{Name: "state", Label: "State", Value: asked.State, Options: messageStates},
				{Name: "channel", Label: "Channel", Value: asked.Channel, Options: listing.AnyChannel},
			},
			Times: listing.Times(asked.From, asked.To),
		},
		Table: ui.Table{Caption: "Messages", Columns: []ui.Column{
			asked.listing().Sorted(ui.Column{Label: "Accepted (UTC)", Plain: true}), {Label: "Channel", Plain: true}, {Label: "Recipient", Lead: true}, {Label: "Kind", Plain: true}, {Label: "State"}, {Label: "Message id", Plain: true},
		}},
		Empty: ui.EmptyState{Title: "No messages yet", Text: "Messages appear here as soon as they are accepted.", Next: ui.Link{Label: "Send a first message", Href: "/account#start"}},
	}
	if len(asked.listing().Filter) > 0 || asked.Before != "" {
		l.Empty = ui.EmptyState{Title: "No messages found", Text: "No message matches this filter.", Next: ui.Link{Label: "Show all messages", Href: page.AccountMessagesPath}}
	}
	return l
}

package account

import (
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/messaging"
	"heliograph/app/web/page"
	"heliograph/db/models"
	"heliograph/db/queries"
	view "heliograph/views/account"
	"heliograph/views/ui"
)

// someChannel are the choices of a filter.
var someChannel = append([]ui.Option{{Label: "Every channel"}}, page.Channels...)

var messageStates = []ui.Option{
	{Label: "Every state"}, {Value: "accepted", Label: "Accepted"}, {Value: "sent", Label: "Sent"}, {Value: "delivered", Label: "Delivered"},
	{Value: "read", Label: "Read"}, {Value: "failed", Label: "Failed"},
}

// tone is the meaning of a state of messages and of callbacks.
func tone(state string) ui.Tone {
	switch state {
	case "delivered", "read":
		return ui.Good
	case "sent", "pending":
		return ui.Info
	case "failed":
		return ui.Bad
	}
	return ""
}

// messageQuery is what the address of the log says. Times are in UTC.
type messageQuery struct {
	Recipient string `query:"recipient"`
	ID        string `query:"id"`
	State     string `query:"state"`
	Channel   string `query:"channel"`
	From      string `query:"from"`
	To        string `query:"to"` // exclusive
	Before    string `query:"before"`
	Passed    string `query:"passed"`
	Since     string `query:"since"` // the last row of a list that refreshes itself
}

// filter reads the query; the fault names the fields that cannot be read.
func (q messageQuery) filter(organisationID int64) (queries.MessageFilter, error) {
	var wrong faults
	f := queries.MessageFilter{OrganisationID: organisationID, From: wrong.minute("from", q.From), To: wrong.minute("to", q.To)}
	f.State, f.Channel = wrong.choice("state", q.State, messageStates), wrong.choice("channel", q.Channel, someChannel)
	if text := strings.TrimSpace(q.Recipient); text != "" {
		f.Recipient = strings.TrimPrefix(messaging.Digits(text), "00")
		if f.Recipient == "" || len(f.Recipient) > 32 {
			wrong.add("recipient", "Write a number with its country code, or how it begins, for example +91 98123.")
		}
	}
	var ok bool
	if text := strings.TrimSpace(q.ID); text != "" {
		if f.ID, ok = parseMessageID(text); !ok {
			wrong.add("id", "Write the whole id of a message, for example wamid.AZq….")
		}
	}
	if q.Before != "" {
		if f.Before, ok = parseMessageID(q.Before); !ok {
			wrong.add("from", "The address of this page is not complete. Filter again.")
		}
	}
	return f, wrong.err()
}

// place is the address of the page.
func (q messageQuery) place() place {
	filter := page.Query("recipient", q.Recipient, "id", q.ID, "state", q.State, "channel", q.Channel, "from", q.From, "to", q.To)
	return place{messagesPath, filter, q.Before, q.Passed}
}

// messagePath is where the history of a message is.
func messagePath(id uuid.UUID) string { return messagesPath + "/" + id.String() }

// parseMessageID reads an id as callbacks have it, or as it is stored.
func parseMessageID(text string) (uuid.UUID, bool) {
	if id, ok := messaging.ParseMessageID(text); ok {
		return id, true
	}
	id, err := uuid.Parse(text)
	return id, err == nil && len(text) == 36
}

// shownID is the id of a message as its partner knows it.
func shownID(m models.Message) string {
	if m.Channel == messaging.Channel {
		return messaging.MessageID(m.ID)
	}
	return m.ID.String()
}

// Messages lists what the organisation sent, the newest first.
func (h *Handlers) Messages(c echo.Context) error {
	asked, err := page.Ask[messageQuery](c)
	if err != nil {
		return err
	}
	p := view.LogPage{Frame: frame(c, "Messages", messagesPath), Lead: "What your programs sent, and how far it came. Times are in UTC.", Log: messageLog(asked)}
	filter, err := asked.filter(page.User(c).OrganisationID)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			p.Log.Mend(problems.Fields)
			return page.Render(c, status, page.View{Frame: p.Page, Body: view.LogView(p), Region: ui.Filtered})
		})
	}
	found, err := queries.MessageList(c.Request().Context(), h.DB, filter, sizeOf(asked.Since))
	if err != nil {
		return err
	}
	if asked.Since != "" {
		found.Items = since(found.Items, func(m models.Message) bool { return m.ID.String() >= asked.Since })
	}
	listMessages(&p.Log, asked.place(), found)
	if len(found.Items) > 0 {
		p.Log.Export = ui.Link{Label: "Export as CSV", Href: page.Address(messagesCSV, asked.place().filter)}
	}
	return page.Render(c, http.StatusOK, logView(p, asked.place()))
}

// listMessages fills the log with a page of messages.
func listMessages(l *view.Log, at place, found queries.LogPage[models.Message, uuid.UUID]) {
	for _, m := range found.Items {
		l.Table.Rows = append(l.Table.Rows, []ui.Cell{
			moment(m.CreatedAt), {Text: page.LabelOf(page.Channels, m.Channel)}, {Text: "+" + m.Recipient, Mono: true}, {Text: m.Kind},
			{Text: page.LabelOf(messageStates, m.State), Badge: true, Tone: tone(m.State)},
			{Body: view.Identifier(shownID(m), messagePath(m.ID), ui.Details.Of(m.ID.String()))},
		})
		l.Table.Keys = append(l.Table.Keys, m.ID.String())
	}
	if n := len(found.Items); n > 0 && at.before == "" {
		l.Table.Live = at.live(found.Items[n-1].ID.String(), "messages")
	}
	next := ""
	if found.More {
		next = found.Next.String()
	}
	at.paging(l, next, len(found.Items) == pageSize, timeOf(found.Next))
}

// timeOf reads when an id of version 7 was drawn.
func timeOf(id uuid.UUID) time.Time {
	seconds, nanoseconds := id.Time().UnixTime()
	return time.Unix(seconds, nanoseconds)
}

func messageLog(asked messageQuery) view.Log {
	at := asked.place()
	l := view.Log{
		Filter: ui.Filter{
			Action: messagesPath,
			Inputs: []ui.Input{
				{Name: "recipient", Label: "Recipient", Type: "search", Value: asked.Recipient, Placeholder: "+91 98123 45678, or how it begins"},
				{Name: "id", Label: "Message id", Type: "search", Value: asked.ID, Placeholder: "wamid.…"},
			},
			Selects: []ui.Select{
				{Name: "state", Label: "State", Value: asked.State, Options: messageStates},
				{Name: "channel", Label: "Channel", Value: asked.Channel, Options: someChannel},
			},
			Times: []ui.Input{
				{Name: "from", Label: "From (UTC)", Type: "datetime-local", Value: asked.From},
				{Name: "to", Label: "Before (UTC)", Type: "datetime-local", Value: asked.To},
			},
			Clear:  page.ShowAll(at.path, at.filter),
			Region: ui.List,
		},
		Table: ui.Table{Caption: "Messages", Quiet: true, Grows: true, Columns: []ui.Column{
			{Label: "Accepted (UTC)", Plain: true}, {Label: "Channel", Plain: true}, {Label: "Recipient", Lead: true}, {Label: "Kind", Plain: true}, {Label: "State"}, {Label: "Message id", Plain: true},
		}},
		Empty: view.Empty{Title: "No messages yet", Text: "What your programs send appears here as soon as it is accepted.", Next: ui.Link{Label: "Send a first message", Href: "/account#start"}},
	}
	if len(at.filter) > 0 || asked.Before != "" {
		l.Empty = view.Empty{Title: "No message fits", Text: "Nothing that was sent fits this filter.", Next: ui.Link{Label: "Show all messages", Href: messagesPath}}
	}
	return l
}

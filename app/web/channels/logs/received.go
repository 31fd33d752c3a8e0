package logs

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/phone"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	view "heliograph/views/channels/logs"
	"heliograph/views/ui"
)

const receivedPath = page.AccountMessagesPath + "/received"

// receivedQuery is the query of the log of received messages. Times are in UTC.
type receivedQuery struct {
	listing.Position
	Sender  string `query:"sender"`
	Channel string `query:"channel"`
	From    string `query:"from"`
	To      string `query:"to"` // exclusive
	Before  string `query:"before"`
}

// filter returns the filter of the query. The error names the invalid fields.
func (q receivedQuery) filter(organisationID int64) (queries.ReceivedFilter, error) {
	var wrong listing.Faults
	f := queries.ReceivedFilter{OrganisationID: organisationID, From: wrong.Minute("from", q.From), To: wrong.Minute("to", q.To), OldestFirst: q.listing().Reversed()}
	f.Channel = wrong.Choice("channel", q.Channel, listing.AnyChannel)
	if text := strings.TrimSpace(q.Sender); text != "" {
		var ok bool
		if f.Contact, ok = phone.Beginning(text); !ok {
			wrong.Add("sender", "Enter a number with its country code, or its first digits, for example +91 98123, or a user id.")
		}
	}
	if q.Before != "" {
		var err error
		if f.Before, err = uuid.Parse(q.Before); err != nil {
			wrong.Add("from", "The URL of this page is incomplete. Filter again.")
		}
	}
	return f, wrong.Err()
}

func (q receivedQuery) listing() listing.List {
	return listing.List{
		Position: q.Position, Path: receivedPath, Standard: "desc", Orders: listing.Newest, Later: q.Before != "", One: "message", Many: "messages",
		Filter: page.Query("sender", q.Sender, "channel", q.Channel, "from", q.From, "to", q.To),
	}
}

// Received lists the messages that people wrote to the organisation, the newest
// first.
func (h *Handlers) Received(c echo.Context, asked receivedQuery) error {
	l := asked.listing()
	lead, err := withRetention(c, h.DB, "Messages that people wrote to your numbers and headers. Times are in UTC.")
	if err != nil {
		return err
	}
	p := view.LogPage{Frame: page.AccountFrame(c, "Received messages", page.AccountMessagesPath).Under("Messages", page.AccountMessagesPath), Lead: lead, List: receivedList(asked)}
	filter, err := asked.filter(page.User(c).OrganisationID)
	if err != nil {
		return rejectFilter(c, l, p, err)
	}
	found, err := readPages(l.Pages(), &filter.Before, func() (queries.LogPage[models.ReceivedMessage, uuid.UUID], error) {
		return queries.ReceivedList(c.Request().Context(), h.DB, filter, listing.PageSize)
	})
	if err != nil {
		return err
	}
	for _, m := range found.Items {
		p.List.Table.Rows = append(p.List.Table.Rows, []ui.Cell{
			ui.Moment(m.ReceivedAt), {Text: ui.LabelOf(listing.Channels, m.Channel)}, {Text: phone.Show(m.Contact), Mono: true}, {Text: m.Recipient, Mono: true}, {Text: m.Kind}, {Text: receivedText(m)},
		})
	}
	l.Finish(c, &p.List, listing.Rows{Count: len(found.Items), More: found.More, Mark: func(v url.Values) { v.Set("before", found.Next.String()) }})
	p.List.Live, p.Announcement = page.Refresh(c, ui.List, "messages"), p.List.Announcement()
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.LogView(p), Address: l.Address()})
}

// receivedText returns what the list shows of a received message: its text, the
// button that was pressed or the caption of its file.
func receivedText(m models.ReceivedMessage) string {
	type titled struct{ Title, Caption, Filename, Emoji string }
	var content struct {
		Text        json.RawMessage
		Button      struct{ Text string }
		Interactive struct {
			ButtonReply titled `json:"button_reply"`
			ListReply   titled `json:"list_reply"`
		}
		Image, Video, Document titled
		Reaction               titled
	}
	if err := json.Unmarshal(m.Payload, &content); err != nil {
		return ""
	}
	var text string
	var body struct{ Body string }
	if json.Unmarshal(content.Text, &text) != nil && json.Unmarshal(content.Text, &body) == nil {
		text = body.Body
	}
	for _, other := range []string{
		content.Button.Text, content.Interactive.ButtonReply.Title, content.Interactive.ListReply.Title, content.Image.Caption, content.Video.Caption,
		content.Document.Caption, content.Document.Filename, content.Reaction.Emoji,
	} {
		text = cmp.Or(text, other)
	}
	const shown = 300 // characters
	if runes := []rune(text); len(runes) > shown {
		text = string(runes[:shown]) + "…"
	}
	return text
}

func receivedList(asked receivedQuery) ui.Listing {
	l := ui.Listing{
		Filter: ui.Filter{
			Inputs:  []ui.Input{{Name: "sender", Label: "Sender", Type: "search", Value: asked.Sender, Placeholder: "+91 98123, or a user id"}},
			Selects: []ui.Select{{Name: "channel", Label: "Channel", Value: asked.Channel, Options: listing.AnyChannel}},
			Times:   listing.Times(asked.From, asked.To),
		},
		Table: ui.Table{Caption: "Received messages", Columns: []ui.Column{
			asked.listing().Sorted(ui.Column{Label: "Received (UTC)", Plain: true}), {Label: "Channel", Plain: true}, {Label: "Sender", Lead: true}, {Label: "Written to"}, {Label: "Kind", Plain: true}, {Label: "Text", Plain: true},
		}},
		Empty: ui.EmptyState{Title: "Nothing received yet", Text: "What people write to your numbers appears here, whether a webhook is set or not."},
	}
	if len(asked.listing().Filter) > 0 || asked.Before != "" {
		l.Empty = ui.EmptyState{Title: "No messages found", Text: "No received message matches this filter.", Next: ui.Link{Label: "Show all received messages", Href: receivedPath}}
	}
	return l
}

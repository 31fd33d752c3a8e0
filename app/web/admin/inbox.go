package admin

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/identity"
	"heliograph/app/notification"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

const inboxPath = "/admin/inbox"

// inboxQuery is what the address of the inbox says.
type inboxQuery struct {
	Kind   string `query:"kind"`
	To     string `query:"to"`
	Before string `query:"before"`
}

// query is what to look for.
func (q inboxQuery) query() (notification.InboxQuery, error) {
	out := notification.InboxQuery{Kind: q.Kind, Recipient: q.To}
	if q.Before == "" {
		return out, nil
	}
	id, err := uuid.Parse(q.Before)
	if err != nil {
		return out, fault.New(fault.Invalid, "The address of this list cannot be read. Begin again from the menu.")
	}
	out.Before = id
	return out, nil
}

// Inbox shows virtual messages.
func (h *Handlers) Inbox(c echo.Context) error {
	asked, err := page.Ask[inboxQuery](c)
	if err != nil {
		return err
	}
	query, err := asked.query()
	if err != nil {
		return err
	}
	messages, more, err := h.Notifications.Inbox(c.Request().Context(), query, identity.AdminActor(page.User(c).ID))
	if err != nil {
		return err
	}
	notes, err := h.inboxNotes(c)
	if err != nil {
		return err
	}
	values := page.Query("kind", asked.Kind, "to", asked.To)
	p := view.InboxPage{
		Frame: frame(c, "Inbox", inboxPath), Notes: notes, Filter: inboxFilter(asked, values),
		Lead:  "SMS and letters of the virtual modes, as their recipients would read them. They can be read for a day. The audit keeps who read which.",
		Empty: view.Empty{Title: "Nothing has come", Text: "Codes and letters appear here as soon as somebody registers or asks for a new password."},
	}
	if len(values) > 0 {
		p.Empty = view.Empty{Title: "Nothing found", Text: "No virtual message fits this filter.", Next: ui.Link{Label: "Show all messages", Href: inboxPath}}
	}
	for _, m := range messages {
		p.Messages = append(p.Messages, inboxMessage(m, h.PublicURL, time.Now()))
	}
	p.Paging = paging{path: inboxPath, values: values, begun: asked.Before != ""}.links(more, func(v url.Values) {
		v.Set("before", messages[len(messages)-1].ID.String())
	})
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Inbox(p)})
}

// inboxNotes say which messages do not come here.
func (h *Handlers) inboxNotes(c echo.Context) (notes []string, err error) {
	ctx := c.Request().Context()
	sms, err := h.Settings.SMS(ctx)
	if err != nil {
		return nil, err
	}
	email, err := h.Settings.Email(ctx)
	if err != nil {
		return nil, err
	}
	if sms.Mode != models.ModeVirtual {
		notes = append(notes, "SMS are sent by a provider now: new ones do not come here.")
	}
	if email.Mode != models.ModeVirtual {
		notes = append(notes, "Emails are sent by a provider now: new ones do not come here.")
	}
	return notes, nil
}

func inboxFilter(asked inboxQuery, values url.Values) ui.Filter {
	return ui.Filter{
		Action: inboxPath,
		Inputs: []ui.Input{{Name: "to", Label: "Recipient", Type: "search", Value: asked.To, Placeholder: "+91 98123 or asha@example.com"}},
		Selects: []ui.Select{{Name: "kind", Label: "Kind", Value: asked.Kind, Options: []ui.Option{
			{Label: "Any"}, {Value: models.KindSMS, Label: "SMS"}, {Value: models.KindEmail, Label: "Email"},
		}}},
		Clear: page.ShowAll(inboxPath, values),
	}
}

func inboxMessage(m notification.InboxMessage, publicURL string, now time.Time) view.InboxMessage {
	out := view.InboxMessage{
		Kind: "SMS", Purpose: words(m.Purpose), Recipient: m.Recipient, Subject: m.Subject,
		SentAt: m.SentAt.UTC().Format("2 Jan 2006, 15:04:05"), Ago: ago(m.SentAt, now), Machine: m.SentAt.UTC().Format(time.RFC3339),
		Text: pieces(m.Text, publicURL),
	}
	if m.Kind == models.KindEmail {
		out.Kind = "Email"
	}
	if m.Forgotten {
		out.Note = "What it said is forgotten: a day has passed."
	}
	return out
}

var webAddress = regexp.MustCompile(`https?://\S+`)

// pieces makes links of the addresses of this site within a text.
func pieces(text, publicURL string) (out []view.Piece) {
	end := 0
	for _, at := range webAddress.FindAllStringIndex(text, -1) {
		link := text[at[0]:at[1]]
		if !strings.HasPrefix(link, publicURL+"/") {
			continue
		}
		out = append(out, view.Piece{Text: text[end:at[0]]}, view.Piece{Text: link, Href: link})
		end = at[1]
	}
	return append(out, view.Piece{Text: text[end:]})
}

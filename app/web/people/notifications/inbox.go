package notifications

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/people/notification"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/people/notifications"
	"heliograph/views/ui"
)

// inboxQuery is the query of the inbox.
type inboxQuery struct {
	listing.Position
	Kind   string `query:"kind"`
	To     string `query:"to"`
	Before string `query:"before"`
}

func (q inboxQuery) listing() listing.List {
	return listing.List{
		Position: q.Position, Path: page.InboxPath, Filter: page.Query("kind", q.Kind, "to", q.To),
		Standard: "desc", Orders: listing.Newest, Later: q.Before != "", One: "message", Many: "messages",
	}
}

// query returns the messages to look for. A malformed id is Invalid.
func (q inboxQuery) query() (notification.InboxQuery, error) {
	out := notification.InboxQuery{Kind: q.Kind, Recipient: q.To, Pages: q.Pages()}
	if q.Before == "" {
		return out, nil
	}
	id, err := uuid.Parse(q.Before)
	if err != nil {
		return out, fault.New(fault.Invalid, "The URL of this page is invalid. Open the list again from the menu.")
	}
	out.Before = id
	return out, nil
}

// Inbox shows virtual messages.
func (h *Handlers) Inbox(c echo.Context, asked inboxQuery) error {
	query, err := asked.query()
	if err != nil {
		return err
	}
	messages, more, err := h.Notifications.Inbox(c.Request().Context(), query, page.User(c).Actor())
	if err != nil {
		return err
	}
	notes, err := h.inboxNotes(c)
	if err != nil {
		return err
	}
	l := asked.listing()
	p := view.InboxPage{
		Frame: page.AdministrationFrame(c, "Inbox", page.InboxPath), Notes: notes,
		Lead: "SMS and emails in virtual mode, as their recipients would see them. They stay readable for 24 hours. The audit records who reads them.",
	}
	p.List.Filter = inboxFilter(asked)
	p.List.Empty = ui.EmptyState{Title: "No messages", Text: "Codes and emails appear here when somebody registers or asks for a new password."}
	if len(l.Filter) > 0 {
		p.List.Empty = ui.EmptyState{Title: "No messages found", Text: "No virtual message matches this filter.", Next: ui.Link{Label: "Show all messages", Href: page.InboxPath}}
	}
	for _, m := range messages {
		p.Messages = append(p.Messages, inboxMessage(m, h.PublicURL, time.Now()))
	}
	l.Finish(c, &p.List, listing.Rows{Count: len(messages), More: more, Mark: func(v url.Values) { v.Set("before", messages[len(messages)-1].ID.String()) }})
	p.List.Live, p.Announcement = page.Refresh(c, ui.List, "inbox"), p.List.Announcement()
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Inbox(p), Address: l.Address()})
}

// emailPolicy is the Content Security Policy of an email. A page of this site may
// frame it. It runs no script, loads nothing, and its links open elsewhere.
const emailPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'"

// InboxHTML responds with the HTML part of a virtual email, for a frame of the inbox.
func (h *Handlers) InboxHTML(c echo.Context) error {
	id, err := uuid.Parse(c.Param("id"))
	if err != nil {
		return fault.New(fault.NotFound, "This email is no longer available.")
	}
	html, err := h.Notifications.InboxHTML(c.Request().Context(), id, page.User(c).Actor())
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentSecurityPolicy, emailPolicy)
	return c.HTML(http.StatusOK, html)
}

// inboxNotes returns notes about messages that do not arrive in the inbox.
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
		notes = append(notes, "A provider sends SMS now. New SMS do not appear here.")
	}
	if email.Mode != models.ModeVirtual {
		notes = append(notes, "A provider sends emails now. New emails do not appear here.")
	}
	return notes, nil
}

func inboxFilter(asked inboxQuery) ui.Filter {
	return ui.Filter{
		Inputs: []ui.Input{{Name: "to", Label: "Recipient", Type: "search", Value: asked.To, Placeholder: "+91 98123 or asha@example.com"}},
		Selects: []ui.Select{{Name: "kind", Label: "Kind", Value: asked.Kind, Options: []ui.Option{
			{Label: "Any"}, {Value: models.KindSMS, Label: "SMS"}, {Value: models.KindEmail, Label: "Email"},
		}}},
	}
}

func inboxMessage(m notification.InboxMessage, publicURL string, now time.Time) view.InboxMessage {
	out := view.InboxMessage{
		Kind: "SMS", Purpose: listing.Words(m.Purpose), Recipient: m.Recipient, Subject: m.Subject,
		SentAt: m.SentAt.UTC().Format("2 Jan 2006, 15:04:05"), Ago: listing.Ago(m.SentAt, now), Machine: m.SentAt.UTC().Format(time.RFC3339),
		Text: pieces(m.Text, publicURL),
	}
	if m.Kind == models.KindEmail {
		out.Kind = "Email"
	}
	if m.HTML != "" {
		out.ID, out.HTML = m.ID.String(), page.InboxPath+"/"+m.ID.String()+"/html"
	}
	if m.Forgotten {
		out.Note = "The text is no longer available. Messages are kept for 24 hours."
	}
	return out
}

var webAddress = regexp.MustCompile(`https?://\S+`)

// pieces splits a text at the URLs of this site, which become links.
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

// Package notifications serves the log of emails and codes, and the inbox of those that went nowhere else.
package notifications

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/operation/setting"
	"heliograph/app/people/identity"
	"heliograph/app/people/notification"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	view "heliograph/views/people/notifications"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB            db.Querier // read only
	Notifications *notification.Service
	PublicURL     string
	// Settings configures how Notifications sends SMS and emails.
	Settings *setting.Settings
}

var notificationStates = []ui.Option{
	{Label: "All"}, {Value: "queued", Label: "Waiting"}, {Value: "sent", Label: "Sent"}, {Value: "failed", Label: "Rejected"},
	{Value: "expired", Label: "Expired"}, {Value: "cancelled", Label: "Replaced"},
}

// notificationsQuery is the query of the log of emails and codes.
type query struct {
	listing.Position
	Kind   string `query:"kind"`
	State  string `query:"state"`
	To     string `query:"to"`
	Before string `query:"before"`
}

func (q query) listing() listing.List {
	return listing.List{
		Position: q.Position, Path: page.NotificationsPath, Filter: page.Query("kind", q.Kind, "state", q.State, "to", q.To),
		Later: q.Before != "", One: "message", Many: "messages",
	}
}

// List lists emails and codes with the answers of their providers.
func (h *Handlers) List(c echo.Context, asked query) error {
	l, filter := asked.listing(), queries.NotificationPage{Kind: asked.Kind, State: asked.State, Recipient: strings.ReplaceAll(strings.TrimSpace(asked.To), " ", "")}
	if asked.Before != "" {
		var err error
		if filter.Before, err = uuid.Parse(asked.Before); err != nil {
			return fault.New(fault.Invalid, "The URL of this page is invalid. Open the list again from the menu.")
		}
	}
	filter.Limit = l.Rows() + 1
	found, err := queries.NotificationList(c.Request().Context(), h.DB, filter)
	if err != nil {
		return err
	}
	shown := found[:min(len(found), l.Rows())]
	p := view.LogPage{
		Frame: page.AdministrationFrame(c, "Emails and codes", page.NotificationsPath), List: list(asked, shown, time.Now()),
		Lead: "What was sent to people in the last 30 days, with the answers of the providers. Codes and links are masked.",
	}
	if page.User(c).Role == identity.SuperAdmin {
		p.Settings = []ui.Link{{Label: "Email settings", Href: page.EmailSettingsPath}, {Label: "SMS settings", Href: page.SMSSettingsPath}}
	}
	l.Finish(c, &p.List, listing.Rows{Count: len(shown), More: len(found) > len(shown), Mark: func(v url.Values) { v.Set("before", shown[len(shown)-1].ID.String()) }})
	p.List.Live, p.Announcement = page.Refresh(c, ui.List, "inbox"), p.List.Announcement()
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Log(p), Address: l.Address()})
}

func list(asked query, found []models.LoggedNotification, now time.Time) ui.Listing {
	l := ui.Listing{
		Filter: ui.Filter{
			Inputs: []ui.Input{{Name: "to", Label: "Recipient", Type: "search", Value: asked.To, Placeholder: "+91 98123 or asha@example.com"}},
			Selects: []ui.Select{
				{Name: "kind", Label: "Kind", Value: asked.Kind, Options: []ui.Option{{Label: "All"}, {Value: models.KindEmail, Label: "Email"}, {Value: models.KindSMS, Label: "SMS"}}},
				{Name: "state", Label: "State", Value: asked.State, Options: notificationStates},
			},
		},
		Table: ui.Table{Caption: "Emails and codes", Columns: []ui.Column{{Label: "Created (UTC)"}, {Label: "Recipient"}, {Label: "Kind"}, {Label: "Purpose"}, {Label: "State"}, {Label: "Attempts", Numeric: true}, {Label: "Last answer", Plain: true}}},
		Empty: ui.EmptyState{Title: "No messages found", Text: "No email and no code matches this filter."},
	}
	for _, n := range found {
		created := ui.Moment(n.CreatedAt)
		created.Href, created.Opens, created.Title = page.NotificationsPath+"/"+n.ID.String(), ui.Details.Of(n.ID.String()), listing.Ago(n.CreatedAt, now)
		l.Table.Rows = append(l.Table.Rows, []ui.Cell{
			created, {Text: n.Recipient}, {Text: kindNames[n.Kind]}, {Text: listing.Words(n.Purpose)}, notificationState(n), {Text: listing.Number(n.Attempts)},
			{Text: listing.Clip(lastLine(n.Answer), listing.LongestValue)},
		})
	}
	return l
}

var kindNames = map[string]string{models.KindEmail: "Email", models.KindSMS: "SMS"}

// lastLine returns the end of a provider's answer, which says how it ended.
func lastLine(answer string) string {
	lines := strings.Split(strings.TrimSpace(answer), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

func notificationState(n models.LoggedNotification) ui.Cell {
	tones := map[string]ui.Tone{"queued": ui.Info, "sent": ui.Good, "failed": ui.Bad, "expired": ui.Bad}
	cell := ui.Cell{Text: ui.LabelOf(notificationStates, n.State), Badge: true, Tone: tones[n.State]}
	if n.Virtual {
		cell.Note = "inbox"
	}
	return cell
}

// Show shows one email or code with all attempts at it.
func (h *Handlers) Show(c echo.Context) error {
	id, err := uuid.Parse(c.Param("id"))
	if err != nil {
		return fault.New(fault.NotFound, "This message does not exist.")
	}
	ctx := c.Request().Context()
	n, err := queries.NotificationGetLogged(ctx, h.DB, id)
	if err != nil {
		return page.NotFound(err, "This message does not exist.")
	}
	attempts, err := queries.NotificationAttemptList(ctx, h.DB, id)
	if err != nil {
		return err
	}
	p := view.RecordPage{Frame: page.AdministrationFrame(c, kindNames[n.Kind]+" to "+n.Recipient, page.NotificationsPath), Region: ui.Details.Of(n.ID.String())}
	p.Up, p.Done = ui.Link{Label: "Emails and codes", Href: page.NotificationsPath}, map[string]string{"resent": "The email is sent again."}[c.QueryParam("done")]
	p.Facts = []ui.Pair{
		{Key: "State", Value: notificationState(n).Text}, {Key: "Purpose", Value: listing.Words(n.Purpose)}, {Key: "Subject", Value: n.Subject},
		{Key: "Created", Value: ui.Moment(n.CreatedAt).Text + " UTC"}, {Key: "Expires", Value: ui.Moment(n.ExpiresAt).Text + " UTC"}, {Key: "Message id", Value: n.ID.String(), Mono: true},
	}
	for _, a := range attempts {
		p.Answers = append(p.Answers, view.Answer{
			Title: ui.Moment(a.StartedAt).Text + " UTC: " + a.Outcome + " by " + a.Provider, Text: a.Answer,
		})
	}
	if n.Sendable {
		p.Action = &ui.Post{Action: page.NotificationsPath + "/" + n.ID.String() + "/resend", CSRF: p.CSRF, Label: "Send the email again"}
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Record(p)})
}

// Resend sends an email again that was rejected.
func (h *Handlers) Resend(c echo.Context) error {
	id, err := uuid.Parse(c.Param("id"))
	if err != nil {
		return fault.New(fault.NotFound, "This message does not exist.")
	}
	again, err := h.Notifications.Resend(c.Request().Context(), id, page.User(c).Actor())
	if err != nil {
		return err
	}
	return page.Done(c, page.NotificationsPath+"/"+again.String(), "resent")
}

package admin

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/web/labels"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

var notificationStates = []ui.Option{
	{Label: "All"}, {Value: "queued", Label: "Waiting"}, {Value: "sent", Label: "Sent"}, {Value: "failed", Label: "Rejected"},
	{Value: "expired", Label: "Expired"}, {Value: "cancelled", Label: "Replaced"},
}

// notificationsQuery is the query of the log of emails and codes.
type notificationsQuery struct {
	listing.Position
	Kind   string `query:"kind"`
	State  string `query:"state"`
	To     string `query:"to"`
	Before string `query:"before"`
}

func (q notificationsQuery) listing() listing.List {
	return listing.List{
		Position: q.Position, Path: notificationsPath, Filter: page.Query("kind", q.Kind, "state", q.State, "to", q.To),
		Later: q.Before != "", One: "message", Many: "messages",
	}
}

// NotificationLog lists emails and codes with the answers of their providers.
func (h *Handlers) NotificationLog(c echo.Context) error {
	asked, err := page.Ask[notificationsQuery](c)
	if err != nil {
		return err
	}
	l, filter := asked.listing(), queries.NotificationPage{Kind: asked.Kind, State: asked.State, Recipient: strings.ReplaceAll(strings.TrimSpace(asked.To), " ", "")}
	if asked.Before != "" {
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
		Frame: frame(c, "Emails and codes", notificationsPath), List: notificationList(asked, shown, time.Now()),
		Lead: "What was sent to people in the last 30 days, with the answers of the providers. Codes and links are masked.",
	}
	l.Finish(c, &p.List, listing.Rows{Count: len(shown), More: len(found) > len(shown), Mark: func(v url.Values) { v.Set("before", shown[len(shown)-1].ID.String()) }})
	p.List.Live, p.Announcement = page.Refresh(c, ui.List, "inbox"), p.List.Announcement()
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Log(p), Address: l.Address()})
}

func notificationList(asked notificationsQuery, found []models.LoggedNotification, now time.Time) ui.Listing {
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
		created := when(n.CreatedAt)
		created.Href, created.Opens, created.Title = notificationsPath+"/"+n.ID.String(), ui.Details.Of(n.ID.String()), ago(n.CreatedAt, now)
		l.Table.Rows = append(l.Table.Rows, []ui.Cell{
			created, {Text: n.Recipient}, {Text: kindNames[n.Kind]}, {Text: words(n.Purpose)}, notificationState(n), {Text: number(int64(n.Attempts))},
			{Text: clip(lastLine(n.Answer), longestValue)},
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
	cell := ui.Cell{Text: labels.Of(notificationStates, n.State), Badge: true, Tone: tones[n.State]}
	if n.Virtual {
		cell.Note = "inbox"
	}
	return cell
}

// Notification shows one email or code with all attempts at it.
func (h *Handlers) Notification(c echo.Context) error {
	id, err := uuid.Parse(c.Param("id"))
	if err != nil {
		return fault.New(fault.NotFound, "This message does not exist.")
	}
	ctx := c.Request().Context()
	n, err := queries.NotificationGetLogged(ctx, h.DB, id)
	if db.IsNoRows(err) {
		return fault.New(fault.NotFound, "This message does not exist.")
	}
	if err != nil {
		return err
	}
	attempts, err := queries.NotificationAttemptList(ctx, h.DB, id)
	if err != nil {
		return err
	}
	p := view.RecordPage{Frame: frame(c, kindNames[n.Kind]+" to "+n.Recipient, notificationsPath), Region: ui.Details.Of(n.ID.String())}
	p.Up, p.Done = ui.Link{Label: "Emails and codes", Href: notificationsPath}, map[string]string{"resent": "The email is sent again."}[c.QueryParam("done")]
	p.Facts = []ui.Pair{
		{Key: "State", Value: notificationState(n).Text}, {Key: "Purpose", Value: words(n.Purpose)}, {Key: "Subject", Value: n.Subject},
		{Key: "Created", Value: when(n.CreatedAt).Text + " UTC"}, {Key: "Expires", Value: when(n.ExpiresAt).Text + " UTC"}, {Key: "Message id", Value: n.ID.String(), Mono: true},
	}
	for _, a := range attempts {
		p.Answers = append(p.Answers, view.Answer{
			Title: when(a.StartedAt).Text + " UTC: " + a.Outcome + " by " + a.Provider, Text: a.Answer,
		})
	}
	if n.Sendable {
		p.Action = &ui.Post{Action: notificationsPath + "/" + n.ID.String() + "/resend", CSRF: p.CSRF, Label: "Send the email again"}
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Record(p)})
}

// ResendNotification sends an email again that was rejected.
func (h *Handlers) ResendNotification(c echo.Context) error {
	id, err := uuid.Parse(c.Param("id"))
	if err != nil {
		return fault.New(fault.NotFound, "This message does not exist.")
	}
	again, err := h.Notifications.Resend(c.Request().Context(), id, page.User(c).Actor())
	if err != nil {
		return err
	}
	return page.Done(c, notificationsPath+"/"+again.String(), "resent")
}

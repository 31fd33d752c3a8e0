package contacts

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/phone"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/views/forms"
	view "heliograph/views/people/contacts"
	"heliograph/views/ui"
)

// contactDone holds the messages after an action on an enquiry.
var contactDone = map[string]string{
	"status": "The status is changed.", "assigned": "The enquiry is assigned.", "note": "The note is added.", "retried": "The delivery is queued again.",
}

// enquiryID returns the id of the path. A malformed id is NotFound.
func enquiryID(c echo.Context) (uuid.UUID, error) {
	id, err := uuid.Parse(c.Param("id"))
	if err != nil {
		return id, fault.New(fault.NotFound, "This enquiry does not exist.")
	}
	return id, nil
}

// Show shows one enquiry.
func (h *Handlers) Show(c echo.Context) error {
	id, err := enquiryID(c)
	if err != nil {
		return err
	}
	return h.render(c, http.StatusOK, id, contactState{problems: &page.Problems{}})
}

// contactState is a form of an enquiry that was refused, by its name, with its
// problems.
type contactState struct {
	form, note string
	problems   *page.Problems
}

func (h *Handlers) render(c echo.Context, status int, id uuid.UUID, state contactState) error {
	ctx := c.Request().Context()
	e, err := queries.EnquiryGet(ctx, h.DB, id)
	if err != nil {
		return page.NotFound(err, "This enquiry does not exist. It may have been erased.")
	}
	may, err := h.Contact.Desk.MayWork(ctx, page.User(c))
	if err != nil {
		return err
	}
	events, err := queries.EnquiryEventList(ctx, h.DB, id)
	if err != nil {
		return err
	}
	people, err := queries.AdminUserList(ctx, h.DB, queries.AdminUserFilter{State: "active", Limit: 500})
	if err != nil {
		return err
	}
	p := view.ContactPage{
		Frame: page.AdministrationFrame(c, e.Organisation, page.ContactsPath), Message: e.Message, Facts: enquiryFacts(e, people), History: enquiryHistory(events),
		Live: ui.Refresh(ui.Live.Of("enquiry"), contactPath(id), Topic, "jobs throttle:3s"),
	}
	p.Up, p.Done = ui.Link{Label: "Contacts", Href: page.ContactsPath}, contactDone[c.QueryParam("done")]
	if p.Deliveries, p.Attempts, err = h.contactDeliveries(c, id, may, p.CSRF); err != nil {
		return err
	}
	if may {
		p.Status, p.Assign, p.Note = enquiryForms(e, people, p.CSRF)
		for _, f := range []*forms.Form{&p.Status, &p.Assign, &p.Note} {
			if f.Name == state.form {
				f.Problem = state.problems.Form
			}
		}
		p.Note.Areas[0].Value, p.Note.Areas[0].Error = state.note, state.problems.Fields["note"]
		p.Status.Selects[0].Error, p.Assign.Selects[0].Error = state.problems.Fields["status"], state.problems.Fields["assignee"]
	}
	if state.form == "" {
		p.Problem = state.problems.Form
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Contact(p), Region: page.Current(status)})
}

func enquiryFacts(e models.Enquiry, people []models.AdminUser) []ui.Pair {
	facts := []ui.Pair{
		{Key: "Reference", Value: e.Reference, Mono: true}, {Key: "Status", Value: enquiryStatuses[e.Status].Text}, {Key: "Received", Value: ui.Moment(e.CreatedAt).Text + " UTC"},
		{Key: "Name", Value: e.Name}, {Key: "Email", Value: e.Email, Href: "mailto:" + e.Email},
	}
	add := func(key, value, href string) {
		if value != "" {
			facts = append(facts, ui.Pair{Key: key, Value: value, Href: href})
		}
	}
	for _, number := range e.Phones {
		add("Phone", phone.Format(number), "tel:"+number)
	}
	add("Website", e.Website, e.Website)
	add("GST number", e.GSTNumber, "")
	add("From page", e.Page, e.Page)
	for _, a := range people {
		if e.AssigneeID != nil && *e.AssigneeID == a.ID {
			add("Assigned to", a.Name, "")
		}
	}
	if e.Repeats > 0 {
		add("Sent again", fmt.Sprintf("%s, last %s", times(e.Repeats), ui.Moment(*e.RepeatedAt).Text+" UTC"), "")
	}
	add("Consent", "Version "+e.ConsentVersion+", "+ui.Moment(e.ConsentedAt).Text+" UTC", "")
	return facts
}

func enquiryForms(e models.Enquiry, people []models.AdminUser, csrf string) (status, assign, note forms.Form) {
	path := contactPath(e.ID)
	options := statusOptions()
	if e.Status == models.EnquiryUnconfirmed {
		options = statusOptions(ui.Option{Value: e.Status, Label: enquiryStatuses[e.Status].Text})
	}
	status = forms.Form{
		Name: "status", Action: path + "/status", CSRF: csrf, Submit: "Change the status", Quiet: true,
		Selects: []ui.Select{{Name: "status", Label: "Status", Value: e.Status, Options: options}},
	}
	assignees, chosen := []ui.Option{{Value: "0", Label: "Nobody"}}, "0"
	for _, a := range people {
		assignees = append(assignees, ui.Option{Value: listing.Plain(a.ID), Label: a.Name})
		if e.AssigneeID != nil && *e.AssigneeID == a.ID {
			chosen = listing.Plain(a.ID)
		}
	}
	assign = forms.Form{
		Name: "assign", Action: path + "/assignee", CSRF: csrf, Submit: "Assign", Quiet: true,
		Selects: []ui.Select{{Name: "assignee", Label: "Assigned to", Value: chosen, Options: assignees}},
	}
	note = forms.Form{
		Name: "note", Action: path + "/notes", CSRF: csrf, Submit: "Add the note", Quiet: true,
		Areas: []ui.TextArea{{Name: "note", Label: "Note", Hint: "Only administrators see notes.", Rows: 4, Required: true}},
	}
	return status, assign, note
}

// contactDeliveries returns the table of deliveries, with a button to try each
// again, and a table of attempts for each.
func (h *Handlers) contactDeliveries(c echo.Context, id uuid.UUID, may bool, csrf string) (ui.Table, []ui.Table, error) {
	ctx, now := c.Request().Context(), time.Now()
	t := ui.Table{Caption: "Deliveries", Quiet: true, Columns: []ui.Column{{Label: "To"}, {Label: "State"}, {Label: "Attempts", Numeric: true}, {Label: "Queued"}, {Label: "Ended"}, {Label: "Problem"}}}
	if may {
		t.Columns = append(t.Columns, ui.Column{Label: "Change"})
	}
	deliveries, err := queries.ContactDeliveryList(ctx, h.DB, id)
	if err != nil {
		return t, nil, err
	}
	var attempts []ui.Table
	for _, d := range deliveries {
		label, list := "Email", queries.ContactEmailAttemptList
		if d.Kind == models.ContactWebhook {
			label, list = "Webhook", queries.ContactAttemptList
		}
		row := []ui.Cell{{Text: label}, deliveryState(d.State), {Text: listing.Number(d.Attempts)}, {Text: listing.Ago(d.QueuedAt, now)}, listing.Lately(d.FinishedAt, now), {Text: d.Problem}}
		if d.FinishedAt == nil {
			row[4] = ui.Cell{Text: "–"}
		}
		if may {
			retry := ui.Cell{}
			if d.State != models.ContactPending && d.State != models.ContactWaiting {
				retry.Body = ui.PostButton(ui.Post{
					Action: contactPath(id) + "/retry", CSRF: csrf, Label: "Send again", Object: "by " + strings.ToLower(label),
					Small: true, Values: []ui.Pair{{Key: "kind", Value: d.Kind}},
				})
			}
			row = append(row, retry)
		}
		t.Rows = append(t.Rows, row)
		made, err := list(ctx, h.DB, id)
		if err != nil {
			return t, nil, err
		}
		attempts = append(attempts, attemptTable("Attempts by "+strings.ToLower(label), made))
	}
	return t, attempts, nil
}

func attemptTable(caption string, attempts []models.ContactAttempt) ui.Table {
	t := ui.Table{Caption: caption, Quiet: true, Columns: []ui.Column{{Label: "Attempt", Numeric: true}, {Label: "Time (UTC)"}, {Label: "Took", Numeric: true}, {Label: "Result"}, {Label: "Answer"}}}
	for _, a := range attempts {
		result := ui.Cell{Text: a.Problem}
		if a.Problem == "" {
			result = ui.Cell{Text: "Taken", Badge: true, Tone: ui.Good}
		}
		answer := ui.Cell{Text: listing.Clip(a.Response, listing.LongestValue), Mono: true}
		if a.Status != 0 {
			answer.Text = strings.TrimSpace(listing.Plain(int64(a.Status)) + " " + answer.Text)
		}
		t.Rows = append(t.Rows, []ui.Cell{{Text: listing.Plain(int64(a.Number))}, ui.Moment(a.StartedAt), {Text: listing.Number(a.LatencyMS) + " ms"}, result, answer})
	}
	return t
}

// enquiryHistory is the table of what happened to an enquiry.
func enquiryHistory(events []models.EnquiryEvent) ui.Table {
	t := ui.Table{Caption: "History", Quiet: true, Columns: []ui.Column{{Label: "Time (UTC)"}, {Label: "Who"}, {Label: "What"}}}
	for _, v := range events {
		who := v.Name
		if who == "" {
			who = map[string]string{"visitor": "The sender", "system": "The system"}[v.Actor]
		}
		if who == "" {
			who = v.Actor
		}
		t.Rows = append(t.Rows, []ui.Cell{ui.Moment(v.CreatedAt), {Text: who}, {Text: eventText(v)}})
	}
	return t
}

func eventText(v models.EnquiryEvent) string {
	switch v.Kind {
	case "received":
		return "Sent the enquiry"
	case "repeated":
		return "Sent the same enquiry again"
	case "confirmed":
		return "Confirmed the enquiry"
	case "status":
		return "Changed the status from " + strings.ToLower(enquiryStatuses[v.Before].Text) + " to " + strings.ToLower(enquiryStatuses[v.After].Text)
	case "assigned":
		if v.After == "" {
			return "Assigned it to nobody"
		}
		return "Assigned it to " + v.After
	case "retried":
		return "Sent it again by " + v.After
	}
	return v.After
}

// times says how often something happened.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

package contacts

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/people/contact"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/views/forms"
	view "heliograph/views/people/contacts"
	"heliograph/views/ui"
)

// contactAction holds the fields of every form of an enquiry.
type contactAction struct {
	Status   string `form:"status"`
	Assignee int64  `form:"assignee"`
	Note     string `form:"note"`
	Kind     string `form:"kind"`
}

// SetStatus changes the status of an enquiry.
func (h *Handlers) SetStatus(c echo.Context) error {
	return h.changeContact(c, "status", "status", func(ctx context.Context, user *identity.User, id uuid.UUID, f contactAction) error {
		return h.Contact.Desk.SetStatus(ctx, user, id, f.Status)
	})
}

// Assign assigns an enquiry to an administrator.
func (h *Handlers) Assign(c echo.Context) error {
	return h.changeContact(c, "assign", "assigned", func(ctx context.Context, user *identity.User, id uuid.UUID, f contactAction) error {
		return h.Contact.Desk.Assign(ctx, user, id, f.Assignee)
	})
}

// AddNote adds a note to an enquiry.
func (h *Handlers) AddNote(c echo.Context) error {
	return h.changeContact(c, "note", "note", func(ctx context.Context, user *identity.User, id uuid.UUID, f contactAction) error {
		return h.Contact.Desk.AddNote(ctx, user, id, f.Note)
	})
}

// Retry queues a delivery of an enquiry again.
func (h *Handlers) Retry(c echo.Context) error {
	return h.changeContact(c, "", "retried", func(ctx context.Context, user *identity.User, id uuid.UUID, f contactAction) error {
		return h.Contact.Desk.Retry(ctx, user, id, f.Kind)
	})
}

// changeContact makes a change to an enquiry. form is the name of the form, which
// is shown again if the change is refused.
func (h *Handlers) changeContact(c echo.Context, form, done string, change func(context.Context, *identity.User, uuid.UUID, contactAction) error) error {
	id, err := enquiryID(c)
	if err != nil {
		return err
	}
	var f contactAction
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	if err := change(c.Request().Context(), page.User(c), id, f); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.render(c, status, id, contactState{form, f.Note, problems})
		})
	}
	h.Signals.Add(Topic, 0)
	return page.Done(c, contactPath(id), done)
}

// bulkForm is the form that acts on the chosen enquiries.
func bulkForm(csrf string) forms.Form {
	options := []ui.Option{{Value: "assign", Label: "Assign to me"}, {Value: "retry:" + models.ContactEmail, Label: "Send the email again"}, {Value: "retry:" + models.ContactWebhook, Label: "Send the webhook again"}}
	for _, status := range contact.Statuses {
		options = append(options, ui.Option{Value: "status:" + status, Label: "Status: " + enquiryStatuses[status].Text})
	}
	return forms.Form{Action: page.ContactsPath + "/bulk", CSRF: csrf, Submit: "Apply", Selects: []ui.Select{{Name: "action", Label: "Action", Options: options}}}
}

// mostChosen is the number of enquiries that one action may change.
const mostChosen = 500

// ChangeMany acts on several enquiries and reports the result of each.
func (h *Handlers) ChangeMany(c echo.Context) error {
	var form struct {
		IDs    []string `form:"id"`
		Action string   `form:"action"`
	}
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	var ids []uuid.UUID
	for _, text := range form.IDs {
		if id, err := uuid.Parse(text); err == nil {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 || len(ids) > mostChosen {
		return fault.New(fault.Invalid, "Choose 1 to %d enquiries in the list first.", mostChosen)
	}
	ctx, user := c.Request().Context(), page.User(c)
	kind, value, _ := strings.Cut(form.Action, ":")
	outcomes, err := each(ids, func(id uuid.UUID) error {
		switch kind {
		case "assign":
			return h.Contact.Desk.Assign(ctx, user, id, user.ID)
		case "retry":
			return h.Contact.Desk.Retry(ctx, user, id, value)
		}
		return h.Contact.Desk.SetStatus(ctx, user, id, value)
	})
	if err != nil {
		return err
	}
	h.Signals.Add(Topic, 0)
	return h.reportContacts(c, outcomes)
}

// contactResult is the result of an action on one of several things. problem is empty if
// it succeeded.
type contactResult struct {
	id      uuid.UUID
	problem string
}

// each does an action on several things, each in a transaction of its own. Only a
// failure of the system, or of the role, ends it early.
func each(ids []uuid.UUID, do func(id uuid.UUID) error) (outcomes []contactResult, err error) {
	for _, id := range ids {
		err := do(id)
		f := fault.As(err)
		if err != nil && (f == nil || f.Kind == fault.Unavailable || f.Kind == fault.Internal || f.Kind == fault.Forbidden) {
			return outcomes, err
		}
		o := contactResult{id: id}
		if f != nil {
			o.problem = f.Message
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

// reportContacts shows the results of an action on several enquiries. If all
// succeeded, the list says so.
func (h *Handlers) reportContacts(c echo.Context, outcomes []contactResult) error {
	if !slices.ContainsFunc(outcomes, func(o contactResult) bool { return o.problem != "" }) {
		return page.Done(c, page.ContactsPath, fmt.Sprintf("changed-%d", len(outcomes)))
	}
	p := view.ReportPage{Frame: page.AdministrationFrame(c, "Result", page.ContactsPath), Table: ui.Table{Caption: "Results", Quiet: true, Columns: []ui.Column{{Label: "Enquiry"}, {Label: "Result"}}}}
	p.Up = ui.Link{Label: "Contacts", Href: page.ContactsPath}
	changed := 0
	for _, o := range outcomes {
		result := ui.Cell{Text: o.problem}
		if o.problem == "" {
			changed++
			result = ui.Cell{Text: "Done", Badge: true, Tone: ui.Good}
		}
		enquiry := ui.Cell{Text: o.id.String(), Mono: true}
		e, err := queries.EnquiryGet(c.Request().Context(), h.DB, o.id)
		if err != nil && !db.IsNoRows(err) {
			return err
		}
		if err == nil {
			enquiry = ui.Cell{Text: e.Organisation, Note: e.Reference, Href: contactPath(o.id)}
		}
		p.Table.Rows = append(p.Table.Rows, []ui.Cell{enquiry, result})
	}
	p.Lead = fmt.Sprintf("%d of %d enquiries are changed.", changed, len(outcomes))
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Report(p), Region: ui.Main})
}

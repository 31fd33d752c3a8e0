// Package contacts serves the enquiries that visitors sent.
package contacts

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/operation/setting"
	"heliograph/app/people/contact"
	"heliograph/app/people/identity"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	view "heliograph/views/people/contacts"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	Contact *contact.Service
	DB      db.Querier // read only
	Gate    *page.Gate
	// Settings configures how Notifications sends SMS and emails.
	Settings *setting.Settings
	Signals  *db.Signals // notifies open pages; may be nil
}

const (
	// contactsTopic is the event of enquiries that change.
	Topic = "contacts"
)

// contactsQuery is the query of the list.
type contactsQuery struct {
	listing.Position
	Text     string `query:"q"`
	Status   string `query:"status"`
	Delivery string `query:"delivery"`
	Assignee string `query:"assignee"` // "me", "nobody" or empty
	Before   string `query:"before"`   // the enquiry that the page follows
}

func (q contactsQuery) listing() listing.List {
	return listing.List{
		Position: q.Position, Path: page.ContactsPath, Standard: "desc", Orders: listing.Newest, Later: q.Before != "", One: "enquiry", Many: "enquiries",
		Filter: page.Query("q", q.Text, "status", q.Status, "delivery", q.Delivery, "assignee", q.Assignee),
	}
}

func (q contactsQuery) filter(user *identity.User) models.EnquiryFilter {
	l := q.listing()
	f := models.EnquiryFilter{Text: strings.TrimSpace(q.Text), Status: q.Status, Delivery: q.Delivery, OldestFirst: l.Reversed(), Limit: l.Rows() + 1}
	f.Assignee = map[string]int64{"me": user.ID, "nobody": -1}[q.Assignee]
	if id, err := uuid.Parse(q.Before); err == nil {
		f.Before = id
	}
	return f
}

// enquiryStatuses are the labels and tones of statuses.
var enquiryStatuses = map[string]ui.Cell{
	models.EnquiryNew: {Text: "New", Badge: true, Tone: ui.Info}, models.EnquiryContacted: {Text: "Contacted", Badge: true, Tone: ui.Warn},
	models.EnquiryQualified: {Text: "Qualified", Badge: true, Tone: ui.Warn}, models.EnquiryWon: {Text: "Won", Badge: true, Tone: ui.Good},
	models.EnquiryLost: {Text: "Lost", Badge: true}, models.EnquirySpam: {Text: "Spam", Badge: true, Tone: ui.Bad},
	models.EnquiryUnconfirmed: {Text: "Not confirmed", Badge: true},
}

func statusOptions(first ...ui.Option) []ui.Option {
	for _, status := range contact.Statuses {
		first = append(first, ui.Option{Value: status, Label: enquiryStatuses[status].Text})
	}
	return first
}

// List lists enquiries.
func (h *Handlers) List(c echo.Context, asked contactsQuery) error {
	ctx, l, user := c.Request().Context(), asked.listing(), page.User(c)
	may, err := h.Contact.Desk.MayWork(ctx, user)
	if err != nil {
		return err
	}
	found, err := queries.EnquiryList(ctx, h.DB, asked.filter(user))
	if err != nil {
		return err
	}
	shown := found[:min(len(found), l.Rows())]
	p := view.ContactsPage{Frame: page.AdministrationFrame(c, "Contacts", page.ContactsPath), List: contactList(asked, shown, may)}
	l.Finish(c, &p.List, listing.Rows{Count: len(shown), More: len(found) > len(shown), Mark: func(v url.Values) { v.Set("before", shown[len(shown)-1].ID.String()) }})
	p.Announcement = p.List.Announcement()
	var changed int
	if _, err := fmt.Sscanf(c.QueryParam("done"), "changed-%d", &changed); err == nil {
		p.Done = fmt.Sprintf("Changed enquiries: %d.", changed)
	}
	p.List.Live = page.Refresh(c, ui.List, Topic)
	if user.Role == identity.SuperAdmin {
		p.Links = []ui.Link{{Label: "Settings", Href: contactSettingsPath}}
		p.List.Links = []ui.Link{{Label: "Export as CSV", Href: page.Address(page.ContactsPath+"/export", l.Filter)}}
	}
	if may {
		p.Bulk = bulkForm(p.CSRF)
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Contacts(p), Address: l.Address()})
}

func contactList(asked contactsQuery, found []models.EnquiryRow, may bool) ui.Listing {
	now := time.Now()
	l := ui.Listing{
		Filter: ui.Filter{
			Inputs: []ui.Input{{Name: "q", Label: "Reference, name, email or words", Type: "search", Value: asked.Text}},
			Selects: []ui.Select{
				{
					Name: "status", Label: "Status", Value: asked.Status,
					Options: append(statusOptions(ui.Option{Label: "All but spam"}, ui.Option{Value: "open", Label: "Open"}), ui.Option{Value: models.EnquiryUnconfirmed, Label: "Not confirmed"}),
				},
				{Name: "delivery", Label: "Delivery", Value: asked.Delivery, Options: []ui.Option{{Label: "All"}, {Value: models.ContactFailed, Label: "Failed"}, {Value: models.ContactPending, Label: "On its way"}, {Value: models.ContactWaiting, Label: "No recipient"}, {Value: models.ContactDelivered, Label: "Delivered"}}},
				{Name: "assignee", Label: "Assigned", Value: asked.Assignee, Options: []ui.Option{{Label: "All"}, {Value: "me", Label: "To me"}, {Value: "nobody", Label: "To nobody"}}},
			},
		},
		Table: ui.Table{Caption: "Enquiries", Columns: []ui.Column{{Label: "Organisation", Lead: true}, {Label: "From"}, {Label: "Status"}, {Label: "Assigned"}, {Label: "Email"}, {Label: "Webhook"}, asked.listing().Sorted(ui.Column{Label: "Received"})}},
		Empty: ui.EmptyState{
			Title: "No enquiries", Text: "No enquiry matches this filter. What visitors send with the contact form appears here.",
			Next: ui.Link{Label: "Open the contact form", Href: "/contact-us"},
		},
	}
	if may {
		l.Table.Columns = append([]ui.Column{{Label: "Choose", Plain: true}}, l.Table.Columns...)
	}
	for _, e := range found {
		assignee := ui.Cell{Text: e.Assignee}
		if e.Assignee == "" {
			assignee.Text = "–"
		}
		row := []ui.Cell{
			{Text: e.Organisation, Note: e.Reference, Href: contactPath(e.ID)}, {Text: e.Name, Note: e.Email}, enquiryStatuses[e.Status], assignee,
			deliveryState(e.EmailState), deliveryState(e.WebhookState), {Text: listing.Ago(e.CreatedAt, now), Title: e.CreatedAt.UTC().Format("2 Jan 2006, 15:04:05 UTC")},
		}
		if may {
			row = append([]ui.Cell{{Body: view.Choose(e.ID.String(), e.Organisation)}}, row...)
		}
		l.Table.Rows = append(l.Table.Rows, row)
	}
	return l
}

// deliveryState is the cell of the state of a delivery; empty is none.
func deliveryState(state string) ui.Cell {
	cell, ok := map[string]ui.Cell{
		models.ContactDelivered: {Text: "Delivered", Badge: true, Tone: ui.Good}, models.ContactFailed: {Text: "Failed", Badge: true, Tone: ui.Bad},
		models.ContactPending: {Text: "On its way", Badge: true, Tone: ui.Info}, models.ContactWaiting: {Text: "No recipient", Badge: true, Tone: ui.Warn},
	}[state]
	if !ok {
		return ui.Cell{Text: "–"}
	}
	return cell
}

func contactPath(id uuid.UUID) string { return page.ContactsPath + "/" + id.String() }

// Export sends the enquiries that the filter picks as CSV. The audit
// records who took them.
func (h *Handlers) Export(c echo.Context, asked contactsQuery) error {
	ctx, user := c.Request().Context(), page.User(c)
	if err := h.Contact.Desk.RecordExport(ctx, user, asked.listing().Filter); err != nil {
		return err
	}
	f := asked.filter(user)
	f.Limit, f.Before = exportRows, uuid.UUID{}
	return page.CSV(c, "enquiries", page.ExportPatience, func(write func(...string) error) error {
		if err := write("reference", "received", "status", "organisation", "website", "name", "email", "phone_numbers", "gst_number", "message", "page", "consent_version", "repeats"); err != nil {
			return err
		}
		for {
			rows, err := queries.EnquiryExport(ctx, h.DB, f)
			if err != nil {
				return err
			}
			for _, e := range rows {
				f.Before = e.ID
				err := write(e.Reference, e.CreatedAt.UTC().Format(time.RFC3339), e.Status, e.Organisation, e.Website, e.Name, e.Email, strings.Join(e.Phones, " "), e.GSTNumber, e.Message, e.Page, e.ConsentVersion, listing.Plain(int64(e.Repeats)))
				if err != nil {
					return err
				}
			}
			if len(rows) < exportRows {
				return nil
			}
		}
	})
}

// exportRows is how many enquiries an export reads at once.
const exportRows = 500

// Package overview shows what needs attention, what a user has to do, and the figures of
// the program.
package overview

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/operation/metric"
	"heliograph/app/operation/setting"
	"heliograph/app/people/identity"
	"heliograph/app/people/notification"
	"heliograph/app/web/channels/traffic"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/listing"
	"heliograph/app/web/operation/insight"
	"heliograph/app/web/page"
	"heliograph/app/web/people/contacts"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/across"
	documentationqueries "heliograph/db/queries/documentation"
	view "heliograph/views/operation/overview"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB            db.Querier // read only
	Traffic       traffic.Sections
	Notifications *notification.Service
	Production    bool // whether virtual delivery is a concern
	// Settings configures how Notifications sends SMS and emails.
	Settings *setting.Settings
	// Storage is the health of the file storage; may be nil.
	Storage interface{ Available() bool }
	// Zone is the time zone of analytics; nil is UTC.
	Zone *time.Location
}

// Show shows what needs attention and the figures of the system.
func (h *Handlers) Show(c echo.Context) error {
	ctx, now := c.Request().Context(), time.Now()
	trend, analytics, err := insight.Recent(c, h.DB, h.Zone, "")
	if err != nil {
		return err
	}
	overview, err := across.OverviewGet(ctx, h.DB)
	if err != nil {
		return err
	}
	sent, err := h.notices(ctx)
	if err != nil {
		return err
	}
	p := view.HomePage{
		Trend: trend, Analytics: analytics,
		Frame: page.AdministrationFrame(c, "Overview", "/admin"), Cards: newCards(overview, sent, now),
		Concerns: forRole(append(h.storageConcerns(), concerns(overview, sent, now)...), page.User(c).Role),
	}
	if user := page.User(c); user.Role == identity.SuperAdmin {
		products, err := documentationqueries.ImportProductList(ctx, h.DB, 0)
		if err != nil {
			return err
		}
		if len(products) == 0 {
			p.First = firstImport
		}
		if !page.IsLive(c) {
			if p.Traffic, err = h.Traffic.All(ctx, now); err != nil {
				return err
			}
		}
	} else {
		p.Cards = nil
	}
	if p.Work, err = h.work(c, page.User(c), now); err != nil {
		return err
	}
	p.Live = ui.Refresh(ui.Live.Of("overview"), "/admin", desk.DraftsTopic, "jobs throttle:3s", "messages throttle:3s", "callbacks throttle:3s", "settings", contacts.Topic, "keys", "webhooks")
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Home(p)})
}

// firstImport leads to the first step of an empty portal.
var firstImport = ui.Link{Label: "Bring your API in", Href: "/admin/imports/new"}

// newCards returns the cards of an overview.
func newCards(o models.Overview, d notices, now time.Time) []view.Card {
	jobs := make([]ui.Pair, 0, len(o.Queues)+1)
	for _, q := range o.Queues {
		jobs = append(jobs, ui.Pair{Key: q.Name, Value: backlog(q, now), Href: page.Address(page.JobsPath, page.Query("queue", q.Name))})
	}
	if len(jobs) == 0 {
		jobs = []ui.Pair{{Key: "Waiting", Value: "None", Href: page.JobsPath}}
	}
	jobs = append(jobs, ui.Pair{Key: "Failed for good", Value: listing.Count(o.JobsDiscarded), Href: page.Address(page.JobsPath, page.Query("state", "discarded"))})
	server, _, _ := strings.Cut(o.ServerVersion, " ") // the rest is the packager's
	return []view.Card{
		{Title: "Messages", Link: ui.Link{Href: "/admin/messages"}, Facts: []ui.Pair{
			{Key: "Accepted today (UTC)", Value: listing.Count(o.MessagesToday), Href: "/admin/messages"},
			{Key: "Codes by SMS today", Value: listing.Number(d.budget.Used) + " of " + listing.Number(d.budget.Limit), Href: page.SMSSettingsPath},
			{Key: "SMS delivery", Value: senders[d.sms], Href: page.SMSSettingsPath}, {Key: "Email delivery", Value: senders[d.email], Href: page.EmailSettingsPath},
		}},
		{Title: "Webhooks", Facts: []ui.Pair{
			{Key: "Set", Value: listing.Count(o.Webhooks), Href: page.OrganisationsPath},
			{Key: "Failing now", Value: listing.Count(o.WebhooksFailing), Href: page.Address(page.OrganisationsPath, page.Query("webhooks", "failing"))},
			{Key: "Disabled after failures", Value: listing.Count(o.WebhooksDisabled), Href: page.Address(page.OrganisationsPath, page.Query("webhooks", "disabled"))},
		}},
		{Title: "Jobs", Link: ui.Link{Href: "/admin/jobs"}, Facts: jobs},
		{Title: "Organisations", Link: ui.Link{Href: "/admin/organisations"}, Facts: []ui.Pair{
			{Key: "Active", Value: listing.Count(o.Organisations), Href: page.Address(page.OrganisationsPath, page.Query("status", "active"))},
			{Key: "Not verified yet", Value: listing.Count(o.Unverified), Href: page.Address(page.OrganisationsPath, page.Query("status", "inactive", "verified", "no"))},
			{Key: "Active API keys", Value: listing.Count(o.APIKeys), Href: page.OrganisationsPath},
		}},
		{Title: "Contacts", Link: ui.Link{Href: "/admin/contacts"}, Facts: []ui.Pair{
			{Key: "Open enquiries", Value: listing.Count(o.Contact.Open), Href: page.ContactsPath},
			{Key: "Oldest new one", Value: oldestNew(o.Contact.OldestAt, now), Href: page.Address(page.ContactsPath, page.Query("status", models.EnquiryNew, "order", "asc"))},
			{Key: "Failed deliveries", Value: listing.Count(o.Contact.Failed), Href: page.Address(page.ContactsPath, page.Query("delivery", models.ContactFailed))},
		}},
		{Title: "Audit", Link: ui.Link{Href: "/admin/audit"}, Facts: []ui.Pair{
			{Key: "Entries", Value: listing.Number(o.AuditSeq), Href: page.AuditPath}, {Key: "Verified", Value: since(o.AuditCheckedAt, now), Href: page.AuditPath}, {Key: "Anchored", Value: since(o.AuditAnchoredAt, now), Href: page.AuditPath},
		}},
		{Title: "System", Facts: []ui.Pair{
			{Key: "Version", Value: metric.Version(), Href: "/admin/help/upgrade"}, {Key: "Last release", Value: since(o.ReleasedAt, now), Href: page.DraftsPath + "?state=" + editorial.StatePublished},
			{Key: "PostgreSQL", Value: server, Href: "/admin/help/backup"}, {Key: "Database", Value: humanize.IBytes(uint64(max(o.DatabaseBytes, 0))), Href: page.RetentionPath},
		}},
	}
}

// notices holds the budget of SMS and the modes of the settings.
type notices struct {
	budget     notification.Budget
	sms, email string
	production bool
}

// senders holds the labels of the modes.
var senders = map[string]string{
	models.ModeVirtual: "Virtual", models.ModeActual: "Provider", models.ModeSMTP: "SMTP server", models.ModeAPI: "Email API",
}

func (h *Handlers) notices(ctx context.Context) (d notices, err error) {
	if d.budget, err = h.Notifications.Budget(ctx, h.DB); err != nil {
		return d, err
	}
	sms, err := h.Settings.SMS(ctx)
	if err != nil {
		return d, err
	}
	email, err := h.Settings.Email(ctx)
	d.sms, d.email, d.production = sms.Mode, email.Mode, h.Production
	return d, err
}

// since returns the age of a time, or "Not yet".
func since(t *time.Time, now time.Time) string {
	if t == nil {
		return "Not yet"
	}
	return listing.Ago(*t, now)
}

// oldestNew returns the age of the oldest new enquiry.
func oldestNew(t *time.Time, now time.Time) string {
	if t == nil {
		return "None"
	}
	return listing.Ago(*t, now)
}

func backlog(q models.QueueBacklog, now time.Time) string {
	return fmt.Sprintf("%s waiting, the oldest for %s", listing.Count(q.Waiting), listing.Age(now.Sub(q.Oldest)))
}

package overview

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"heliograph/app/operation/audit"
	"heliograph/app/web/channels/headers"
	"heliograph/app/web/channels/parked"
	"heliograph/app/web/channels/templates"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	"heliograph/jobs/args"
	view "heliograph/views/operation/overview"
	"heliograph/views/ui"
)

// How long a job may wait before it is a concern. Users wait for one-time passwords.
const (
	waitingLong  = 2 * time.Minute
	otpLong      = 15 * time.Second
	acceptedLong = 10 * time.Minute // for a message to wait for its carrier
	// unansweredLong is how long an enquiry may stay new.
	unansweredLong = 48 * time.Hour
)

// checkLate is the age at which the last verification of the audit is overdue.
const checkLate = audit.CheckEvery + 2*time.Hour

// concerns returns the problems that need attention, the worst first.
func concerns(o models.Overview, d notices, now time.Time) []view.Concern {
	var l concernList
	l.broken(o, d)
	l.jobs(o, now)
	l.carriers(o, now)
	l.webhooks(o, now)
	l.queues(o, now)
	l.headers(o)
	l.notices(o, d)
	l.audit(o, now)
	l.organisations(o, now)
	slices.SortStableFunc(l, func(a, b view.Concern) int { return slices.Index(severity, a.Tone) - slices.Index(severity, b.Tone) })
	return l
}

// Pages that several concerns lead to.
var (
	auditLink = ui.Link{Label: "Open the audit", Href: page.AuditPath}
	smsLink   = ui.Link{Label: "SMS settings", Href: page.SMSSettingsPath}
)

// concernList collects concerns.
type concernList []view.Concern

func (l *concernList) addIf(when bool, c view.Concern) {
	if when {
		*l = append(*l, c)
	}
}

// broken adds what comes before everything else: nothing can be trusted, or nobody can
// get in.
func (l *concernList) broken(o models.Overview, d notices) {
	l.addIf(o.AuditBrokenSeq != nil, view.Concern{Tone: ui.Bad, Kind: "Audit", Text: "The audit chain is broken. An entry was changed or removed.", Link: auditLink})
	l.addIf(d.budget.IsSpent(), view.Concern{
		Tone: ui.Bad, Kind: "SMS",
		Text: fmt.Sprintf("Today's SMS budget is used up: %s of %s. No more codes are sent until midnight UTC.", listing.Number(d.budget.Used), listing.Number(d.budget.Limit)),
		Link: smsLink,
	})
}

func (l *concernList) jobs(o models.Overview, now time.Time) {
	l.addIf(o.JobsDiscarded > 0, view.Concern{
		Tone: ui.Bad, Kind: "Jobs",
		Text: listing.Some(o.JobsDiscarded, "job has", "jobs have") + " failed for good, after the last attempt.",
		Link: ui.Link{Label: "Show them", Href: page.Address(page.JobsPath, page.Query("state", "discarded"))},
	})
	l.addIf(o.ReleasesOverdue > 0, view.Concern{
		Tone: ui.Bad, Kind: "Releases",
		Text: listing.Some(o.ReleasesOverdue, "scheduled release is", "scheduled releases are") + " overdue. Check that a worker is running.",
		Link: ui.Link{Label: "Calendar", Href: page.CalendarPath},
	})
	failed := ui.Link{Label: "Show them", Href: page.Address(page.JobsPath, page.Query("state", "retryable"))}
	l.addIf(o.JobsFailing > 0, view.Concern{
		Tone: ui.Warn, Kind: "Jobs",
		Text: listing.Some(o.JobsFailing, "job fails", "jobs fail") + " again and again. They are tried again by themselves, and the page says what stops them.",
		Link: failed,
	})
	l.addIf(o.OldestAcceptedAt != nil && now.Sub(*o.OldestAcceptedAt) > acceptedLong, view.Concern{
		Tone: ui.Warn, Kind: "Messages",
		Text: "The oldest message that waits for its carrier was accepted " + since(o.OldestAcceptedAt, now) + ".",
		Link: ui.Link{Label: "Show the jobs", Href: page.Address(page.JobsPath, page.Query("kind", args.CarryMessage{}.Kind()))},
	})
}

// carriers adds what stops messages on their way to phones, and what waits for a decision.
func (l *concernList) carriers(o models.Overview, now time.Time) {
	l.addIf(o.NumbersStranded > 0, view.Concern{
		Tone: ui.Bad, Kind: "Carriers",
		Text: listing.Some(o.NumbersStranded, "live number has", "live numbers have") + " no carrier. Messages from there are refused.",
		Link: ui.Link{Label: "Show organisations", Href: page.OrganisationsPath},
	})
	for _, c := range o.CarriersFailing {
		l.addIf(true, view.Concern{
			Tone: ui.Bad, Kind: "Carriers",
			Text: fmt.Sprintf("The carrier %s takes nothing. Its messages wait. It says: %s", c.Carrier, listing.Clip(c.Error, longCause)),
			Link: ui.Link{Label: "Open the carrier", Href: page.CarriersPath + "/" + c.Carrier},
		})
	}
	for _, u := range o.UpstreamProblems {
		l.addIf(true, view.Concern{
			Tone: ui.Bad, Kind: "Carriers",
			Text: fmt.Sprintf("The carrier %s began to hold the %s %d back %s. %s", u.Carrier, u.Kind, u.AssetID, since(&u.Since, now), listing.Clip(u.Problem, longCause)),
			Link: ui.Link{Label: "Carriers", Href: page.CarriersPath},
		})
	}
	l.addIf(o.MessagesParked > 0, view.Concern{
		Tone: ui.Warn, Kind: "Messages",
		Text: listing.Some(o.MessagesParked, "message waits", "messages wait") + " for a person, because nobody knows whether the carrier has them.",
		Link: ui.Link{Label: "Decide", Href: parked.Path},
	})
	l.addIf(o.TemplatesWaiting > 0, view.Concern{
		Tone: ui.Info, Kind: "Templates", Text: listing.Some(o.TemplatesWaiting, "template waits", "templates wait") + " for a review.",
		Link: ui.Link{Label: "Review", Href: templates.Path},
	})
}

func (l *concernList) webhooks(o models.Overview, now time.Time) {
	failing := func(how string) ui.Link {
		return ui.Link{Label: "Show organisations", Href: page.Address(page.OrganisationsPath, page.Query("webhooks", how))}
	}
	l.addIf(o.WebhooksDisabled > 0, view.Concern{
		Tone: ui.Bad, Kind: "Webhooks",
		Text: listing.Some(o.WebhooksDisabled, "webhook is", "webhooks are") + " disabled after days of failures. The owners are notified and can enable them again.",
		Link: failing("disabled"),
	})
	for _, w := range o.FailingWebhooks {
		l.addIf(o.WebhooksFailing <= int64(len(o.FailingWebhooks)), view.Concern{
			Tone: ui.Warn, Kind: "Webhooks", Text: webhookFailure(w.Organisation, w.URL, w.Answer, w.Since, now),
			Link: ui.Link{Label: "Open the organisation", Href: page.OrganisationsPath + "/" + listing.Plain(w.OrganisationID)},
		})
	}
	l.addIf(o.WebhooksFailing > int64(len(o.FailingWebhooks)), view.Concern{
		Tone: ui.Warn, Kind: "Webhooks",
		Text: listing.Some(o.WebhooksFailing, "webhook is", "webhooks are") + " failing. Callbacks are kept and tried again.",
		Link: failing("failing"),
	})
}

func (l *concernList) queues(o models.Overview, now time.Time) {
	for _, q := range o.Queues {
		waits := now.Sub(q.Oldest)
		l.addIf(waits >= waitingLong || q.Name == "otp" && waits >= otpLong, view.Concern{
			Tone: ui.Warn, Kind: "Jobs",
			Text: fmt.Sprintf("The oldest job of the queue %s has waited for %s.", q.Name, listing.Age(waits)),
			Link: ui.Link{Label: "Show the queue", Href: page.Address(page.JobsPath, page.Query("queue", q.Name))},
		})
	}
	l.addIf(len(o.QueuesPaused) > 0, view.Concern{
		Tone: ui.Warn, Kind: "Jobs", Text: "Paused queues: " + strings.Join(o.QueuesPaused, ", ") + ". Their jobs wait.",
		Link: ui.Link{Label: "Open the queues", Href: page.JobsPath},
	})
}

func (l *concernList) headers(o models.Overview) {
	for _, c := range o.HeadersContested {
		l.addIf(true, view.Concern{
			Tone: ui.Bad, Kind: "SMS headers",
			Text: fmt.Sprintf("%s use the SMS header %s. Nobody receives the replies to it until one of them owns it.", c.Organisations, c.Header),
			Link: ui.Link{Label: "Decide", Href: headers.Path},
		})
	}
	l.addIf(o.HeadersRequested > 0, view.Concern{
		Tone: ui.Info, Kind: "SMS headers",
		Text: listing.Some(o.HeadersRequested, "SMS header waits", "SMS headers wait") + " for a decision.",
		Link: ui.Link{Label: "Show them", Href: headers.Path},
	})
}

// notices adds what stops emails and one-time passwords.
func (l *concernList) notices(o models.Overview, d notices) {
	l.addIf(o.NotificationsStuck > 0, view.Concern{
		Tone: ui.Bad, Kind: "Delivery",
		Text: listing.Some(o.NotificationsStuck, "email or code waits", "emails and codes wait") + " after several attempts. The provider says: " + listing.Clip(o.NotificationsError, longCause),
		Link: ui.Link{Label: "Emails and codes", Href: page.Address(page.NotificationsPath, page.Query("state", "queued"))},
	})
	l.addIf(o.NotificationsFailed > 0, view.Concern{
		Tone: ui.Bad, Kind: "Delivery",
		Text: listing.Some(o.NotificationsFailed, "email or code was", "emails and codes were") + " not delivered within a day.",
		Link: ui.Link{Label: "Emails and codes", Href: page.NotificationsPath},
	})
	l.addIf(d.production && d.sms == models.ModeVirtual, view.Concern{
		Tone: ui.Bad, Kind: "SMS",
		Text: "SMS are in virtual mode: codes go to the inbox here, and nobody can register or reset a password by phone.",
		Link: smsLink,
	})
	l.addIf(d.production && d.email == models.ModeVirtual, view.Concern{
		Tone: ui.Bad, Kind: "Email",
		Text: "Emails are in virtual mode: invitations, links and alerts go to the inbox here and reach nobody.",
		Link: ui.Link{Label: "Email settings", Href: page.EmailSettingsPath},
	})
	l.addIf(d.budget.IsLow() && !d.budget.IsSpent(), view.Concern{Tone: ui.Warn, Kind: "SMS", Text: fmt.Sprintf("%s of today's %s SMS are used.", listing.Number(d.budget.Used), listing.Number(d.budget.Limit)), Link: smsLink})
}

func (l *concernList) audit(o models.Overview, now time.Time) {
	l.addIf(o.AuditCheckedAt != nil && now.Sub(*o.AuditCheckedAt) > checkLate, view.Concern{
		Tone: ui.Warn, Kind: "Audit",
		Text: "The audit chain has not been verified for more than a day. Check that a worker is running.", Link: auditLink,
	})
	l.addIf(o.AuditAnchoredAt != nil && now.Sub(*o.AuditAnchoredAt) > audit.AnchorLate, view.Concern{
		Tone: ui.Warn, Kind: "Audit",
		Text: "The audit has not been anchored for hours. Check that a worker is running, and see its log.", Link: auditLink,
	})
}

// organisations adds enquiries that wait or failed, and organisations without a verified
// number.
func (l *concernList) organisations(o models.Overview, now time.Time) {
	enquiries := func(how ...string) ui.Link {
		return ui.Link{Label: "Show enquiries", Href: page.Address(page.ContactsPath, page.Query(how...))}
	}
	l.addIf(o.Contact.Failed > 0, view.Concern{
		Tone: ui.Bad, Kind: "Contacts",
		Text: listing.Some(o.Contact.Failed, "delivery of an enquiry has", "deliveries of enquiries have") + " failed. Send it again when its receiver works.",
		Link: enquiries("delivery", models.ContactFailed),
	})
	l.addIf(o.Contact.Waiting > 0, view.Concern{
		Tone: ui.Warn, Kind: "Contacts",
		Text: listing.Some(o.Contact.Waiting, "enquiry is", "enquiries are") + " emailed to nobody, because no contact recipient is set.",
		Link: ui.Link{Label: "Email settings", Href: page.EmailSettingsPath},
	})
	l.addIf(o.Contact.OldestAt != nil && now.Sub(*o.Contact.OldestAt) > unansweredLong, view.Concern{
		Tone: ui.Warn, Kind: "Contacts", Text: "The oldest new enquiry was sent " + since(o.Contact.OldestAt, now) + ".",
		Link: enquiries("status", models.EnquiryNew, "order", "asc"),
	})
	l.addIf(o.Unverified > 0, view.Concern{
		Tone: ui.Info, Kind: "Organisations",
		Text: listing.Some(o.Unverified, "organisation has", "organisations have") + " registered without a verified number.",
		Link: ui.Link{Label: "Show them", Href: page.Address(page.OrganisationsPath, page.Query("status", "inactive", "verified", "no"))},
	})
}

// severity orders concerns.
var severity = []ui.Tone{ui.Bad, ui.Warn, ui.Info}

// longCause is the length at which the words of a provider are cut.
const longCause = 200

// webhookFailure says which webhook fails, since when and with what.
func webhookFailure(organisation, address, answer string, since time.Time, now time.Time) string {
	host := address
	if u, err := url.Parse(address); err == nil {
		host = u.Host
	}
	text := fmt.Sprintf("The webhook of %s at %s has failed for %s.", organisation, host, listing.Age(now.Sub(since)))
	if answer != "" {
		text += " Its last answer: " + listing.Clip(answer, longCause) + "."
	}
	return text + " Callbacks are kept and tried again."
}

// storageConcerns returns the concern about file storage that does not answer.
func (h *Handlers) storageConcerns() []view.Concern {
	if h.Storage == nil || h.Storage.Available() {
		return nil
	}
	return []view.Concern{{
		Tone: ui.Bad, Kind: "Storage",
		Text: "The file storage does not answer. Media and uploads fail, and the audit is not anchored. Everything else works. Check the storage server and its address in the settings of the processes.",
	}}
}

// forRole removes the links that a role may not open.
func forRole(list []view.Concern, role string) []view.Concern {
	for i, c := range list {
		address := c.Link.Href[:strings.IndexAny(c.Link.Href+"?", "?#")]
		if !slices.ContainsFunc(page.AdministrationSections, func(s page.Section) bool {
			return (s.Href == address || s.Href == path.Dir(address) && s.Href != "/admin") && slices.Contains(s.Roles, role)
		}) {
			list[i].Link = ui.Link{}
		}
	}
	return list
}

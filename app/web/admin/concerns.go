package admin

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"heliograph/app/audit"
	"heliograph/app/notification"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// How long a job may wait before somebody should look: people wait for codes.
const (
	waitingLong = 2 * time.Minute
	otpLong     = 15 * time.Second
)

// checkLate is the age from which a reading of the audit chain is overdue.
const checkLate = audit.CheckEvery + 2*time.Hour

// anchorLate is the age from which the newest anchor is.
const anchorLate = audit.AnchorEvery + 2*time.Hour

// concerns are what somebody should look at, the worst first.
func concerns(o models.Overview, sms notification.Budget, now time.Time) []view.Concern {
	var list []view.Concern
	add := func(when bool, c view.Concern) {
		if when {
			list = append(list, c)
		}
	}
	failing := func(how string) ui.Link {
		return ui.Link{Label: "Show whose", Href: page.Address(organisationsPath, page.Query("webhooks", how))}
	}
	auditLink := ui.Link{Label: "Open the audit", Href: auditPath}
	add(o.AuditBrokenSeq != nil, view.Concern{Tone: ui.Bad, Kind: "Audit", Text: "The chain of the audit is broken: an entry was changed or removed.", Link: auditLink})
	smsLink := ui.Link{Label: "SMS settings", Href: smsSettingsPath}
	add(sms.IsSpent(), view.Concern{Tone: ui.Bad, Kind: "SMS", Text: fmt.Sprintf("The budget of today is used up: %s of %s SMS. No more codes are sent until midnight UTC.", number(int64(sms.Used)), number(int64(sms.Limit))), Link: smsLink})
	add(o.JobsDiscarded > 0, view.Concern{Tone: ui.Bad, Kind: "Jobs", Text: some(o.JobsDiscarded, "job was given up", "jobs were given up") + " after every attempt failed.", Link: ui.Link{Label: "Show them", Href: page.Address(jobsPath, page.Query("state", "discarded"))}})
	add(o.WebhooksDisabled > 0, view.Concern{Tone: ui.Bad, Kind: "Webhooks", Text: some(o.WebhooksDisabled, "webhook is", "webhooks are") + " disabled after days of failures. Their owners know, and can set them again.", Link: failing("disabled")})
	add(o.WebhooksFailing > 0, view.Concern{Tone: ui.Warn, Kind: "Webhooks", Text: some(o.WebhooksFailing, "webhook fails", "webhooks fail") + " now. Callbacks are kept and tried again.", Link: failing("failing")})
	for _, q := range o.Queues {
		waits := now.Sub(q.Oldest)
		add(waits >= waitingLong || q.Name == "otp" && waits >= otpLong, view.Concern{Tone: ui.Warn, Kind: "Jobs", Text: fmt.Sprintf("The oldest job of %s waits for %s.", q.Name, age(waits)), Link: ui.Link{Label: "Show the queue", Href: page.Address(jobsPath, page.Query("queue", q.Name))}})
	}
	add(len(o.QueuesPaused) > 0, view.Concern{Tone: ui.Warn, Kind: "Jobs", Text: "Workers leave these queues alone: " + strings.Join(o.QueuesPaused, ", ") + ". They are paused, and their jobs wait.", Link: ui.Link{Label: "Open the queues", Href: jobsPath}})
	add(sms.IsLow() && !sms.IsSpent(), view.Concern{Tone: ui.Warn, Kind: "SMS", Text: fmt.Sprintf("%s of %s SMS of today are used.", number(int64(sms.Used)), number(int64(sms.Limit))), Link: smsLink})
	add(o.AuditCheckedAt != nil && now.Sub(*o.AuditCheckedAt) > checkLate, view.Concern{Tone: ui.Warn, Kind: "Audit", Text: "The chain was not verified for more than a day: a worker should do it.", Link: auditLink})
	add(o.AuditAnchoredAt != nil && now.Sub(*o.AuditAnchoredAt) > anchorLate, view.Concern{Tone: ui.Warn, Kind: "Audit", Text: "The audit was not anchored for hours: a worker should do it every hour. Its log says what is in the way.", Link: auditLink})
	add(o.Unverified > 0, view.Concern{Tone: ui.Info, Kind: "Organisations", Text: some(o.Unverified, "organisation", "organisations") + " registered and did not verify a number yet.", Link: ui.Link{Label: "Show them", Href: page.Address(organisationsPath, page.Query("status", "inactive", "verified", "no"))}})
	return list
}

// some is a number that was counted up to a bound, with the words that agree
// with it.
func some(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// forRole takes away the links that a role may not follow.
func forRole(list []view.Concern, role string) []view.Concern {
	for i, c := range list {
		path, _, _ := strings.Cut(c.Link.Href, "?")
		if !slices.ContainsFunc(sections, func(s page.Section) bool { return s.Href == path && slices.Contains(s.Roles, role) }) {
			list[i].Link = ui.Link{}
		}
	}
	return list
}

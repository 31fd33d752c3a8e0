package views_test

import (
	synonymsview "heliograph/views/documentation/synonyms"
	"heliograph/views/forms"
	"heliograph/views/layout"
	auditview "heliograph/views/operation/audit"
	jobsview "heliograph/views/operation/jobs"
	overviewview "heliograph/views/operation/overview"
	organisationsview "heliograph/views/people/organisations"
	passwordview "heliograph/views/people/password"
	usersview "heliograph/views/people/users"
	"heliograph/views/ui"
)

// adminPages are the templates of the administration but its first.
func adminPages() []page {
	pause := adminFrame("Pause the queue mail", "Jobs", "")
	pause.Up = ui.Link{Label: "Jobs", Href: "/admin/jobs"}
	return []page{
		{"audit", auditPage().Page, auditview.Audit(auditPage())},
		{"jobs", jobsPage().Page, jobsview.Jobs(jobsPage())},
		{"pause", pause.Page, layout.Confirm(pause, pauseQuestion())},
		{"pause-empty", bareFrame().Page, layout.Confirm(bareFrame(), ui.Question{Region: "confirm-queue-mail", InPlace: true, Action: ui.Post{Label: "Pause"}, Back: ui.Link{Label: "Leave it open", Href: "/admin/jobs"}})},
		{"job", jobPage().Page, jobsview.Job(jobPage())},
		{"organisations", organisationsPage().Page, organisationsview.Organisations(organisationsPage())},
		{"organisation", organisationPage().Page, organisationsview.Organisation(organisationPage())},
		{"organisations-empty", bareFrame().Page, organisationsview.Organisations(organisationsview.OrganisationsPage{Frame: bareFrame(), List: bareList()})},
		{"organisation-empty", bareFrame().Page, organisationsview.Organisation(organisationsview.OrganisationPage{Frame: bareFrame(), Region: "details-1", Users: ui.Table{Caption: "Users"}})},
		{"synonyms", synonymsPage().Page, synonymsview.Synonyms(synonymsPage())},
		{"synonyms-empty", bareFrame().Page, synonymsview.Synonyms(synonymsview.SynonymsPage{Frame: bareFrame(), Add: forms.Form{Submit: "Add the synonym"}, List: bareList()})},
		{"users", usersPage().Page, usersview.Users(usersPage())},
		{"user", userPage().Page, usersview.User(userPage())},
		{"invite", invitePage().Page, forms.OneForm(invitePage())},
		{"own", ownPage().Page, passwordview.Own(ownPage())},
		{"own-empty", bareFrame().Page, passwordview.Own(passwordview.OwnPage{Frame: bareFrame(), Form: forms.Form{Submit: "Change the password"}, Emails: forms.Form{Name: "emails", Submit: "Save the setting"}})},
		{"admin-forgot", visitorPage().Page, passwordview.Visitor(visitorPage())},
		{"users-empty", bareFrame().Page, usersview.Users(usersview.UsersPage{Frame: bareFrame(), List: bareList()})},
		{"user-empty", bareFrame().Page, usersview.User(usersview.UserPage{Frame: bareFrame(), Own: "This is your own account."})},
		{"admin-forgot-empty", layout.Page{}, passwordview.Visitor(passwordview.VisitorPage{Heading: "Look at your emails"})},
		{"audit-empty", bareFrame().Page, auditview.Audit(auditview.AuditPage{Frame: bareFrame(), Chain: "Not verified yet", List: bareList()})},
		{"jobs-empty", bareFrame().Page, jobsview.Jobs(jobsview.JobsPage{Frame: bareFrame(), List: bareList()})},
		{"job-empty", bareFrame().Page, jobsview.Job(jobsview.JobPage{Frame: bareFrame(), Region: "details-1"})},
		{"audit-entry", auditEntryPage().Page, auditview.AuditEntry(auditEntryPage())},
		{"audit-entry-empty", bareFrame().Page, auditview.AuditEntry(auditview.AuditEntryPage{Frame: bareFrame(), Region: "details-1"})},
	}
}

// adminFrame is the frame of a page of the administration, as a Super Admin
// sees it. done may be empty.
func adminFrame(title, section, done string) layout.Frame {
	f := layout.Frame{
		Page:    layout.Page{Title: title + " – Administration", HasNav: true, Style: "css/editor.css", Account: ui.Link{Label: "Asha", Href: "/admin"}, Done: done, Token: "token"},
		Area:    ui.Link{Label: "Administration", Href: "/admin"},
		Heading: title, User: "Asha", Role: "Super Admin",
		Own: ui.Link{Label: "Password and sessions", Href: "/admin/change-password"}, SignOut: "/admin/logout", CSRF: "token",
	}
	var links []ui.Link
	for _, label := range []string{"Overview", "Organisations", "Users", "Audit", "Jobs", "Synonyms", "SMS settings", "Email settings", "Inbox"} {
		links = append(links, ui.Link{Label: label, Href: "/admin/" + label, Current: label == section})
	}
	f.Sections = []ui.LinkGroup{{Links: links[:1]}, {Label: "System", Links: links[1:]}}
	return f
}

// bareFrame has nothing that a frame can do without.
func bareFrame() layout.Frame {
	return layout.Frame{Page: layout.Page{HasNav: true}, Area: ui.Link{Label: "Administration", Href: "/admin"}, Heading: "Administration"}
}

func adminPage() overviewview.HomePage {
	return overviewview.HomePage{
		Frame: adminFrame("Overview", "Overview", ""),
		Concerns: []overviewview.Concern{
			{Tone: ui.Bad, Kind: "Jobs", Text: "2 jobs have failed for good, after the last attempt.", Link: ui.Link{Label: "Show them", Href: "/admin/jobs?state=discarded"}},
			{Tone: ui.Warn, Kind: "Webhooks", Text: "1 webhook is failing. Callbacks are kept and tried again."},
			{Tone: ui.Info, Kind: "Organisations", Text: "3 organisations have registered without a verified number.", Link: ui.Link{Label: "Show them", Href: "/admin/organisations?verified=no"}},
		},
		Cards: []overviewview.Card{
			{Title: "Documentation", Facts: []ui.Pair{{Key: "Products", Value: "6"}, {Key: "Endpoints", Value: "71"}, {Key: "Last release", Value: "12 March 2026"}}, Link: ui.Link{Label: "Documentation", Href: "/"}},
			{Title: "Jobs", Facts: []ui.Pair{{Key: "Waiting", Value: "0"}, {Key: "Failed", Value: "2"}}},
		},
	}
}

func auditPage() auditview.AuditPage {
	row := func(at, who, what, object string, changes ...auditview.Change) []ui.Cell {
		cells := []ui.Cell{{Text: at, Title: "2 minutes ago"}, {Text: who, Note: "admin:1"}, {Text: what, Mono: true}, {Text: object}, {Text: "–"}}
		if len(changes) > 0 {
			cells[4] = ui.Cell{Body: auditview.Changes(changes)}
		}
		return cells
	}
	return auditview.AuditPage{
		Frame: adminFrame("Audit", "Audit", ""),
		Chain: "Chain holds", ChainTone: ui.Good, ChainNote: "18,204 entries verified 3 hours ago.",
		Anchor: "Anchored", AnchorTone: ui.Good, AnchorNote: "At entry 18,204, 12 minutes ago. The storage keeps it for a year, even from its owner.",
		List: ui.Listing{
			Summary: "3 entries on this page", Links: []ui.Link{{Label: "Export as CSV", Href: "/admin/audit.csv"}},
			Filter: ui.Filter{
				Action: "/admin/audit", Region: ui.List,
				Inputs: []ui.Input{
					{Name: "actor", Label: "Who", Type: "search", Value: "asha@example.com"}, {Name: "action", Label: "What", Type: "search", Placeholder: "admin.sign_in"},
					{Name: "target", Label: "To what", Type: "search"}, {Name: "from", Label: "From", Type: "date", Value: "2026-11-01"}, {Name: "to", Label: "To", Type: "date"},
				},
				Clear: ui.Link{Label: "Show all", Href: "/admin/audit"},
			},
			Table: ui.Table{
				Caption: "Audit entries", Quiet: true, Columns: []ui.Column{{Label: "When (UTC)", Sort: ui.Link{Label: "When (UTC)", Href: "/admin/audit?order=asc"}, Order: "descending"}, {Label: "Who"}, {Label: "What"}, {Label: "To what"}, {Label: "Details"}},
				Rows: [][]ui.Cell{
					row("21 Nov 2026, 05:19:07", "asha@example.com", "admin.change", "ravi@example.com", auditview.Change{Name: "role", Before: "viewer", After: "editor", Changed: true}, auditview.Change{Name: "products", Before: "empty", After: "Business Messaging, SMS", Changed: true}),
					row("21 Nov 2026, 05:12:44", "asha@example.com", "organisation.deactivate", "Lighthouse", auditview.Change{Name: "status", Before: "active", After: "suspended", Changed: true}, auditview.Change{Name: "reason", After: "The owner asked for it by telephone"}),
					row("21 Nov 2026, 05:02:10", "asha@example.com", "admin.sign_in", "asha@example.com"),
				},
				Rest: ui.Rest{Pages: 1, Link: ui.Link{Label: "Show more entries", Href: "/admin/audit?before=3"}},
			},
			First: ui.Link{Label: "First page", Href: "/admin/audit"},
		},
	}
}

func auditEntryPage() auditview.AuditEntryPage {
	p := auditview.AuditEntryPage{
		Frame: adminFrame("Entry 18,204", "Audit", ""), Region: "details-18204",
		Facts:   []ui.Pair{{Key: "When", Value: "21 Nov 2026, 05:19:07 UTC"}, {Key: "Who", Value: "asha@example.com (admin:1)", Href: "/admin/users/1"}, {Key: "Hash", Value: "9f2b51c4d1f0aa8e1d0f3d0a5b6c7d8e9f2b51c4d1f0aa8e1d0f3d0a5b6c7d8e", Mono: true}},
		Changes: []auditview.Change{{Name: "role", Before: "viewer", After: "editor", Changed: true}},
	}
	p.Up = ui.Link{Label: "Audit", Href: "/admin/audit"}
	return p
}

// bareList has no rows.
func bareList() ui.Listing {
	return ui.Listing{Empty: ui.EmptyState{Title: "Nothing found", Text: "Nothing fits this filter."}}
}

func jobsPage() jobsview.JobsPage {
	state := func(label string, tone ui.Tone) ui.Cell { return ui.Cell{Text: label, Badge: true, Tone: tone} }
	pause := ui.Cell{Opens: "confirm-queue-send", Body: ui.AskButton(ui.Ask{Link: ui.Link{Label: "Pause", Href: "/admin/jobs/queues/send/pause"}, Object: "send", Small: true, Region: "confirm-queue-send"})}
	resume := ui.Cell{Body: ui.PostButton(ui.Post{Action: "/admin/jobs/queues/mail/resume", CSRF: "token", Label: "Resume", Object: "mail", Small: true})}
	texts := func(texts ...string) []ui.Cell { return ui.Texts(texts...) }
	return jobsview.JobsPage{
		Frame: adminFrame("Jobs", "Jobs", ""),
		Queues: ui.Table{
			Caption: "Queues", Quiet: true,
			Columns: []ui.Column{{Label: "Queue"}, {Label: "State"}, {Label: "Waiting", Numeric: true}, {Label: "Running", Numeric: true}, {Label: "Retrying", Numeric: true}, {Label: "Discarded", Numeric: true}, {Label: "Oldest waits"}, {Label: "Change"}},
			Rows: [][]ui.Cell{
				append([]ui.Cell{{Text: "mail", Href: "/admin/jobs?queue=mail"}, state("Paused", ui.Warn)}, append(texts("12", "0", "0", "2", "4 minutes"), resume)...),
				append([]ui.Cell{{Text: "send", Href: "/admin/jobs?queue=send"}, state("Open", ui.Good)}, append(texts("1,204", "200", "3", "0", "2 seconds"), pause)...),
			},
		},
		List: ui.Listing{
			Summary: "First 2 jobs", Filter: ui.Filter{Action: "/admin/jobs", Region: ui.List, Inputs: []ui.Input{{Name: "kind", Label: "Kind", Type: "search"}}, Selects: []ui.Select{
				{Name: "state", Label: "State", Options: []ui.Option{{Label: "All but completed"}, {Value: "discarded", Label: "Discarded"}}}, {Name: "queue", Label: "Queue", Options: []ui.Option{{Label: "All"}}},
			}},
			Table: ui.Table{
				Caption: "Jobs", Quiet: true, Columns: []ui.Column{{Label: "Job"}, {Label: "State"}, {Label: "Kind"}, {Label: "Queue"}, {Label: "Attempts", Numeric: true}, {Label: "Due (UTC)"}, {Label: "Last error"}},
				Rows: [][]ui.Cell{
					{{Text: "18204", Href: "/admin/jobs/18204", Opens: "details-18204"}, state("Discarded", ui.Bad), {Text: "send_email", Mono: true}, {Text: "mail"}, {Text: "25 of 25"}, {Text: "21 Nov 2026, 05:19:07"}, {Text: "asking mail.example.com: the server answered 550: no such mailbox"}},
					{{Text: "18199", Href: "/admin/jobs/18199", Opens: "details-18199"}, state("Waiting", ui.Info), {Text: "carry_message", Mono: true}, {Text: "send"}, {Text: "0 of 25"}, {Text: "21 Nov 2026, 05:18:59"}, {Text: "–"}},
				},
				Rest: ui.Rest{Pages: 1, Link: ui.Link{Label: "Show more jobs", Href: "/admin/jobs?after=x"}},
			},
		},
	}
}

func pauseQuestion() ui.Question {
	return ui.Question{
		Region: "confirm-queue-mail", Text: "Emails wait: invitations, password links and alerts. Every worker stops taking jobs of this queue until somebody resumes it.",
		Facts:  []ui.Pair{{Key: "Waiting now", Value: "12"}, {Key: "Running now", Value: "0"}},
		Action: ui.Post{Action: "/admin/jobs/queues/mail/pause", CSRF: "token", Label: "Pause mail", Kind: ui.Danger}, Back: ui.Link{Label: "Leave it open", Href: "/admin/jobs"},
	}
}

func jobPage() jobsview.JobPage {
	p := jobsview.JobPage{
		Frame: adminFrame("Job 18204", "Jobs", ""), Problem: "The job is running. Nothing was changed.",
		Facts:  []ui.Pair{{Key: "State", Value: "Discarded"}, {Key: "Kind", Value: "send_email", Mono: true}, {Key: "Queue", Value: "mail"}, {Key: "Attempts", Value: "25 of 25"}},
		Region: "details-18204",
		Retry:  jobsview.JobRetry{Note: "The job runs immediately.", Post: ui.Post{Action: "/admin/jobs/18204/retry", CSRF: "token", Label: "Retry the job"}},
		Cancel: jobsview.JobCancel{Note: "The job stops and does not run again.", Ask: ui.Ask{Link: ui.Link{Label: "Cancel the job", Href: "/admin/jobs/18204/cancel"}, Region: "confirm-18204", Kind: ui.Danger}},
		Errors: ui.Table{
			Caption: "Failed attempts", Quiet: true, Columns: []ui.Column{{Label: "When (UTC)"}, {Label: "Attempt", Numeric: true}, {Label: "Error"}},
			Rows: [][]ui.Cell{ui.Texts("21 Nov 2026, 05:19:07", "25", "asking mail.example.com: the server answered 550: no such mailbox")},
		},
	}
	p.Up = ui.Link{Label: "Jobs", Href: "/admin/jobs"}
	return p
}

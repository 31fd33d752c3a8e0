package views_test

import (
	synonymsview "heliograph/views/documentation/synonyms"
	"heliograph/views/forms"
	"heliograph/views/layout"
	organisationsview "heliograph/views/people/organisations"
	passwordview "heliograph/views/people/password"
	usersview "heliograph/views/people/users"
	"heliograph/views/ui"
)

var sampleRoles = ui.Select{Name: "role", Label: "Role", Value: "editor", Hint: "Changing it ends every session.", Options: []ui.Option{{Value: "viewer", Label: "Viewer: reads"}, {Value: "editor", Label: "Editor: writes assigned products"}}}

func sampleProducts() []ui.Checks {
	return []ui.Checks{{
		Name: "product", Label: "Products", Hint: "What they write as an Editor.", Values: []string{"1", "2"},
		Options: []ui.Option{{Value: "1", Label: "Business Messaging"}, {Value: "2", Label: "SMS"}, {Value: "3", Label: "RCS"}, {Value: "4", Label: "Portal API"}},
	}}
}

func usersPage() usersview.UsersPage {
	row := func(name, email, role, state string, tone ui.Tone, products, seen string) []ui.Cell {
		return []ui.Cell{{Text: name, Href: "/admin/users/1"}, {Text: email}, {Text: role}, {Text: state, Badge: true, Tone: tone}, {Text: products}, {Text: seen, Title: "21 Nov 2026, 05:19:07 UTC"}}
	}
	return usersview.UsersPage{
		Frame: adminFrame("Users", "Users", "The account is deleted."), Invite: ui.Link{Label: "Invite somebody", Href: "/admin/users/invite"},
		List: ui.Listing{
			Filter: ui.Filter{Action: "/admin/users", Inputs: []ui.Input{{Name: "q", Label: "Name or email", Type: "search"}}, Selects: []ui.Select{
				{Name: "role", Label: "Role", Options: []ui.Option{{Label: "All"}, {Value: "editor", Label: "Editor"}}}, {Name: "state", Label: "State", Options: []ui.Option{{Label: "All"}}},
			}},
			Table: ui.Table{
				Caption: "Administrators", Quiet: true, Columns: []ui.Column{{Label: "Name"}, {Label: "Email"}, {Label: "Role"}, {Label: "State"}, {Label: "Writes"}, {Label: "Last sign-in"}},
				Rows: [][]ui.Cell{
					row("Asha", "asha@example.com", "Super Admin", "Active", ui.Good, "–", "2 minutes ago"), row("Mira", "mira@example.com", "Editor", "Active", ui.Good, "Business Messaging, SMS", "3 days ago"),
					row("Noor", "noor.of.the.documentation@example.com", "Editor", "Invited", ui.Info, "RCS", "Never"), row("Ravi", "ravi@example.com", "Viewer", "Inactive", "", "–", "8 months ago"),
				},
			},
		},
	}
}

func userPage() usersview.UserPage {
	p := usersview.UserPage{
		Frame:    adminFrame("Mira", "Users", "The role is changed, and every session has ended."),
		Facts:    []ui.Pair{{Key: "Email", Value: "mira@example.com"}, {Key: "Role", Value: "Editor"}, {Key: "State", Value: "Active"}, {Key: "Last sign-in", Value: "3 days ago"}},
		Actions:  []ui.Post{{Action: "/admin/users/2/link", CSRF: "token", Label: "Send a link to set a new password"}},
		Role:     forms.Form{Name: "role", Action: "/admin/users/2/role", CSRF: "token", Submit: "Change the role", Quiet: true, Selects: []ui.Select{sampleRoles}},
		Products: forms.Form{Name: "products", Action: "/admin/users/2/products", CSRF: "token", Submit: "Assign", Quiet: true, Checks: sampleProducts()},
		Audit:    []ui.Link{{Label: "Actions of this user", Href: "/admin/audit?actor=admin:2"}, {Label: "Changes of this account", Href: "/admin/audit?target=admin:2"}},
		Warning:  "This Editor has no products, and only reads. Assign those that they are to write.",
		Sessions: sampleSessions(false), EndSessions: ui.Ask{Link: ui.Link{Label: "End every session", Href: "/admin/users/2/sessions/end"}, Region: "confirm-ses"},
		Deactivate: ui.Ask{Link: ui.Link{Label: "Deactivate the account", Href: "/admin/users/2/activation"}, Region: "confirm-act", Kind: ui.Danger},
		Remove:     ui.Ask{Link: ui.Link{Label: "Remove the account", Href: "/admin/users/2/deletion"}, Region: "confirm-del", Kind: ui.Danger}, RemoveNote: "The account is removed immediately.",
	}
	p.Up = ui.Link{Label: "Users", Href: "/admin/users"}
	return p
}

func sampleSessions(change bool) ui.Table {
	t := ui.Table{
		Caption: "Sessions", Quiet: true, Columns: []ui.Column{{Label: "Browser"}, {Label: "Signed in (UTC)"}, {Label: "Last seen (UTC)"}},
		Rows: [][]ui.Cell{ui.Texts("Firefox on Linux", "21 Nov 2026, 05:10", "21 Nov 2026, 05:19"), ui.Texts("Safari on iPhone", "20 Nov 2026, 21:02", "21 Nov 2026, 04:58")},
	}
	if change {
		t.Columns = append(t.Columns, ui.Column{Label: "Change"})
		t.Rows[0] = append(t.Rows[0], ui.Cell{Text: "This one", Badge: true, Tone: ui.Info})
		t.Rows[1] = append(t.Rows[1], ui.Cell{Body: ui.PostButton(ui.Post{Action: "/admin/sessions/00/end", CSRF: "token", Label: "End", Small: true})})
	}
	return t
}

func ownPage() passwordview.OwnPage {
	return passwordview.OwnPage{
		Frame: adminFrame("Password and sessions", "", ""), Lead: "Every other session ends when you change it. This one goes on.",
		Form: forms.Form{Action: "/admin/change-password", CSRF: "token", Submit: "Change the password", Username: "asha@example.com", Inputs: []ui.Input{
			{Name: "current", Label: "Current password", Type: "password", Autocomplete: "current-password", Required: true}, {Name: "password", Label: "New password", Type: "password", Autocomplete: "new-password", Required: true},
		}},
		Emails: forms.Form{Name: "emails", Action: "/admin/change-password/emails", CSRF: "token", Submit: "Save the setting", Quiet: true, Selects: []ui.Select{
			{Name: "review_emails", Label: "Emails about reviews", Options: []ui.Option{{Value: "batched", Label: "One email for each change set and ten minutes"}, {Value: "off", Label: "None"}}},
		}},
		Sessions: sampleSessions(true), EndOthers: &ui.Post{Action: "/admin/sessions/end-others", CSRF: "token", Label: "End all other sessions"},
	}
}

func invitePage() forms.FormPage {
	return forms.FormPage{
		Frame: adminFrame("Invite somebody", "Users", ""), Lead: "They get an email with a link that sets their password. It works once, within seven days.",
		Form: forms.Form{
			Action: "/admin/users/invite", CSRF: "token", Submit: "Send the invitation",
			Inputs: []ui.Input{
				{Name: "name", Label: "Name", Value: "Mira", Required: true},
				{Name: "email", Label: "Email address", Type: "email", Value: "mira@example.com", Required: true, Error: "An administrator already has this address."},
			},
			Selects: []ui.Select{sampleRoles}, Checks: sampleProducts(),
		},
	}
}

func visitorPage() passwordview.VisitorPage {
	return passwordview.VisitorPage{
		Page: layout.Page{Title: "Set a new password – Administration"}, Heading: "Set a new password", Lead: "Enter your email address to get a link that sets a new password.",
		Form: forms.Form{
			Action: "/admin/forgot-password", CSRF: "token", Problem: "The form could not be read.", Submit: "Send the link", Hidden: []ui.Pair{{Key: "token", Value: "x"}},
			Inputs: []ui.Input{{Name: "email", Label: "Email address", Type: "email", Autocomplete: "username", Required: true}},
			Other:  ui.Link{Label: "Sign in", Href: "/admin/login"},
		},
	}
}

func organisationsPage() organisationsview.OrganisationsPage {
	row := func(name, note, status string, tone ui.Tone, texts ...string) []ui.Cell {
		return append([]ui.Cell{{Text: name, Note: note, Href: "/admin/organisations/4"}, {Text: status, Badge: true, Tone: tone}}, ui.Texts(texts...)...)
	}
	return organisationsview.OrganisationsPage{
		Frame: adminFrame("Organisations", "Organisations", ""),
		List: ui.Listing{
			Filter: ui.Filter{
				Action: "/admin/organisations", Inputs: []ui.Input{{Name: "q", Label: "Name, id or email of a user", Type: "search", Value: "example.com"}},
				Selects: []ui.Select{
					{Name: "status", Label: "Status", Options: []ui.Option{{Label: "All"}}}, {Name: "verified", Label: "Verification", Options: []ui.Option{{Label: "All"}}},
					{Name: "activity", Label: "Activity", Value: "recent", Options: []ui.Option{{Value: "recent", Label: "Within 30 days"}}},
				},
				Clear: ui.Link{Label: "Show all", Href: "/admin/organisations"},
			},
			Table: ui.Table{
				Caption: "Organisations", Quiet: true,
				Columns: []ui.Column{{Label: "Organisation"}, {Label: "Status"}, {Label: "Verified"}, {Label: "Users", Numeric: true}, {Label: "Last sign-in"}, {Label: "Key used"}, {Label: "Registered"}},
				Rows: [][]ui.Cell{
					row("Lighthouse", "sandbox", "Active", ui.Good, "21 Nov 2026", "3", "2 minutes ago", "a moment ago", "21 Nov 2026"),
					row("Ferry and harbour association of the northern islands", "", "Not verified", ui.Warn, "Not yet", "1", "Never", "Never", "20 Nov 2026"),
					row("Harbour", "", "Deactivated", ui.Bad, "2 Jan 2026", "14", "4 months ago", "3 months ago", "2 Jan 2026"),
				},
			},
		},
	}
}

func organisationPage() organisationsview.OrganisationPage {
	columns := func(labels ...string) (list []ui.Column) {
		for _, label := range labels {
			list = append(list, ui.Column{Label: label, Numeric: label == "Messages" || label == "Failed"})
		}
		return list
	}
	p := organisationsview.OrganisationPage{
		Frame:  adminFrame("Lighthouse", "Organisations", "The organisation is active."),
		Facts:  []ui.Pair{{Key: "Id", Value: "4", Mono: true}, {Key: "Status", Value: "Active"}, {Key: "Kind", Value: "Sandbox"}, {Key: "Number verified", Value: "21 Nov 2026"}},
		Region: "details-4", Links: []ui.Link{{Label: "Audit entries", Href: "/admin/audit?target=organisation:4"}},
		Users: ui.Table{Caption: "Users", Quiet: true, Columns: columns("Email", "Mobile", "Role", "Last sign-in"), Rows: [][]ui.Cell{{{Text: "mira@example.com"}, {Text: "+919812345678", Mono: true}, {Text: "owner"}, {Text: "2 minutes ago"}}}},
		Keys:  ui.Table{Caption: "API keys", Quiet: true, Columns: columns("Name", "Begins with", "Channels"), Rows: [][]ui.Cell{{{Text: "Server"}, {Text: "hg_live_4tY2", Mono: true}, {Text: "messaging, sms"}}}},
		Usage: ui.Table{Caption: "Usage of the last two weeks", Quiet: true, Columns: columns("Day (UTC)", "Channel", "Messages", "Failed"), Rows: [][]ui.Cell{ui.Texts("Sat 21 Nov 2026", "sms", "1,204", "4")}},
		Change: forms.Form{
			Action: "/admin/organisations/4/activation", CSRF: "token", Submit: "Deactivate the organisation", Danger: true,
			Inputs: []ui.Input{{Name: "reason", Label: "Reason", Required: true, Hint: "Its sessions end and its keys are refused at once. The audit keeps the reason."}},
		},
	}
	p.Up = ui.Link{Label: "Organisations", Href: "/admin/organisations"}
	return p
}

func synonymsPage() synonymsview.SynonymsPage {
	p := synonymsview.SynonymsPage{
		Frame: adminFrame("Synonyms", "Synonyms", "The synonym is added. Searches know it at once."),
		Lead:  "Who looks for a term also finds what is said with the other words. It works one way: add the other way as well where both are meant.",
		Add: forms.Form{Action: "/admin/synonyms", CSRF: "token", Submit: "Add the synonym", Inputs: []ui.Input{
			{Name: "term", Label: "Who looks for", Required: true, Placeholder: "dlr"}, {Name: "means", Label: "Also finds", Required: true, Placeholder: "delivery report"},
		}},
		List: ui.Listing{
			Filter: ui.Filter{Action: "/admin/synonyms", Inputs: []ui.Input{{Name: "q", Label: "Word", Type: "search"}}},
			Table:  ui.Table{Caption: "Synonyms", Quiet: true, Columns: []ui.Column{{Label: "Who looks for"}, {Label: "Also finds"}, {Label: "Change"}}},
		},
	}
	for _, s := range [][2]string{{"2fa", "one time password"}, {"dlr", "delivery report"}, {"waba", "business account"}} {
		remove := ui.PostButton(ui.Post{Action: "/admin/synonyms/1/removal", CSRF: "token", Label: "Remove", Small: true})
		p.List.Table.Rows = append(p.List.Table.Rows, []ui.Cell{{Text: s[0]}, {Text: s[1]}, {Body: remove}})
	}
	return p
}

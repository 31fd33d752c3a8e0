package views_test

import (
	"heliograph/views/admin"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

var sampleRoles = ui.Select{Name: "role", Label: "Role", Value: "editor", Hint: "Changing it ends every session.", Options: []ui.Option{{Value: "viewer", Label: "Viewer: reads"}, {Value: "editor", Label: "Editor: writes the documentation of assigned products"}}}

func sampleProducts() []ui.Checks {
	return []ui.Checks{{
		Name: "product", Label: "Products", Hint: "What they write as an Editor.", Values: []string{"1", "2"},
		Options: []ui.Option{{Value: "1", Label: "Business Messaging"}, {Value: "2", Label: "SMS"}, {Value: "3", Label: "RCS"}, {Value: "4", Label: "Portal API"}},
	}}
}

func usersPage() admin.UsersPage {
	row := func(name, email, role, state string, tone ui.Tone, products, seen string) []ui.Cell {
		return []ui.Cell{{Text: name, Href: "/admin/users/1"}, {Text: email}, {Text: role}, {Text: state, Badge: true, Tone: tone}, {Text: products}, {Text: seen, Title: "21 Nov 2026, 05:19:07 UTC"}}
	}
	return admin.UsersPage{
		Frame: adminFrame("Users", "Users", "The account is deleted."), Invite: ui.Link{Label: "Invite somebody", Href: "/admin/users/invite"},
		List: admin.List{
			Filter: ui.Filter{Action: "/admin/users", Inputs: []ui.Input{{Name: "q", Label: "Name or email", Type: "search"}}, Selects: []ui.Select{sampleRoles}},
			Table: ui.Table{
				Caption: "Administrators", Quiet: true, Columns: []ui.Column{{Label: "Name"}, {Label: "Email"}, {Label: "Role"}, {Label: "State"}, {Label: "Products", Numeric: true}, {Label: "Last sign-in"}},
				Rows: [][]ui.Cell{
					row("Asha", "asha@example.com", "Super Admin", "Active", ui.Good, "–", "2 minutes ago"), row("Mira", "mira@example.com", "Editor", "Active", ui.Good, "2", "3 days ago"),
					row("Noor", "noor.of.the.documentation@example.com", "Editor", "Invited", ui.Info, "1", "Never"), row("Ravi", "ravi@example.com", "Viewer", "Inactive", "", "–", "8 months ago"),
				},
			},
		},
	}
}

func userPage() admin.UserPage {
	p := admin.UserPage{
		Frame:    adminFrame("Mira", "Users", "The role is changed, and every session has ended."),
		Facts:    []ui.Pair{{Key: "Email", Value: "mira@example.com"}, {Key: "Role", Value: "Editor"}, {Key: "State", Value: "Active"}, {Key: "Last sign-in", Value: "3 days ago"}},
		Actions:  []ui.Post{{Action: "/admin/users/2/link", CSRF: "token", Label: "Send a link to set a new password"}, {Action: "/admin/users/2/activation", CSRF: "token", Label: "Deactivate", Kind: ui.Danger}},
		Role:     admin.Form{Action: "/admin/users/2/role", CSRF: "token", Submit: "Change the role", Quiet: true, Selects: []ui.Select{sampleRoles}},
		Products: admin.Form{Action: "/admin/users/2/products", CSRF: "token", Submit: "Assign", Quiet: true, Checks: sampleProducts()},
		Delete:   ui.Post{Action: "/admin/users/2/deletion", CSRF: "token", Label: "Delete mira@example.com", Kind: ui.Danger},
	}
	p.Up = ui.Link{Label: "Users", Href: "/admin/users"}
	return p
}

func invitePage() admin.FormPage {
	return admin.FormPage{
		Frame: adminFrame("Invite somebody", "Users", ""), Lead: "They get an email with a link that sets their password. It works once, within seven days.",
		Form: admin.Form{
			Action: "/admin/users/invite", CSRF: "token", Submit: "Send the invitation",
			Inputs: []ui.Input{
				{Name: "name", Label: "Name", Value: "Mira", Required: true},
				{Name: "email", Label: "Email address", Type: "email", Value: "mira@example.com", Required: true, Error: "An administrator has this address already."},
			},
			Selects: []ui.Select{sampleRoles}, Checks: sampleProducts(),
		},
	}
}

func visitorPage() admin.VisitorPage {
	return admin.VisitorPage{
		Page: layout.Page{Title: "Set a new password – Administration"}, Heading: "Set a new password", Lead: "Enter your email address to get a link that sets a new password.",
		Form: admin.Form{
			Action: "/admin/forgot-password", CSRF: "token", Problem: "The form could not be read.", Submit: "Send the link", Hidden: []ui.Pair{{Key: "token", Value: "x"}},
			Inputs: []ui.Input{{Name: "email", Label: "Email address", Type: "email", Autocomplete: "username", Required: true}},
			Other:  ui.Link{Label: "Sign in", Href: "/admin/login"},
		},
	}
}

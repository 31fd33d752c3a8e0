package views_test

import (
	"heliograph/views/layout"
	homeview "heliograph/views/people/home"
	keysview "heliograph/views/people/keys"
	profileview "heliograph/views/people/profile"
	registrationview "heliograph/views/people/registration"
	teamview "heliograph/views/people/team"
	"heliograph/views/ui"
)

// accountFrame is the frame of a page of the account, as an owner sees it.
// done may be empty.
func accountFrame(title, section, done string) layout.Frame {
	f := layout.Frame{
		Page:    layout.Page{Title: title + " – Lighthouse", HasNav: true, Account: ui.Link{Label: "Asha", Href: "/account"}, Done: done, Token: "token"},
		Area:    ui.Link{Label: "Lighthouse", Href: "/account"},
		Heading: title, User: "Asha", Role: "Owner", SignOut: "/logout", CSRF: "token",
	}
	var links []ui.Link
	for _, label := range []string{"Overview", "Messages", "Webhooks", "API keys", "Usage", "Team", "Profile"} {
		links = append(links, ui.Link{Label: label, Href: "/account/" + label, Current: label == section})
	}
	f.Sections = []ui.LinkGroup{{Links: links[:1]}, {Label: "Traffic", Links: links[1:]}}
	return f
}

// bareAccount has nothing that a frame can do without.
func bareAccount() layout.Frame {
	return layout.Frame{Page: layout.Page{HasNav: true}, Heading: "Account"}
}

// sampleKey has the shape of a key and the checksum of none.
const sampleKey = "hg_test_0000000000000000000000000000000000000000000000000"

func accountPages() []page {
	begun, running := startPage(), overviewPage()
	confirm := accountFrame("Revoke Shop", "API keys", "")
	keys, created := keysPage(), keysPage()
	created.Created, created.Form, created.Full = ui.Code{Title: "API key", Language: "text", Text: sampleKey}, nil, "Two keys are active. Revoke one of them to create another."
	link := registrationview.ResetLinkPage{
		Page: layout.Page{Title: "Set a new password"}, Heading: "Set a new password", Lead: "The new password of asha@example.com. Every session ends when it is set.",
		Action: "/reset-password", Email: "asha@example.com", Token: "token", CSRF: "token",
		Inputs: []ui.Input{
			{Name: "password", Label: "New password", Type: "password", Autocomplete: "new-password", Required: true, Hint: "At least 12 characters."},
			{Name: "confirmation", Label: "New password once more", Type: "password", Autocomplete: "new-password", Required: true},
		},
	}
	invited := teamview.InvitationPage{
		Page: layout.Page{Title: "Join Lighthouse"}, Organisation: "Lighthouse", Role: "Developer", Email: "ravi@example.com", Token: "token", CSRF: "token",
		Inputs: []ui.Input{{Name: "name", Label: "Your name", Autocomplete: "name", Required: true}, {Name: "password", Label: "Password", Type: "password", Autocomplete: "new-password", Required: true, Error: "Enter at least 12 characters."}},
	}
	pages := []page{
		{"account-start", begun.Page, homeview.Home(begun)},
		{"account", running.Page, homeview.Home(running)},
		{"account-keys", keys.Page, keysview.Keys(keys)},
		{"account-keys-created", created.Page, keysview.Keys(created)},
		{"account-confirm", confirm.Page, layout.Confirm(confirm, revokeQuestion())},
		{"account-team", teamPage().Page, teamview.Team(teamPage())},
		{"account-colleague", colleaguePage().Page, teamview.Colleague(colleaguePage())},
		{"account-profile", profilePage().Page, profileview.Profile(profilePage())},
		{"account-invitation", invited.Page, teamview.Invitation(invited)},
		{"account-reset-link", link.Page, registrationview.ResetLink(link)},
		{"account-invitation-ended", layout.Page{Title: "The invitation has ended"}, teamview.InvitationEnded()},
	}
	bare := bareAccount()
	return append(pages,
		page{"account-empty", bare.Page, homeview.Home(homeview.HomePage{Frame: bare})},
		page{"account-keys-empty", bare.Page, keysview.Keys(keysview.KeysPage{Frame: bare, Full: "Developers and owners create and revoke keys."})},
		page{"account-profile-empty", bare.Page, profileview.Profile(profileview.ProfilePage{Frame: bare, Sessions: ui.Table{Caption: "Sessions"}})},
	)
}

func startPage() homeview.HomePage {
	p := overviewPage()
	p.Figures, p.Latest, p.Unreachable = nil, ui.Table{}, true
	p.Start = &homeview.Start{Steps: []homeview.Step{
		{ID: "key", State: "lit", Stage: homeview.Done, Title: "The key is made", Text: "Copy it now: it is not shown again.", Secret: ui.Code{Title: "API key", Language: "text", Text: sampleKey}, Next: []ui.Link{{Label: "API keys", Href: "/account/keys"}}},
		{ID: "send", State: "next", Stage: homeview.Now, Title: "Send a message", Text: "Run this in a terminal.", Code: ui.Code{Title: "curl", Language: "shell", Text: curl}},
		{ID: "hear", State: "later", Stage: homeview.Later, Title: "Receive a callback", Text: "Name the address of your server.", Code: ui.Code{Title: "curl", Language: "shell", Text: curl}, Action: ui.Post{Action: "/account/first-key", CSRF: "token", Label: "Create the first key", Kind: ui.Primary}},
	}}
	return p
}

func overviewPage() homeview.HomePage {
	return homeview.HomePage{
		Frame: accountFrame("Overview", "Overview", "You have joined. This is your organisation's account."),
		Figures: []homeview.Figure{
			{Number: "1,204", Name: "Messages today (UTC)", Href: "/account/messages"}, {Number: "1", Name: "Webhooks failing", Tone: ui.Bad}, {Number: "1 of 2", Name: "API keys", Href: "/account/keys"},
		},
		Latest: ui.Table{
			Caption: "Latest messages", Quiet: true, Columns: []ui.Column{{Label: "Accepted (UTC)"}, {Label: "To"}, {Label: "Kind"}, {Label: "State"}},
			Rows: [][]ui.Cell{
				{{Text: "21 Nov 2026, 05:19", Title: "two minutes ago"}, {Text: "+919812345678"}, {Text: "template"}, {Text: "read", Badge: true, Tone: ui.Good}},
				{{Text: "21 Nov 2026, 05:18", Title: "three minutes ago"}, {Text: "+919812340001"}, {Text: "text"}, {Text: "failed", Badge: true, Tone: ui.Bad}},
			},
		},
		Log:   ui.Link{Label: "All messages", Href: "/account/messages"},
		Facts: []ui.Pair{{Key: "Base URL", Value: "https://api.example.com/v3", Mono: true}, {Key: "Phone number", Value: "+910012345678", Mono: true}, {Key: "Phone number id", Value: "106540352242922", Mono: true}},
		Recipients: ui.Table{
			Caption: "Recipients to try", Quiet: true, Columns: []ui.Column{{Label: "Number ends in"}, {Label: "What happens"}},
			Rows: [][]ui.Cell{{{Text: "0001", Mono: true}, {Text: "fails: message undeliverable (131026)"}}, {{Text: "anything else"}, {Text: "sent, delivered and read at once"}}},
		},
	}
}

func keysPage() keysview.KeysPage {
	return keysview.KeysPage{
		Frame: accountFrame("API keys", "API keys", ""),
		Docs:  ui.Link{Label: "How a key is sent", Href: "/docs/business-messaging/3.0"},
		Keys: ui.Table{
			Caption: "API keys", Quiet: true,
			Columns: []ui.Column{{Label: "Name"}, {Label: "Begins with"}, {Label: "Channels"}, {Label: "State"}, {Label: "Created (UTC)"}, {Label: "Last used (UTC)"}, {Label: "Change"}},
			Rows: [][]ui.Cell{
				{{Text: "Shop"}, {Text: "hg_test_4tY2", Mono: true}, {Text: "Messaging, SMS"}, {Text: "Active", Badge: true, Tone: ui.Good}, {Text: "21 Nov 2026, 05:19"}, {Text: "Never"}, {Opens: "confirm-2", Body: ui.AskButton(ui.Ask{Link: ui.Link{Label: "Revoke", Href: "/account/keys/2/revoke"}, Object: "Shop", Region: "confirm-2", Small: true})}},
				{{Text: "First key"}, {Text: "hg_test_9aB1", Mono: true}, {Text: "Messaging, SMS, RCS"}, {Text: "Revoked", Badge: true}, {Text: "2 Nov 2026, 11:02"}, {Text: "20 Nov 2026, 23:58"}, {}},
			},
		},
		Form: &keysview.KeyForm{
			Name:     ui.Input{Name: "name", Label: "Name", Hint: "The program that will use it, for example Shop", Required: true, Error: "Enter a name of 1 to 100 characters."},
			Channels: ui.Checks{Name: "channels", Label: "Channels", Options: []ui.Option{{Value: "messaging", Label: "Messaging"}, {Value: "sms", Label: "SMS"}}, Error: "Choose at least one of messaging, sms and rcs."},
			Problem:  "Two keys are already active. Revoke one before you create another.", CSRF: "token",
		},
	}
}

func revokeQuestion() ui.Question {
	return ui.Question{
		Region: "confirm-2", Text: "Requests with this key are refused immediately. A revoked key cannot be restored.",
		Facts:  []ui.Pair{{Key: "Begins with", Value: "hg_test_4tY2", Mono: true}, {Key: "Last used (UTC)", Value: "20 Nov 2026, 23:58"}},
		Action: ui.Post{Action: "/account/keys/2/revoke", CSRF: "token", Label: "Revoke Shop", Kind: ui.Danger}, Back: ui.Link{Label: "Keep the key", Href: "/account/keys"},
	}
}

func teamPage() teamview.TeamPage {
	return teamview.TeamPage{
		Frame: accountFrame("Team", "Team", "The invitation is on its way."),
		Colleagues: ui.Table{
			Caption: "Colleagues", Quiet: true, Columns: []ui.Column{{Label: "Name"}, {Label: "Email"}, {Label: "Role"}, {Label: "State"}, {Label: "Last sign-in (UTC)"}},
			Rows: [][]ui.Cell{
				{{Text: "Asha", Href: "/account/team/1", Note: "you"}, {Text: "asha@example.com"}, {Text: "Owner"}, {Text: "Active", Badge: true, Tone: ui.Good}, {Text: "21 Nov 2026, 05:19"}},
				{{Text: "Ravi", Href: "/account/team/2"}, {Text: "ravi@example.com"}, {Text: "Developer"}, {Text: "Inactive", Badge: true}, {Text: "Never"}},
			},
		},
		Invitations: ui.Table{
			Caption: "Invitations", Quiet: true, Columns: []ui.Column{{Label: "Email"}, {Label: "Role"}, {Label: "Works until (UTC)"}, {Label: "Change"}},
			Rows: [][]ui.Cell{{{Text: "meera@example.com"}, {Text: "Viewer"}, {Text: "24 Nov 2026, 05:19"}, {Body: teamview.Actions(
				ui.Post{Action: "/account/team/invitations/1/resend", CSRF: "token", Label: "Send again", Small: true},
				ui.Post{Action: "/account/team/invitations/1/withdraw", CSRF: "token", Label: "Withdraw", Small: true})}}},
		},
		Email: ui.Input{Name: "email", Label: "Email", Type: "email", Required: true, Error: "Enter an email address such as asha@example.com."},
		Role:  ui.Select{Name: "role", Label: "Role", Value: "developer", Options: []ui.Option{{Value: "developer", Label: "Developer: keys, webhooks and messages"}, {Value: "viewer", Label: "Viewer: reads"}}},
	}
}

func colleaguePage() teamview.ColleaguePage {
	p := teamview.ColleaguePage{
		Frame: accountFrame("Ravi", "Team", ""), Problem: "This is the only active owner. Make another user an owner first.",
		Facts:      []ui.Pair{{Key: "Email", Value: "ravi@example.com"}, {Key: "Role", Value: "Owner"}, {Key: "Last sign-in (UTC)", Value: "Never"}},
		RoleAction: "/account/team/2/role", Role: ui.Select{Name: "role", Label: "Role", Value: "viewer", Options: []ui.Option{{Value: "viewer", Label: "Viewer: reads"}}},
		Actions: []ui.Post{{Action: "/account/team/2/link", CSRF: "token", Label: "Send a link to set a new password"}}, ActivityText: "Deactivating signs them out everywhere.",
		Deactivate: ui.Ask{Link: ui.Link{Label: "Deactivate", Href: "/account/team/2/deactivate"}, Region: "confirm-deactivate"},
		Remove:     ui.Ask{Link: ui.Link{Label: "Remove", Href: "/account/team/2/remove"}, Region: "confirm-remove", Kind: ui.Danger},
	}
	p.Up = ui.Link{Label: "Team", Href: "/account/team"}
	return p
}

func profilePage() profileview.ProfilePage {
	return profileview.ProfilePage{
		Frame: accountFrame("Profile", "Profile", ""),
		Forms: []profileview.Form{
			{ID: "name", Title: "Name", Text: "You sign in as asha@example.com.", Action: "/account/profile/name", Label: "Change the name", Inputs: []ui.Input{{Name: "name", Label: "Your name", Value: "Asha", Error: "Enter a name of 1 to 200 characters on one line.", Required: true}}, CSRF: "token"},
			{ID: "mobile", Title: "Mobile number", Text: "If you forget your password, a code is sent here.", Action: "/account/profile/mobile", Label: "Send a code", Warning: "No number is stored. If you forget your password, no code can reach you.", Username: "asha@example.com", Inputs: []ui.Input{{Name: "mobile", Label: "Mobile number", Type: "tel", Required: true}}, CSRF: "token"},
			{ID: "password", Title: "Password", Action: "/account/profile/password", Username: "asha@example.com", Label: "Change the password", Problem: "The password was changed elsewhere.", Inputs: []ui.Input{{Name: "current", Label: "Password in use", Type: "password", Autocomplete: "current-password", Required: true}}, CSRF: "token"},
		},
		Sessions: ui.Table{
			Caption: "Sessions", Quiet: true, Columns: []ui.Column{{Label: "Browser"}, {Label: "Signed in (UTC)"}, {Label: "Last seen (UTC)"}, {Label: "Change"}},
			Rows: [][]ui.Cell{
				{{Text: "Firefox on Linux"}, {Text: "21 Nov 2026, 05:19"}, {Text: "21 Nov 2026, 05:40"}, {Text: "This one", Badge: true, Tone: ui.Info}},
				{{Text: "Safari on iPhone"}, {Text: "20 Nov 2026, 21:07"}, {Text: "21 Nov 2026, 05:21"}, {Body: ui.PostButton(ui.Post{Action: "/account/profile/sessions/00/end", CSRF: "token", Label: "End", Small: true})}},
			},
		},
		EndOthers: &ui.Post{Action: "/account/profile/sessions/end-others", CSRF: "token", Label: "End all other sessions"},
	}
}

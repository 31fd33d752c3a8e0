package views_test

import (
	"github.com/a-h/templ"

	"heliograph/views/admin"
	"heliograph/views/ui"
)

func settingsPage() admin.SettingsPage {
	wrong := ui.Input{Name: "url", Label: "Email API URL", Type: "url", Value: "mail.example.com", Error: "The URL must begin with https://."}
	modes := ui.Radios{Name: "mode", Label: "How emails are sent", Value: "smtp", Choices: []ui.Radio{
		{Value: "virtual", Label: "Virtual", Note: "Nothing leaves this system: letters go to the inbox of the administration."},
		{Value: "smtp", Label: "SMTP server", Note: "A mail server takes them."},
		{Value: "api", Label: "Email API"},
	}}
	return admin.SettingsPage{
		Frame: adminFrame("Email settings", "Email settings", "Saved. It holds for every message from now on."),
		Lead:  "How letters reach people: links to set a password, invitations, alerts. They are plain text.",
		Tone:  ui.Warn, State: "Nearly used up", Notes: "812 of 1,000 SMS of today (UTC) are used.",
		Action: "/admin/email-settings", Invalid: []ui.Input{wrong}, Save: "Save email settings",
		Groups: []admin.SettingsGroup{
			{Title: "Delivery", Fields: []templ.Component{ui.RadioField(modes)}},
			{Title: "SMTP server", Note: "A server of your own.", When: "smtp", Fields: []templ.Component{
				ui.TextField(ui.Input{Name: "host", Label: "Host", Value: "smtp.example.com"}),
				ui.SelectField(ui.Select{Name: "tls", Label: "Security", Value: "tls", Options: []ui.Option{{Value: "tls", Label: "TLS"}, {Value: "starttls", Label: "STARTTLS"}}}),
				ui.SecretField(ui.Input{Name: "password", Label: "Password", Hint: "One is stored: leave this empty to keep it."}, true),
			}},
			{Title: "Email API", When: "api", Fields: []templ.Component{ui.TextField(wrong)}},
		},
		Trial: admin.Trial{
			Action: "/admin/email-settings/test", Note: "Sends a short letter by the settings as they are saved.",
			To:   ui.Input{Name: "to", Label: "Email address", Type: "email", Value: "asha@example.com", Required: true},
			Tone: ui.Bad, Title: "Refused by smtp.example.com:587", Remedy: "It does not take this letter. Check the recipient, and that you may send from this address.", Label: "What the provider answered:",
			Answer: "C: RCPT TO:<asha@example.com>\nS: 550 5.1.1 No such mailbox",
		},
		Guide: []admin.Guide{{Title: "Request to an email API", Text: "Any 2xx status is success.", Code: ui.Code{Title: "HTTP", Language: "http", Text: "POST https://mail.example.com/emails\nAuthorization: Bearer <API key>"}}},
	}
}

func inboxPage() admin.InboxPage {
	message := admin.InboxMessage{
		Kind: "SMS", Purpose: "registration", Recipient: "+919812345678", SentAt: "21 Nov 2026, 05:19:07", Ago: "2 minutes ago", Machine: "2026-11-21T05:19:07Z",
		Text: []admin.Piece{{Text: "482913 is your Heliograph code, valid for 10 minutes. Do not share it with anyone."}},
	}
	letter := message
	letter.Kind, letter.Purpose, letter.Recipient, letter.Subject = "Email", "reset", "asha@example.com", "Set a new password"
	letter.Text = []admin.Piece{{Text: "Somebody asked for a new password.\n\nOpen "}, {Text: "http://localhost:8080/admin/reset?t=1", Href: "http://localhost:8080/admin/reset?t=1"}, {Text: " within an hour.\n"}}
	old := letter
	old.Text, old.Note = nil, "What it said is forgotten: a day has passed."
	return admin.InboxPage{
		Frame: adminFrame("Inbox", "Inbox", ""), Lead: "SMS and letters of the virtual modes, as their recipients would read them.",
		Notes: []string{"Emails are sent by a provider now: new ones do not come here."},
		Filter: ui.Filter{
			Action: "/admin/inbox", Inputs: []ui.Input{{Name: "to", Label: "Recipient", Type: "search", Value: "asha"}},
			Selects: []ui.Select{{Name: "kind", Label: "Kind", Options: []ui.Option{{Label: "Any"}, {Value: "sms", Label: "SMS"}}}},
			Clear:   ui.Link{Label: "Show all", Href: "/admin/inbox"},
		},
		Messages: []admin.InboxMessage{message, letter, old},
		Paging:   ui.Paging{Next: ui.Link{Label: "Next page", Href: "/admin/inbox?before=1"}},
	}
}

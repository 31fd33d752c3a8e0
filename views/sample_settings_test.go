package views_test

import (
	"github.com/a-h/templ"

	settingsview "heliograph/views/operation/settings"
	notificationsview "heliograph/views/people/notifications"
	"heliograph/views/ui"
)

func settingsPage() settingsview.SettingsPage {
	wrong := ui.Input{Name: "url", Label: "Email API URL", Type: "url", Value: "mail.example.com", Error: "The URL must begin with https://."}
	modes := ui.Radios{Name: "mode", Label: "How emails are sent", Value: "smtp", Choices: []ui.Radio{
		{Value: "virtual", Label: "Virtual", Note: "No email leaves this system. Emails go to the inbox of the administration."},
		{Value: "smtp", Label: "SMTP server", Note: "A mail server sends them."},
		{Value: "api", Label: "Email API"},
	}}
	return settingsview.SettingsPage{
		Frame: adminFrame("Email settings", "Email settings", "Saved. New messages use these settings."),
		Lead:  "How the portal sends email: password links, invitations and alerts. All emails are plain text.",
		Tone:  ui.Warn, State: "Nearly used up", Notes: "812 of today's 1,000 SMS (UTC) are used.",
		Action: "/admin/email-settings", Invalid: []ui.Input{wrong}, Save: "Save email settings",
		Groups: []settingsview.SettingsGroup{
			{Title: "Delivery", Fields: []templ.Component{ui.RadioField(modes)}},
			{Title: "SMTP server", Note: "A server of your own.", When: "smtp", Fields: []templ.Component{
				ui.TextField(ui.Input{Name: "host", Label: "Host", Value: "smtp.example.com"}),
				ui.SelectField(ui.Select{Name: "tls", Label: "Security", Value: "tls", Options: []ui.Option{{Value: "tls", Label: "TLS"}, {Value: "starttls", Label: "STARTTLS"}}}),
				ui.SecretField(ui.Input{Name: "password", Label: "Password", Hint: "A value is stored. Leave this empty to keep it."}, true),
			}},
			{Title: "Email API", When: "api", Fields: []templ.Component{ui.TextField(wrong)}},
		},
		Trial: settingsview.Trial{
			Action: "/admin/email-settings/test", Note: "Sends a short email with the saved settings.",
			To:   ui.Input{Name: "to", Label: "Email address", Type: "email", Value: "asha@example.com", Required: true},
			Tone: ui.Bad, Title: "Refused by smtp.example.com:587", Remedy: "The provider does not accept this email. Check the recipient, and that you may send from this address.", Label: "Answer of the provider:",
			Answer: "C: RCPT TO:<asha@example.com>\nS: 550 5.1.1 No such mailbox",
		},
		Guide: []settingsview.Guide{{Title: "Request to an email API", Text: "Any 2xx status is success.", Code: ui.Code{Title: "HTTP", Language: "http", Text: "POST https://mail.example.com/emails\nAuthorization: Bearer <API key>"}}},
	}
}

func inboxPage() notificationsview.InboxPage {
	message := notificationsview.InboxMessage{
		Kind: "SMS", Purpose: "registration", Recipient: "+919812345678", SentAt: "21 Nov 2026, 05:19:07", Ago: "2 minutes ago", Machine: "2026-11-21T05:19:07Z",
		Text: []notificationsview.Piece{{Text: "482913 is your Heliograph code, valid for 10 minutes. Do not share it with anyone."}},
	}
	email := message
	email.Kind, email.Purpose, email.Recipient, email.Subject = "Email", "reset", "asha@example.com", "Set a new password"
	email.Text = []notificationsview.Piece{{Text: "Somebody asked for a new password.\n\nOpen "}, {Text: "http://localhost:8080/admin/reset?t=1", Href: "http://localhost:8080/admin/reset?t=1"}, {Text: " within an hour.\n"}}
	old := email
	old.Text, old.Note = nil, "The text is no longer available. Messages are kept for 24 hours."
	return notificationsview.InboxPage{
		Frame: adminFrame("Inbox", "Inbox", ""), Lead: "SMS and emails in virtual mode, as their recipients would see them.",
		Notes: []string{"A provider sends emails now. New emails do not appear here."},
		List: ui.Listing{Summary: "First 3 messages", Filter: ui.Filter{
			Action: "/admin/inbox", Region: ui.List, Inputs: []ui.Input{{Name: "to", Label: "Recipient", Type: "search", Value: "asha"}},
			Selects: []ui.Select{{Name: "kind", Label: "Kind", Options: []ui.Option{{Label: "Any"}, {Value: "sms", Label: "SMS"}}}},
			Clear:   ui.Link{Label: "Show all", Href: "/admin/inbox"},
		}, Table: ui.Table{Rest: ui.Rest{Pages: 1, Link: ui.Link{Label: "Show more messages", Href: "/admin/inbox?before=1"}}}},
		Messages: []notificationsview.InboxMessage{message, email, old},
	}
}

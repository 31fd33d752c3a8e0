package settings

import (
	"cmp"
	"context"
	"strconv"

	"github.com/a-h/templ"

	"heliograph/app/operation/setting"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/operation/settings"
	"heliograph/views/ui"
)

// Email handles the settings of how emails are sent.
func (h *Handlers) Email() *Sending {
	return &Sending{handlers: h, kind: models.KindEmail, path: page.EmailSettingsPath, title: "Email settings", save: h.saveEmail, show: h.showEmail}
}

func (h *Handlers) saveEmail(ctx context.Context, value func(string) string, actor string) error {
	return h.Settings.SaveEmail(ctx, setting.EmailChange{
		Mode: value("mode"), From: value("from"), Contact: value("contact"), Host: value("host"), Port: value("port"), TLS: value("tls"), Username: value("username"),
		Password: models.Secret(value("password")), ForgetPassword: value("forget_password") != "",
		URL: value("url"), APIKey: models.Secret(value("api_key")), ForgetKey: value("forget_api_key") != "",
	}, actor)
}

func (h *Handlers) showEmail(ctx context.Context, p *view.SettingsPage) (stored, error) {
	v, err := h.Settings.Saved().Email(ctx)
	if err != nil {
		return stored{}, err
	}
	p.Lead = "How the portal sends email: password links, invitations and alerts. All emails are plain text."
	p.Guide = emailGuide(v)
	p.Trial = view.Trial{
		Note: "Sends a short email with the saved settings and shows the answer of the provider.",
		To:   ui.Input{Name: "to", Label: "Email address", Type: "email", Required: true},
	}
	return stored{
		values: map[string]string{
			"mode": v.Mode, "from": v.From, "contact": v.Contact, "host": v.Host, "port": strconv.Itoa(v.Port), "tls": v.TLS, "username": v.Username, "url": v.URL,
		},
		groups: func(e *entry) []view.SettingsGroup { return emailGroups(e, v) },
	}, nil
}

// emailGuide shows the request that an email API receives.
func emailGuide(v models.EmailSettings) []view.Guide {
	return []view.Guide{{
		Title: "Request to an email API", Text: "Any 2xx status is success. 408, 425, 429, 5xx and timeouts are tried again until the email expires. Every other status is final. Repeated requests carry the same Idempotency-Key, and the same Message-ID over SMTP.",
		Code: ui.Code{Title: "HTTP", Language: "http", Text: "POST " + cmp.Or(v.URL, "https://mail.example.com/emails") + `
Authorization: Bearer <API key>
Idempotency-Key: 0193a1b2-…
Content-Type: application/json

{"from": "` + cmp.Or(v.From, "Portal <portal@example.com>") + `", "to": ["asha@example.com"],
 "subject": "Set a new password", "text": "…"}`},
	}}
}

func emailGroups(e *entry, v models.EmailSettings) []view.SettingsGroup {
	return []view.SettingsGroup{
		{Title: "Delivery", Fields: []templ.Component{e.radios(ui.Radios{Name: "mode", Label: "How emails are sent", Choices: []ui.Radio{
			{Value: models.ModeVirtual, Label: "Virtual", Note: "No email leaves this system. Emails go to the inbox of the administration."},
			{Value: models.ModeSMTP, Label: "SMTP server", Note: "A mail server sends them."},
			{Value: models.ModeAPI, Label: "Email API", Note: "A provider sends them over HTTP."},
		}})}},
		{Title: "Addresses", Fields: []templ.Component{
			e.text(ui.Input{Name: "from", Label: "From", Placeholder: "Portal <portal@example.com>", Hint: "An address, or a name and an address."}),
			e.text(ui.Input{Name: "contact", Label: "Contact recipient", Type: "email", Hint: "The address that receives the contact form."}),
		}},
		{Title: "SMTP server", When: models.ModeSMTP, Fields: []templ.Component{
			e.text(ui.Input{Name: "host", Label: "Host", Placeholder: "smtp.example.com"}),
			e.text(ui.Input{Name: "port", Label: "Port", Type: "number", Required: true, Hint: "587 is usual with STARTTLS, 465 with TLS."}),
			e.choice(ui.Select{Name: "tls", Label: "Security", Options: []ui.Option{
				{Value: models.TLSStartTLS, Label: "STARTTLS"}, {Value: models.TLSImplicit, Label: "TLS"}, {Value: models.TLSNone, Label: "None (development only)"},
			}}),
			e.text(ui.Input{Name: "username", Label: "User name", Autocomplete: "off"}),
			e.secret(ui.Input{Name: "password", Label: "Password"}, v.Password),
		}},
		{Title: "Email API", When: models.ModeAPI, Fields: []templ.Component{
			e.text(ui.Input{Name: "url", Label: "Email API URL", Type: "url", Placeholder: "https://mail.example.com/emails"}),
			e.secret(ui.Input{Name: "api_key", Label: "API key"}, v.APIKey),
		}},
	}
}

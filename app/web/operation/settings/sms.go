package settings

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"heliograph/app/operation/setting"
	"heliograph/app/people/notification"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/operation/settings"
	"heliograph/views/ui"
)

// SMS handles the settings of how SMS are sent.
func (h *Handlers) SMS() *Sending {
	return &Sending{handlers: h, kind: models.KindSMS, path: page.SMSSettingsPath, title: "SMS settings", save: h.saveSMS, show: h.showSMS}
}

func (h *Handlers) saveSMS(ctx context.Context, value func(string) string, actor string) error {
	return h.Settings.SaveSMS(ctx, setting.SMSChange{
		Mode: value("mode"), EntityID: value("entity_id"), SenderID: value("sender_id"), TemplateID: value("template_id"), URL: value("url"),
		APIKey: models.Secret(value("api_key")), ForgetKey: value("forget_api_key") != "",
		Allowed: value("allowed"), Budget: value("budget"), AlertEmail: value("alert_email"),
	}, actor)
}

func (h *Handlers) showSMS(ctx context.Context, p *view.SettingsPage) (stored, error) {
	v, err := h.Settings.Saved().SMS(ctx)
	if err != nil {
		return stored{}, err
	}
	budget, err := h.Notifications.Budget(ctx, h.DB)
	if err != nil {
		return stored{}, err
	}
	p.Lead = "How the portal sends one-time passwords, to which numbers, and how many a day."
	p.Tone, p.State, p.Notes = budgetState(budget)
	p.Guide = smsGuide(v)
	p.Trial = view.Trial{
		Note: "Sends the code 000000 with the saved settings and shows the answer of the provider. It does not count towards the budget.",
		To:   ui.Input{Name: "to", Label: "Mobile number", Type: "tel", Required: true, Hint: "With country code, such as +91 98123 45678."},
	}
	return stored{
		values: map[string]string{
			"mode": v.Mode, "entity_id": v.EntityID, "sender_id": v.SenderID, "template_id": v.TemplateID, "url": v.URL,
			"allowed": strings.Join(v.Allowed, ", "), "budget": strconv.Itoa(v.Budget), "alert_email": v.AlertEmail,
		},
		groups: func(e *entry) []view.SettingsGroup { return smsGroups(e, v) },
	}, nil
}

func smsGroups(e *entry, v models.SMSSettings) []view.SettingsGroup {
	return []view.SettingsGroup{
		{Title: "Delivery", Fields: []templ.Component{e.radios(ui.Radios{Name: "mode", Label: "How SMS are sent", Choices: []ui.Radio{
			{Value: models.ModeVirtual, Label: "Virtual", Note: "No SMS leaves this system. SMS go to the inbox of the administration."},
			{Value: models.ModeActual, Label: "Actual", Note: "The provider below sends them."},
		}})}},
		{Title: "Provider", Fields: []templ.Component{
			e.text(ui.Input{Name: "url", Label: "SMS API URL", Type: "url", Placeholder: "https://sms.example.com/send"}),
			e.secret(ui.Input{Name: "api_key", Label: "API key"}, v.APIKey),
			e.text(ui.Input{Name: "sender_id", Label: "Sender ID", Hint: "The sender that recipients see."}),
			e.text(ui.Input{Name: "entity_id", Label: "Entity ID", Hint: "The ID of your registration with the operators, if the country requires one."}),
			e.text(ui.Input{Name: "template_id", Label: "Template ID", Hint: "The ID of the registered text, which this page shows."}),
		}},
		{Title: "Limits", Note: "They apply in both modes.", Fields: []templ.Component{
			e.text(ui.Input{Name: "allowed", Label: "Countries and prefixes", Hint: "Destinations of SMS, such as IN, AE or +9198. Empty allows every destination, in virtual mode only."}),
			e.text(ui.Input{Name: "budget", Label: "SMS a day", Type: "number", Required: true, Hint: "Sending stops at this number until midnight UTC."}),
			e.text(ui.Input{Name: "alert_email", Label: "Alert email", Type: "email", Hint: "Receives an email when the budget is spent. Empty alerts every Super Admin."}),
		}},
	}
}

func budgetState(b notification.Budget) (tone ui.Tone, state, notes string) {
	notes = fmt.Sprintf("%s of today's %s SMS (UTC) are used.", listing.Number(b.Used), listing.Number(b.Limit))
	switch {
	case b.IsSpent():
		return ui.Bad, "Stopped", notes + " No codes are sent before midnight."
	case b.IsLow():
		return ui.Warn, "Nearly used up", notes
	}
	return ui.Good, "Within budget", notes
}

// smsGuide shows the text to register and the request that the provider receives.
func smsGuide(v models.SMSSettings) []view.Guide {
	return []view.Guide{
		{
			Title: "Text to register", Text: "Operators compare each SMS with this template. {#var#} stands for code and minutes.",
			Code: ui.Code{Title: "Template", Language: "text", Text: fmt.Sprintf(notification.SMSTemplate, "{#var#}", "{#var#}")},
		},
		{
			Title: "Request to the provider", Text: "Any 2xx status is success. 408, 425, 429, 5xx and timeouts are tried again until the code expires. Every other status is final. Repeated requests carry the same reference and Idempotency-Key.",
			Code: ui.Code{Title: "HTTP", Language: "http", Text: "POST " + cmp.Or(v.URL, "https://sms.example.com/send") + `
Authorization: Bearer <API key>
Idempotency-Key: 0193a1b2-…
Content-Type: application/x-www-form-urlencoded

to=%2B919812345678&text=482913+is+your+…&reference=0193a1b2-…
&sender_id=` + cmp.Or(v.SenderID, "HELIOG") + `&entity_id=` + cmp.Or(v.EntityID, "1101…") + `&template_id=` + cmp.Or(v.TemplateID, "1107…")},
		},
	}
}

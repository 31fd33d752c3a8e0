package admin

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"heliograph/app/notification"
	"heliograph/app/setting"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

const smsSettingsPath = "/admin/sms-settings"

// smsForm is what the form of the SMS settings sends.
type smsForm struct {
	Mode       string `form:"mode"`
	EntityID   string `form:"entity_id"`
	SenderID   string `form:"sender_id"`
	TemplateID string `form:"template_id"`
	URL        string `form:"url"`
	APIKey     string `form:"api_key"`
	ForgetKey  string `form:"forget_api_key"`
	Allowed    string `form:"allowed"`
	Budget     string `form:"budget"`
	AlertEmail string `form:"alert_email"`
}

func (f smsForm) change() setting.SMSChange {
	return setting.SMSChange{
		Mode: f.Mode, EntityID: f.EntityID, SenderID: f.SenderID, TemplateID: f.TemplateID, URL: f.URL,
		APIKey: models.Secret(f.APIKey), ForgetKey: f.ForgetKey != "", Allowed: f.Allowed, Budget: f.Budget, AlertEmail: f.AlertEmail,
	}
}

// values are the fields as the browser shows them again: never the key.
func (f smsForm) values() map[string]string {
	return map[string]string{
		"mode": f.Mode, "entity_id": f.EntityID, "sender_id": f.SenderID, "template_id": f.TemplateID, "url": f.URL,
		"allowed": f.Allowed, "budget": f.Budget, "alert_email": f.AlertEmail,
	}
}

func storedSMS(v models.SMSSettings) smsForm {
	return smsForm{
		Mode: v.Mode, EntityID: v.EntityID, SenderID: v.SenderID, TemplateID: v.TemplateID, URL: v.URL,
		Allowed: strings.Join(v.Allowed, ", "), Budget: strconv.Itoa(v.Budget), AlertEmail: v.AlertEmail,
	}
}

// ShowSMSSettings shows how SMS are sent.
func (h *Handlers) ShowSMSSettings(c echo.Context) error {
	return h.renderSMSSettings(c, http.StatusOK, smsView{})
}

// SaveSMSSettings changes how SMS are sent.
func (h *Handlers) SaveSMSSettings(c echo.Context) error {
	var form smsForm
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	err := h.Settings.SaveSMS(c.Request().Context(), form.change(), page.User(c).Actor())
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderSMSSettings(c, status, smsView{form: &form, problems: problems})
		})
	}
	return page.Done(c, smsSettingsPath, "saved")
}

// TestSMSSettings sends a test.
func (h *Handlers) TestSMSSettings(c echo.Context) error {
	return h.sendTrial(c, models.KindSMS, smsSettingsPath, func(status int, refused *page.Problems) error {
		return h.renderSMSSettings(c, status, smsView{refused: refused})
	})
}

// smsView is what happened before the page is shown. Everything may be zero.
type smsView struct {
	form     *smsForm // that was sent and cannot be saved
	problems *page.Problems
	refused  *page.Problems // with a test
}

func (h *Handlers) renderSMSSettings(c echo.Context, status int, v smsView) error {
	ctx := c.Request().Context()
	stored, err := h.Settings.SMS(ctx)
	if err != nil {
		return err
	}
	budget, err := h.Notifications.Budget(ctx, h.DB)
	if err != nil {
		return err
	}
	form := storedSMS(stored)
	if v.form != nil {
		form = *v.form
	}
	e := &entry{values: form.values(), problems: orNone(v.problems)}
	p := view.SettingsPage{
		Frame:  frame(c, "SMS settings", smsSettingsPath),
		Lead:   "How one-time passwords reach people, which numbers may receive them, and how many a day.",
		Action: smsSettingsPath, Problem: e.problems.Form, Groups: smsGroups(e, stored), Save: "Save SMS settings",
		Guide: smsGuide(stored),
	}
	p.Invalid = e.invalid
	p.Tone, p.State, p.Notes = budgetState(budget)
	p.Done = saved(c)
	p.Trial, err = h.trial(c, models.KindSMS, view.Trial{
		Action: smsSettingsPath + "/test", Note: "Sends the code 000000 by the settings as they are saved, and shows the provider's own answer. It does not count for the budget.",
		To: ui.Input{Name: "to", Label: "Mobile number", Type: "tel", Required: true, Hint: "With country code, such as +91 98123 45678."},
	}, v.refused)
	if err != nil {
		return err
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Settings(p)})
}

func smsGroups(e *entry, stored models.SMSSettings) []view.SettingsGroup {
	return []view.SettingsGroup{
		{Title: "Delivery", Fields: []templ.Component{e.radios(ui.Radios{Name: "mode", Label: "How SMS are sent", Choices: []ui.Radio{
			{Value: models.ModeVirtual, Label: "Virtual", Note: "Nothing leaves this system: SMS go to the inbox of the administration."},
			{Value: models.ModeActual, Label: "Actual", Note: "The provider below sends them."},
		}})}},
		{Title: "Provider", Fields: []templ.Component{
			e.text(ui.Input{Name: "url", Label: "SMS API URL", Type: "url", Placeholder: "https://sms.example.com/send"}),
			e.secret(ui.Input{Name: "api_key", Label: "API key"}, stored.APIKey),
			e.text(ui.Input{Name: "sender_id", Label: "Sender ID", Hint: "What recipients see as the sender."}),
			e.text(ui.Input{Name: "entity_id", Label: "Entity ID", Hint: "Of your registration with the operators, where the country has one."}),
			e.text(ui.Input{Name: "template_id", Label: "Template ID", Hint: "Of the registered text, which this page shows."}),
		}},
		{Title: "Limits", Note: "They hold in both modes.", Fields: []templ.Component{
			e.text(ui.Input{Name: "allowed", Label: "Countries and prefixes", Hint: "Where SMS may go, such as IN, AE or +9198. Empty is everywhere, in virtual mode only."}),
			e.text(ui.Input{Name: "budget", Label: "SMS a day", Type: "number", Required: true, Hint: "At this number sending stops until midnight UTC."}),
			e.text(ui.Input{Name: "alert_email", Label: "Tell when it is used up", Type: "email", Hint: "Empty tells every Super Admin."}),
		}},
	}
}

func budgetState(b notification.Budget) (tone ui.Tone, state, notes string) {
	notes = fmt.Sprintf("%s of %s SMS of today (UTC) are used.", number(int64(b.Used)), number(int64(b.Limit)))
	switch {
	case b.Spent():
		return ui.Bad, "Stopped", notes + " No codes are sent before midnight."
	case b.Low():
		return ui.Warn, "Nearly used up", notes
	}
	return ui.Good, "Within budget", notes
}

// smsGuide shows what the provider gets.
func smsGuide(v models.SMSSettings) []view.Guide {
	return []view.Guide{
		{
			Title: "Text to register", Text: "Operators compare each SMS with this template; {#var#} stands for code and minutes.",
			Code: ui.Code{Title: "Template", Language: "text", Text: fmt.Sprintf(notification.SMSTemplate, "{#var#}", "{#var#}")},
		},
		{
			Title: "Request to the provider", Text: "Any 2xx status is success. 408, 425, 429, 5xx and silence are tried again until the code expires; every other status is final. Repeated requests carry the same reference and Idempotency-Key.",
			Code: ui.Code{Title: "HTTP", Language: "http", Text: "POST " + cmp.Or(v.URL, "https://sms.example.com/send") + `
Authorization: Bearer <API key>
Idempotency-Key: 0193a1b2-…
Content-Type: application/x-www-form-urlencoded

to=%2B919812345678&text=482913+is+your+…&reference=0193a1b2-…
&sender_id=` + cmp.Or(v.SenderID, "HELIOG") + `&entity_id=` + cmp.Or(v.EntityID, "1101…") + `&template_id=` + cmp.Or(v.TemplateID, "1107…")},
		},
	}
}

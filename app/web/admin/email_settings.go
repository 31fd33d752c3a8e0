package admin

import (
	"cmp"
	"net/http"
	"strconv"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"heliograph/app/setting"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

const emailSettingsPath = "/admin/email-settings"

// emailForm is what the form of the email settings sends.
type emailForm struct {
	Mode           string `form:"mode"`
	From           string `form:"from"`
	Contact        string `form:"contact"`
	Host           string `form:"host"`
	Port           string `form:"port"`
	TLS            string `form:"tls"`
	Username       string `form:"username"`
	Password       string `form:"password"`
	ForgetPassword string `form:"forget_password"`
	URL            string `form:"url"`
	APIKey         string `form:"api_key"`
	ForgetKey      string `form:"forget_api_key"`
}

func (f emailForm) change() setting.EmailChange {
	return setting.EmailChange{
		Mode: f.Mode, From: f.From, Contact: f.Contact, Host: f.Host, Port: f.Port, TLS: f.TLS, Username: f.Username,
		Password: models.Secret(f.Password), ForgetPassword: f.ForgetPassword != "",
		URL: f.URL, APIKey: models.Secret(f.APIKey), ForgetKey: f.ForgetKey != "",
	}
}

// values are the fields as the browser shows them again: never a secret.
func (f emailForm) values() map[string]string {
	return map[string]string{
		"mode": f.Mode, "from": f.From, "contact": f.Contact, "host": f.Host, "port": f.Port, "tls": f.TLS, "username": f.Username, "url": f.URL,
	}
}

func storedEmail(v models.EmailSettings) emailForm {
	return emailForm{
		Mode: v.Mode, From: v.From, Contact: v.Contact, Host: v.Host, Port: strconv.Itoa(v.Port), TLS: v.TLS, Username: v.Username, URL: v.URL,
	}
}

// ShowEmailSettings shows how emails are sent.
func (h *Handlers) ShowEmailSettings(c echo.Context) error {
	return h.renderEmailSettings(c, http.StatusOK, emailView{})
}

// SaveEmailSettings changes how emails are sent.
func (h *Handlers) SaveEmailSettings(c echo.Context) error {
	var form emailForm
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	err := h.Settings.SaveEmail(c.Request().Context(), form.change(), page.User(c).Actor())
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderEmailSettings(c, status, emailView{form: &form, problems: problems})
		})
	}
	return page.Done(c, emailSettingsPath, "saved")
}

// TestEmailSettings sends a test.
func (h *Handlers) TestEmailSettings(c echo.Context) error {
	return h.sendTrial(c, models.KindEmail, emailSettingsPath, func(status int, refused *page.Problems) error {
		return h.renderEmailSettings(c, status, emailView{refused: refused})
	})
}

// emailView is what happened before the page is shown. Everything may be zero.
type emailView struct {
	form     *emailForm // that was sent and cannot be saved
	problems *page.Problems
	refused  *page.Problems // with a test
}

func (h *Handlers) renderEmailSettings(c echo.Context, status int, v emailView) error {
	stored, err := h.Settings.Email(c.Request().Context())
	if err != nil {
		return err
	}
	form := storedEmail(stored)
	if v.form != nil {
		form = *v.form
	}
	e := &entry{values: form.values(), problems: orNone(v.problems)}
	p := view.SettingsPage{
		Frame:  frame(c, "Email settings", emailSettingsPath),
		Lead:   "How letters reach people: links to set a password, invitations, alerts. They are plain text.",
		Action: emailSettingsPath, Problem: e.problems.Form, Groups: emailGroups(e, stored), Save: "Save email settings",
		Guide: []view.Guide{{
			Title: "Request to an email API", Text: "Any 2xx status is success. 408, 425, 429, 5xx and silence are tried again until the letter expires; every other status is final. Repeated requests carry the same Idempotency-Key, over SMTP the same Message-ID.",
			Code: ui.Code{Title: "HTTP", Language: "http", Text: "POST " + cmp.Or(stored.URL, "https://mail.example.com/emails") + `
Authorization: Bearer <API key>
Idempotency-Key: 0193a1b2-…
Content-Type: application/json

{"from": "` + cmp.Or(stored.From, "Portal <portal@example.com>") + `", "to": ["asha@example.com"],
 "subject": "Set a new password", "text": "…"}`},
		}},
	}
	p.Invalid, p.Done = e.invalid, saved(c)
	p.Trial, err = h.trial(c, models.KindEmail, view.Trial{
		Action: emailSettingsPath + "/test", Note: "Sends a short letter by the settings as they are saved, and shows the provider's own answer.",
		To: ui.Input{Name: "to", Label: "Email address", Type: "email", Required: true},
	}, v.refused)
	if err != nil {
		return err
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Settings(p)})
}

func emailGroups(e *entry, stored models.EmailSettings) []view.SettingsGroup {
	return []view.SettingsGroup{
		{Title: "Delivery", Fields: []templ.Component{e.radios(ui.Radios{Name: "mode", Label: "How emails are sent", Choices: []ui.Radio{
			{Value: models.ModeVirtual, Label: "Virtual", Note: "Nothing leaves this system: letters go to the inbox of the administration."},
			{Value: models.ModeSMTP, Label: "SMTP server", Note: "A mail server takes them."},
			{Value: models.ModeAPI, Label: "Email API", Note: "A provider takes them over HTTP."},
		}})}},
		{Title: "Addresses", Fields: []templ.Component{
			e.text(ui.Input{Name: "from", Label: "From", Placeholder: "Portal <portal@example.com>", Hint: "An address, or a name and an address."}),
			e.text(ui.Input{Name: "contact", Label: "Contact recipient", Type: "email", Hint: "Who gets what visitors write."}),
		}},
		{Title: "SMTP server", When: models.ModeSMTP, Fields: []templ.Component{
			e.text(ui.Input{Name: "host", Label: "Host", Placeholder: "smtp.example.com"}),
			e.text(ui.Input{Name: "port", Label: "Port", Type: "number", Required: true, Hint: "587 is usual with STARTTLS, 465 with TLS."}),
			e.choice(ui.Select{Name: "tls", Label: "Security", Options: []ui.Option{
				{Value: models.TLSStartTLS, Label: "STARTTLS"}, {Value: models.TLSImplicit, Label: "TLS"}, {Value: models.TLSNone, Label: "None (development only)"},
			}}),
			e.text(ui.Input{Name: "username", Label: "User name", Autocomplete: "off"}),
			e.secret(ui.Input{Name: "password", Label: "Password"}, stored.Password),
		}},
		{Title: "Email API", When: models.ModeAPI, Fields: []templ.Component{
			e.text(ui.Input{Name: "url", Label: "Email API URL", Type: "url", Placeholder: "https://mail.example.com/emails"}),
			e.secret(ui.Input{Name: "api_key", Label: "API key"}, stored.APIKey),
		}},
	}
}

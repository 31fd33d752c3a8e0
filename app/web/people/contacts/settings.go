package contacts

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/operation/setting"
	"heliograph/app/people/notification"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/views/forms"
	view "heliograph/views/people/contacts"
	"heliograph/views/ui"
)

const (
	contactSettingsPath = "/admin/contacts/settings"
	contactSecretPath   = contactSettingsPath + "/secret"
	// secretCookie carries a new secret to the page that shows it once.
	secretCookie = "contact-secret"
)

// contactSettings is the form of the settings.
type contactSettings struct {
	URL       string `form:"url"`
	Editors   string `form:"editors"`
	Keep      string `form:"keep_days"`
	KeepSpam  string `form:"keep_spam_days"`
	Challenge string `form:"challenge"`
}

// ShowSettings shows the settings of enquiries.
func (h *Handlers) ShowSettings(c echo.Context) error {
	return h.renderContactSettings(c, http.StatusOK, nil, &page.Problems{})
}

// SaveSettings changes the settings of enquiries.
func (h *Handlers) SaveSettings(c echo.Context, f contactSettings) error {
	fresh, err := h.Settings.SaveContact(c.Request().Context(), setting.ContactChange{
		URL: f.URL, Editors: f.Editors != "", KeepDays: f.Keep, KeepSpamDays: f.KeepSpam, Challenge: f.Challenge,
	}, page.User(c).Actor())
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderContactSettings(c, status, &f, problems)
		})
	}
	if fresh == "" {
		return page.Done(c, contactSettingsPath, "saved")
	}
	return h.revealSecret(c, string(fresh))
}

// AskSecret asks before the signing secret is replaced.
func (h *Handlers) AskSecret(c echo.Context) (*page.Question, error) {
	f := page.AdministrationFrame(c, "Make a new secret", page.ContactsPath).Under("Settings", contactSettingsPath)
	return &page.Question{Frame: f, Question: ui.Question{
		Region: ui.Confirm.Of("secret"), Text: "The new secret is shown once. For a day the webhook is signed with the previous one as well.",
		Action: ui.Post{Label: "Make a new secret", Kind: ui.Primary}, Back: ui.Link{Label: "Keep the secret"},
	}}, nil
}

// ReplaceSecret makes a new signing secret. The next page shows it once.
func (h *Handlers) ReplaceSecret(c echo.Context) error {
	secret, err := h.Settings.ReplaceContactSecret(c.Request().Context(), page.User(c).Actor())
	if err != nil {
		return err
	}
	return h.revealSecret(c, string(secret))
}

// revealSecret sends the browser to the page that shows a new secret once.
func (h *Handlers) revealSecret(c echo.Context, secret string) error {
	if err := h.Gate.Keep(c, secretCookie, secret, time.Minute); err != nil {
		return err
	}
	return page.Done(c, contactSettingsPath, "secret")
}

// Erase asks before what is stored about a person is erased, and erases it
// when that is confirmed.
func (h *Handlers) Erase(c echo.Context) error {
	var f struct {
		Email     string `form:"email"`
		Confirmed bool   `form:"confirmed"`
	}
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	if _, problem := notification.NormaliseAddress(f.Email); problem == "" && !f.Confirmed {
		fr := page.AdministrationFrame(c, "Erase "+strings.TrimSpace(f.Email), page.ContactsPath).Under("Settings", contactSettingsPath)
		return page.Question{Frame: fr, Question: ui.Question{
			Region: ui.Confirm.Of("erase"), Text: "Every enquiry of this address is deleted, with its history and emails. What was delivered to your mailbox and your webhook stays there. This cannot be undone.",
			Action: ui.Post{
				Action: page.ContactsPath + "/erasure", Label: "Erase everything about this person", Kind: ui.Danger,
				Values: []ui.Pair{{Key: "email", Value: f.Email}, {Key: "confirmed", Value: "true"}},
			},
			Back: ui.Link{Label: "Erase nothing", Href: contactSettingsPath},
		}}.Show(c)
	}
	n, err := h.Contact.Desk.Erase(c.Request().Context(), page.User(c), f.Email)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderContactSettings(c, status, nil, problems)
		})
	}
	h.Signals.Add(Topic, 0)
	return page.Done(c, contactSettingsPath, fmt.Sprintf("erased-%d", n))
}

func (h *Handlers) renderContactSettings(c echo.Context, status int, sent *contactSettings, problems *page.Problems) error {
	v, err := h.Settings.Saved().Contact(c.Request().Context())
	if err != nil {
		return err
	}
	if sent == nil {
		sent = &contactSettings{URL: v.URL, Keep: listing.Plain(int64(v.KeepDays)), KeepSpam: listing.Plain(int64(v.KeepSpamDays)), Challenge: v.Challenge}
		if v.Editors {
			sent.Editors = "yes"
		}
	}
	p := view.ContactSettingsPage{Frame: page.AdministrationFrame(c, "Contact settings", page.ContactsPath), Settings: contactSettingsForm(*sent, problems)}
	p.Up, p.Settings.CSRF = ui.Link{Label: "Contacts", Href: page.ContactsPath}, p.CSRF
	p.Done = contactSettingsDone(c.QueryParam("done"))
	p.SecretNote = "The webhook has no secret yet. It gets one when its URL is saved."
	if v.Secret != "" {
		p.SecretNote = "The webhook is signed as Standard Webhooks describes. Receivers verify it with this secret."
		p.Replace = ui.Ask{Link: ui.Link{Label: "Make a new secret", Href: contactSecretPath}, Region: ui.Confirm.Of("secret")}
	}
	var fresh string
	if c.QueryParam("done") == "secret" && h.Gate.Kept(c, secretCookie, &fresh) {
		h.Gate.Forget(c, secretCookie)
		p.Secret = ui.Code{Title: "Signing secret", Language: "text", Text: fresh}
	}
	p.Erase = forms.Form{
		Name: "erase", Action: page.ContactsPath + "/erasure", CSRF: p.CSRF, Submit: "Erase this person", Danger: true,
		Inputs: []ui.Input{{
			Name: "email", Label: "Email address", Type: "email", Required: true,
			Hint:  "Deletes every enquiry of this address with its history and emails. It cannot be undone.",
			Error: problems.Fields["email"],
		}},
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.ContactSettings(p), Region: page.Current(status)})
}

func contactSettingsDone(word string) string {
	var n int
	if _, err := fmt.Sscanf(word, "erased-%d", &n); err == nil {
		return fmt.Sprintf("Erased enquiries: %d.", n)
	}
	return map[string]string{"saved": "The settings are saved.", "secret": "The webhook has a new secret."}[word]
}

func contactSettingsForm(f contactSettings, problems *page.Problems) forms.Form {
	form := forms.Form{
		Name: "settings", Action: contactSettingsPath, Problem: problems.Form, Submit: "Save the settings",
		Inputs: []ui.Input{
			{Name: "url", Label: "Webhook URL", Type: "url", Value: f.URL, Placeholder: "https://crm.example.com/enquiries", Hint: "Receives each enquiry as a signed POST.", Error: problems.Fields["url"]},
			{Name: "keep_days", Label: "Keep enquiries for (days)", Type: "number", Value: f.Keep, Required: true, Hint: "Counted from the last change.", Error: problems.Fields["keep_days"]},
			{Name: "keep_spam_days", Label: "Keep spam for (days)", Type: "number", Value: f.KeepSpam, Required: true, Error: problems.Fields["keep_spam_days"]},
		},
		Selects: []ui.Select{{Name: "challenge", Label: "Proof of work", Value: f.Challenge, Hint: "Browsers compute for about a second. Senders without script confirm by email.", Error: problems.Fields["challenge"], Options: []ui.Option{
			{Value: "busy", Label: "When many enquiries come"}, {Value: "on", Label: "Always"}, {Value: "off", Label: "Never"},
		}}},
		Checks: []ui.Checks{{Name: "editors", Label: "Editors", Options: []ui.Option{{Value: "yes", Label: "May change status, assignment and notes"}}}},
		Other:  ui.Link{Label: "Email recipient", Href: page.EmailSettingsPath},
	}
	if f.Editors != "" {
		form.Checks[0].Values = []string{"yes"}
	}
	return form
}

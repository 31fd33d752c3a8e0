package organisations

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/sms"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/web/channels/headers"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/views/forms"
	view "heliograph/views/people/organisations"
	"heliograph/views/ui"
)

// flagsForm is the form about what an organisation may do with SMS.
type flagsForm struct {
	State     string   `form:"state"`
	Class     string   `form:"class"`
	Allows    []string `form:"allows"`
	Expires   string   `form:"expires"` // a day in UTC; empty for never
	Addresses string   `form:"addresses"`
}

// flagNames are the values of the checkboxes with the fields that they set.
var flagNames = []struct {
	value, label string
	field        func(*models.SMSAccount) *bool
}{
	{"api_access", "Use the API (code 339)", func(a *models.SMSAccount) *bool { return &a.APIAccess }},
	{"promotional", "Use promotional headers (331)", func(a *models.SMSAccount) *bool { return &a.Promotional }},
	{"scheduling", "Schedule messages (314)", func(a *models.SMSAccount) *bool { return &a.Scheduling }},
	{"international", "Send to other countries than India (340)", func(a *models.SMSAccount) *bool { return &a.International }},
	{"auto_unicode", "Send plain texts with other characters as Unicode (317)", func(a *models.SMSAccount) *bool { return &a.AutoUnicode }},
	{"wide_reference", "Join parts by a 16-bit reference", func(a *models.SMSAccount) *bool { return &a.WideReference }},
	{"return_otp", "Read one-time passwords in answers (returnotp)", func(a *models.SMSAccount) *bool { return &a.ReturnOTP }},
}

var smsStates = []ui.Option{
	{Value: sms.StateActive, Label: "Active"}, {Value: sms.StateInactive, Label: "Inactive (309)"},
	{Value: sms.StateSuspended, Label: "Suspended (308)"}, {Value: sms.StateDeactivated, Label: "Deactivated (305)"},
}

var smsClasses = []ui.Option{{Value: sms.ClassStandard, Label: "Standard"}, {Value: sms.ClassOTP, Label: "One-time passwords: one recipient at a time (331)"}}

const dayLayout = "2006-01-02"

// newFlagsForm returns the form of an account as it is stored.
func newFlagsForm(a models.SMSAccount) flagsForm {
	f := flagsForm{State: a.State, Class: a.Class, Addresses: strings.Join(a.AllowedAddresses, ", ")}
	for _, flag := range flagNames {
		if *flag.field(&a) {
			f.Allows = append(f.Allows, flag.value)
		}
	}
	if a.ExpiresAt != nil {
		f.Expires = a.ExpiresAt.UTC().Format(dayLayout)
	}
	return f
}

func (f flagsForm) account() (models.SMSAccount, error) {
	a := models.SMSAccount{State: f.State, Class: f.Class, AllowedAddresses: strings.FieldsFunc(f.Addresses, func(r rune) bool { return r == ',' || r == '\n' })}
	for _, flag := range flagNames {
		*flag.field(&a) = slices.Contains(f.Allows, flag.value)
	}
	if f.Expires == "" {
		return a, nil
	}
	at, err := time.Parse(dayLayout, f.Expires)
	if err != nil {
		return a, fault.InvalidFields(fault.Field{Name: "expires", Message: "Enter a day, such as 2027-03-31, or nothing."})
	}
	a.ExpiresAt = &at
	return a, nil
}

// ShowSMS shows what an organisation may do with SMS.
func (h *Handlers) ShowSMS(c echo.Context, id int64) error {
	return h.renderOrganisationSMS(c, http.StatusOK, id, flagsState{problems: &page.Problems{}})
}

// SetSMS stores what an organisation may do with SMS.
func (h *Handlers) SetSMS(c echo.Context, id int64) error {
	if _, err := h.organisationEntry(c, id); err != nil {
		return err
	}
	var f flagsForm
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	account, err := f.account()
	if err == nil {
		err = h.SMS.SetFlags(c.Request().Context(), sms.By{OrganisationID: id, Actor: page.User(c).Actor()}, account)
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderOrganisationSMS(c, status, id, flagsState{form: &f, problems: problems})
		})
	}
	return page.Done(c, organisationSMSPath(id), "sms")
}

// SetNumbers stores the numbers at which an organisation receives SMS.
func (h *Handlers) SetNumbers(c echo.Context, id int64) error {
	if _, err := h.organisationEntry(c, id); err != nil {
		return err
	}
	var f struct {
		Numbers string `form:"numbers"`
	}
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	numbers := strings.FieldsFunc(f.Numbers, func(r rune) bool { return r == ',' || r == '\n' })
	if err := h.SMS.SetNumbers(c.Request().Context(), sms.By{OrganisationID: id, Actor: page.User(c).Actor()}, numbers); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderOrganisationSMS(c, status, id, flagsState{numbers: &f.Numbers, problems: problems})
		})
	}
	return page.Done(c, organisationSMSPath(id), "sms")
}

func organisationSMSPath(id int64) string {
	return page.OrganisationsPath + "/" + listing.Plain(id) + "/sms"
}

// organisationEntry returns an organisation; an unknown one is NotFound.
func (h *Handlers) organisationEntry(c echo.Context, id int64) (models.OrganisationEntry, error) {
	o, err := queries.OrganisationEntryGet(c.Request().Context(), h.DB, id)
	if db.IsNoRows(err) {
		return o, fault.New(fault.NotFound, "This organisation does not exist.")
	}
	return o, err
}

// flagsState is what was sent, or nil, and what is wrong with it.
type flagsState struct {
	form     *flagsForm
	numbers  *string
	problems *page.Problems
}

func (h *Handlers) renderOrganisationSMS(c echo.Context, status int, id int64, s flagsState) error {
	o, err := h.organisationEntry(c, id)
	if err != nil {
		return err
	}
	account, err := h.SMS.Account(c.Request().Context(), id)
	if err != nil {
		return err
	}
	p := view.OrganisationSMSPage{Frame: page.AdministrationFrame(c, "SMS of "+o.Name, page.OrganisationsPath).Under(o.Name, page.OrganisationsPath+"/"+listing.Plain(id))}
	numbers, err := h.SMS.Numbers(c.Request().Context(), id)
	if err != nil {
		return err
	}
	received := strings.Join(numbers, ", ")
	p.Facts = append(smsFacts(account), ui.Pair{Key: "Receives SMS at", Value: received, Mono: true})
	if c.QueryParam("done") == "sms" {
		p.Done = "Saved. New requests follow these settings."
	}
	f := newFlagsForm(account.SMSAccount)
	if s.form != nil {
		f = *s.form
	}
	if page.User(c).Role == identity.SuperAdmin {
		p.Change = flagsFields(id, f, p.CSRF, s.problems)
		if s.numbers != nil {
			received = *s.numbers
		}
		p.Numbers = forms.Form{
			Name: "numbers", Action: organisationSMSPath(id) + "/numbers", CSRF: p.CSRF, Submit: "Save the numbers", Quiet: true,
			Inputs: []ui.Input{{
				Name: "numbers", Label: "Numbers", Value: received, Placeholder: "56767, +919812345678", Error: s.problems.Fields["numbers"],
				Hint: "Short codes and numbers with commas between them. What people send to them goes to this organisation, and so do answers to its headers.",
			}},
		}
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.OrganisationSMS(p)})
}

func smsFacts(a *sms.Account) []ui.Pair {
	names := make([]string, 0, len(a.Headers)+len(a.Pending))
	for _, h := range slices.Concat(a.Headers, a.Pending) {
		name := h.Header
		if !a.Sandbox && h.State != models.HeaderGranted {
			name += " (" + strings.ToLower(headers.StateWord(h.State)) + ")"
		}
		names = append(names, name)
	}
	stored := newFlagsForm(a.SMSAccount)
	facts := []ui.Pair{
		{Key: "State", Value: ui.LabelOf(smsStates, a.State)}, {Key: "Class", Value: ui.LabelOf(smsClasses, a.Class)},
		{Key: "Headers", Value: strings.Join(names, ", "), Mono: true}, {Key: "Stored texts", Value: listing.Number(len(a.Templates))},
	}
	for _, flag := range flagNames {
		value := "No"
		if slices.Contains(stored.Allows, flag.value) {
			value = "Yes"
		}
		facts = append(facts, ui.Pair{Key: flag.label, Value: value})
	}
	for _, fact := range []ui.Pair{{Key: "Expires (UTC)", Value: stored.Expires}, {Key: "Allowed addresses", Value: stored.Addresses, Mono: true}, {Key: "DLT entity id", Value: a.EntityID, Mono: true}} {
		if fact.Value != "" {
			facts = append(facts, fact)
		}
	}
	return facts
}

func flagsFields(id int64, f flagsForm, csrf string, problems *page.Problems) forms.Form {
	options := make([]ui.Option, len(flagNames))
	for i, flag := range flagNames {
		options[i] = ui.Option{Value: flag.value, Label: flag.label}
	}
	wrong := problems.Fields
	return forms.Form{
		Name: "flags", Action: organisationSMSPath(id), CSRF: csrf, Problem: problems.Form, Submit: "Save what it may do",
		Selects: []ui.Select{
			{Name: "state", Label: "State", Value: f.State, Options: smsStates, Hint: "Requests of an account that is not active are refused with the code.", Error: wrong["state"]},
			{Name: "class", Label: "Class", Value: f.Class, Options: smsClasses, Error: wrong["class"]},
		},
		Checks: []ui.Checks{{Name: "allows", Label: "It may", Options: options, Values: f.Allows, Hint: "Anything else is refused with the code.", Error: wrong["allows"]}},
		Inputs: []ui.Input{
			{Name: "expires", Label: "Expires (UTC)", Type: "date", Value: f.Expires, Hint: "Requests from this day on are refused with code 307.", Error: wrong["expires"]},
			{
				Name: "addresses", Label: "Allowed addresses", Value: f.Addresses,
				Hint:  "Addresses and networks with commas between them. Others are refused with code 338. Empty allows all.",
				Error: wrong["addresses"],
			},
		},
	}
}

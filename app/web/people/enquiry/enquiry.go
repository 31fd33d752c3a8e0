// Package enquiry serves the contact form, which everybody can send.
package enquiry

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/people/contact"
	"heliograph/app/web/page"
	"heliograph/views/layout"
	view "heliograph/views/people/enquiry"
	"heliograph/views/ui"
)

// Handlers handle the contact form.
type Handlers struct {
	// Frame returns the frame of a page of readers.
	Frame func() layout.Page
	// PublicURL is the public address of the portal, without a slash at its end.
	PublicURL string
	Gate      *page.Gate // of visitors
	Contacts  *contact.Service
}

// enquiryForm is what the form sends.
type enquiryForm struct {
	Organisation string `form:"organisation"`
	Website      string `form:"website"`
	GSTNumber    string `form:"gst_number"`
	Name         string `form:"name"`
	Email        string `form:"email"`
	Phones       string `form:"phones"`
	Message      string `form:"message"`
	Consent      string `form:"consent"`
	Page         string `form:"page"`
	Trap         string `form:"fax_extension"`
	Stamp        string `form:"stamp"`
	Proof        string `form:"proof"`
}

// Show shows the form. The query "page", or the page that the browser comes from,
// is the page that the enquiry is about.
func (h *Handlers) Show(c echo.Context) error {
	stamp, err := h.Contacts.Stamps.New(c.Request().Context())
	if err != nil {
		return err
	}
	return h.render(c, http.StatusOK, enquiryForm{Page: h.about(c), Stamp: stamp}, &page.Problems{})
}

// about returns the path of the page that the form was opened from, or an empty
// string.
func (h *Handlers) about(c echo.Context) string {
	if path := contact.LocalPath(c.QueryParam("page")); path != "" {
		return path
	}
	from, err := url.Parse(c.Request().Referer())
	if err != nil || from.Scheme+"://"+from.Host != h.PublicURL || from.Path == "/" || from.Path == formPath || strings.HasPrefix(from.Path, formPath+"/") {
		return ""
	}
	return contact.LocalPath(from.EscapedPath())
}

// Submit stores an enquiry. The next page thanks for it.
func (h *Handlers) Submit(c echo.Context) error {
	var f enquiryForm
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	ctx := c.Request().Context()
	receipt, err := h.Contacts.Submit(ctx, contact.Form{
		Organisation: f.Organisation, Website: f.Website, GSTNumber: f.GSTNumber, Name: f.Name, Email: f.Email, Phones: f.Phones,
		Message: f.Message, Consent: f.Consent != "", Page: f.Page, Trap: f.Trap, Stamp: f.Stamp, Proof: f.Proof,
	}, limit.Client(c.RealIP()))
	if err != nil {
		asked := fault.As(err) != nil && fault.As(err).Code == contact.AskedAgain
		return page.Again(c, err, func(status int, problems *page.Problems) (err error) {
			if f.Stamp, err = h.Contacts.Stamps.Next(ctx, f.Stamp, asked); err != nil {
				return err
			}
			if asked {
				f.Trap = ""
			}
			return h.render(c, status, f, problems)
		})
	}
	if err := h.Gate.Keep(c, receiptCookie, receipt, time.Hour); err != nil {
		return err
	}
	return page.SeeOther(c, formPath+"/thanks")
}

const (
	formPath      = "/contact-us"
	receiptCookie = "enquiry"
)

// Thank shows the reference of the enquiry that this browser sent last.
func (h *Handlers) Thank(c echo.Context) error {
	var receipt contact.Receipt
	if !h.Gate.Kept(c, receiptCookie, &receipt) {
		return page.SeeOther(c, formPath)
	}
	p := view.AnswerPage{
		Page: h.frame(c, "Thank you"), Heading: "Thank you", Lead: "We received your enquiry and will answer to " + receipt.Email + ".", Reference: receipt.Reference,
		Notes: []string{"We have sent you an email with this reference. Quote it if you write to us again."},
		Next:  ui.Link{Label: "Back to the documentation", Href: "/"},
	}
	if receipt.Confirm {
		p.Title, p.Heading = "Confirm your enquiry", "One more step"
		p.Lead = "We have sent an email to " + receipt.Email + ". Open its link within seven days to send us your enquiry."
		p.Notes = []string{"This confirms that a person wrote the enquiry. If no email arrives, check the address and send the form again."}
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Answer(p)})
}

// ShowConfirm shows the page of the link that confirms an enquiry. Programs that
// open the links of emails confirm nothing.
func (h *Handlers) ShowConfirm(c echo.Context) error {
	token := c.QueryParam("token")
	e, err := h.Contacts.CheckConfirmation(c.Request().Context(), token)
	if err != nil {
		return err
	}
	p := view.AnswerPage{
		Page: h.frame(c, "Confirm your enquiry"), Heading: "Confirm your enquiry", Lead: "We receive your enquiry when you confirm it.", Reference: e.Reference,
	}
	p.Action = &ui.Post{Action: contact.ConfirmPath, CSRF: page.Token(c), Label: "Confirm", Kind: ui.Primary, Values: []ui.Pair{{Key: "token", Value: token}}}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Answer(p)})
}

// Confirm confirms an enquiry.
func (h *Handlers) Confirm(c echo.Context) error {
	var form struct {
		Token string `form:"token"`
	}
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	e, err := h.Contacts.Confirm(c.Request().Context(), form.Token)
	if err != nil {
		return err
	}
	if err := h.Gate.Keep(c, receiptCookie, contact.Receipt{Reference: e.Reference, Email: e.Email}, time.Hour); err != nil {
		return err
	}
	return page.SeeOther(c, formPath+"/thanks")
}

// frame returns the frame of a page of this form.
func (h *Handlers) frame(c echo.Context, title string) layout.Page {
	f := h.Frame()
	f.Title, f.Account, f.AccountFrom = title, ui.Link{Label: "Sign in", Href: "/login"}, ""
	if home := page.Home(c); home.Exists() {
		f.Account = home
	}
	return f
}

func (h *Handlers) render(c echo.Context, status int, f enquiryForm, problems *page.Problems) error {
	p := view.FormPage{
		Page: h.frame(c, "Contact us"), CSRF: page.Token(c), Problem: problems.Form, About: f.Page, Stamp: f.Stamp, Work: h.Contacts.Stamps.WorkOf(f.Stamp), Trap: f.Trap,
		Organisation: ui.Input{Name: "organisation", Label: "Organisation", Autocomplete: "organization", Value: f.Organisation, Required: true},
		Website:      ui.Input{Name: "website", Label: "Website", Autocomplete: "url", InputMode: "url", Value: f.Website, Placeholder: "example.com"},
		GST:          ui.Input{Name: "gst_number", Label: "GST number", Value: f.GSTNumber, Autocomplete: "off", Hint: "15 characters, for organisations in India."},
		Name:         ui.Input{Name: "name", Label: "Your name", Autocomplete: "name", Value: f.Name, Required: true},
		Email:        ui.Input{Name: "email", Label: "Email address", Type: "email", Autocomplete: "email", Value: f.Email, Required: true},
		Phones: ui.Input{
			Name: "phones", Label: "Phone numbers", Type: "tel", Autocomplete: "tel", Value: f.Phones,
			Hint: "With the country code, such as +91 98123 45678. Separate several with commas.",
		},
		Message: ui.TextArea{Name: "message", Label: "How can we help?", Value: f.Message, Rows: 7, Required: true, Error: problems.Fields["message"]},
		Consent: ui.Checks{Name: "consent", Label: "Consent", Options: []ui.Option{{Value: "yes", Label: contact.ConsentText}}, Error: problems.Fields["consent"]},
	}
	if f.Consent != "" {
		p.Consent.Values = []string{"yes"}
	}
	p.Script = "js/contact.js" // the form may ask for work later, when it is shown again
	for _, in := range []*ui.Input{&p.Organisation, &p.Website, &p.GST, &p.Name, &p.Email, &p.Phones} {
		in.Error = problems.Fields[in.Name]
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Form(p)})
}

package organisations

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/views/forms"
	"heliograph/views/ui"
)

// newOrganisation is the form that adds an organisation.
type newOrganisation struct {
	Name   string `form:"name"`
	Owner  string `form:"owner"`
	Email  string `form:"email"`
	Mobile string `form:"mobile"`
}

// ShowAdd shows the form that adds an organisation.
func (h *Handlers) ShowAdd(c echo.Context) error {
	return h.renderAdd(c, http.StatusOK, newOrganisation{}, &page.Problems{})
}

// Add adds an organisation that sends to real phones, and shows it.
func (h *Handlers) Add(c echo.Context) error {
	var f newOrganisation
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	id, err := h.Administrators.AddOrganisation(c.Request().Context(), page.User(c), identity.NewOrganisation{
		Name:  strings.TrimSpace(f.Name),
		Owner: identity.NewOwner{Name: strings.TrimSpace(f.Owner), Email: f.Email, Mobile: strings.ReplaceAll(f.Mobile, " ", "")},
	})
	if fault.Is(err, fault.Conflict) {
		err = fault.InvalidFields(fault.Field{Name: "email", Message: fault.As(err).Message})
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderAdd(c, status, f, problems) })
	}
	return page.Done(c, page.OrganisationsPath+"/"+listing.Plain(id), "added")
}

func (h *Handlers) renderAdd(c echo.Context, status int, f newOrganisation, problems *page.Problems) error {
	p := forms.FormPage{
		Frame: page.AdministrationFrame(c, "Add an organisation", page.OrganisationsPath),
		Lead:  "It sends to real phones as soon as it has numbers and accounts, which you add on its page. Its owner gets an email with a link that sets a password. To try the APIs, register for a sandbox instead.",
	}
	p.Up = ui.Link{Label: "Organisations", Href: page.OrganisationsPath}
	p.Form = forms.Form{
		Name: "organisation", Action: addPath, CSRF: p.CSRF, Problem: problems.Form, Submit: "Add the organisation",
		Inputs: []ui.Input{
			{Name: "name", Label: "Name of the organisation", Value: f.Name, Required: true, Autocomplete: "off", Error: problems.Fields["name"]},
			{Name: "owner", Label: "Name of its owner", Value: f.Owner, Required: true, Autocomplete: "off", Error: problems.Fields["owner"]},
			{Name: "email", Label: "Email address of the owner", Type: "email", Value: f.Email, Required: true, Autocomplete: "off", Error: problems.Fields["email"]},
			{
				Name: "mobile", Label: "Mobile number of the owner", Type: "tel", Value: f.Mobile, Autocomplete: "off",
				Hint:  "With its country code, such as +919812345678. It receives the codes that reset a password. It may be added later.",
				Error: problems.Fields["mobile"],
			},
		},
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: forms.OneForm(p), Region: page.Current(status)})
}

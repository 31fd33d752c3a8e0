package organisations

import (
	"net/http"

	"github.com/labstack/echo/v4"

	register "heliograph/app/channels/messaging/assets"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/web/channels/assets"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	"heliograph/views/forms"
	view "heliograph/views/people/organisations"
	"heliograph/views/ui"
)

// assetsForm is one of the forms that add something to an organisation.
type assetsForm struct {
	Account   string `form:"account_name"`
	Catalogue string `form:"catalogue_name"`
	Number    string `form:"number"`
	Name      string `form:"verified_name"`
	OfAccount int64  `form:"account"`
	kind      string // of the asset that was to be added
	problems  *page.Problems
}

// wrong returns the problem of a field of the form that was sent.
func (f assetsForm) wrong(kind, field string) string {
	if f.kind != kind {
		return ""
	}
	return f.problems.Fields[field]
}

func organisationAssetsPath(id int64) string {
	return page.OrganisationsPath + "/" + listing.Plain(id) + "/assets"
}

// ShowAssets shows the numbers, accounts and catalogues of an organisation.
func (h *Handlers) ShowAssets(c echo.Context, id int64) error {
	return h.renderAssets(c, http.StatusOK, id, assetsForm{})
}

// AddAccount adds a business account to an organisation.
func (h *Handlers) AddAccount(c echo.Context) error {
	return h.addAsset(c, "account", func(by register.By, f assetsForm) error {
		_, err := h.Assets.AddAccount(c.Request().Context(), by, f.Account)
		return err
	})
}

// AddNumber adds a phone number to an organisation.
func (h *Handlers) AddNumber(c echo.Context) error {
	return h.addAsset(c, "number", func(by register.By, f assetsForm) error {
		_, err := h.Assets.AddNumber(c.Request().Context(), by, register.NewNumber{Number: f.Number, VerifiedName: f.Name, AccountID: f.OfAccount})
		return err
	})
}

// AddCatalogue adds a catalogue to an organisation.
func (h *Handlers) AddCatalogue(c echo.Context) error {
	return h.addAsset(c, "catalogue", func(by register.By, f assetsForm) error {
		_, err := h.Assets.AddCatalogue(c.Request().Context(), by, f.Catalogue)
		return err
	})
}

func (h *Handlers) addAsset(c echo.Context, kind string, add func(by register.By, f assetsForm) error) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	f := assetsForm{kind: kind}
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	err = add(register.By{OrganisationID: id, Actor: page.User(c).Actor()}, f)
	if fault.Is(err, fault.NotFound) {
		return err
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			f.problems = problems
			return h.renderAssets(c, status, id, f)
		})
	}
	return page.Done(c, organisationAssetsPath(id), kind)
}

func (h *Handlers) renderAssets(c echo.Context, status int, id int64, f assetsForm) error {
	o, err := h.organisationEntry(c, id)
	if err != nil {
		return err
	}
	list, err := h.Assets.List(c.Request().Context(), id)
	if err != nil {
		return err
	}
	p := view.AssetsPage{Frame: page.AdministrationFrame(c, "Numbers and accounts of "+o.Name, page.OrganisationsPath).Under(o.Name, page.OrganisationsPath+"/"+listing.Plain(id))}
	p.Done = map[string]string{
		"account":           "The account is added.",
		"catalogue":         "The catalogue is added.",
		"number":            "The number is added. Users of the organisation set its webhook and see its signing secret in their account.",
		"number-removed":    "The number is removed. Messages that it had not handed over fail, with their callbacks.",
		"account-removed":   "The account is removed.",
		"catalogue-removed": "The catalogue is deleted.",
	}[c.QueryParam("done")]
	if page.User(c).Role != identity.SuperAdmin {
		p.Tables = assets.Tables(list, nil)
	} else {
		p.Tables = assets.Tables(list, func(a models.Asset) ui.Cell { return removalCell(id, a) })
		p.Forms = assetForms(o, list, f)
		for i := range p.Forms {
			p.Forms[i].CSRF = p.CSRF
		}
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Assets(p)})
}

// assetForms are the forms that add a number, an account or a catalogue. A number
// needs an account.
func assetForms(o models.OrganisationEntry, list models.Assets, f assetsForm) []forms.Form {
	path := organisationAssetsPath(o.ID)
	form := func(kind, submit string) forms.Form {
		made := forms.Form{Name: "add-" + kind, Action: path + "/" + kind + "s", Submit: submit, Quiet: true}
		if f.kind == kind {
			made.Problem = f.problems.Form
		}
		return made
	}
	account, catalogue := form("account", "Add an account"), form("catalogue", "Add a catalogue")
	account.Inputs = []ui.Input{{Name: "account_name", Label: "Name of the account", Value: f.Account, Required: true, Error: f.wrong("account", "name")}}
	catalogue.Inputs = []ui.Input{{Name: "catalogue_name", Label: "Name of the catalogue", Value: f.Catalogue, Required: true, Error: f.wrong("catalogue", "name")}}
	if len(list.Accounts) == 0 {
		return []forms.Form{account, catalogue}
	}
	number := form("number", "Add a number")
	number.Inputs = []ui.Input{{Name: "verified_name", Label: "Verified name", Value: f.Name, Required: true, Hint: "Recipients see it.", Error: f.wrong("number", "name")}}
	if o.Sandbox {
		number.Inputs[0].Hint = "The number itself is made up, because this is a sandbox."
	} else {
		number.Inputs = append(number.Inputs, ui.Input{
			Name: "number", Label: "Phone number", Type: "tel", Value: f.Number, Required: true, Placeholder: "+91 98123 45678",
			Hint: "Its messages are refused until a route leads to a carrier.", Error: f.wrong("number", "number"),
		})
	}
	choice := ui.Select{Name: "account", Label: "Account", Value: listing.Plain(f.OfAccount), Error: f.wrong("number", "account")}
	for _, a := range list.Accounts {
		choice.Options = append(choice.Options, ui.Option{Value: listing.Plain(a.ID), Label: a.Name})
	}
	number.Selects = []ui.Select{choice}
	return []forms.Form{number, account, catalogue}
}

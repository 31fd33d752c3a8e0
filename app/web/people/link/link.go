// Package link says on public pages who is signed in.
package link

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/rcs"
	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/app/channels/sms"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/queries/across"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB          db.Querier // read only
	RCS         *rcs.Service
	SMSRegistry *sms.Registry
	// Staff returns the administrator who is signed in, nil for nobody.
	Staff func(echo.Context) (*identity.User, error)
}

// Show answers GET /account/link with the link of the header for a user who is
// signed in, which public pages put in the place of theirs; with nothing for
// everybody else. The link carries the ids that samples are filled with. An administrator
// gets a link to the form of the page.
func (h *Handlers) Show(c echo.Context) error {
	staff, err := h.Staff(c)
	if err != nil {
		return err
	}
	user := page.User(c)
	if user == nil && staff != nil {
		label := "Edit page"
		if staff.Role == identity.Viewer {
			label = "Admin"
		}
		return page.Fragment(c, http.StatusOK, layout.AccountLink(ui.Link{Label: label, Href: "/admin/edit"}, "", ""))
	}
	if user == nil {
		return c.NoContent(http.StatusNoContent)
	}
	ids, err := h.sampleIDs(c.Request().Context(), user.OrganisationID)
	if err != nil {
		return err
	}
	text, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	return page.Fragment(c, http.StatusOK, layout.AccountLink(ui.Link{Label: page.Called(user), Href: "/account"}, "", string(text)))
}

// sampleIDs returns the ids of an organisation by the placeholders of samples. Keys
// and other secrets are not among them.
func (h *Handlers) sampleIDs(ctx context.Context, organisationID int64) (map[string]string, error) {
	o, err := across.AccountOverviewGet(ctx, h.DB, organisationID)
	if err != nil {
		return nil, err
	}
	number := func(id int64) string { return strconv.FormatInt(id, 10) }
	ids := map[string]string{
		"PHONE_NUMBER_ID": number(o.PhoneNumberID), "BUSINESS_ACCOUNT_ID": number(o.BusinessAccountID), "BUSINESS_ID": number(o.BusinessID),
		"PHONE_NUMBER": o.PhoneNumber, "CATALOG_ID": number(o.CatalogueID), "ORG_ID": number(organisationID),
	}
	sms, err := h.SMSRegistry.Account(ctx, organisationID)
	if err != nil {
		return nil, err
	}
	ids["DLT_ENTITY_ID"] = sms.EntityID
	if len(sms.Templates) > 0 {
		t := sms.Templates[0] // its header and its registration belong together
		ids["HEADER"], ids["DLT_TEMPLATE_ID"], ids["STORED_TEXT_ID"] = t.Header, t.DLTTemplateID, number(t.ID)
	}
	launched, _, err := h.RCS.Bots.Bots(ctx, organisationID, lifecycle.Launched, rcs.Page{Number: 1, Size: 1})
	if err != nil {
		return nil, err
	}
	if len(launched) > 0 {
		ids["BOT_ID"], _ = launched[0]["botId"].(string)
	}
	for name, id := range ids {
		if id == "" || id == "0" {
			delete(ids, name)
		}
	}
	return ids, nil
}

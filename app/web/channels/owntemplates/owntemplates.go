// Package owntemplates serves the templates of the messaging channel to their
// organisation.
package owntemplates

import (
	"context"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/simulate"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	view "heliograph/views/channels/owntemplates"
	"heliograph/views/ui"
)

// Path is the address of the list.
const Path = page.AccountTemplatesPath

// list returns the newest templates of an organisation, at most limit.
type list func(ctx context.Context, organisationID int64, limit int) ([]models.Template, error)

// oldest returns the id of the oldest business account of an organisation, or
// an error of db.IsNoRows.
type oldest func(ctx context.Context, organisationID int64) (int64, error)

// Handlers answers the route.
type Handlers struct {
	list      list
	oldest    oldest
	publicURL string
}

// New returns the handlers. The address of the service is part of a sample request.
func New(list list, oldest oldest, publicURL string) *Handlers {
	return &Handlers{list, oldest, publicURL}
}

// most is how many templates the page lists.
const most = 200

// Show lists the templates of the organisation.
func (h *Handlers) Show(c echo.Context) error {
	found, err := h.list(c.Request().Context(), page.User(c).OrganisationID, most+1)
	if err != nil {
		return err
	}
	p := view.Page{Frame: page.AccountFrame(c, "Templates", Path), Docs: ui.Link{Label: "Documentation", Href: page.DocsPath + "/create-template"}}
	account, err := h.oldest(c.Request().Context(), page.User(c).OrganisationID)
	switch {
	case err == nil:
		p.Sample = sample(h.publicURL, account)
	case !db.IsNoRows(err):
		return err
	}
	if len(found) > most {
		found = found[:most]
		p.More = fmt.Sprintf("These are the newest %d. The API lists all.", most)
	}
	p.Templates = ui.Table{Caption: "Templates", Quiet: true, Columns: []ui.Column{
		{Label: "Template", Lead: true}, {Label: "Language", Plain: true}, {Label: "Category", Plain: true}, {Label: "State"}, {Label: "Template id"}, {Label: "Created (UTC)"}, {Label: "See it", Plain: true},
	}}
	for _, t := range found {
		p.Templates.Rows = append(p.Templates.Rows, []ui.Cell{
			{Text: t.Name, Mono: true}, {Text: t.Language}, {Text: t.Category}, {Text: t.Status, Badge: true, Tone: tone(t.Status)},
			{Text: fmt.Sprint(t.ID), Mono: true}, ui.Minute(t.CreatedAt), {Text: "Open in the simulator", Href: "/simulators/messaging?example=" + simulate.TemplateExample(t.ID)},
		})
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Show(p)})
}

// sample is a request that creates a template in an account.
func sample(publicURL string, account int64) ui.Code {
	return ui.Code{Title: "curl", Language: "shell", Text: fmt.Sprintf(`curl %s/v3/%d/message_templates \
  -H 'apikey: <API_KEY>' -H 'Content-Type: application/json' \
  -d '{"name": "parcel_arrives", "category": "utility", "language": "en_US",
       "components": [{"type": "body", "text": "Hello {{1}}, your parcel arrives today.",
         "example": {"body_text": [["Asha"]]}}]}'`, publicURL, account)}
}

// tone returns the tone of a state.
func tone(state string) ui.Tone {
	switch state {
	case "APPROVED":
		return ui.Good
	case "REJECTED", "DISABLED":
		return ui.Bad
	case "PAUSED":
		return ui.Warn
	}
	return ui.Info
}

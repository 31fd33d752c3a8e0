package admin

import (
	"github.com/labstack/echo/v4"

	"heliograph/app/people/identity"
	"heliograph/app/web/channels/templates"
	"heliograph/app/web/page"
)

// Templates serves the desk for the templates of live organisations.
func (h *Handlers) Templates() *templates.Handlers {
	return templates.New(templates.Options{
		Desk: h.TemplateDesk, Frame: frame, OrganisationPath: organisationsPath,
		MayDecide: func(c echo.Context) bool { return page.User(c).Role == identity.SuperAdmin },
	})
}

package simulate

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	rule "heliograph/app/channels/simulate"
	"heliograph/app/web/page"
	"heliograph/views/ui"
)

// organisation returns the organisation that is signed in, or 0.
func organisation(c echo.Context) int64 {
	if user := page.User(c); user != nil {
		return user.OrganisationID
	}
	return 0
}

// showOwn shows a simulator with a template or a bot of the organisation that is signed
// in. Visitors sign in first.
func (h *Handlers) showOwn(c echo.Context, ch channel, name string) error {
	if organisation(c) == 0 {
		return page.SeeOther(c, "/login?next="+url.QueryEscape(c.Request().URL.RequestURI()))
	}
	e, err := h.Accounts.Open(c.Request().Context(), ch.slug, organisation(c), name)
	if err != nil {
		return err
	}
	return h.render(c, http.StatusOK, ch, example{name: e.Name, title: e.Title, text: e.Text, operation: ch.operations[0].slug}, nil)
}

// options lists the examples that a simulator offers: what the organisation has comes
// after the examples for everybody.
func (h *Handlers) options(c echo.Context, ch channel, shown example) (options []ui.Option, err error) {
	ctx := c.Request().Context()
	for _, x := range h.examples(ctx, ch) {
		options = append(options, ui.Option{Value: x.name, Label: x.title})
	}
	own, err := h.Accounts.List(ctx, ch.slug, organisation(c))
	if err != nil {
		return nil, err
	}
	missing := rule.IsOwn(shown.name)
	for _, x := range own {
		options = append(options, ui.Option{Value: x.Name, Label: x.Title})
		missing = missing && x.Name != shown.name
	}
	if missing && shown.title != "" {
		options = append(options, ui.Option{Value: shown.name, Label: shown.title})
	}
	return options, nil
}

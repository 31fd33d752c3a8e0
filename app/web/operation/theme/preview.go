package theme

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/reference"
	"heliograph/app/fault"
	rule "heliograph/app/operation/theme"
	"heliograph/app/web/page"
	"heliograph/views/ui"
)

// componentsPage and missingPage stand for pages without an address.
const (
	componentsPage = "components"
	missingPage    = "/missing"
)

// pages lists the pages on which a surface is shown. The one with the value is chosen,
// else the first.
func (h *Handlers) pages(s rule.Surface, value string) ui.Select {
	var options []ui.Option
	switch s {
	case rule.Public:
		options = h.readerPages()
	case rule.Organisation:
		options = []ui.Option{{Value: "/login", Label: "Sign in"}, {Value: "/register", Label: "Register an organisation"}, {Value: "/forgot-password", Label: "Forgotten password"}}
	case rule.Administration:
		options = []ui.Option{
			{Value: "/admin", Label: "Overview"}, {Value: "/admin/products", Label: "Products"}, {Value: "/admin/organisations", Label: "Organisations"},
			{Value: "/admin/audit", Label: "Audit"}, {Value: "/admin/email-settings", Label: "Email settings"},
		}
	}
	options = append(options, ui.Option{Value: componentsPage, Label: "All components"})
	chosen := options[0].Value
	if slices.ContainsFunc(options, func(o ui.Option) bool { return o.Value == value }) {
		chosen = value
	}
	return ui.Select{Value: chosen, Options: options}
}

// readerPages lists pages of readers: one of each kind.
func (h *Handlers) readerPages() []ui.Option {
	options := []ui.Option{{Value: "/", Label: "Homepage"}}
	for _, p := range h.Documentation.Snapshot().Products {
		v := p.Latest()
		if p.Hidden || p.ComingSoon || v == nil || len(v.Operations()) == 0 {
			continue
		}
		at := reference.Place{Product: p, Version: v}
		op := v.Operations()[0]
		options = append(options, ui.Option{Value: at.Operation(op), Label: "Endpoint: " + op.Name}, ui.Option{Value: at.Path(), Label: "Version: " + at.Name()})
		if guides := p.VisibleGuides(); len(guides) > 0 {
			options = append(options, ui.Option{Value: reference.GuidePath(p, guides[0]), Label: "Guide: " + guides[0].Title})
		}
		break
	}
	return append(options,
		ui.Option{Value: reference.GuidesPath, Label: "Product guide"}, ui.Option{Value: "/search", Label: "Search"},
		ui.Option{Value: "/contact-us", Label: "Contact us"}, ui.Option{Value: missingPage, Label: "A missing page"})
}

// Preview shows a page of a surface with its draft, in one scheme, for a frame of the
// page of the surface.
func (h *Handlers) Preview(c echo.Context, e edit) error {
	scheme := rule.Scheme(c.QueryParam("scheme"))
	if !slices.Contains(rule.Schemes, scheme) {
		return fault.New(fault.NotFound, "Choose the scheme light or dark.")
	}
	path := h.pages(e.surface, e.of).Value
	trial := page.Trial{Brand: page.NewBrand(h.Themes.Preview(e.draft)), Scheme: scheme}
	c.SetRequest(trial.On(c.Request()))
	switch {
	case path == componentsPage:
		return h.Components(c)
	case path == missingPage:
		return echo.ErrNotFound
	case e.surface == rule.Public:
		trial.Public = true
		c.SetRequest(trial.On(c.Request()))
		v, err := h.Reader(at(c, path), h.Documentation.Snapshot(), path)
		if err == nil {
			return page.Render(c, http.StatusOK, v)
		}
		if !fault.Is(err, fault.NotFound) {
			return err
		}
	}
	trial.Public = false
	c.SetRequest(at(c, path))
	c.SetRequest(trial.On(c.Request()))
	return h.Open(c, path)
}

// at returns the request with the address of another page.
func at(c echo.Context, path string) *http.Request {
	r := c.Request().Clone(c.Request().Context())
	r.URL.Path, r.URL.RawPath, r.URL.RawQuery, r.RequestURI = path, "", "", path
	return r
}

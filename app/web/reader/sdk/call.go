package sdk

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	generator "heliograph/app/documentation/sdk"
	"heliograph/app/documentation/sdk/builds"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/reader/sdk"
	"heliograph/views/ui"
)

// Call handles GET of the code that calls an operation with the client library of a
// language. The page of an endpoint shows it beside the request.
func (h *Handlers) Call(c echo.Context) error {
	at, err := h.Pages.Locate(c)
	if err != nil {
		return err
	}
	name, isText := strings.CutSuffix(c.Param("endpoint"), reference.TextPath(""))
	op := at.Version.Operation(name)
	if op == nil || op.Callback {
		return fault.New(fault.NotFound, "%s has no endpoint of this name. Its page lists them: %s.", at.Name(), at.Path())
	}
	if at.Status != 0 {
		to := at.CallPath(op.Slug)
		if isText {
			to = reference.TextPath(to)
		}
		return c.Redirect(at.Status, to)
	}
	enabled := builds.Enabled(at.Product.Product)
	l := generator.Find(c.QueryParam("lang"))
	if !slices.Contains(enabled, l) {
		if len(enabled) == 0 || c.QueryParam("lang") != "" {
			return fault.New(fault.NotFound, "There is no client library of %s for this language. Use one of %s.", at.Name(), archiveNames(at.Place))
		}
		l = enabled[0]
	}
	calls, err := h.Builds.CallsOf(c.Request().Context(), at.Version.ReleaseID(), op.Slug)
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderCacheControl, page.Revalidate)
	if isText {
		return c.Blob(http.StatusOK, "text/markdown; charset=utf-8", []byte(callText(h.Pages.Site().URL, at.Place, op, enabled, calls)))
	}
	frame, crumbs := h.Pages.FrameOf(at.Place)
	p := view.CallPage{
		Page: frame, Crumbs: append(crumbs, ui.Link{Label: op.Name, Href: at.Operation(op)}, ui.Link{Label: "SDK", Current: true}), Name: op.Name,
		Library: ui.Link{Label: "Client library for " + l.Title, Href: at.SDKPath() + "#" + l.Slug},
		Request: ui.Link{Label: "Request", Href: at.Operation(op) + "?lang=" + sampleOf(l)},
		Code:    ui.Code{Title: l.Title + " SDK", Language: syntaxOf(l)},
	}
	p.Title = op.Name + " with the client library – " + at.Name()
	p.Page.Description = "Code that calls " + op.Name + " of " + at.Name() + " with the client library for " + l.Title + "."
	if !at.Product.Hidden {
		p.Canonical = h.Pages.Site().URL + at.CallPath(op.Slug)
	}
	for _, other := range enabled {
		p.Languages = append(p.Languages, ui.Link{Label: other.Title, Href: at.CallPath(op.Slug) + "?lang=" + other.Slug, Current: other == l})
	}
	p.SDK = ui.Link{Label: "SDK", Href: at.CallPath(op.Slug) + "?lang=" + l.Slug, Current: true}
	for _, call := range calls {
		if call.Language == l.Slug {
			p.Code.Text = call.Code
		}
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Call(p)})
}

// callText returns the calls of an operation in all languages as Markdown.
func callText(site string, at reference.Place, op *published.Operation, enabled []*generator.Language, calls []models.SDKCall) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s with the client libraries of %s\n\nRequest: %s\n\nLibraries: %s\n", op.Name, at.Name(), site+reference.TextPath(at.Operation(op)), site+reference.TextPath(at.SDKPath()))
	for _, l := range enabled {
		for _, call := range calls {
			if call.Language == l.Slug {
				fmt.Fprintf(&b, "\n## %s\n\n```%s\n%s```\n", l.Title, syntaxOf(l), call.Code)
			}
		}
	}
	if len(calls) == 0 {
		b.WriteString("\nThe client libraries are being made. Try again in a minute.\n")
	}
	return b.String()
}

// sampleOf returns the slug of the samples in a language.
func sampleOf(l *generator.Language) string {
	if l.Slug == "node" {
		return "nodejs"
	}
	return l.Slug
}

// syntaxOf returns the syntax of a language's code.
func syntaxOf(l *generator.Language) string {
	_, _, syntax := generator.Guide("", "", l)
	return syntax
}

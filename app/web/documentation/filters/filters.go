// Package filters serves the filters that administrators save, and links to them from
// the lists.
package filters

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
	"heliograph/views/documentation/filters"
	"heliograph/views/forms"
	"heliograph/views/ui"
)

const address = "/admin/filters"

// Lists with filters that can be saved.
const (
	Drafts   = "drafts"
	Products = "products"
	Items    = "items" // of a product
)

var listNames = map[string]string{Drafts: "Drafts and reviews", Products: "Products", Items: "Items of a product"}

// Done holds the messages after a change of a saved filter.
var Done = map[string]string{"filter": "The filter is saved.", "renamed": "The filter is renamed.", "removed": "The filter is removed."}

// Of links to the user's own filters of a list at a path.
func Of(c echo.Context, d db.Querier, list string, l listing.List) (f ui.SavedFilters, err error) {
	saved, err := queries.ListFilterList(c.Request().Context(), d, page.User(c).ID, list)
	if err != nil || len(saved) == 0 {
		return f, err
	}
	for _, s := range saved {
		f.Links = append(f.Links, ui.Link{Label: s.Name, Href: l.Path + "?" + s.Query, Current: s.Query == l.Filter.Encode()})
	}
	f.Manage = ui.Link{Label: "Rename or delete", Href: address}
	return f, nil
}

// SaveLink leads to the form that saves the filter of a list, if there is one.
func SaveLink(list string, l listing.List) ui.Link {
	if len(l.Filter) == 0 {
		return ui.Link{}
	}
	return ui.Link{Label: "Save this filter", Href: page.Address(address+"/new", page.Query("list", list, "path", l.Path, "query", l.Filter.Encode()))}
}

// Handlers answers the routes.
type Handlers struct {
	DB    db.Querier  // read only
	Rules db.Beginner // where the rules of editing write
}

// filterForm holds the form that saves a filter. Path is the address of its list.
type filterForm struct {
	List  string `form:"list" query:"list"`
	Path  string `form:"path" query:"path"`
	Query string `form:"query" query:"query"`
	Name  string `form:"name"`
}

// home is the address of the list, with the filter.
func (f filterForm) home() (path string, filter url.Values, err error) {
	filter, err = url.ParseQuery(f.Query)
	if err != nil || len(f.Query) > 1000 {
		return "", nil, fault.New(fault.Invalid, "The filter cannot be read. Open the list again.")
	}
	switch f.List {
	case Drafts:
		return page.DraftsPath, filter, nil
	case Products:
		return page.ProductsPath, filter, nil
	case Items:
		if id, err := strconv.ParseInt(f.Path[min(len(f.Path), len(page.ProductsPath)+1):], 10, 64); err == nil && f.Path == page.ProductsPath+"/"+listing.Plain(id) {
			return f.Path, filter, nil
		}
	}
	return "", nil, fault.New(fault.Invalid, "This list has no filters. Open the list again.")
}

// ShowNew asks for the name of a filter.
func (h *Handlers) ShowNew(c echo.Context, asked filterForm) error {
	return h.renderNew(c, http.StatusOK, asked, &page.Problems{})
}

func (h *Handlers) renderNew(c echo.Context, status int, f filterForm, problems *page.Problems) error {
	path, filter, err := f.home()
	if err != nil {
		return err
	}
	p := forms.FormPage{Frame: page.AdministrationFrame(c, "Save a filter", path), Lead: "Only you see your filters. They stand above the list " + listNames[f.List] + "."}
	p.Up = ui.Link{Label: listNames[f.List], Href: page.Address(path, filter)}
	p.Form = forms.Form{
		Name: "filter", Action: address, CSRF: p.CSRF, Submit: "Save the filter", Problem: problems.Form, Other: ui.Link{Label: "Change nothing", Href: p.Up.Href},
		Hidden: []ui.Pair{{Key: "list", Value: f.List}, {Key: "path", Value: f.Path}, {Key: "query", Value: f.Query}},
		Inputs: []ui.Input{{Name: "name", Label: "Name", Required: true, Value: f.Name, Error: problems.Fields["name"]}},
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: forms.OneForm(p), Region: page.Current(status)})
}

// Save saves a filter of the user.
func (h *Handlers) Save(c echo.Context, f filterForm) error {
	path, filter, err := f.home()
	if err != nil {
		return err
	}
	if err := editorial.SaveFilter(c.Request().Context(), h.Rules, desk.Actor(c), f.List, f.Name, filter); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderNew(c, status, f, problems) })
	}
	filter.Set("done", "filter")
	return page.SeeOther(c, page.Address(path, filter))
}

// List lists the filters of the user.
func (h *Handlers) List(c echo.Context) error {
	return h.render(c, http.StatusOK, 0, &page.Problems{})
}

// render lists the filters of the user. One of them may have been renamed to
// what cannot be.
func (h *Handlers) render(c echo.Context, status int, wrong int64, problems *page.Problems) error {
	saved, err := queries.ListFilterList(c.Request().Context(), h.DB, page.User(c).ID, "")
	if err != nil {
		return err
	}
	p := filters.Page{Frame: page.AdministrationFrame(c, "Saved filters", page.DraftsPath), Lead: "Filters that you saved. Only you see them."}
	p.Up, p.Done = ui.Link{Label: "Drafts and reviews", Href: page.DraftsPath}, Done[c.QueryParam("done")]
	p.Empty = ui.EmptyState{Title: "No saved filters", Text: "Filter a list and save the filter under a name.", Next: p.Up}
	for _, s := range saved {
		path := address + "/" + listing.Plain(s.ID)
		home := map[string]string{Drafts: page.DraftsPath, Products: page.ProductsPath, Items: page.ProductsPath}[s.List]
		row := filters.Row{
			ID: listing.Plain(s.ID), List: listNames[s.List], Use: ui.Link{Label: s.Name, Href: home + "?" + s.Query}, Action: path,
			Name:   ui.Input{Name: filterName(s.ID), Label: "Name", Value: s.Name, Required: true},
			Remove: ui.Post{Action: path + "/removal", CSRF: p.CSRF, Label: "Remove", Object: s.Name, Small: true},
		}
		if s.List == Items {
			row.Use.Href = page.ProductsPath
		}
		if s.ID == wrong {
			row.Name.Value, row.Name.Error = c.Request().PostFormValue(filterName(s.ID)), problems.Fields["name"]
		}
		p.Rows = append(p.Rows, row)
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: filters.List(p), Region: page.Current(status)})
}

// filterName is the field with the name of a filter, of which the page has several.
func filterName(id int64) string { return "name-" + listing.Plain(id) }

// Rename renames a filter of the user.
func (h *Handlers) Rename(c echo.Context) error {
	return h.change(c, "renamed", func(ctx context.Context, id int64, name string) error {
		return editorial.RenameFilter(ctx, h.Rules, desk.Actor(c), id, name)
	})
}

// Remove deletes a filter of the user.
func (h *Handlers) Remove(c echo.Context) error {
	return h.change(c, "removed", func(ctx context.Context, id int64, _ string) error {
		return editorial.RemoveFilter(ctx, h.Rules, desk.Actor(c), id)
	})
}

func (h *Handlers) change(c echo.Context, done string, change func(ctx context.Context, id int64, name string) error) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	if err := page.Bind(c, &struct{}{}); err != nil {
		return err
	}
	if err := change(c.Request().Context(), id, c.Request().PostFormValue(filterName(id))); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.render(c, status, id, problems) })
	}
	return page.Done(c, address, done)
}

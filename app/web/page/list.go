package page

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/identity"
	"heliograph/views/ui"
)

// Section is a part of an area, with its first page.
type Section struct {
	Label, Href string
	Roles       []string // who may open it, as the route table says
}

// Sections are the links to the parts that a user may open. current is the
// address of the one that the page belongs to.
func Sections(all []Section, user *identity.User, current string) (links []ui.Link) {
	for _, s := range all {
		if slices.Contains(s.Roles, user.Role) {
			links = append(links, ui.Link{Label: s.Label, Href: s.Href, Current: s.Href == current})
		}
	}
	return links
}

// Ask reads what the address of a list says into a struct with query tags.
func Ask[T any](c echo.Context) (asked T, err error) {
	if err := (&echo.DefaultBinder{}).BindQueryParams(c, &asked); err != nil {
		return asked, fault.New(fault.Invalid, "The address of this list cannot be read. Begin again from the menu.")
	}
	return asked, nil
}

// ID reads the id in the path; what is no id names nothing.
func ID(c echo.Context) (int64, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id <= 0 {
		return 0, fault.New(fault.NotFound, "There is nothing at this address.")
	}
	return id, nil
}

// Query makes a query of names and values in turn, without empty values.
func Query(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	return v
}

// Address is a path with a query.
func Address(path string, query url.Values) string {
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// ShowAll is the link that ends a filter, where there is one.
func ShowAll(path string, filter url.Values) ui.Link {
	if len(filter) == 0 {
		return ui.Link{}
	}
	return ui.Link{Label: "Show all", Href: path}
}

// doneParameter is the query parameter of Done.
const doneParameter = "done"

// Done sends the browser to a page that says what a form did, by a word that the
// page knows.
func Done(c echo.Context, path, word string) error {
	return SeeOther(c, path+"?"+doneParameter+"="+word)
}

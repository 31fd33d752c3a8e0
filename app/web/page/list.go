package page

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/views/ui"
)

// Section is a part of an area, with its first page.
type Section struct {
	Label, Href string
	Group       string   // heading that it stands under with its neighbours; may be empty
	Roles       []string // who may open it, as the route table says
}

// sectionsFor returns the links to the sections that a user may open, in their groups.
// A group without such a section is left out. current is the path of the section of
// the page.
func sectionsFor(all []Section, user *identity.User, current string) (groups []ui.LinkGroup) {
	for _, s := range all {
		if !slices.Contains(s.Roles, user.Role) {
			continue
		}
		if n := len(groups); n == 0 || groups[n-1].Label != s.Group {
			groups = append(groups, ui.LinkGroup{Label: s.Group})
		}
		last := &groups[len(groups)-1]
		last.Links = append(last.Links, ui.Link{Label: s.Label, Href: s.Href, Current: s.Href == current})
	}
	return groups
}

// Ask parses the query into a struct with query tags.
func Ask[T any](c echo.Context) (asked T, err error) {
	if err := (&echo.DefaultBinder{}).BindQueryParams(c, &asked); err != nil {
		return asked, fault.New(fault.Invalid, "The URL of this list is invalid. Open the list again from the menu.")
	}
	return asked, nil
}

// Asked makes a handler of one that takes the query, as Ask parses it.
func Asked[T any](handle func(c echo.Context, asked T) error) echo.HandlerFunc {
	return With(Ask[T], handle)
}

// With makes a handler of one that takes what is found for the request.
func With[T any](find func(c echo.Context) (T, error), handle func(c echo.Context, found T) error) echo.HandlerFunc {
	return func(c echo.Context) error {
		found, err := find(c)
		if err != nil {
			return err
		}
		return handle(c, found)
	}
}

// AskShown is Ask, and for an action of htmx it parses the query of the page that
// is open: a list that answers an action keeps its filter and its order.
func AskShown[T any](c echo.Context) (asked T, err error) {
	if safe(c.Request().Method) || !WantsFragment(c) {
		return Ask[T](c)
	}
	open, err := url.Parse(current(c))
	if err != nil {
		return asked, err
	}
	return Ask[T](c.Echo().NewContext(&http.Request{URL: open}, nil))
}

// ID returns the id of the path. A malformed id is NotFound.
func ID(c echo.Context) (int64, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id <= 0 {
		return 0, fault.New(fault.NotFound, "This page does not exist.")
	}
	return id, nil
}

// WithID makes a handler of one that takes the id of the path.
func WithID(handle func(c echo.Context, id int64) error) echo.HandlerFunc { return With(ID, handle) }

// Query returns a query of alternating names and values, without empty values.
func Query(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	return v
}

// Address returns a path with a query.
func Address(path string, query url.Values) string {
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// doneParameter is the query parameter of Done.
const doneParameter = "done"

// Done sends the browser to a page that confirms an action. word selects the
// message of the page.
func Done(c echo.Context, path, word string) error {
	return SeeOther(c, path+"?"+doneParameter+"="+word)
}

// Refresh returns the attributes that refresh a region from the address of the
// GET request when one of the topics is named. The number of pages that are shown is
// not part of the address. A page that a refused form shows again names its own address
// with ui.Refresh.
func Refresh(c echo.Context, region ui.Region, topics ...string) templ.Attributes {
	query := c.Request().URL.Query()
	query.Del("page")
	query.Del(doneParameter)
	return ui.Refresh(region, Address(c.Request().URL.Path, query), topics...)
}

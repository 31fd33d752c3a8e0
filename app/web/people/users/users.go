// Package users serves the accounts of administrators.
package users

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/people/identity"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/views/forms"
	view "heliograph/views/people/users"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	// Administrators manages the accounts of this area.
	Administrators *identity.Administrators
	DB             db.Querier // read only
	Directory      *identity.Directory
}

var roleOptions = []ui.Option{
	{Value: identity.Viewer, Label: "Viewer: reads"},
	{Value: identity.Editor, Label: "Editor: writes assigned products"},
	{Value: identity.SuperAdmin, Label: "Super Admin: manages everything"},
}

// usersQuery is the query of the list.
type query struct {
	listing.Position
	Text  string `query:"q"`
	Role  string `query:"role"`
	State string `query:"state"`
	After string `query:"after"` // the email address that the page follows
}

func (q query) listing() listing.List {
	return listing.List{
		Position: q.Position, Path: page.UsersPath, Filter: page.Query("q", q.Text, "role", q.Role, "state", q.State),
		Standard: "asc", Orders: [2]string{"A to Z", "Z to A"}, Later: q.After != "", One: "user", Many: "users",
	}
}

// List lists the administrators.
func (h *Handlers) List(c echo.Context, query query) error {
	ctx, l := c.Request().Context(), query.listing()
	users, err := queries.AdminUserList(ctx, h.DB, queries.AdminUserFilter{
		Text: strings.TrimSpace(query.Text), Role: query.Role, State: query.State, After: query.After, Descending: l.Reversed(), Limit: l.Rows() + 1,
	})
	if err != nil {
		return err
	}
	products, err := queries.ProductNameList(ctx, h.DB)
	if err != nil {
		return err
	}
	shown := users[:min(len(users), l.Rows())]
	bounced, err := h.Administrators.Bounced(ctx, shown)
	if err != nil {
		return err
	}
	p := view.UsersPage{Frame: page.AdministrationFrame(c, "Users", page.UsersPath), Invite: ui.Link{Label: "Invite a user", Href: page.UsersPath + "/invite"}, List: list(query, shown, products)}
	for i, u := range shown {
		if bounced[u.ID] {
			p.List.Table.Rows[i][1].Note = "not delivered: check the address"
		}
	}
	l.Finish(c, &p.List, listing.Rows{Count: len(shown), More: len(users) > len(shown), Mark: func(v url.Values) { v.Set("after", shown[len(shown)-1].Email) }})
	p.Announcement = p.List.Announcement()
	if c.QueryParam("done") == "removed" {
		p.Done = "The account is removed."
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Users(p), Address: l.Address()})
}

func list(asked query, users []models.AdminUser, products []models.ProductName) ui.Listing {
	now := time.Now()
	l := ui.Listing{
		Filter: ui.Filter{
			Inputs: []ui.Input{{Name: "q", Label: "Name or email", Type: "search", Value: asked.Text}},
			Selects: []ui.Select{
				{
					Name: "role", Label: "Role", Value: asked.Role,
					Options: []ui.Option{{Label: "All"}, {Value: identity.Viewer, Label: "Viewer"}, {Value: identity.Editor, Label: "Editor"}, {Value: identity.SuperAdmin, Label: "Super Admin"}},
				},
				{
					Name: "state", Label: "State", Value: asked.State,
					Options: []ui.Option{{Label: "All"}, {Value: "active", Label: "Active"}, {Value: "invited", Label: "Invited"}, {Value: "inactive", Label: "Inactive"}},
				},
			},
		},
		Table: ui.Table{Caption: "Users", Columns: []ui.Column{{Label: "Name"}, asked.listing().Sorted(ui.Column{Label: "Email"}), {Label: "Role"}, {Label: "State"}, {Label: "Writes"}, {Label: "Last sign-in"}}},
		Empty: ui.EmptyState{Title: "No users found", Text: "No user matches this filter.", Next: ui.Link{Label: "Show all users", Href: page.UsersPath}},
	}
	for _, u := range users {
		l.Table.Rows = append(l.Table.Rows, []ui.Cell{
			{Text: u.Name, Href: page.UsersPath + "/" + listing.Plain(u.ID)}, {Text: u.Email}, {Text: page.Roles[u.Role]}, userState(u), writes(u, products), listing.Lately(u.LastSignInAt, now),
		})
	}
	return l
}

// writes is a cell with the products that a user may write.
func writes(u models.AdminUser, products []models.ProductName) ui.Cell {
	switch {
	case u.Role == identity.SuperAdmin:
		return ui.Cell{Text: "All products"}
	case u.Role != identity.Editor:
		return ui.Cell{Text: "–"}
	case len(u.Products) == 0:
		return ui.Cell{Body: ui.Badge(ui.Warn, "No products")}
	}
	var names []string
	for _, p := range products {
		if slices.Contains(u.Products, p.ID) {
			names = append(names, p.Name)
		}
	}
	return ui.Cell{Text: listing.Clip(strings.Join(names, ", "), listing.LongestValue)}
}

func userState(u models.AdminUser) ui.Cell {
	switch {
	case !u.Active:
		return ui.Cell{Text: "Inactive", Badge: true}
	case u.Invited:
		return ui.Cell{Text: "Invited", Badge: true, Tone: ui.Info}
	}
	return ui.Cell{Text: "Active", Badge: true, Tone: ui.Good}
}

// invitation is the form of an invitation.
type invitation struct {
	Name     string  `form:"name"`
	Email    string  `form:"email"`
	Role     string  `form:"role"`
	Products []int64 `form:"product"`
}

// ShowInvite shows the form that invites a user.
func (h *Handlers) ShowInvite(c echo.Context) error {
	return h.renderInvite(c, http.StatusOK, invitation{Role: identity.Viewer}, &page.Problems{})
}

// Invite sends an invitation and shows the new account.
func (h *Handlers) Invite(c echo.Context, form invitation) error {
	id, err := h.Administrators.Invite(c.Request().Context(), page.User(c), identity.Invitation{Name: strings.TrimSpace(form.Name), Email: form.Email, Role: form.Role, Products: form.Products})
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderInvite(c, status, form, problems) })
	}
	return page.Done(c, page.UsersPath+"/"+listing.Plain(id), "invited")
}

func (h *Handlers) renderInvite(c echo.Context, status int, form invitation, problems *page.Problems) error {
	products, err := queries.ProductNameList(c.Request().Context(), h.DB)
	if err != nil {
		return err
	}
	p := forms.FormPage{Frame: page.AdministrationFrame(c, "Invite a user", page.UsersPath), Lead: "The user receives an email with a link that sets a password. The link works once, within seven days."}
	p.Up = ui.Link{Label: "Users", Href: page.UsersPath}
	p.Form = forms.Form{
		Name: "invite", Action: page.UsersPath + "/invite", CSRF: p.CSRF, Problem: problems.Form, Submit: "Send the invitation",
		Inputs: []ui.Input{
			{Name: "name", Label: "Name", Value: form.Name, Required: true, Error: problems.Fields["name"]},
			{Name: "email", Label: "Email address", Type: "email", Value: form.Email, Required: true, Error: problems.Fields["email"]},
		},
		Selects: []ui.Select{{Name: "role", Label: "Role", Value: form.Role, Options: roleOptions, Error: problems.Fields["role"]}},
		Checks:  productChecks(products, form.Products),
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: forms.OneForm(p), Region: page.Current(status)})
}

// productChecks is the field of the products that a user may write, if there are
// any.
func productChecks(products []models.ProductName, chosen []int64) []ui.Checks {
	if len(products) == 0 {
		return nil
	}
	field := ui.Checks{Name: "product", Label: "Products", Hint: "The products that an Editor may write. Without one an Editor only reads."}
	for _, p := range products {
		field.Options = append(field.Options, ui.Option{Value: listing.Plain(p.ID), Label: p.Name})
	}
	for _, id := range chosen {
		field.Values = append(field.Values, listing.Plain(id))
	}
	return []ui.Checks{field}
}

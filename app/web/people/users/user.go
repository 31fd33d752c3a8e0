package users

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/people/identity"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/app/web/people/login"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/views/forms"
	view "heliograph/views/people/users"
	"heliograph/views/ui"
)

// usersDone holds the messages after a change of an account.
var done = map[string]string{
	"invited": "The invitation is on its way.", "role": "The role is changed. Every session of the user has ended.",
	"active": "The account is active.", "inactive": "The account is inactive. Every session of the user has ended.",
	"products": "The products are assigned.", "link": "The email is on its way.", "sessions": "Every session of the user has ended.",
}

// Show shows one administrator.
func (h *Handlers) Show(c echo.Context, id int64) error {
	return h.render(c, http.StatusOK, id, &page.Problems{})
}

// userForm holds the fields of the forms that change an administrator.
type userForm struct {
	Role     string  `form:"role"`
	Active   bool    `form:"active"`
	Products []int64 `form:"product"`
}

// SetRole gives an administrator another role.
func (h *Handlers) SetRole(c echo.Context) error {
	return h.change(c, func(ctx context.Context, by *identity.User, id int64, form userForm) (string, error) {
		return "role", h.Administrators.SetRole(ctx, by, id, form.Role)
	})
}

// SetActive activates or deactivates an administrator.
func (h *Handlers) SetActive(c echo.Context) error {
	return h.change(c, func(ctx context.Context, by *identity.User, id int64, form userForm) (string, error) {
		done := map[bool]string{true: "active", false: "inactive"}[form.Active]
		return done, h.Administrators.SetActive(ctx, by, id, form.Active)
	})
}

// SetProducts assigns an administrator to products.
func (h *Handlers) SetProducts(c echo.Context) error {
	return h.change(c, func(ctx context.Context, by *identity.User, id int64, form userForm) (string, error) {
		return "products", h.Administrators.SetProducts(ctx, by, id, form.Products)
	})
}

// SendLink sends an administrator a link that sets a password.
func (h *Handlers) SendLink(c echo.Context) error {
	return h.change(c, func(ctx context.Context, by *identity.User, id int64, _ userForm) (string, error) {
		return "link", h.Administrators.SendLink(ctx, by, id)
	})
}

// EndSessions ends every session of an administrator.
func (h *Handlers) EndSessions(c echo.Context) error {
	return h.change(c, func(ctx context.Context, by *identity.User, id int64, _ userForm) (string, error) {
		return "sessions", h.Administrators.EndSessions(ctx, by, id)
	})
}

// Remove removes an administrator.
func (h *Handlers) Remove(c echo.Context) error {
	return h.change(c, func(ctx context.Context, by *identity.User, id int64, _ userForm) (string, error) {
		return "removed", h.Administrators.Remove(ctx, by, id)
	})
}

func (h *Handlers) change(c echo.Context, change func(ctx context.Context, by *identity.User, id int64, form userForm) (done string, err error)) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	var form userForm
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	done, err := change(c.Request().Context(), page.User(c), id, form)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.render(c, status, id, problems) })
	}
	if done == "removed" {
		return page.Done(c, page.UsersPath, done)
	}
	return page.Done(c, page.UsersPath+"/"+listing.Plain(id), done)
}

func (h *Handlers) render(c echo.Context, status int, id int64, problems *page.Problems) error {
	ctx := c.Request().Context()
	u, err := queries.AdminUserGet(ctx, h.DB, id)
	if err != nil {
		return page.NotFound(err, "This user does not exist.")
	}
	products, err := queries.ProductNameList(ctx, h.DB)
	if err != nil {
		return err
	}
	p := view.UserPage{Frame: page.AdministrationFrame(c, u.Name, page.UsersPath), Facts: userFacts(u)}
	p.Up, p.Done = ui.Link{Label: "Users", Href: page.UsersPath}, done[c.QueryParam("done")]
	if page.User(c).ID == id {
		p.Own = "This is your own account. Another Super Admin can change its role or deactivate it."
	}
	p.Audit = []ui.Link{
		{Label: "Actions of this user", Href: page.Address(page.AuditPath, page.Query("actor", identity.Administration.Actor(id)))},
		{Label: "Changes of this account", Href: page.Address(page.AuditPath, page.Query("target", identity.Administration.Actor(id)))},
	}
	path := page.UsersPath + "/" + listing.Plain(id)
	p.Role = forms.Form{
		Name: "role", Action: path + "/role", CSRF: p.CSRF, Submit: "Change the role", Quiet: true,
		Selects: []ui.Select{{Name: "role", Label: "Role", Value: u.Role, Options: roleOptions, Hint: "A change ends every session of the user.", Error: problems.Fields["role"]}},
	}
	if checks := productChecks(products, u.Products); checks != nil {
		p.Products = forms.Form{Name: "products", Action: path + "/products", CSRF: p.CSRF, Submit: "Assign the products", Quiet: true, Checks: checks}
	}
	if u.Role == identity.Editor && len(u.Products) == 0 {
		p.Warning = "This Editor has no products and can only read. Assign the products that the user may write."
	}
	open, err := h.Directory.Sessions(ctx, identity.Session{Surface: identity.Administration, UserID: id})
	if err != nil {
		return err
	}
	p.Sessions, _ = login.SessionTable(open, "", "")
	p.EndSessions, p.Remove, p.RemoveNote = questions["sessions"].button(u), questions["deletion"].button(u), questions["deletion"].text
	p.Actions = userActions(u, path, p.CSRF)
	if u.Active {
		p.Deactivate = questions["activation"].button(u)
	}
	if page.Target(c) == p.Role.Region() {
		p.Role.Problem = problems.Form
	} else {
		p.Problem = problems.Form
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.User(p), Region: page.Current(status)})
}

func userFacts(u models.AdminUser) []ui.Pair {
	return []ui.Pair{
		{Key: "Email", Value: u.Email}, {Key: "Role", Value: page.Roles[u.Role]}, {Key: "State", Value: userState(u).Text},
		{Key: "Last sign-in", Value: listing.Lately(u.LastSignInAt, time.Now()).Text}, {Key: "Created", Value: ui.Moment(u.CreatedAt).Text + " UTC"},
	}
}

// userActions returns the actions that need no confirmation.
func userActions(u models.AdminUser, path, csrf string) []ui.Post {
	if !u.Active {
		return []ui.Post{{Action: path + "/activation", CSRF: csrf, Label: "Activate the account", Values: []ui.Pair{{Key: "active", Value: "true"}}}}
	}
	label := "Send a link to set a new password"
	if u.Invited {
		label = "Send the invitation again"
	}
	return []ui.Post{{Action: path + "/link", CSRF: csrf, Label: label}}
}

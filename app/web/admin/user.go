package admin

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/identity"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// usersDone is what the pages of administrators say after a change.
var usersDone = map[string]string{
	"invited": "The invitation is on its way.", "role": "The role is changed, and every session has ended.",
	"active": "The account is active.", "inactive": "The account is not active any more, and every session has ended.",
	"products": "The products are assigned.", "link": "The email is on its way.", "sessions": "Every session has ended.",
}

// User shows one administrator.
func (h *Handlers) User(c echo.Context) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	return h.renderUser(c, http.StatusOK, id, &page.Problems{})
}

// userForm is what the forms of an administrator send.
type userForm struct {
	Role     string  `form:"role"`
	Active   bool    `form:"active"`
	Products []int64 `form:"product"`
}

// SetRole gives an administrator another role.
func (h *Handlers) SetRole(c echo.Context) error {
	return h.changeUser(c, func(ctx context.Context, by *identity.User, id int64, form userForm) (string, error) {
		return "role", h.Administrators.SetRole(ctx, by, id, form.Role)
	})
}

// SetActive lets an administrator in or keeps them out.
func (h *Handlers) SetActive(c echo.Context) error {
	return h.changeUser(c, func(ctx context.Context, by *identity.User, id int64, form userForm) (string, error) {
		done := map[bool]string{true: "active", false: "inactive"}[form.Active]
		return done, h.Administrators.SetActive(ctx, by, id, form.Active)
	})
}

// SetProducts assigns an administrator to products.
func (h *Handlers) SetProducts(c echo.Context) error {
	return h.changeUser(c, func(ctx context.Context, by *identity.User, id int64, form userForm) (string, error) {
		return "products", h.Administrators.SetProducts(ctx, by, id, form.Products)
	})
}

// SendLink sends an administrator a link to set a password.
func (h *Handlers) SendLink(c echo.Context) error {
	return h.changeUser(c, func(ctx context.Context, by *identity.User, id int64, _ userForm) (string, error) {
		return "link", h.Administrators.SendLink(ctx, by, id)
	})
}

// EndSessions signs an administrator out everywhere.
func (h *Handlers) EndSessions(c echo.Context) error {
	return h.changeUser(c, func(ctx context.Context, by *identity.User, id int64, _ userForm) (string, error) {
		return "sessions", h.Administrators.EndSessions(ctx, by, id)
	})
}

// DeleteUser removes an administrator.
func (h *Handlers) DeleteUser(c echo.Context) error {
	return h.changeUser(c, func(ctx context.Context, by *identity.User, id int64, _ userForm) (string, error) {
		return "deleted", h.Administrators.Delete(ctx, by, id)
	})
}

func (h *Handlers) changeUser(c echo.Context, change func(ctx context.Context, by *identity.User, id int64, form userForm) (done string, err error)) error {
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
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderUser(c, status, id, problems) })
	}
	if done == "deleted" {
		return page.Done(c, usersPath, done)
	}
	return page.Done(c, usersPath+"/"+plain(id), done)
}

func (h *Handlers) renderUser(c echo.Context, status int, id int64, problems *page.Problems) error {
	ctx := c.Request().Context()
	u, err := queries.AdminUserGet(ctx, h.DB, id)
	if db.IsNoRows(err) {
		return fault.New(fault.NotFound, "There is no such administrator.")
	}
	if err != nil {
		return err
	}
	products, err := queries.ProductNameList(ctx, h.DB)
	if err != nil {
		return err
	}
	p := view.UserPage{Frame: frame(c, u.Name, usersPath), Problem: problems.Form, Facts: userFacts(u)}
	p.Up, p.Done = ui.Link{Label: "Users", Href: usersPath}, usersDone[c.QueryParam("done")]
	if page.User(c).ID == id {
		p.Own = "This is your own account. Another Super Admin can change its role or deactivate it."
	}
	p.Audit = []ui.Link{
		{Label: "What they did", Href: page.Address(auditPath, page.Query("actor", identity.AdminActor(id)))},
		{Label: "What was done to the account", Href: page.Address(auditPath, page.Query("target", identity.AdminActor(id)))},
	}
	path := usersPath + "/" + plain(id)
	p.Role = view.Form{
		Action: path + "/role", CSRF: p.CSRF, Submit: "Change the role", Quiet: true,
		Selects: []ui.Select{{Name: "role", Label: "Role", Value: u.Role, Options: roleOptions, Hint: "Changing it ends every session.", Error: problems.Fields["role"]}},
	}
	if checks := productChecks(products, u.Products); checks != nil {
		p.Products = view.Form{Action: path + "/products", CSRF: p.CSRF, Submit: "Assign the products", Quiet: true, Checks: checks}
	}
	if u.Role == identity.Editor && len(u.Products) == 0 {
		p.Warning = "This Editor has no products, and only reads. Assign those that they are to write."
	}
	open, err := h.Directory.Sessions(ctx, identity.Session{Surface: identity.Administration, UserID: id})
	if err != nil {
		return err
	}
	p.Sessions, _ = page.SessionTable(open, "", "")
	p.EndSessions = ui.Post{Action: path + "/sessions/end", CSRF: p.CSRF, Label: "End every session of " + u.Name}
	p.Actions = userActions(u, path, p.CSRF)
	p.Delete = ui.Post{Action: path + "/deletion", CSRF: p.CSRF, Label: "Delete " + u.Email, Kind: ui.Danger}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.User(p)})
}

func userFacts(u models.AdminUser) []ui.Pair {
	return []ui.Pair{
		{Key: "Email", Value: u.Email}, {Key: "Role", Value: page.RoleNames[u.Role]}, {Key: "State", Value: userState(u).Text},
		{Key: "Last sign-in", Value: lately(u.LastSignInAt, time.Now()).Text}, {Key: "Made", Value: when(u.CreatedAt).Text + " UTC"},
	}
}

func userActions(u models.AdminUser, path, csrf string) []ui.Post {
	if !u.Active {
		return []ui.Post{{Action: path + "/activation", CSRF: csrf, Label: "Activate the account", Values: []ui.Pair{{Key: "active", Value: "true"}}}}
	}
	label := "Send a link to set a new password"
	if u.Invited {
		label = "Send the invitation again"
	}
	return []ui.Post{
		{Action: path + "/link", CSRF: csrf, Label: label},
		{Action: path + "/activation", CSRF: csrf, Label: "Deactivate the account", Kind: ui.Danger, Values: []ui.Pair{{Key: "active", Value: "false"}}},
	}
}

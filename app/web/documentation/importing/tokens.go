package importing

import (
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	rule "heliograph/app/documentation/importing"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/documentation/importing"
	"heliograph/views/ui"
)

// tokenForm holds the fields of a new token.
type tokenForm struct {
	Name    string `form:"program"`
	Product int64  `form:"into"`
	Days    int    `form:"days"`
}

// createdToken is a token that waits in the browser, encrypted, for the page that
// shows it once.
type createdToken struct {
	UserID int64  `json:"user"`
	Token  string `json:"token"`
}

const (
	createdTokenCookie = "heliograph-import-token"
	createdTokenLife   = 10 * time.Minute
)

// CreateToken makes a token and redirects to the page, which shows it once.
func (h *Handlers) CreateToken(c echo.Context, f tokenForm) error {
	token, err := h.Rule.Tokens.Create(c.Request().Context(), desk.Actor(c), rule.TokenRequest{Name: f.Name, ProductID: f.Product, Days: f.Days})
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderAutomation(c, automated{token: f, wrong: view.TokenRegion, problems: problems, status: status})
		})
	}
	if err := h.Gate.Keep(c, createdTokenCookie, createdToken{page.User(c).ID, token}, createdTokenLife); err != nil {
		return err
	}
	return page.SeeOther(c, automation)
}

// revealed returns the token that the page has to show, or an empty text.
func (h *Handlers) revealed(c echo.Context) string {
	var t createdToken
	if page.IsLive(c) || !h.Gate.Kept(c, createdTokenCookie, &t) {
		return ""
	}
	h.Gate.Forget(c, createdTokenCookie)
	if t.UserID != page.User(c).ID {
		return ""
	}
	return t.Token
}

// RevokeToken ends a token.
func (h *Handlers) RevokeToken(c echo.Context, id int64) error {
	if err := h.Rule.Tokens.Revoke(c.Request().Context(), desk.Actor(c), id); err != nil {
		return err
	}
	return page.Done(c, automation, "revoked")
}

func days() (list []ui.Option) {
	words := map[int]string{30: "30 days", 90: "90 days", 365: "A year"}
	for _, n := range rule.TokenDays {
		list = append(list, ui.Option{Value: strconv.Itoa(n), Label: words[n]})
	}
	return list
}

func tokenTable(csrf string, list []models.ImportToken) ui.Table {
	t := ui.Table{
		Caption: "Tokens", Quiet: true,
		Columns: []ui.Column{{Label: "Program", Lead: true}, {Label: "State"}, {Label: "Product"}, {Label: "Made by"}, {Label: "Used last"}, {Label: "Works until"}, {Label: "Action"}},
	}
	for _, token := range list {
		used := ui.Cell{Text: "Not yet"}
		if token.LastUsedAt != nil {
			used = when(*token.LastUsedAt)
		}
		state, action := ui.Cell{Text: "Works", Badge: true, Tone: ui.Good}, ui.Cell{}
		switch {
		case token.RevokedAt != nil:
			state.Text, state.Tone = "Revoked", ""
		case time.Now().After(token.ExpiresAt):
			state.Text, state.Tone = "Expired", ""
		default:
			action.Body = ui.PostButton(ui.Post{Action: tokensPath + "/" + strconv.FormatInt(token.ID, 10) + "/revocation", CSRF: csrf, Label: "Revoke", Object: token.Name, Small: true})
		}
		t.Rows = append(t.Rows, []ui.Cell{
			{Text: token.Name, Note: token.Prefix + "…"}, state, {Text: token.ProductName}, {Text: token.AdminName}, used, when(token.ExpiresAt), action,
		})
	}
	return t
}

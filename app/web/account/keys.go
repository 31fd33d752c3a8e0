package account

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/identity"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	view "heliograph/views/account"
	"heliograph/views/ui"
)

const keysPath = "/account/keys"

// keyForm is what the form for a key sends.
type keyForm struct {
	Name     string   `form:"name"`
	Channels []string `form:"channels"`
}

func keyPath(id int64) string { return keysPath + "/" + strconv.FormatInt(id, 10) + "/revoke" }

// newKey is the form before anybody typed: a key for everything.
var newKey = keyForm{Channels: []string{"messaging", "sms", "rcs"}}

// mayChange says whether a user looks after keys and webhooks.
func mayChange(u *identity.User) bool { return u.Role != identity.Viewer }

// Keys lists the API keys.
func (h *Handlers) Keys(c echo.Context) error {
	return h.renderKeys(c, http.StatusOK, keyState{form: newKey, problems: &page.Problems{}})
}

// CreateKey makes a key and shows it, in this answer alone.
func (h *Handlers) CreateKey(c echo.Context) error {
	var f keyForm
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	user := page.User(c)
	key, err := h.Directory.CreateKey(c.Request().Context(), user.OrganisationID, identity.KeyRequest{Name: strings.TrimSpace(f.Name), Channels: f.Channels}, user.Actor())
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderKeys(c, status, keyState{form: f, problems: problems})
		})
	}
	return h.renderKeys(c, http.StatusOK, keyState{form: newKey, problems: &page.Problems{}, created: key})
}

// ConfirmRevoke names the key that would be revoked.
func (h *Handlers) ConfirmRevoke(c echo.Context) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	key, err := queries.APIKeyGetActive(c.Request().Context(), h.DB, page.User(c).OrganisationID, id)
	if db.IsNoRows(err) {
		return fault.New(fault.NotFound, "There is no such active key.")
	}
	if err != nil {
		return err
	}
	p := view.ConfirmPage{
		Frame: frame(c, "Revoke "+key.Name, keysPath),
		Text:  "Programs that still use this key are refused at once. It cannot be brought back.",
		Facts: []ui.Pair{
			{Key: "Begins with", Value: key.Prefix, Mono: true}, {Key: "Channels", Value: page.LabelsOf(page.Channels, key.Channels)},
			{Key: "Last used (UTC)", Value: when(key.UsedAt).Text},
		},
		Back: ui.Link{Label: "Keep it", Href: keysPath},
	}
	p.Up = ui.Link{Label: "API keys", Href: keysPath}
	p.Action = ui.Post{Action: c.Request().URL.Path, CSRF: p.CSRF, Label: "Revoke " + key.Name, Kind: ui.Danger}
	return page.Render(c, http.StatusOK, confirmView(c, p))
}

// RevokeKey ends a key.
func (h *Handlers) RevokeKey(c echo.Context) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	user := page.User(c)
	if err := h.Directory.RevokeKey(c.Request().Context(), user.OrganisationID, id, user.Actor()); err != nil {
		return err
	}
	return page.Done(c, keysPath, "key-revoked")
}

// keyState is where the making of a key stands: the form as it was sent with
// what is wrong, or the key just created.
type keyState struct {
	form     keyForm
	problems *page.Problems
	created  string
}

// renderKeys shows the list, and how far the making of another key is.
func (h *Handlers) renderKeys(c echo.Context, status int, state keyState) error {
	user, f, problems := page.User(c), state.form, state.problems
	keys, err := queries.APIKeyList(c.Request().Context(), h.DB, user.OrganisationID)
	if err != nil {
		return err
	}
	p := view.KeysPage{
		Frame: frame(c, "API keys", keysPath), Keys: keyTable(keys, mayChange(user)),
		Docs: ui.Link{Label: "How a key is sent", Href: docsPath},
	}
	if state.created != "" {
		p.Created = ui.Code{Title: "API key", Language: "text", Text: state.created}
	}
	active := slices.IndexFunc(keys, func(k models.ListedKey) bool { return k.RevokedAt != nil })
	if active < 0 {
		active = len(keys)
	}
	switch {
	case !mayChange(user):
		p.Full = "Developers and owners create and revoke keys."
	case active >= 2 && problems.Form == "":
		p.Full = "Both places are taken. Revoke a key to create another."
	default:
		p.Form = &view.KeyForm{
			Name:     ui.Input{Name: "name", Label: "Name", Hint: "The program that will use it, for example Shop", Value: f.Name, Required: true, Error: problems.Fields["name"]},
			Channels: ui.Checks{Name: "channels", Label: "Channels", Options: page.Channels, Values: f.Channels, Error: problems.Fields["channels"]},
			Problem:  problems.Form, CSRF: p.CSRF,
		}
	}
	v := page.View{Frame: p.Page, Body: view.Keys(p)}
	if state.created != "" {
		v.Region = ui.Main // the key is shown above the list
	}
	return page.Render(c, status, v)
}

// keyColumns is the number of columns of the list of keys, for those who may
// change it.
const keyColumns = 7

func keyTable(keys []models.ListedKey, change bool) ui.Table {
	t := ui.Table{Caption: "API keys", Quiet: true, Columns: []ui.Column{
		{Label: "Name"}, {Label: "Begins with"}, {Label: "Channels"}, {Label: "State"}, {Label: "Created (UTC)"}, {Label: "Last used (UTC)"},
	}}
	if change {
		t.Columns = append(t.Columns, ui.Column{Label: "Change", Plain: true})
	}
	for _, k := range keys {
		row := []ui.Cell{
			{Text: k.Name}, {Text: k.Prefix, Mono: true}, {Text: page.LabelsOf(page.Channels, k.Channels)}, keyBadge(k.RevokedAt), when(&k.CreatedAt), when(k.UsedAt),
		}
		if change && k.RevokedAt == nil {
			row = append(row, ui.Cell{Body: ui.AskLink(ui.Link{Label: "Revoke", Href: keyPath(k.ID)}, k.Name, ui.Details.Of(strconv.FormatInt(k.ID, 10)))})
		} else if change {
			row = append(row, ui.Cell{})
		}
		t.Rows, t.Keys = append(t.Rows, row), append(t.Keys, strconv.FormatInt(k.ID, 10))
	}
	return t
}

func keyBadge(revoked *time.Time) ui.Cell {
	if revoked != nil {
		return ui.Cell{Text: "Revoked", Badge: true}
	}
	return ui.Cell{Text: "Active", Badge: true, Tone: ui.Good}
}

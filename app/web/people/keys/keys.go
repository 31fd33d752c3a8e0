// Package keys serves the API keys of an organisation.
package keys

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/people/identity"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	view "heliograph/views/people/keys"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB        db.Querier // read only
	Directory *identity.Directory
	Gate      *page.Gate // of the accounts
}

// keyForm is the form that creates a key.
type keyForm struct {
	Name     string   `form:"name"`
	Channels []string `form:"channels"`
}

func keyPath(id int64) string {
	return page.AccountKeysPath + "/" + strconv.FormatInt(id, 10) + "/revoke"
}

// EveryChannel are the channels of a key that opens all of them.
var EveryChannel = []string{"messaging", "sms", "rcs"}

// newKey is the empty form. It has every channel chosen.
var newKey = keyForm{Channels: EveryChannel}

// MayChange reports whether a user may change keys and webhooks.
func MayChange(u *identity.User) bool { return u.Role != identity.Viewer }

// List lists the API keys.
func (h *Handlers) List(c echo.Context) error {
	return h.renderKeys(c, http.StatusOK, keyState{form: newKey, problems: &page.Problems{}, created: Revealed(c, h.Gate)})
}

// Create creates a key and redirects to the list, which shows it once.
func (h *Handlers) Create(c echo.Context, f keyForm) error {
	user := page.User(c)
	key, err := h.Directory.CreateKey(c.Request().Context(), user.OrganisationID, identity.KeyRequest{Name: strings.TrimSpace(f.Name), Channels: f.Channels}, user.Actor())
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderKeys(c, status, keyState{form: f, problems: problems})
		})
	}
	return RevealOnce(c, h.Gate, key, page.AccountKeysPath)
}

// createdKey is a key that waits in the browser, encrypted, for the page that shows
// it once.
type createdKey struct {
	UserID int64  `json:"user"`
	Key    string `json:"key"`
}

const (
	createdKeyCookie = "heliograph-key"
	createdKeyLife   = 10 * time.Minute
)

// RevealOnce redirects to a page that shows a new key once. Reloading that page
// neither shows the key again nor creates another one.
func RevealOnce(c echo.Context, gate *page.Gate, key, path string) error {
	if err := gate.Keep(c, createdKeyCookie, createdKey{page.User(c).ID, key}, createdKeyLife); err != nil {
		return err
	}
	return page.SeeOther(c, path)
}

// Revealed returns the key that the page has to show, or an empty string. Refreshes
// of live parts leave it to the page.
func Revealed(c echo.Context, gate *page.Gate) string {
	var k createdKey
	if page.IsLive(c) || !gate.Kept(c, createdKeyCookie, &k) {
		return ""
	}
	gate.Forget(c, createdKeyCookie)
	if k.UserID != page.User(c).ID {
		return ""
	}
	return k.Key
}

// AskRevoke asks before a key is revoked.
func (h *Handlers) AskRevoke(c echo.Context) (*page.Question, error) {
	id, err := page.ID(c)
	if err != nil {
		return nil, err
	}
	key, err := queries.APIKeyGetActive(c.Request().Context(), h.DB, page.User(c).OrganisationID, id)
	if err != nil {
		return nil, page.NotFound(err, "This key does not exist or is revoked.")
	}
	f := page.AccountFrame(c, "Revoke "+key.Name, page.AccountKeysPath).Under("API keys", page.AccountKeysPath)
	return &page.Question{Frame: f, Question: ui.Question{
		Region: keyRegion(id), Text: "Requests with this key are refused immediately. A revoked key cannot be restored.",
		Facts: []ui.Pair{
			{Key: "Begins with", Value: key.Prefix, Mono: true}, {Key: "Channels", Value: ui.LabelsOf(listing.Channels, key.Channels)},
			{Key: "Last used (UTC)", Value: listing.Minute(key.UsedAt).Text, At: listing.Minute(key.UsedAt).At},
		},
		Action: ui.Post{Label: "Revoke " + key.Name, Kind: ui.Danger},
		Back:   ui.Link{Label: "Keep the key"},
	}}, nil
}

// keyRegion is where the question opens before a key is revoked.
func keyRegion(id int64) ui.Region { return ui.Confirm.Of(strconv.FormatInt(id, 10)) }

// Revoke revokes a key.
func (h *Handlers) Revoke(c echo.Context, id int64) error {
	user := page.User(c)
	if err := h.Directory.RevokeKey(c.Request().Context(), user.OrganisationID, id, user.Actor()); err != nil {
		return err
	}
	return page.Done(c, page.AccountKeysPath, "key-revoked")
}

// keyState is the state of the form that creates a key: the form as it was sent
// with its problems, or the key that was created.
type keyState struct {
	form     keyForm
	problems *page.Problems
	created  string
}

// renderKeys shows the list of keys and the form that creates one.
func (h *Handlers) renderKeys(c echo.Context, status int, state keyState) error {
	user, f, problems := page.User(c), state.form, state.problems
	keys, err := queries.APIKeyList(c.Request().Context(), h.DB, user.OrganisationID)
	if err != nil {
		return err
	}
	p := view.KeysPage{
		Frame: page.AccountFrame(c, "API keys", page.AccountKeysPath), Keys: keyTable(keys, MayChange(user)),
		Docs: ui.Link{Label: "How to send a key", Href: page.DocsPath},
	}
	if state.created != "" {
		p.Created = ui.Code{Title: "API key", Language: "text", Text: state.created}
	}
	active := slices.IndexFunc(keys, func(k models.ListedKey) bool { return k.RevokedAt != nil })
	if active < 0 {
		active = len(keys)
	}
	switch {
	case !MayChange(user):
		p.Full = "Developers and owners create and revoke keys."
	case active >= 2 && problems.Form == "":
		p.Full = "Two keys are active. Revoke one of them to create another."
	default:
		p.Form = &view.KeyForm{
			Name:     ui.Input{Name: "name", Label: "Name", Hint: "The program that uses the key, for example Shop", Value: f.Name, Required: true, Error: problems.Fields["name"]},
			Channels: ui.Checks{Name: "channels", Label: "Channels", Options: listing.Channels, Values: f.Channels, Error: problems.Fields["channels"]},
			Problem:  problems.Form, CSRF: p.CSRF,
		}
	}
	v := page.View{Frame: p.Page, Body: view.Keys(p)}
	if state.created != "" {
		v.Region = ui.Main // the key is shown above the list
	}
	return page.Render(c, status, v)
}

func keyTable(keys []models.ListedKey, change bool) ui.Table {
	t := ui.Table{Caption: "API keys", Quiet: true, Columns: []ui.Column{
		{Label: "Name"}, {Label: "Begins with"}, {Label: "Channels"}, {Label: "State"}, {Label: "Created (UTC)"}, {Label: "Last used (UTC)"},
	}}
	if change {
		t.Columns = append(t.Columns, ui.Column{Label: "Change", Plain: true})
	}
	for _, k := range keys {
		row := []ui.Cell{
			{Text: k.Name}, {Text: k.Prefix, Mono: true}, {Text: ui.LabelsOf(listing.Channels, k.Channels)}, keyBadge(k.RevokedAt), listing.Minute(&k.CreatedAt), listing.Minute(k.UsedAt),
		}
		if change && k.RevokedAt == nil {
			row = append(row, ui.Cell{Opens: keyRegion(k.ID), Body: ui.AskButton(ui.Ask{Link: ui.Link{Label: "Revoke", Href: keyPath(k.ID)}, Object: k.Name, Region: keyRegion(k.ID), Small: true})})
		} else if change {
			row = append(row, ui.Cell{})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func keyBadge(revoked *time.Time) ui.Cell {
	if revoked != nil {
		return ui.Cell{Text: "Revoked", Badge: true}
	}
	return ui.Cell{Text: "Active", Badge: true, Tone: ui.Good}
}

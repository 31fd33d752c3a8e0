package users

import (
	"github.com/labstack/echo/v4"

	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/views/ui"
)

// userQuestion asks for confirmation before an account is changed. Its page has
// the path of the action.
type userQuestion struct {
	path, label, text string
	values            []ui.Pair
}

var questions = map[string]userQuestion{
	"activation": {
		path: "/activation", label: "Deactivate the account", values: []ui.Pair{{Key: "active", Value: "false"}},
		text: "Every session of the user ends immediately, and the user can no longer sign in. A Super Admin can activate the account again.",
	},
	"sessions": {
		path: "/sessions/end", label: "End every session",
		text: "The user is signed out in every browser and has to sign in again.",
	},
	"deletion": {
		path: "/deletion", label: "Remove the account",
		text: "The account is removed immediately and cannot be restored. Its entries stay in the audit. An author of documentation can only be deactivated.",
	},
}

// region is the region of the confirmation on the page of the user.
func (q userQuestion) region() ui.Region { return ui.Confirm.Of(q.path[1:4]) }

func (q userQuestion) button(u models.AdminUser) ui.Ask {
	kind := ui.Danger
	if q.path == "/sessions/end" {
		kind = ui.Plain
	}
	return ui.Ask{Link: ui.Link{Label: q.label, Href: page.UsersPath + "/" + listing.Plain(u.ID) + q.path}, Region: q.region(), Kind: kind}
}

// AskDeactivate asks before an administrator is deactivated.
func (h *Handlers) AskDeactivate(c echo.Context) (*page.Question, error) {
	return h.askUser(c, questions["activation"])
}

// AskEndSessions asks before every session of an administrator is ended.
func (h *Handlers) AskEndSessions(c echo.Context) (*page.Question, error) {
	return h.askUser(c, questions["sessions"])
}

// AskRemove asks before an administrator is removed.
func (h *Handlers) AskRemove(c echo.Context) (*page.Question, error) {
	return h.askUser(c, questions["deletion"])
}

func (h *Handlers) askUser(c echo.Context, q userQuestion) (*page.Question, error) {
	id, err := page.ID(c)
	if err != nil {
		return nil, err
	}
	u, err := queries.AdminUserGet(c.Request().Context(), h.DB, id)
	if err != nil {
		return nil, page.NotFound(err, "This user does not exist.")
	}
	f := page.AdministrationFrame(c, q.label+" of "+u.Name, page.UsersPath).Under(u.Name, page.UsersPath+"/"+listing.Plain(id))
	return &page.Question{Frame: f, Question: ui.Question{
		Region: q.region(), Text: q.text,
		Action: ui.Post{Label: q.label, Kind: ui.Danger, Values: q.values},
		Back:   ui.Link{Label: "Change nothing"},
	}}, nil
}

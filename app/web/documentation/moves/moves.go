// Package moves archives items, moves them to another address or to the trash, and takes
// the last save back.
package moves

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/itemform"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/views/forms"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB      db.Querier  // read only
	Rules   db.Beginner // where the rules of editing write
	Signals *db.Signals // notifies open pages; may be nil
}

// itemQuestion asks for confirmation before something is done with an item.
type itemQuestion struct {
	path, label, text string
	kind              ui.ButtonKind
}

var itemQuestions = map[string]itemQuestion{
	"archive": {"/archive", "Archive", "The item goes into your change set. Readers no longer find it once that is reviewed and published. It can come back later.", ui.Danger},
	"trash":   {"/trash", "Move to the trash", "The item leaves the tree. Its address stays taken, and it can be taken out of the trash.", ui.Danger},
	"untrash": {"/untrash", "Take it out of the trash", "The item is in the tree again. Readers see nothing of it until it is published.", ui.Primary},
}

// Ask asks before an item is archived, or moved to or from the trash.
func (h *Handlers) Ask(action string) page.Asker {
	q := itemQuestions[action]
	return func(c echo.Context) (*page.Question, error) {
		e, err := desk.OpenItem(c, h.DB)
		if err != nil {
			return nil, err
		}
		name := desk.Label(e.Item, desk.NameOf(e.Head.Content))
		f := page.AdministrationFrame(c, q.label+": "+name, page.ProductsPath).Under(name, e.Path())
		facts := []ui.Pair{{Key: desk.Kinds[e.Item.Kind], Value: name}, {Key: "Address", Value: e.Item.Slug, Mono: true}}
		if action == "archive" {
			links, err := itemform.LinksTo(c.Request().Context(), h.DB, e)
			if err != nil {
				return nil, err
			}
			facts = append(facts, links...)
		}
		return &page.Question{Frame: f, Question: ui.Question{
			Region: ui.Confirm.Of(action), Text: q.text, Facts: facts,
			Action: ui.Post{Label: q.label, Kind: q.kind}, Back: ui.Link{Label: "Change nothing"},
		}}, nil
	}
}

// Undo takes the last save of the user's own draft back.
func (h *Handlers) Undo(c echo.Context) error {
	return h.actOn(c, "undone", func(e desk.Editing) error {
		return editorial.Undo(c.Request().Context(), h.Rules, e.Actor, e.Item.ID)
	})
}

// Archive puts the archiving of an item into the author's change set.
func (h *Handlers) Archive(c echo.Context) error {
	return h.actOn(c, "archive", func(e desk.Editing) error {
		return editorial.Archive(c.Request().Context(), h.Rules, e.Actor, 0, e.Item.ID)
	})
}

// Trash moves an item to the trash.
func (h *Handlers) Trash(c echo.Context) error {
	return h.actOn(c, "trashed", func(e desk.Editing) error {
		return editorial.Trash(c.Request().Context(), h.Rules, e.Actor, e.Item.ID)
	})
}

// Untrash takes an item out of the trash.
func (h *Handlers) Untrash(c echo.Context) error {
	return h.actOn(c, "untrashed", func(e desk.Editing) error {
		return editorial.Untrash(c.Request().Context(), h.Rules, e.Actor, e.Item.ID)
	})
}

func (h *Handlers) actOn(c echo.Context, done string, act func(e desk.Editing) error) error {
	e, err := desk.OpenItem(c, h.DB)
	if err == nil {
		err = act(e)
	}
	if err != nil {
		return err
	}
	h.Signals.Add(desk.DraftsTopic, 0)
	return page.Done(c, e.Path(), done)
}

// moveForm is the form that moves an item.
type moveForm struct {
	Slug   string `form:"slug"`
	Parent int64  `form:"parent"`

	problems page.Problems
}

// ShowMove shows the form that moves an item.
func (h *Handlers) ShowMove(c echo.Context, e desk.Editing) error {
	return h.renderMove(c, http.StatusOK, e, moveForm{Slug: e.Item.Slug, Parent: e.Item.ParentID})
}

// Move puts the move of an item into the author's change set.
func (h *Handlers) Move(c echo.Context, e desk.Editing) error {
	var form moveForm
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	form.Slug = strings.TrimSpace(form.Slug)
	err := editorial.MoveItem(c.Request().Context(), h.Rules, e.Actor, 0, e.Item.ID, editorial.Address{Slug: form.Slug, ParentID: form.Parent})
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			form.problems = *problems
			return h.renderMove(c, status, e, form)
		})
	}
	h.Signals.Add(desk.DraftsTopic, 0)
	return page.Done(c, e.Path(), "moved")
}

func (h *Handlers) renderMove(c echo.Context, status int, e desk.Editing, form moveForm) error {
	name := desk.Label(e.Item, desk.NameOf(e.Head.Content))
	p := forms.FormPage{Frame: page.AdministrationFrame(c, "Change the address of "+name, page.ProductsPath), Lead: "The move goes into your change set and is reviewed like a text. When it is published, the old address redirects to the new one for good."}
	p.Up = ui.Link{Label: name, Href: e.Path()}
	p.Form = forms.Form{
		Name: "move", Action: e.Path() + "/move", CSRF: p.CSRF, Problem: form.problems.Form, Submit: "Move the item",
		Inputs: []ui.Input{{
			Name: "slug", Label: "Address", Value: form.Slug, Required: true,
			Hint: "The last part of the public address: small letters, digits, hyphens and dots.", Error: form.problems.Fields["slug"],
		}},
		Other: ui.Link{Label: "Change nothing", Href: e.Path()},
	}
	if kind, _ := content.ParentKind(e.Item.Kind); kind == content.KindVersion {
		versions, err := queries.ItemList(c.Request().Context(), h.DB, e.Product.ID)
		if err != nil {
			return err
		}
		p.Form.Selects = []ui.Select{versionSelect(versions, form.Parent)}
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: forms.OneForm(p)})
}

func versionSelect(items []models.Item, chosen int64) ui.Select {
	s := ui.Select{Name: "parent", Label: "Version", Value: listing.Plain(chosen)}
	for _, i := range items {
		if i.Kind == content.KindVersion && !i.Trashed {
			s.Options = append(s.Options, ui.Option{Value: listing.Plain(i.ID), Label: i.Slug})
		}
	}
	return s
}

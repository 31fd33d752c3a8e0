package admin

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/web/page"
	"heliograph/db/models"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

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

// ConfirmItem asks before an item is archived, or moved to or from the trash.
func (h *Handlers) ConfirmItem(action string) echo.HandlerFunc {
	q := itemQuestions[action]
	return func(c echo.Context) error {
		e, err := OpenItem(c, h.DB)
		if err != nil {
			return err
		}
		name := label(e.item, nameOf(e.head.Content))
		f := frame(c, q.label+": "+name, productsPath)
		f.Up = ui.Link{Label: name, Href: e.path()}
		facts := []ui.Pair{{Key: kinds[e.item.Kind], Value: name}, {Key: "Address", Value: e.item.Slug, Mono: true}}
		if action == "archive" {
			links, err := linksTo(c.Request().Context(), h.DB, e)
			if err != nil {
				return err
			}
			facts = append(facts, links...)
		}
		return page.Confirm(c, f, ui.Question{
			Region: ui.Confirm.Of(action), Text: q.text, Facts: facts,
			Action: ui.Post{Action: e.path() + q.path, Label: q.label, Kind: q.kind}, Back: ui.Link{Label: "Change nothing", Href: e.path()},
		}, "")
	}
}

// UndoItem takes the last save of the user's own draft back.
func (h *Handlers) UndoItem(c echo.Context) error {
	return h.actOn(c, "undone", func(e editing) error {
		return editorial.Undo(c.Request().Context(), h.Documentation, e.actor, e.item.ID)
	})
}

// ArchiveItem puts the archiving of an item into the author's change set.
func (h *Handlers) ArchiveItem(c echo.Context) error {
	return h.actOn(c, "archive", func(e editing) error {
		return editorial.Archive(c.Request().Context(), h.Documentation, e.actor, 0, e.item.ID)
	})
}

// TrashItem moves an item to the trash.
func (h *Handlers) TrashItem(c echo.Context) error {
	return h.actOn(c, "trashed", func(e editing) error {
		return editorial.Trash(c.Request().Context(), h.Documentation, e.actor, e.item.ID)
	})
}

// UntrashItem takes an item out of the trash.
func (h *Handlers) UntrashItem(c echo.Context) error {
	return h.actOn(c, "untrashed", func(e editing) error {
		return editorial.Untrash(c.Request().Context(), h.Documentation, e.actor, e.item.ID)
	})
}

func (h *Handlers) actOn(c echo.Context, done string, act func(e editing) error) error {
	e, err := OpenItem(c, h.DB)
	if err == nil {
		err = act(e)
	}
	if err != nil {
		return err
	}
	h.Signals.Add(draftsTopic, 0)
	return page.Done(c, e.path(), done)
}

// moveForm is the form that moves an item.
type moveForm struct {
	Slug   string `form:"slug"`
	Parent int64  `form:"parent"`

	problems page.Problems
}

// ShowMove shows the form that moves an item.
func (h *Handlers) ShowMove(c echo.Context) error {
	e, err := OpenItem(c, h.DB)
	if err != nil {
		return err
	}
	return h.renderMove(c, http.StatusOK, e, moveForm{Slug: e.item.Slug, Parent: e.item.ParentID})
}

// MoveItem puts the move of an item into the author's change set.
func (h *Handlers) MoveItem(c echo.Context) error {
	e, err := OpenItem(c, h.DB)
	if err != nil {
		return err
	}
	if err := e.guard(); err != nil {
		return err
	}
	var form moveForm
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	form.Slug = strings.TrimSpace(form.Slug)
	err = editorial.MoveItem(c.Request().Context(), h.Documentation, e.actor, 0, e.item.ID, editorial.Address{Slug: form.Slug, ParentID: form.Parent})
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			form.problems = *problems
			return h.renderMove(c, status, e, form)
		})
	}
	h.Signals.Add(draftsTopic, 0)
	return page.Done(c, e.path(), "moved")
}

func (h *Handlers) renderMove(c echo.Context, status int, e editing, form moveForm) error {
	name := label(e.item, nameOf(e.head.Content))
	p := view.FormPage{Frame: frame(c, "Change the address of "+name, productsPath), Lead: "The move goes into your change set and is reviewed like a text. When it is published, the old address redirects to the new one for good."}
	p.Up = ui.Link{Label: name, Href: e.path()}
	p.Form = view.Form{
		Name: "move", Action: e.path() + "/move", CSRF: p.CSRF, Problem: form.problems.Form, Submit: "Move the item",
		Inputs: []ui.Input{{Name: "slug", Label: "Address", Value: form.Slug, Required: true, Hint: "The last part of the public address: small letters, digits, hyphens and dots.", Error: form.problems.Fields["slug"]}},
		Other:  ui.Link{Label: "Change nothing", Href: e.path()},
	}
	if kind, _ := content.ParentKind(e.item.Kind); kind == content.KindVersion {
		versions, err := queries.ItemList(c.Request().Context(), h.DB, e.product.ID)
		if err != nil {
			return err
		}
		p.Form.Selects = []ui.Select{versionSelect(versions, form.Parent)}
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.OneForm(p)})
}

func versionSelect(items []models.Item, chosen int64) ui.Select {
	s := ui.Select{Name: "parent", Label: "Version", Value: plain(chosen)}
	for _, i := range items {
		if i.Kind == content.KindVersion && !i.Trashed {
			s.Options = append(s.Options, ui.Option{Value: plain(i.ID), Label: i.Slug})
		}
	}
	return s
}

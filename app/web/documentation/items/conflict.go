package items

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/itemform"
	"heliograph/app/web/page"
)

// renderStale shows the conflict of a save.
func (h *Handlers) renderStale(c echo.Context, e desk.Editing, s *editorial.Stale) error {
	k := &itemform.Conflict{Kind: e.Item.Kind, Was: s.Base.ID, Head: s.Theirs.ID, Saved: map[string]string{}, Mine: map[string]string{}, Joined: s.Merge.Joined, As: itemform.AsRows}
	var err error
	for _, v := range []struct {
		into *map[string]string
		of   json.RawMessage
	}{{&k.Base, s.Base.Content}, {&k.Theirs, s.Theirs.Content}, {&k.Now, s.Merge.Content}} {
		if *v.into, err = fields.Values(e.Item.Kind, v.of); err != nil {
			return err
		}
	}
	for _, o := range s.Merge.Overlaps {
		k.Both = append(k.Both, o.Field)
		if k.Saved[o.Field], err = fields.Value(e.Item.Kind, o.Field, o.WithTheirs); err != nil {
			return err
		}
		if k.Mine[o.Field], err = fields.Value(e.Item.Kind, o.Field, o.WithMine); err != nil {
			return err
		}
	}
	return h.renderConflict(c, http.StatusConflict, e, k)
}

func (h *Handlers) renderConflict(c echo.Context, status int, e desk.Editing, k *itemform.Conflict) error {
	return h.render(c, status, e, itemform.Typed{Values: k.Now, Base: k.Head, As: k.As, Problems: &page.Problems{}, Conflict: k})
}

// take puts one side of a field into the form of a conflict. Nothing is saved.
func (h *Handlers) take(c echo.Context, e desk.Editing, t itemform.Typed) error {
	form, ctx := c.Request().PostForm, c.Request().Context()
	was, err := strconv.ParseInt(form.Get("was"), 10, 64)
	if err != nil {
		return fault.New(fault.Invalid, "The form could not be read. Load the page again.")
	}
	before, err := revisionOf(ctx, h.DB, e.Item, was)
	if err != nil {
		return err
	}
	theirs, err := revisionOf(ctx, h.DB, e.Item, t.Base)
	if err != nil {
		return err
	}
	k := &itemform.Conflict{Kind: e.Item.Kind, Was: was, Head: t.Base, Now: t.Values, Saved: map[string]string{}, Mine: map[string]string{}, Joined: form["joined"], As: t.As}
	if k.Base, err = fields.Values(e.Item.Kind, before.Content); err != nil {
		return err
	}
	if k.Theirs, err = fields.Values(e.Item.Kind, theirs.Content); err != nil {
		return err
	}
	for _, f := range fields.Of(e.Item.Kind) {
		if form.Has("mine." + f.Name) {
			k.Both = append(k.Both, f.Name)
			k.Mine[f.Name], k.Saved[f.Name] = desk.PlainLines(form.Get("mine."+f.Name)), desk.PlainLines(form.Get("saved."+f.Name))
		}
	}
	side, name, _ := strings.Cut(form.Get("take"), ".")
	if slices.Contains(k.Both, name) {
		k.Now[name] = map[string]map[string]string{"theirs": k.Saved, "mine": k.Mine}[side][name]
	}
	return h.renderConflict(c, http.StatusOK, e, k)
}

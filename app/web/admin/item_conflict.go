package admin

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
	"heliograph/app/web/page"
)

// renderStale shows the conflict of a save.
func (h *Handlers) renderStale(c echo.Context, e editing, s *editorial.Stale) error {
	k := &clash{kind: e.item.Kind, was: s.Base.ID, head: s.Theirs.ID, saved: map[string]string{}, mine: map[string]string{}, joined: s.Merge.Joined, as: asRows}
	var err error
	for _, v := range []struct {
		into *map[string]string
		of   json.RawMessage
	}{{&k.base, s.Base.Content}, {&k.theirs, s.Theirs.Content}, {&k.now, s.Merge.Content}} {
		if *v.into, err = fields.Values(e.item.Kind, v.of); err != nil {
			return err
		}
	}
	for _, o := range s.Merge.Overlaps {
		k.both = append(k.both, o.Field)
		if k.saved[o.Field], err = fields.Value(e.item.Kind, o.Field, o.WithTheirs); err != nil {
			return err
		}
		if k.mine[o.Field], err = fields.Value(e.item.Kind, o.Field, o.WithMine); err != nil {
			return err
		}
	}
	return h.renderClash(c, http.StatusConflict, e, k)
}

func (h *Handlers) renderClash(c echo.Context, status int, e editing, k *clash) error {
	return h.renderItem(c, status, e, typed{values: k.now, base: k.head, as: k.as, problems: &page.Problems{}, clash: k})
}

// take puts one side of a field into the form of a conflict. Nothing is saved.
func (h *Handlers) take(c echo.Context, e editing, t typed) error {
	form, ctx := c.Request().PostForm, c.Request().Context()
	was, err := strconv.ParseInt(form.Get("was"), 10, 64)
	if err != nil {
		return fault.New(fault.Invalid, "The form could not be read. Load the page again.")
	}
	before, err := revisionOf(ctx, h.DB, e.item, was)
	if err != nil {
		return err
	}
	theirs, err := revisionOf(ctx, h.DB, e.item, t.base)
	if err != nil {
		return err
	}
	k := &clash{kind: e.item.Kind, was: was, head: t.base, now: t.values, saved: map[string]string{}, mine: map[string]string{}, joined: form["joined"], as: t.as}
	if k.base, err = fields.Values(e.item.Kind, before.Content); err != nil {
		return err
	}
	if k.theirs, err = fields.Values(e.item.Kind, theirs.Content); err != nil {
		return err
	}
	for _, f := range fields.Of(e.item.Kind) {
		if form.Has("mine." + f.Name) {
			k.both = append(k.both, f.Name)
			k.mine[f.Name], k.saved[f.Name] = plainLines(form.Get("mine."+f.Name)), plainLines(form.Get("saved."+f.Name))
		}
	}
	side, name, _ := strings.Cut(form.Get("take"), ".")
	if slices.Contains(k.both, name) {
		k.now[name] = map[string]map[string]string{"theirs": k.saved, "mine": k.mine}[side][name]
	}
	return h.renderClash(c, http.StatusOK, e, k)
}

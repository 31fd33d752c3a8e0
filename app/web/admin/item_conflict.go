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
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// clash is a form that began with a revision which is not the head any more. The
// form then continues from the head: a field that one side changed has that, and
// one that both changed has either, until it is saved.
type clash struct {
	kind         string
	was, head    int64             // the revision that the form began with, and the head
	base, theirs map[string]string // values of that revision and of the head
	both         []string          // names of the fields that both changed in the same place
	saved, mine  map[string]string // of these, with theirs and with mine there
	joined       []string          // names of the fields that both changed in different places
	now          map[string]string // values of the form
	as           string            // how its parts are edited
}

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

func plainLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// view shows the conflict.
func (k *clash) view() *view.Clash {
	v := &view.Clash{Title: "Somebody saved this item after you opened it", Was: plain(k.was)}
	for _, f := range fields.Of(k.kind) {
		switch {
		case slices.Contains(k.both, f.Name):
			v.Fields = append(v.Fields, k.field(f))
		case slices.Contains(k.joined, f.Name):
			v.Joined = append(v.Joined, ui.Pair{Key: f.Name, Value: f.Label})
		case k.base[f.Name] != k.theirs[f.Name]:
			v.Merged = append(v.Merged, f.Label)
		}
	}
	v.Text = "Nothing is lost and nothing is saved yet. You changed different places, so your changes were merged with the saved ones. Check the form and save it."
	if len(v.Fields) > 0 {
		v.Text = "Nothing is lost and nothing is saved yet. For each field below, take the saved text or yours, or edit on in the form. Then save."
	}
	return v
}

func (k *clash) field(f fields.Field) view.ClashField {
	field := view.ClashField{
		Name: f.Name, Label: f.Label, SavedText: k.saved[f.Name], MineText: k.mine[f.Name], Base: "The form holds a text of its own.",
		Theirs: difference(f, k.base[f.Name], k.saved[f.Name]), Mine: difference(f, k.base[f.Name], k.mine[f.Name]),
	}
	switch plainLines(k.now[f.Name]) {
	case k.saved[f.Name]:
		field.Base = "The form holds the saved text."
	case k.mine[f.Name]:
		field.Base = "The form holds your text."
	}
	return field
}

package admin

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/editorial"
	"heliograph/app/editorial/fields"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	view "heliograph/views/admin"
)

// clash is a form that began with a revision which is not the head any more. The
// form then continues from the head: a field that one side changed has that, and
// one that both changed has either, until it is saved.
type clash struct {
	kind         string
	was, head    int64             // the revision that the form began with, and the head
	base, theirs map[string]string // values of that revision and of the head
	mine         map[string]string // values that were typed, of the fields in both
	both         []string          // names of the fields that both changed
	now          map[string]string // values of the form
	as           string            // how its parts are edited
}

// renderStale shows the conflict of a save.
func (h *Handlers) renderStale(c echo.Context, e editing, s *editorial.Stale) error {
	merged, err := s.Merged()
	if err != nil {
		return err
	}
	k := &clash{kind: e.item.Kind, was: s.Base.ID, head: s.Theirs.ID, mine: map[string]string{}, as: asRows}
	mine, err := fields.Values(e.item.Kind, s.Mine)
	if err == nil {
		k.base, err = fields.Values(e.item.Kind, s.Base.Content)
	}
	if err == nil {
		k.theirs, err = fields.Values(e.item.Kind, s.Theirs.Content)
	}
	if err == nil {
		k.now, err = fields.Values(e.item.Kind, merged)
	}
	if err != nil {
		return err
	}
	for _, o := range s.Fields {
		k.both = append(k.both, o.Field)
		k.mine[o.Field] = mine[o.Field]
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
	before, err := h.revisionOf(ctx, e.item, was)
	if err != nil {
		return err
	}
	theirs, err := h.revisionOf(ctx, e.item, t.base)
	if err != nil {
		return err
	}
	k := &clash{kind: e.item.Kind, was: was, head: t.base, now: t.values, mine: map[string]string{}, as: t.as}
	if k.base, err = fields.Values(e.item.Kind, before.Content); err != nil {
		return err
	}
	if k.theirs, err = fields.Values(e.item.Kind, theirs.Content); err != nil {
		return err
	}
	for _, f := range fields.Of(e.item.Kind) {
		if form.Has("mine." + f.Name) {
			k.both = append(k.both, f.Name)
			k.mine[f.Name] = plainLines(form.Get("mine." + f.Name))
		}
	}
	side, name, _ := strings.Cut(form.Get("take"), ".")
	if slices.Contains(k.both, name) {
		k.now[name] = map[string]map[string]string{"theirs": k.theirs, "mine": k.mine}[side][name]
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
		case k.base[f.Name] != k.theirs[f.Name]:
			v.Merged = append(v.Merged, f.Label)
		}
	}
	v.Text = "Nothing is lost and nothing is saved yet. No field was changed by both of you, so your changes were put together with the saved ones. Look at the form and save it."
	if len(v.Fields) > 0 {
		v.Text = "Nothing is lost and nothing is saved yet. For each field below, take the saved text or yours, or edit on in the form. Then save."
	}
	return v
}

func (k *clash) field(f fields.Field) view.ClashField {
	field := view.ClashField{
		Name: f.Name, Label: f.Label, MineText: k.mine[f.Name], Base: "The form holds a text of its own.",
		Theirs: difference(f, k.base[f.Name], k.theirs[f.Name]), Mine: difference(f, k.base[f.Name], k.mine[f.Name]),
	}
	switch plainLines(k.now[f.Name]) {
	case k.theirs[f.Name]:
		field.Base = "The form holds the saved text."
	case k.mine[f.Name]:
		field.Base = "The form holds your text."
	}
	return field
}

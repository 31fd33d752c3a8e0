package admin

import (
	"slices"

	"heliograph/app/documentation/editorial/fields"
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

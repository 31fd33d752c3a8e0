package itemform

import (
	"slices"

	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/difference"
	"heliograph/app/web/listing"
	rebaseview "heliograph/views/documentation/rebase"
	"heliograph/views/ui"
)

// Conflict is a form that began with a revision which is not the head any more. The
// form then continues from the head: a field that one side changed has that, and
// one that both changed has either, until it is saved.
type Conflict struct {
	Kind         string
	Was, Head    int64             // the revision that the form began with, and the head
	Base, Theirs map[string]string // values of that revision and of the head
	Both         []string          // names of the fields that both changed in the same place
	Saved, Mine  map[string]string // of these, with theirs and with mine there
	Joined       []string          // names of the fields that both changed in different places
	Now          map[string]string // values of the form
	As           string            // how its parts are edited
}

// View shows the conflict.
func (k *Conflict) View() *rebaseview.Conflict {
	v := &rebaseview.Conflict{Title: "Somebody saved this item after you opened it", Was: listing.Plain(k.Was)}
	for _, f := range fields.Of(k.Kind) {
		switch {
		case slices.Contains(k.Both, f.Name):
			v.Fields = append(v.Fields, k.field(f))
		case slices.Contains(k.Joined, f.Name):
			v.Joined = append(v.Joined, ui.Pair{Key: f.Name, Value: f.Label})
		case k.Base[f.Name] != k.Theirs[f.Name]:
			v.Merged = append(v.Merged, f.Label)
		}
	}
	v.Text = "Nothing is lost and nothing is saved yet. You changed different places, so your changes were merged with the saved ones. Check the form and save it."
	if len(v.Fields) > 0 {
		v.Text = "Nothing is lost and nothing is saved yet. For each field below, take the saved text or yours, or edit on in the form. Then save."
	}
	return v
}

func (k *Conflict) field(f fields.Field) rebaseview.ConflictField {
	field := rebaseview.ConflictField{
		Name: f.Name, Label: f.Label, SavedText: k.Saved[f.Name], MineText: k.Mine[f.Name], Base: "The form holds a text of its own.",
		Theirs: difference.OfField(f, k.Base[f.Name], k.Saved[f.Name]), Mine: difference.OfField(f, k.Base[f.Name], k.Mine[f.Name]),
	}
	switch desk.PlainLines(k.Now[f.Name]) {
	case k.Saved[f.Name]:
		field.Base = "The form holds the saved text."
	case k.Mine[f.Name]:
		field.Base = "The form holds your text."
	}
	return field
}

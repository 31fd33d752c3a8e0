// Package rebase continues a change set from what others published meanwhile.
package rebase

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/difference"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	view "heliograph/views/documentation/rebase"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB      db.Querier  // read only
	Rules   db.Beginner // where the rules of editing write
	Signals *db.Signals // notifies open pages; may be nil
}

// The choices in a field that both changed.
const (
	takeMine   = "mine"
	takeTheirs = "theirs"
	takeEdited = "edit"
)

// Rebasing is a rebase as its page shows it.
type rebasing struct {
	desk.Draft
	diverged editorial.Divergence
	form     func(name string) (value string, sent bool) // what was sent; nothing at first
	problems *page.Problems
}

// Rebasing reads what a rebase has to merge.
func (h *Handlers) Rebasing(c echo.Context) (r rebasing, err error) {
	if r.Draft, err = desk.OpenDraft(c, h.DB); err != nil {
		return r, err
	}
	r.problems = &page.Problems{Fields: map[string]string{}}
	r.form = func(string) (string, bool) { return "", false }
	r.diverged, err = editorial.Diverge(c.Request().Context(), h.DB, r.Changes)
	return r, err
}

// Show shows what a rebase merges and asks for the choices that it needs.
func (h *Handlers) Show(c echo.Context, r rebasing) error {
	if !r.Writes {
		return fault.New(fault.Forbidden, "%s", r.Refusal)
	}
	if err := editorial.May(r.Actor, r.Set, r.Changes, editorial.MoveRebase); err != nil {
		return err
	}
	if len(r.diverged.Items) == 0 {
		return page.Done(c, desk.DraftPath(r.Set.ID), "rebase")
	}
	return r.render(c, http.StatusOK)
}

// Rebase rebases a change set with the choices of its author. Choices that no longer
// fit are shown again beside the new state.
func (h *Handlers) Rebase(c echo.Context, r rebasing) error {
	var form struct {
		Seen string `form:"seen"`
	}
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	r.form = func(name string) (string, bool) {
		return desk.PlainLines(c.Request().PostForm.Get(name)), c.Request().PostForm.Has(name)
	}
	if form.Seen != "" && form.Seen != r.diverged.Seen {
		return r.again(c)
	}
	choices := editorial.Choices{Seen: r.diverged.Seen, Values: r.choices()}
	if len(r.problems.Fields) > 0 {
		return r.render(c, http.StatusUnprocessableEntity)
	}
	done, err := editorial.Rebase(c.Request().Context(), h.Rules, r.Actor, r.Set.ID, choices)
	if f := fault.As(err); f != nil && (f.Code == "changed" || f.Code == "overlap") {
		sent := r.form
		if r, err = h.Rebasing(c); err != nil {
			return err
		}
		r.form = sent
		return r.again(c)
	}
	if err != nil {
		return err
	}
	h.Signals.Add(desk.DraftsTopic, 0)
	return page.SeeOther(c, page.Address(desk.DraftPath(r.Set.ID), page.Query("done", "rebase",
		"merged", strconv.Itoa(done.Taken+done.Joined), "chosen", strconv.Itoa(done.Chosen))))
}

// again shows the choices that were made beside a state that changed meanwhile.
func (r rebasing) again(c echo.Context) error {
	r.problems.Form = "The change set or what is live changed after you opened this page. Your choices are kept: check them and send them again."
	if len(r.diverged.Items) == 0 {
		return fault.New(fault.Conflict, "The change set already continues from what is live. Nothing has to be rebased.")
	}
	return r.render(c, http.StatusConflict)
}

// Done words the outcome of a rebase.
func Done(merged, chosen string) string {
	m, _ := strconv.Atoi(merged)
	n, _ := strconv.Atoi(chosen)
	text := "The drafts continue from what is live."
	if m == 0 && n == 0 {
		return text
	}
	count := "No field"
	if m > 0 {
		count = ui.Counted(m, "field", "fields")
	}
	text += " " + count + " merged without a conflict"
	if n > 0 {
		text += ", " + strconv.Itoa(n) + " chosen"
	}
	return text + "."
}

// choices reads the choices that were sent and collects what is wrong with them.
func (r rebasing) choices() map[int64]map[string]json.RawMessage {
	chosen := map[int64]map[string]json.RawMessage{}
	for _, i := range r.diverged.Items {
		values := map[string]json.RawMessage{}
		for _, o := range i.Merge.Overlaps {
			name := listing.Plain(i.Change.Item.ID) + "." + o.Field
			take, _ := r.form("take." + name)
			switch take {
			case takeMine:
				values[o.Field] = o.WithMine
			case takeTheirs:
				values[o.Field] = o.WithTheirs
			case takeEdited:
				text, _ := r.form("text." + name)
				value, err := fields.Parse(i.Change.Item.Kind, o.Field, text)
				if err != nil {
					r.problems.Fields["text."+name] = err.Error()
					if f := fault.As(err); f != nil {
						r.problems.Fields["text."+name] = f.Message
					}
				}
				values[o.Field] = value
			default:
				r.problems.Fields["take."+name] = "Choose what the field has after the rebase."
			}
		}
		chosen[i.Change.Item.ID] = values
	}
	return chosen
}

func (r rebasing) render(c echo.Context, status int) error {
	p := view.RebasePage{Frame: page.AdministrationFrame(c, "Rebase the change set", page.DraftsPath), Problem: r.problems.Form, Action: desk.DraftPath(r.Set.ID) + "/rebase", Seen: r.diverged.Seen}
	p.Up = ui.Link{Label: listing.Clip(r.Set.Summary, listing.LongestValue), Href: desk.DraftPath(r.Set.ID)}
	p.CSRF, p.Back = p.Frame.CSRF, ui.Link{Label: "Change nothing", Href: desk.DraftPath(r.Set.ID)}
	decide := false
	for _, i := range r.diverged.Items {
		item, err := r.item(i)
		if err != nil {
			return err
		}
		decide = decide || len(item.Fields) > 0
		p.Items = append(p.Items, item)
	}
	p.Lead = "Others published these items after your changes began. You changed different places, so everything merges. The change set needs another approval if its content changes."
	if decide {
		p.Lead = "Others published these items after your changes began. Choose what each field below has after the rebase. What only one of you changed is kept in every case."
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Rebase(p), Region: page.Current(status)})
}

// item is an item of the page.
func (r rebasing) item(i editorial.Diverged) (item view.Conflict, err error) {
	kind, name := i.Change.Item.Kind, desk.Label(i.Change.Item, desk.NameOf(i.Change.Content))
	item = view.Conflict{Item: ui.Link{Label: name, Href: desk.ItemPath(r.Set.ProductID, i.Change.Item.ID)}, Kind: desk.Kinds[kind]}
	if i.Merge.Content == nil {
		item.Text = "It has no text in this change set: the " + map[string]string{"archive": "archiving", "move": "move"}[i.Change.Action] + " continues from what is live."
	}
	for _, f := range fields.Of(kind) {
		switch {
		case slices.Contains(i.Merge.Taken, f.Name):
			item.Merged = append(item.Merged, f.Label)
		case slices.Contains(i.Merge.Joined, f.Name):
			item.Joined = append(item.Joined, ui.Pair{Key: f.Name, Value: f.Label})
		}
		for _, o := range i.Merge.Overlaps {
			if o.Field != f.Name {
				continue
			}
			shown, err := r.field(i, f, o)
			if err != nil {
				return item, err
			}
			item.Fields = append(item.Fields, shown)
		}
	}
	return item, nil
}

func (r rebasing) field(i editorial.Diverged, f fields.Field, o editorial.Overlap) (shown view.ConflictField, err error) {
	var texts [3]string
	for n, raw := range []json.RawMessage{o.Base, o.WithTheirs, o.WithMine} {
		if texts[n], err = fields.Value(i.Change.Item.Kind, f.Name, raw); err != nil {
			return shown, err
		}
	}
	name := listing.Plain(i.Change.Item.ID) + "." + f.Name
	take, _ := r.form("take." + name)
	text, sent := r.form("text." + name)
	if !sent {
		text = texts[2]
	}
	shown = view.ConflictField{
		Name: name, Label: f.Label, Base: texts[0], Theirs: difference.OfField(f, texts[0], texts[1]), Mine: difference.OfField(f, texts[0], texts[2]),
		Take: ui.Radios{Name: "take." + name, Label: f.Label + " after the rebase", Value: take, Error: r.problems.Fields["take."+name], Choices: []ui.Radio{
			{Value: takeMine, Label: "Keep yours"}, {Value: takeTheirs, Label: "Take the live one"}, {Value: takeEdited, Label: "Edit", Note: "Write the text yourself, beginning with yours."},
		}},
		Own: ui.TextArea{
			Name: "text." + name, ID: "text." + name, Label: "Text of " + f.Label, Value: text,
			Rows: min(max(3, strings.Count(text, "\n")+2), desk.MostRows), Error: r.problems.Fields["text."+name],
		},
	}
	shown.Own.Mono = f.Type == fields.Code
	if f.Type == fields.Check || f.Type == fields.Choice {
		shown.Take.Choices = shown.Take.Choices[:2]
		shown.Own = ui.TextArea{}
	}
	if f.Type == fields.Markdown || f.Type == fields.Code {
		shown.Take.Choices[0].Note = "Their other changes of the field stay."
		shown.Take.Choices[1].Note = "Your other changes of the field stay."
	}
	for _, place := range o.Places {
		shown.Where = append(shown.Where, placeWords(place))
	}
	return shown, nil
}

// placeWords writes a pointer for readers.
func placeWords(pointer string) string {
	if pointer == "" {
		return "the whole"
	}
	return strings.Join(tree.Tokens(pointer), " › ")
}

// Fields says of each outdated item which fields others published.
func Fields(ctx context.Context, store db.Querier, d desk.Draft) (map[int64]string, error) {
	said := map[int64]string{}
	if !d.IsOutdated() {
		return said, nil
	}
	diverged, err := editorial.Diverge(ctx, store, d.Changes)
	for _, i := range diverged.Items {
		kind, text := i.Change.Item.Kind, ""
		for _, o := range i.Merge.Overlaps {
			text += " " + desk.FieldLabel(kind, o.Field) + " was changed in the same place and needs a choice."
		}
		for _, name := range i.Merge.Joined {
			text += " " + desk.FieldLabel(kind, name) + " was changed in another place and merges."
		}
		for _, name := range i.Merge.Taken {
			text += " " + desk.FieldLabel(kind, name) + " was changed by others only."
		}
		said[i.Change.Item.ID] = text
	}
	return said, err
}

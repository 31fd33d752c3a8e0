package editorial_test

import (
	"testing"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/db/dbtest"
	queries "heliograph/db/queries/documentation"
)

// Undo goes back save by save, to what is live and no further.
func TestUndo(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	d.refused(editorial.Undo(ctx, d.db, d.ada, d.guide), fault.Conflict, "")
	live := string(d.live(d.guide))
	var saves []string
	for _, text := range []string{"One.", "Two.", "Three."} {
		raw := guideText("Begin here", text)
		d.save(d.ada, d.guide, raw)
		saves = append(saves, string(raw))
	}
	d.refused(editorial.Undo(ctx, d.db, d.ben, d.guide), fault.Conflict, "draft_exists")
	for _, want := range []string{saves[1], saves[0], live} {
		d.ok(editorial.Undo(ctx, d.db, d.ada, d.guide))
		r, err := queries.RevisionGet(ctx, d.db, d.item(d.guide).DraftRevisionID)
		d.ok(err)
		if string(r.Content) != want {
			t.Errorf("the draft is %s, want %s", r.Content, want)
		}
	}
	d.refused(editorial.Undo(ctx, d.db, d.ada, d.guide), fault.Conflict, "")
	d.save(d.ada, d.guide, guideText("Begin here", "Four."))
	d.ok(editorial.Undo(ctx, d.db, d.ada, d.guide))
	r, err := queries.RevisionGet(ctx, d.db, d.item(d.guide).DraftRevisionID)
	d.ok(err)
	if string(r.Content) != live {
		t.Errorf("after an Undo and a save, Undo gives %s", r.Content)
	}
}

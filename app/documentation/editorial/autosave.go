package editorial

import (
	"context"
	"fmt"
	"slices"
	"time"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// keptSteps is how long the steps of typing stay readable, for another form that
// began with one of them.
const keptSteps = 24 * time.Hour

// autosaveForm names the form of a save that its form makes by itself.
func (e Edit) autosaveForm() string {
	if e.Auto {
		return e.Form
	}
	return ""
}

// continues reports whether the head of an item is what the form of an edit saved
// by itself before. It may have done so without hearing of it.
func (d drafter) continues(ctx context.Context, item models.Item, e Edit) (bool, error) {
	if e.Form == "" || item.DraftRevisionID == 0 || item.Trashed {
		return false, nil
	}
	head, err := d.revision(ctx, item.DraftRevisionID)
	return head.Form == e.Form && head.AuthorID == d.actor.ID, err
}

// mayAutosave refuses a save that a form makes by itself where it would change what
// others review.
func (d drafter) mayAutosave(ctx context.Context, item models.Item, e Edit) error {
	if !e.Auto {
		return nil
	}
	set, err := queries.ChangeSetGetOpen(ctx, d.tx, item.ID)
	if err != nil {
		return db.Absent(err, nil, "looking for the change set of %s %s", item.Kind, item.Slug)
	}
	if slices.Contains([]string{StateDraft, StateChangesRequested}, set.State) {
		return nil
	}
	return &fault.Error{Kind: fault.Conflict, Code: "in_review", Message: fmt.Sprintf("Change set %d is %s, so nothing is saved while you type. Save the draft to change it.", set.ID, inWords(set.State))}
}

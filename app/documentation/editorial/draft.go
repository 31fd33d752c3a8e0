package editorial

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"heliograph/app/documentation/content"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// maxContent is the largest content of an item, in bytes.
const maxContent = 4 << 20

// Edit is new content for an item.
type Edit struct {
	ItemID int64 // zero for a new item, which goes to the address
	Address
	Content     json.RawMessage // of the kind's struct in app/documentation/content
	Base        int64           // the revision that the author started from: the head then; zero for a new item
	ChangeSetID int64           // where the draft goes; zero takes the author's change set in draft, or opens one
	Form        string          // names the open form, which may save again and again; empty for other saves
	Auto        bool            // saved by the form itself while its author types
}

// Address is the place of an item.
type Address struct {
	Kind     string
	ParentID int64 // zero for a product
	Slug     string
}

// Saved is the result of a save.
type Saved struct {
	Item        models.Item // with its draft
	ChangeSetID int64       // that holds the item; zero when it is in none
	Changed     bool        // false: the item had that content already
}

// Save makes content the draft of an item. Each save that changes something is
// a revision. A save without a change keeps approvals. If the base is no longer
// the head, the error is a Conflict with code stale and a *Stale error within.
// If somebody else is changing the item, it is one with code draft_exists that
// names them. In a scheduled change set the draft changes, but the release
// stays as it was approved.
//
// A form that names itself continues from what it saved before, whatever its base.
// What it saves by itself stands in the history as one revision. While a change
// set is reviewed or approved, only its author's own saves change it: one that a
// form makes by itself is a Conflict with code in_review.
func Save(ctx context.Context, b db.Beginner, actor Actor, e Edit) (saved Saved, err error) {
	if err := checkContent(e.Content); err != nil {
		return saved, err
	}
	if isNew := e.ItemID == 0; isNew && !content.ValidSlug(e.Slug) {
		return saved, errSlug
	}
	save := func(w *writer) error {
		d := drafter{w}
		item, err := d.find(ctx, e)
		if err != nil {
			return err
		}
		if err := checkLifecycle(item.Kind, e.Content); err != nil {
			return err
		}
		continued, err := d.continues(ctx, item, e)
		if err != nil {
			return err
		}
		if !continued {
			if err := d.current(ctx, item, e); err != nil {
				return err
			}
		}
		if err := d.mayAutosave(ctx, item, e); err != nil {
			return err
		}
		list, err := d.draft(ctx, []pending{{item: item, content: e.Content, origin: originEdit, form: e.autosaveForm()}}, e.ChangeSetID)
		if err != nil {
			return err
		}
		if saved = list[0]; !saved.Changed || e.Auto && continued {
			return nil
		}
		return w.record(ctx, "item.save", itemTarget(saved.Item.ID), map[string]any{"revision": saved.Item.DraftRevisionID, "change_set": saved.ChangeSetID})
	}
	switch {
	case e.ItemID != 0:
		err = writeItem(ctx, b, actor, e.ItemID, save)
	case e.ParentID != 0:
		err = writeItem(ctx, b, actor, e.ParentID, save)
	default:
		err = writeProduct(ctx, b, actor, e.Slug, func(w *writer, _ models.Item) error { return save(w) })
	}
	return saved, err
}

func checkContent(raw json.RawMessage) error {
	if len(raw) > maxContent {
		return fault.New(fault.TooLarge, "The content is over %d MiB long.", maxContent>>20)
	}
	if trimmed := bytes.TrimSpace(raw); !json.Valid(raw) || trimmed[0] != '{' {
		return fault.New(fault.Invalid, "The content is not a JSON object.")
	}
	return nil
}

// checkLifecycle refuses a version with days that cannot be. What was stored with such
// days stays as it is until somebody saves it.
func checkLifecycle(kind string, raw json.RawMessage) error {
	var wrong fault.Fields
	for _, p := range content.CheckLifecycle(kind, raw) {
		wrong.Add(p.Field, p.Message)
	}
	return wrong.Err()
}

// drafter makes content the draft of items.
type drafter struct{ *writer }

// find returns the item of an edit and adds it if it is new.
func (d drafter) find(ctx context.Context, e Edit) (models.Item, error) {
	if e.ItemID != 0 {
		return d.item(ctx, e.ItemID)
	}
	if err := d.checkAddress(ctx, e.Address); err != nil {
		return models.Item{}, err
	}
	item, err := queries.ItemGetAt(ctx, d.tx, e.Kind, e.ParentID, e.Slug)
	switch {
	case db.IsNoRows(err) || err == nil && (item.Slug != e.Slug || item.ParentID != e.ParentID): // another one was here before it moved
		list, err := writes.ItemInsert(ctx, d.tx, e.ParentID, []string{e.Kind}, []string{e.Slug})
		if err != nil {
			return item, fmt.Errorf("adding %s %s: %w", e.Kind, e.Slug, err)
		}
		return list[0], nil
	case err != nil:
		return item, fmt.Errorf("looking for %s %s: %w", e.Kind, e.Slug, err)
	case item.Trashed:
		return item, &fault.Error{Kind: fault.Conflict, Code: "address_taken", Message: fmt.Sprintf("A %s with the address %s is in the trash: restore it, or choose another address.", item.Kind, e.Slug)}
	case item.Head() != 0 || item.Kind != e.Kind:
		return item, &fault.Error{Kind: fault.Conflict, Code: "address_taken", Message: fmt.Sprintf("There is a %s with the address %s already.", item.Kind, e.Slug)}
	}
	return item, nil // what was discarded before it was published
}

// slugForm describes the last part of an address.
const slugForm = "small letters and digits, with single hyphens or dots between them, at most 120."

var errSlug = fault.InvalidFields(fault.Field{Name: "slug", Message: "Use " + slugForm})

// checkAddress refuses an address that no item of the kind can have.
func (w *writer) checkAddress(ctx context.Context, a Address) error {
	if !content.ValidSlug(a.Slug) {
		return errSlug
	}
	if content.IsReserved(a.Kind, a.Slug) {
		return fault.InvalidFields(fault.Field{Name: "slug", Message: fmt.Sprintf("The portal uses the address %s itself: choose another one.", a.Slug)})
	}
	parent := ""
	if a.ParentID != 0 {
		item, err := w.item(ctx, a.ParentID)
		if err != nil {
			return err
		}
		parent = item.Kind
	}
	if want, ok := content.ParentKind(a.Kind); !ok || want != parent {
		return fault.New(fault.Invalid, "A %s cannot stand there.", a.Kind)
	}
	return nil
}

// current refuses content that was not based on the head.
func (d drafter) current(ctx context.Context, item models.Item, e Edit) error {
	if item.Trashed {
		return fault.New(fault.Conflict, "The %s %s is in the trash: restore it first.", item.Kind, item.Slug)
	}
	if e.Base == item.Head() {
		return nil
	}
	if err := d.checkAuthor(ctx, item); err != nil {
		return err
	}
	return d.stale(ctx, item, e)
}

// checkAuthor refuses an item that is in another author's change set.
func (w *writer) checkAuthor(ctx context.Context, item models.Item) error {
	set, err := queries.ChangeSetGetOpen(ctx, w.tx, item.ID)
	if err != nil {
		return db.Absent(err, nil, "looking for the change set of %s %s", item.Kind, item.Slug)
	}
	return w.mayDraft(set, item)
}

// mayDraft refuses to draft an item in another author's change set.
func (w *writer) mayDraft(set models.ChangeSet, item models.Item) error {
	if standingOf(w.actor, set, nil)&author == 0 {
		name := set.AuthorName
		if set.AuthorID == 0 {
			name = "The program itself"
		}
		return &fault.Error{Kind: fault.Conflict, Code: "draft_exists",
			Message: fmt.Sprintf("%s is changing the %s %s in change set %d: it must be published, discarded or rejected first.", name, item.Kind, item.Slug, set.ID)}
	}
	return May(w.actor, set, nil, MoveEdit)
}

// pending is content that is to become a draft.
type pending struct {
	item     models.Item
	content  json.RawMessage
	origin   string
	restored int64 // the revision that it is the content of; zero for new content
	form     string
}

// draft makes contents the drafts of their items. Items without a change set go
// into changeSetID, or into the author's when that is zero. It returns the
// results in order.
func (d drafter) draft(ctx context.Context, edits []pending, changeSetID int64) ([]Saved, error) {
	ids := make([]int64, len(edits))
	for i, e := range edits {
		ids[i] = e.item.ID
	}
	heads, err := queries.ItemHeadList(ctx, d.tx, ids)
	if err != nil {
		return nil, fmt.Errorf("reading what is edited: %w", err)
	}
	sets := &openSets{writer: d.writer, target: changeSetID, known: map[int64]models.ChangeSet{}}
	saved := make([]Saved, len(edits))
	var revisions []models.Revision
	for i, e := range edits {
		head := heads[e.item.ID]
		saved[i] = Saved{Item: head.Item, ChangeSetID: head.ChangeSetID}
		if head.ChangeSetID != 0 {
			set, err := sets.get(ctx, head.ChangeSetID)
			if err != nil {
				return nil, err
			}
			if err := d.mayDraft(set, head.Item); err != nil {
				return nil, err
			}
		}
		hash := sum(e.content)
		back := head.Archived && head.DraftRevisionID == 0 || head.Action == actionArchive
		if bytes.Equal(head.HeadHash, hash) && !back && e.restored == 0 {
			continue
		}
		saved[i].Changed = true
		revisions = append(revisions, models.Revision{ItemID: e.item.ID, Content: e.content, ContentHash: hash, BaseID: head.LiveRevisionID,
			RestoredFromID: e.restored, AuthorID: d.actor.ID, Origin: e.origin, Form: e.form})
	}
	if len(revisions) == 0 {
		return saved, nil
	}
	return saved, d.putDrafts(ctx, sets, revisions, saved, heads)
}

// putDrafts writes revisions, makes them drafts and updates the change sets.
func (d drafter) putDrafts(ctx context.Context, sets *openSets, revisions []models.Revision, saved []Saved, heads map[int64]models.ItemHead) error {
	written, err := writes.RevisionInsert(ctx, d.tx, revisions)
	if err != nil {
		return fmt.Errorf("adding revisions: %w", err)
	}
	var items, drafts []int64
	for id, revision := range written {
		items, drafts = append(items, id), append(drafts, revision)
	}
	if err := writes.ItemUpdateDraft(ctx, d.tx, items, drafts); err != nil {
		return fmt.Errorf("drafting: %w", err)
	}
	changes := map[int64][]models.Change{}
	for i := range saved {
		s := &saved[i]
		if !s.Changed {
			continue
		}
		head := heads[s.Item.ID]
		s.Item.DraftRevisionID = written[s.Item.ID]
		if s.ChangeSetID == 0 {
			if s.ChangeSetID, err = sets.open(ctx); err != nil {
				return err
			}
		}
		set, err := sets.get(ctx, s.ChangeSetID)
		if err != nil {
			return err
		}
		if set.State == StateScheduled {
			continue // frozen
		}
		c := models.Change{Item: s.Item, RevisionID: s.Item.DraftRevisionID, Action: actionUpdate}
		if head.Action == actionMove {
			c.Action, c.Slug, c.ParentID = actionMove, head.NewSlug, head.NewParentID
		}
		changes[set.ID] = append(changes[set.ID], c)
	}
	for id, list := range changes {
		if err := d.put(ctx, id, list); err != nil {
			return err
		}
	}
	return nil
}

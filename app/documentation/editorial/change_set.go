package editorial

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// maxSummary is the longest summary of a change set, in characters.
const maxSummary = 2000

// checkText trims a required text. It refuses an empty or overlong one.
func checkText(field, empty string, text *string) error {
	*text = strings.TrimSpace(*text)
	if *text == "" {
		return fault.InvalidFields(fault.Field{Name: field, Message: empty})
	}
	if n := len([]rune(*text)); n > maxSummary {
		return fault.InvalidFields(fault.Field{Name: field, Message: fmt.Sprintf("This has %d characters: shorten it to %d.", n, maxSummary)})
	}
	return nil
}

func (w *writer) open(ctx context.Context, summary string) (int64, error) {
	id, err := writes.ChangeSetInsert(ctx, w.tx, w.productID, summary, w.actor.ID)
	if err != nil {
		return 0, fmt.Errorf("opening a change set: %w", err)
	}
	return id, w.record(ctx, "change_set.open", setTarget(id), map[string]any{"summary": summary})
}

// openSets finds the change sets of drafts.
type openSets struct {
	*writer
	target int64 // where items go that are in none yet; zero until one is found or opened
	known  map[int64]models.ChangeSet
}

func (s *openSets) get(ctx context.Context, id int64) (models.ChangeSet, error) {
	if set, ok := s.known[id]; ok {
		return set, nil
	}
	set, err := s.set(ctx, id)
	if err == nil {
		s.known[id] = set
	}
	return set, err
}

// open returns the change set for an item that is in none yet.
func (s *openSets) open(ctx context.Context) (int64, error) {
	if s.target != 0 {
		set, err := s.get(ctx, s.target)
		if err != nil {
			return 0, err
		}
		if set.State == StateScheduled {
			return 0, fault.New(fault.Conflict, "Change set %d is scheduled: what it releases is frozen. Cancel the schedule first.", set.ID)
		}
		return set.ID, May(s.actor, set, nil, MoveEdit)
	}
	set, err := queries.ChangeSetGetDraft(ctx, s.tx, s.productID, s.actor.ID, "")
	switch {
	case err == nil:
		s.target = set.ID
	case db.IsNoRows(err):
		product, err := s.item(ctx, s.productID)
		if err != nil {
			return 0, err
		}
		name, err := s.writer.nameOf(ctx, product)
		if err != nil {
			return 0, err
		}
		if s.target, err = s.writer.open(ctx, "Changes to "+name); err != nil {
			return 0, err
		}
	default:
		return 0, fmt.Errorf("looking for a change set: %w", err)
	}
	return s.target, nil
}

// set returns a change set of the product.
func (w *writer) set(ctx context.Context, id int64) (models.ChangeSet, error) {
	set, err := queries.ChangeSetGet(ctx, w.tx, id)
	if db.IsNoRows(err) || err == nil && set.ProductID != w.productID {
		return set, fault.New(fault.NotFound, "There is no change set %d of this product.", id)
	}
	if err != nil {
		return set, fmt.Errorf("reading change set %d: %w", id, err)
	}
	return set, nil
}

// put puts changes into a change set. Its approvals no longer apply.
func (w *writer) put(ctx context.Context, setID int64, changes []models.Change) error {
	err := writes.ChangeSetItemPut(ctx, w.tx, setID, changes, true)
	if db.IsUniqueViolation(err, "change_set_items_open") {
		return fault.New(fault.Conflict, "Another change set holds one of these items: publish or withdraw that first.")
	}
	if err != nil {
		return fmt.Errorf("filling change set %d: %w", setID, err)
	}
	if err := w.requestChecks(ctx, setID); err != nil {
		return err
	}
	return w.settle(ctx, setID)
}

// Archive archives an item with a change set. Readers see it until the release.
func Archive(ctx context.Context, b db.Beginner, actor Actor, changeSetID, itemID int64) error {
	return changeItem(ctx, b, actor, changeSetID, itemID, func(_ *writer, head models.ItemHead) (models.Change, error) {
		c := models.Change{Item: head.Item, Action: actionArchive, RevisionID: head.LiveRevisionID}
		if !head.Public() {
			return c, fault.New(fault.Conflict, "The %s %s is not public: there is nothing to archive.", head.Kind, head.Slug)
		}
		return c, nil
	})
}

// MoveItem moves an item to another slug with a change set, and with a ParentID
// to another version of the product. The old address redirects after the
// release.
func MoveItem(ctx context.Context, b db.Beginner, actor Actor, changeSetID, itemID int64, to Address) error {
	return changeItem(ctx, b, actor, changeSetID, itemID, func(w *writer, head models.ItemHead) (models.Change, error) {
		c := models.Change{Item: head.Item, Action: actionMove, RevisionID: head.Head(), Slug: to.Slug}
		if to.ParentID != 0 && to.ParentID != head.ParentID {
			c.ParentID = to.ParentID
		}
		if head.Head() == 0 || head.Archived {
			return c, fault.New(fault.Conflict, "The %s %s has no content to move.", head.Kind, head.Slug)
		}
		if parent, _ := content.ParentKind(head.Kind); c.ParentID != 0 && parent != content.KindVersion {
			return c, fault.New(fault.Invalid, "A %s stays where it is: give it another slug only.", head.Kind)
		}
		if c.ParentID != 0 {
			if product, err := queries.ItemProduct(ctx, w.tx, c.ParentID); err != nil || product != w.productID {
				return c, fault.New(fault.Invalid, "An item moves within its product only.")
			}
		}
		return c, w.checkAddress(ctx, Address{Kind: head.Kind, ParentID: destination(head.Item, c.ParentID), Slug: to.Slug})
	})
}

// destination returns the parent of an item after a move.
func destination(item models.Item, parentID int64) int64 {
	return cmp.Or(parentID, item.ParentID)
}

// changeItem puts the change that make returns for an item into a change set.
func changeItem(ctx context.Context, b db.Beginner, actor Actor, changeSetID, itemID int64, make func(w *writer, head models.ItemHead) (models.Change, error)) error {
	return writeItem(ctx, b, actor, itemID, func(w *writer) error {
		heads, err := queries.ItemHeadList(ctx, w.tx, []int64{itemID})
		if err != nil {
			return fmt.Errorf("reading item %d: %w", itemID, err)
		}
		head := heads[itemID]
		if err := w.checkAuthor(ctx, head.Item); err != nil {
			return err
		}
		sets := &openSets{writer: w, target: changeSetID, known: map[int64]models.ChangeSet{}}
		if head.ChangeSetID != 0 {
			sets.target = head.ChangeSetID
		}
		id, err := sets.open(ctx)
		if err != nil {
			return err
		}
		change, err := make(w, head)
		if err != nil {
			return err
		}
		if err := w.put(ctx, id, []models.Change{change}); err != nil {
			return err
		}
		return w.record(ctx, "change_set."+change.Action, itemTarget(itemID), map[string]any{"change_set": id, "slug": change.Slug, "parent": change.ParentID})
	})
}

// Remove removes an item from a change set and drops its draft. The revisions
// stay in its history.
func Remove(ctx context.Context, b db.Beginner, actor Actor, changeSetID, itemID int64) error {
	return writeItem(ctx, b, actor, itemID, func(w *writer) error {
		set, err := w.set(ctx, changeSetID)
		if err != nil {
			return err
		}
		if err := May(actor, set, nil, MoveEdit); err != nil {
			return err
		}
		if set.State == StateScheduled {
			return fault.New(fault.Conflict, "Change set %d is scheduled: cancel the schedule first.", set.ID)
		}
		deleted, err := writes.ChangeSetItemDelete(ctx, w.tx, set.ID, itemID)
		if err != nil {
			return fmt.Errorf("taking item %d out of change set %d: %w", itemID, set.ID, err)
		}
		if deleted == 0 {
			return fault.New(fault.NotFound, "Item %d is not in change set %d.", itemID, set.ID)
		}
		if err := writes.ItemUpdateUndrafted(ctx, w.tx, itemID); err != nil {
			return fmt.Errorf("dropping the draft of item %d: %w", itemID, err)
		}
		if err := w.requestChecks(ctx, set.ID); err != nil {
			return err
		}
		if err := w.settle(ctx, set.ID); err != nil {
			return err
		}
		return w.record(ctx, "change_set.remove", itemTarget(itemID), map[string]any{"change_set": set.ID})
	})
}

// nameOf returns the name of a product as its head has it, the slug for one without.
func (w *writer) nameOf(ctx context.Context, product models.Item) (string, error) {
	head, err := queries.RevisionGet(ctx, w.tx, product.Head())
	if db.IsNoRows(err) {
		return product.Slug, nil
	}
	if err != nil {
		return "", fmt.Errorf("reading product %d: %w", product.ID, err)
	}
	var p content.Product
	if json.Unmarshal(head.Content, &p) != nil || p.Name == "" {
		return product.Slug, nil // the form says what is wrong
	}
	return p.Name, nil
}

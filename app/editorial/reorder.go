package editorial

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"heliograph/app/content"
	"heliograph/app/editorial/fields"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Siblings returns the items that stand in one list with an item, in order: those of
// its kind below the same parent, endpoints and guides of the same group. items are
// all of the product in their order.
func Siblings(items []models.EditItem, itemID int64) (list []models.EditItem) {
	at := slices.IndexFunc(items, func(i models.EditItem) bool { return i.ID == itemID })
	if at < 0 {
		return nil
	}
	item := items[at]
	grouped := item.Kind == content.KindEndpoint || item.Kind == content.KindGuide
	for _, i := range items {
		if i.ParentID == item.ParentID && i.Kind == item.Kind && !i.Trashed && i.Head() != 0 && (!grouped || i.Group == item.Group) {
			list = append(list, i)
		}
	}
	return list
}

// Reorder moves an item one place up or down in its list. Those whose order number
// changes are drafted in the author's change set.
func Reorder(ctx context.Context, b db.Beginner, actor Actor, itemID int64, up bool) error {
	return writeItem(ctx, b, actor, itemID, func(w *writer) error {
		items, err := queries.EditItemList(ctx, w.tx, w.productID)
		if err != nil {
			return fmt.Errorf("reading the items of product %d: %w", w.productID, err)
		}
		list := Siblings(items, itemID)
		from := slices.IndexFunc(list, func(i models.EditItem) bool { return i.ID == itemID })
		to := from + 1
		if up {
			to = from - 1
		}
		if from < 0 || to < 0 || to >= len(list) {
			return fault.New(fault.Conflict, "The item is already at the end of its list. Load the page again.")
		}
		var edits []pending
		for _, i := range reordered(list, from, to) {
			edit, err := w.place(ctx, i)
			if err != nil {
				return err
			}
			edits = append(edits, edit)
		}
		if _, err := w.draft(ctx, edits, 0); err != nil {
			return err
		}
		return w.record(ctx, "item.reorder", itemTarget(itemID), map[string]any{"place": to + 1})
	})
}

// reordered returns the items whose order number changes when two neighbours change
// places, with their next numbers. Where numbers repeat, the list is numbered again.
func reordered(list []models.EditItem, from, to int) (changed []models.EditItem) {
	distinct := true
	for n := 1; n < len(list); n++ {
		distinct = distinct && list[n-1].Place < list[n].Place
	}
	next := slices.Clone(list)
	next[from], next[to] = next[to], next[from]
	for n := range next {
		place := list[n].Place
		if !distinct {
			place = n + 1
		}
		if next[n].Place != place {
			next[n].Place = place
			changed = append(changed, next[n])
		}
	}
	return changed
}

// place is the draft of an item with its order number.
func (w *writer) place(ctx context.Context, i models.EditItem) (pending, error) {
	head, err := w.revision(ctx, i.Head())
	if err != nil {
		return pending{}, err
	}
	values, err := fields.Values(i.Kind, head.Content)
	if err != nil {
		return pending{}, err
	}
	values["order"] = strconv.Itoa(i.Place)
	raw, err := fields.Content(i.Kind, head.Content, values)
	return pending{item: i.Item, content: raw, origin: originEdit}, err
}

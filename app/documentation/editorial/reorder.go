package editorial

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// Siblings returns the items that stand in one list with an item, in order: the items of
// its kind below the same parent, endpoints and guides of the same group. items are
// all of the product in their order.
func Siblings(items []models.EditItem, itemID int64) []models.EditItem {
	at := slices.IndexFunc(items, func(i models.EditItem) bool { return i.ID == itemID })
	if at < 0 {
		return nil
	}
	return slices.DeleteFunc(beside(items, items[at]), func(i models.EditItem) bool { return IsGrouped(i.Kind) && i.Group != items[at].Group })
}

// IsGrouped reports whether items of a kind stand in groups: endpoints in categories,
// guides below headings.
func IsGrouped(kind string) bool { return groupField(kind) != "" }

// beside returns the items of the kind of an item below the same parent, in order.
func beside(items []models.EditItem, item models.EditItem) (list []models.EditItem) {
	for _, i := range items {
		if i.ParentID == item.ParentID && i.Kind == item.Kind && !i.Trashed && i.Head() != 0 {
			if !IsGrouped(i.Kind) {
				i.Group = ""
			}
			list = append(list, i)
		}
	}
	return list
}

func inGroup(all []models.EditItem, group string) []models.EditItem {
	return slices.DeleteFunc(slices.Clone(all), func(i models.EditItem) bool { return i.Group != group })
}

// Position is a place in a list of items.
type Position struct {
	Group string // of an endpoint or a guide
	// Before is the item that comes next, zero at the end of the list.
	Before int64
	// Seen holds the other items of the list in the order that the author saw. A
	// list that has another order is a Conflict with code stale. Nil is not checked.
	Seen []int64
}

// Placed is where an item is after a move: its number, from one, among all of its list.
type Placed struct {
	Number, Count int
	Group         string
}

// Reorder moves an item one place up or down in its list. Items with an order number
// that changes are drafted in the author's change set.
func Reorder(ctx context.Context, b db.Beginner, actor Actor, itemID int64, up bool) error {
	_, err := rearrange(ctx, b, actor, itemID, func(_, list []models.EditItem, at int) (Position, error) {
		to := Position{Group: list[at].Group}
		switch {
		case up && at > 0:
			to.Before = list[at-1].ID
		case !up && at < len(list)-2:
			to.Before = list[at+2].ID
		case up || at == len(list)-1:
			return to, fault.New(fault.Conflict, "The item is already at the end of its list. Load the page again.")
		}
		return to, nil
	})
	return err
}

// Place moves an item to a position. Items with a changed order number, as few as
// possible, are drafted in the author's change set.
func Place(ctx context.Context, b db.Beginner, actor Actor, itemID int64, to Position) (Placed, error) {
	return rearrange(ctx, b, actor, itemID, func([]models.EditItem, []models.EditItem, int) (Position, error) { return to, nil })
}

// PlaceAt moves an item to a number in the list of a group, from one. A number beyond
// the end is the end.
func PlaceAt(ctx context.Context, b db.Beginner, actor Actor, itemID int64, group string, number int) (Placed, error) {
	return rearrange(ctx, b, actor, itemID, func(all, _ []models.EditItem, _ int) (Position, error) {
		to := Position{Group: group}
		list := slices.DeleteFunc(inGroup(all, group), func(i models.EditItem) bool { return i.ID == itemID })
		if number = max(number, 1); number <= len(list) {
			to.Before = list[number-1].ID
		}
		return to, nil
	})
}

// rearrange moves an item to the position that where returns for all items beside it, for
// its list and its index there.
func rearrange(ctx context.Context, b db.Beginner, actor Actor, itemID int64, where func(all, list []models.EditItem, at int) (Position, error)) (placed Placed, err error) {
	err = writeItem(ctx, b, actor, itemID, func(w *writer) error {
		items, err := queries.EditItemList(ctx, w.tx, w.productID)
		if err != nil {
			return fmt.Errorf("reading the items of product %d: %w", w.productID, err)
		}
		list := Siblings(items, itemID)
		at := slices.IndexFunc(list, func(i models.EditItem) bool { return i.ID == itemID })
		if at < 0 {
			return fault.New(fault.Conflict, "This item stands in no list.")
		}
		all := beside(items, list[at])
		to, err := where(all, list, at)
		if err != nil {
			return err
		}
		var changed []models.EditItem
		if placed, changed, err = arranged(all, list[at], to); err != nil {
			return err
		}
		var edits []pending
		for _, i := range changed {
			edit, err := w.place(ctx, i)
			if err != nil {
				return err
			}
			edits = append(edits, edit)
		}
		if len(edits) == 0 {
			return nil
		}
		d := drafter{w}
		if _, err := d.draft(ctx, edits, 0); err != nil {
			return err
		}
		return w.record(ctx, "item.reorder", itemTarget(itemID), map[string]any{"place": placed.Number, "group": placed.Group})
	})
	return placed, err
}

// arranged returns the items that change when an item goes to a position among all
// items beside it.
func arranged(all []models.EditItem, item models.EditItem, to Position) (placed Placed, changed []models.EditItem, err error) {
	if !IsGrouped(item.Kind) {
		to.Group = ""
	}
	from := item.Group
	item.Group = to.Group
	list := slices.DeleteFunc(inGroup(all, to.Group), func(i models.EditItem) bool { return i.ID == item.ID })
	at := -1
	ids := make([]int64, len(list))
	for n, i := range list {
		if ids[n] = i.ID; i.ID == to.Before {
			at = n
		}
	}
	if to.Seen != nil && !slices.Equal(to.Seen, ids) || to.Before != 0 && at < 0 {
		return placed, nil, &fault.Error{
			Kind: fault.Conflict, Code: "stale",
			Message: "Somebody else changed this list after you opened it, so nothing was moved. Look at the order and move the item again.",
		}
	}
	if at < 0 {
		at = len(list)
	}
	list = slices.Insert(list, at, item)
	placed = Placed{at + 1, len(list), to.Group}
	if from == to.Group && slices.IndexFunc(inGroup(all, from), func(i models.EditItem) bool { return i.ID == item.ID }) == at {
		return placed, nil, nil
	}
	low, high := room(all, to.Group)
	numbers := numbered(list, at, low, high)
	for n, i := range list {
		if i.Place != numbers[n] || n == at && from != to.Group {
			i.Place = numbers[n]
			changed = append(changed, i)
		}
	}
	return placed, changed, nil
}

// room returns between which numbers the first item of a group has to be, so that the
// groups keep their order.
func room(all []models.EditItem, group string) (low, high int) {
	high = math.MaxInt32
	seen := map[string]bool{}
	own := slices.IndexFunc(all, func(i models.EditItem) bool { return i.Group == group })
	if own < 0 {
		return 0, high
	}
	low = min(0, all[own].Place)
	for n, i := range all {
		if seen[i.Group] {
			continue
		}
		seen[i.Group] = true
		switch {
		case n < own:
			low = max(low, i.Place+1)
		case n > own:
			high = min(high, i.Place-1)
		}
	}
	if low > high {
		return all[own].Place, all[own].Place
	}
	return low, high
}

// numbered returns rising order numbers for a list in which one item was moved, the
// first of them between low and high. As many of the others as possible keep theirs.
func numbered(list []models.EditItem, moved, low, high int) []int {
	fits := func(i int) bool { return i != moved && list[i].Place >= low+i && (i > 0 || list[i].Place <= high) }
	length, before := make([]int, len(list)), make([]int, len(list)) // of the longest row of kept items that ends at each
	last := -1
	for i := range list {
		before[i] = -1
		if !fits(i) {
			continue
		}
		length[i] = 1
		for j := range i {
			if fits(j) && list[i].Place-list[j].Place >= i-j && length[j] >= length[i] {
				length[i], before[i] = length[j]+1, j
			}
		}
		if last < 0 || length[i] > length[last] {
			last = i
		}
	}
	numbers, kept := make([]int, len(list)), make([]bool, len(list))
	start := min(max(low, lowest(list)), high)
	for i := last; i >= 0; i = before[i] {
		kept[i] = true
		start = min(list[i].Place-i, high)
	}
	for i := range list {
		switch {
		case kept[i]:
			numbers[i] = list[i].Place
		case i == 0:
			numbers[i] = start
		default:
			numbers[i] = numbers[i-1] + 1
		}
	}
	return numbers
}

func lowest(list []models.EditItem) int {
	return slices.MinFunc(list, func(a, b models.EditItem) int { return a.Place - b.Place }).Place
}

// place is the draft of an item with its order number and its group.
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
	if name := groupField(i.Kind); name != "" {
		values[name] = i.Group
	}
	raw, err := fields.Content(i.Kind, head.Content, values)
	return pending{item: i.Item, content: raw, origin: originEdit}, err
}

// groupField names the field that holds the group of an item.
func groupField(kind string) string {
	return map[string]string{content.KindEndpoint: "category", content.KindGuide: "group"}[kind]
}

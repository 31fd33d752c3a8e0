package editorial_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"heliograph/app/content"
	"heliograph/app/editorial"
	"heliograph/app/fault"
	"heliograph/db/dbtest"
	"heliograph/db/queries"
)

// order returns the titles of the guides beside one, in order.
func (d *desk) order(id int64) string {
	d.Helper()
	items, err := queries.EditItemList(d.Context(), d.db, d.product)
	d.ok(err)
	var names []string
	for _, i := range editorial.Siblings(items, id) {
		names = append(names, i.Name)
	}
	return strings.Join(names, " ")
}

// guides adds guides with order numbers to the group of the first.
func (d *desk) guides(numbers map[string]int) (ids []int64) {
	d.Helper()
	for _, slug := range slices.Sorted(func(yield func(string) bool) {
		for slug := range numbers {
			if !yield(slug) {
				return
			}
		}
	}) {
		raw, err := json.Marshal(content.Guide{Title: slug, Group: "Order", Order: numbers[slug], Text: "Text."})
		d.ok(err)
		saved, err := editorial.Save(d.Context(), d.db, d.ada, editorial.Edit{Address: editorial.Address{Kind: content.KindGuide, ParentID: d.product, Slug: slug}, Content: raw})
		d.ok(err)
		ids = append(ids, saved.Item.ID)
	}
	return ids
}

func TestReorder(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	ids := d.guides(map[string]int{"a": 3, "b": 5, "c": 9})
	before := d.count(`select count(*) from revisions`)
	d.ok(editorial.Reorder(ctx, d.db, d.ada, ids[2], true))
	if got := d.order(ids[0]); got != "a c b" {
		t.Errorf("up: %s", got)
	}
	if n := d.count(`select count(*) from revisions`) - before; n != 2 {
		t.Errorf("%d revisions for two items that changed places", n)
	}
	d.ok(editorial.Reorder(ctx, d.db, d.ada, ids[0], false))
	if got := d.order(ids[0]); got != "c a b" {
		t.Errorf("down: %s", got)
	}
	d.refused(editorial.Reorder(ctx, d.db, d.ada, ids[2], true), fault.Conflict, "")
	d.refused(editorial.Reorder(ctx, d.db, d.viewer, ids[2], false), fault.Forbidden, "")
	d.refused(editorial.Reorder(ctx, d.db, d.ben, ids[2], false), fault.Conflict, "draft_exists")
}

// Items that have the same order number are numbered.
func TestReorderOfEqualNumbers(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ids := d.guides(map[string]int{"a": 0, "b": 0, "c": 0})
	d.ok(editorial.Reorder(t.Context(), d.db, d.ada, ids[1], false))
	if got := d.order(ids[0]); got != "a c b" {
		t.Errorf("down: %s", got)
	}
	d.ok(editorial.Reorder(t.Context(), d.db, d.ada, ids[1], true))
	if got := d.order(ids[0]); got != "a b c" {
		t.Errorf("up: %s", got)
	}
}

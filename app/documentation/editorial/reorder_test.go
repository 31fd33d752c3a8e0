package editorial_test

import (
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
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
	if n := d.count(`select count(*) from revisions`) - before; n != 1 {
		t.Errorf("%d revisions for one item that found room", n)
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

// An item goes before another one, to the end, or into another group. A list that
// changed meanwhile is a conflict, and nothing is moved.
func TestPlace(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	ids := d.guides(map[string]int{"a": 10, "b": 11, "c": 12, "d": 13})
	for _, c := range []struct {
		item      int
		to        editorial.Position
		want      string
		revisions int
	}{
		{3, editorial.Position{Group: "Order", Before: ids[0], Seen: ids[:3]}, "d a b c", 1},
		{0, editorial.Position{Group: "Order"}, "d b c a", 1},
		{0, editorial.Position{Group: "Order"}, "d b c a", 0},
		{2, editorial.Position{Group: "Order", Before: ids[1]}, "d c b a", 1},
	} {
		before := d.count(`select count(*) from revisions`)
		if _, err := editorial.Place(ctx, d.db, d.ada, ids[c.item], c.to); err != nil {
			t.Fatal(err)
		}
		if got := d.order(ids[0]); got != c.want {
			t.Errorf("the order is %s, want %s", got, c.want)
		}
		if n := d.count(`select count(*) from revisions`) - before; n != c.revisions {
			t.Errorf("%s takes %d revisions, want %d", c.want, n, c.revisions)
		}
	}
	placed, err := editorial.PlaceAt(ctx, d.db, d.ada, ids[1], "Other", 9)
	if d.ok(err); placed != (editorial.Placed{Number: 1, Count: 1, Group: "Other"}) || d.order(ids[0]) != "d c a" || d.order(ids[1]) != "b" {
		t.Errorf("in the other group: %+v, %s, %s", placed, d.order(ids[0]), d.order(ids[1]))
	}
	placed, err = editorial.PlaceAt(ctx, d.db, d.ada, ids[1], "Order", 2)
	if d.ok(err); placed.Number != 2 || d.order(ids[0]) != "d b c a" {
		t.Errorf("back again: %+v, %s", placed, d.order(ids[0]))
	}
	_, err = editorial.Place(ctx, d.db, d.ada, ids[0], editorial.Position{Group: "Order", Before: ids[3], Seen: []int64{ids[3], ids[2]}})
	d.refused(err, fault.Conflict, "stale")
	_, err = editorial.Place(ctx, d.db, d.ada, ids[0], editorial.Position{Group: "Order", Before: 1})
	d.refused(err, fault.Conflict, "stale")
	if got := d.order(ids[0]); got != "d b c a" {
		t.Errorf("after conflicts: %s", got)
	}
}

// However numbers were, a moved item is where it should be, every other one stands in
// the order that it had, and groups keep theirs.
func TestRandomPlaces(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		var all []models.EditItem
		distinct := random.IntN(2) * 30 // numbers that repeat say nothing of groups
		for id := range int64(2 + random.IntN(12)) {
			i := models.EditItem{Place: random.IntN(30) - 2 + distinct*int(id), Group: string(rune('A' + random.IntN(3)))}
			i.ID, i.Kind = id+1, content.KindGuide
			all = append(all, i)
		}
		sortItems(all)
		item := all[random.IntN(len(all))]
		group := all[random.IntN(len(all))].Group
		rest := idsOf(slices.DeleteFunc(slices.Clone(all), func(i models.EditItem) bool { return i.ID == item.ID }), group)
		at := random.IntN(len(rest) + 1)
		to := editorial.Position{Group: group}
		if at < len(rest) {
			to.Before = rest[at]
		}
		groups := groupOrder(all, item)
		_, changed, err := editorial.Arranged(all, item, to)
		if err != nil {
			t.Fatal(err)
		}
		after := slices.Clone(all)
		for _, c := range changed {
			after[slices.IndexFunc(after, func(i models.EditItem) bool { return i.ID == c.ID })] = c
		}
		sortItems(after)
		if got, want := idsOf(after, group), slices.Insert(rest, at, item.ID); !slices.Equal(got, want) {
			t.Fatalf("%v with %d to %+v gives %v, want %v", all, item.ID, to, got, want)
		}
		if got := groupOrder(after, item); distinct > 0 && item.Group == group && !slices.Equal(got, groups) {
			t.Fatalf("%v with %d to %+v gives the groups %v, want %v", all, item.ID, to, got, groups)
		}
	}
}

func sortItems(list []models.EditItem) {
	slices.SortFunc(list, func(a, b models.EditItem) int { return cmp.Or(a.Place-b.Place, int(a.ID-b.ID)) })
}

func idsOf(all []models.EditItem, group string) (ids []int64) {
	for _, i := range all {
		if i.Group == group {
			ids = append(ids, i.ID)
		}
	}
	return ids
}

// groupOrder returns the groups that have other items than one, in order.
func groupOrder(all []models.EditItem, but models.EditItem) (groups []string) {
	for _, i := range all {
		if !slices.Contains(groups, i.Group) && (i.ID != but.ID || len(idsOf(all, i.Group)) > 1) {
			groups = append(groups, i.Group)
		}
	}
	return groups
}

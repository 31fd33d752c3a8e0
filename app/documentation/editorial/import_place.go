package editorial

import (
	"context"
	"fmt"

	"heliograph/app/documentation/content"
	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// place finds the items below a parent, adds new ones and returns them in
// order. It returns all other items below the parent as others. An item that
// moved is found at its old address.
func (d *importer) place(ctx context.Context, parentID int64, wants []want) (items, others []models.Item, err error) {
	existing, err := queries.ItemList(ctx, d.tx, parentID)
	if err != nil {
		return nil, nil, fmt.Errorf("listing what is there already: %w", err)
	}
	at := lists.By(existing, func(item models.Item) string { return space(item.Kind) + item.Slug })
	if err := d.placeMoved(ctx, parentID, wants, at); err != nil {
		return nil, nil, err
	}
	var kinds, slugs []string
	for _, w := range wants {
		if _, ok := at[space(w.kind)+w.slug]; !ok {
			kinds, slugs = append(kinds, w.kind), append(slugs, w.slug)
		}
	}
	added, err := writes.ItemInsert(ctx, d.tx, parentID, kinds, slugs)
	if err != nil {
		return nil, nil, fmt.Errorf("adding items: %w", err)
	}
	for _, item := range added {
		at[space(item.Kind)+item.Slug] = item
	}
	found := map[int64]bool{}
	for _, w := range wants {
		item := at[space(w.kind)+w.slug]
		if item.Kind != w.kind {
			return nil, nil, fault.New(fault.Conflict, "The %s %s cannot become a %s: move it to another address first.", item.Kind, item.Slug, w.kind)
		}
		found[item.ID] = true
		items = append(items, item)
	}
	for _, item := range existing {
		if !found[item.ID] {
			others = append(others, item)
		}
	}
	return items, others, nil
}

// placeMoved adds items that moved to those at each address, at their old one. An item
// with a new address that is wanted too is not also what was at the old one.
func (d *importer) placeMoved(ctx context.Context, parentID int64, wants []want, at map[string]models.Item) error {
	wanted, claimed := map[string]bool{}, map[int64]bool{}
	for _, w := range wants {
		key := space(w.kind) + w.slug
		wanted[key] = true
		if item, ok := at[key]; ok {
			claimed[item.ID] = true
		}
	}
	redirects, err := queries.ItemRedirectList(ctx, d.tx, parentID)
	if err != nil {
		return fmt.Errorf("listing what moved: %w", err)
	}
	for _, r := range redirects {
		key := space(r.Kind) + r.Slug
		if _, taken := at[key]; taken || !wanted[key] || claimed[r.ItemID] {
			continue
		}
		item, err := d.item(ctx, r.ItemID)
		if err != nil {
			return err
		}
		if item.ParentID == parentID {
			at[key], claimed[item.ID] = item, true
		}
	}
	return nil
}

// space separates kinds that may have the same slug below one parent.
func space(kind string) string {
	if kind == content.KindCategory || kind == content.KindSchema {
		return kind + " "
	}
	return " "
}

package editorial

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"heliograph/app/catalogue"
	"heliograph/app/content"
	"heliograph/app/search"
	"heliograph/app/spec"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// index writes anew what readers can find of a product: the product and each
// released version. Hidden, announced and archived products are not found.
func index(ctx context.Context, q db.Querier, productID int64) error {
	item, live, err := liveProduct(ctx, q, productID)
	if err != nil {
		return err
	}
	if err := queries.SearchRowDelete(ctx, q, productID); err != nil {
		return fmt.Errorf("clearing the index of %s: %w", item.Slug, err)
	}
	if live.Hidden || live.ComingSoon || item.Archived {
		return nil
	}
	product := search.Product{ItemID: productID, Slug: item.Slug, Name: live.Name, Summary: live.Summary, Description: live.Description}
	guides, err := liveGuides(ctx, q, product)
	if err != nil {
		return err
	}
	if err := write(ctx, q, productID, append(guides, product.Row())); err != nil {
		return err
	}
	versions, err := liveVersions(ctx, q, product)
	if err != nil {
		return err
	}
	for _, v := range versions {
		if err := write(ctx, q, v.ItemID, v.Rows()); err != nil {
			return fmt.Errorf("indexing %s %s: %w", item.Slug, v.Slug, err)
		}
	}
	return nil
}

// reindex indexes products that were published before the index took the form
// that it has now.
func reindex(ctx context.Context, b db.Beginner) error {
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		ids, err := queries.ProductListUnindexed(ctx, tx)
		if err != nil {
			return fmt.Errorf("looking for products without an index: %w", err)
		}
		for _, id := range ids {
			if err := index(ctx, tx, id); err != nil {
				return err
			}
		}
		return nil
	})
}

func write(ctx context.Context, q db.Querier, scopeID int64, rows []models.SearchRow) error {
	if err := queries.SearchRowInsert(ctx, q, scopeID, rows); err != nil {
		return fmt.Errorf("writing search rows: %w", err)
	}
	if err := queries.SearchWordInsert(ctx, q, scopeID, search.Vocabulary(rows)); err != nil {
		return fmt.Errorf("writing search words: %w", err)
	}
	return nil
}

// liveVersions reads the released versions of a product, the newest first.
func liveVersions(ctx context.Context, q db.Querier, product search.Product) ([]search.Version, error) {
	items, err := queries.ItemListLive(ctx, q, product.ItemID)
	if err != nil {
		return nil, fmt.Errorf("listing the versions of %s: %w", product.Slug, err)
	}
	latest, err := queries.ReleaseListLatest(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("listing releases: %w", err)
	}
	var versions []search.Version
	for _, item := range items {
		if item.Kind != "version" {
			continue
		}
		content, err := queries.ReleaseItemList(ctx, q, latest[item.ID].ID)
		if err != nil {
			return nil, fmt.Errorf("reading the release of %s: %w", item.Slug, err)
		}
		v, err := released(product, item, content)
		if err != nil {
			return nil, err
		}
		versions = append(versions, v)
	}
	slices.SortStableFunc(versions, func(a, b search.Version) int { return content.CompareVersions(b.Slug, a.Slug) })
	if len(versions) > 0 {
		first := max(0, slices.IndexFunc(versions, func(v search.Version) bool { return v.Label == content.Current }))
		versions[first].Latest = true
	}
	return versions, nil
}

// liveGuides makes the rows of a product's guides.
func liveGuides(ctx context.Context, q db.Querier, product search.Product) ([]models.SearchRow, error) {
	items, err := queries.ItemListLive(ctx, q, product.ItemID)
	if err != nil {
		return nil, fmt.Errorf("listing the guides of %s: %w", product.Slug, err)
	}
	var rows []models.SearchRow
	for _, item := range items {
		if item.Kind != "guide" {
			continue
		}
		revision, err := queries.RevisionGet(ctx, q, item.LiveRevisionID)
		if err != nil {
			return nil, fmt.Errorf("reading guide %s: %w", item.Slug, err)
		}
		var g content.Guide
		if err := json.Unmarshal(revision.Content, &g); err != nil {
			return nil, fmt.Errorf("reading guide %s: %w", item.Slug, err)
		}
		rows = append(rows, search.Guide{Product: product, ItemID: item.ID, Slug: item.Slug, Title: g.Title, Summary: g.Summary, Text: g.Text}.Rows()...)
	}
	return rows, nil
}

// released compiles a version from what its latest release made public.
func released(product search.Product, item models.Item, items []models.LiveItem) (search.Version, error) {
	version, operations, err := catalogue.Assemble(items)
	if err != nil {
		return search.Version{}, err
	}
	v := search.Version{
		Product: product, ItemID: item.ID, Slug: item.Slug, Label: version.Label, Description: version.Description, Notes: version.Notes,
		Frame: version.Frame, Operations: operations, Items: map[string]int64{},
	}
	for _, item := range items {
		v.Items[item.Slug] = item.ID
	}
	if v.API, err = spec.Compile(spec.Parts{Frame: version.Frame, Operations: operations}); err != nil {
		return v, fmt.Errorf("compiling version %s: %w", item.Slug, err)
	}
	return v, nil
}

// liveProduct returns a product and its public content.
func liveProduct(ctx context.Context, q db.Querier, id int64) (models.Item, content.Product, error) {
	var product content.Product
	item, err := queries.ItemGet(ctx, q, id)
	if err != nil {
		return item, product, fmt.Errorf("reading product %d: %w", id, err)
	}
	revision, err := queries.RevisionGet(ctx, q, item.LiveRevisionID)
	if err != nil {
		return item, product, fmt.Errorf("reading product %s: %w", item.Slug, err)
	}
	if err := json.Unmarshal(revision.Content, &product); err != nil {
		return item, product, fmt.Errorf("reading product %s: %w", item.Slug, err)
	}
	return item, product, nil
}

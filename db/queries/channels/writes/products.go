package writes

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// CatalogueLock keeps other batches off a catalogue until the transaction ends.
func CatalogueLock(ctx context.Context, q db.Querier, id int64) error {
	return collect.Execute(ctx, q, `select from catalogues where id = $1 for update`, id)
}

var productColumns = []string{
	"id", "catalogue_id", "retailer_id", "name", "description", "availability", "condition", "brand", "category",
	"url", "image_url", "retailer_product_group_id", "price", "currency", "shipping", "applinks",
}

// ProductCopy adds products in one COPY.
func ProductCopy(ctx context.Context, q db.Querier, products []models.Article) error {
	_, err := q.CopyFrom(ctx, pgx.Identifier{"products"}, productColumns, pgx.CopyFromSlice(len(products), func(i int) ([]any, error) {
		p := products[i]
		return []any{
			p.ID, p.CatalogueID, p.RetailerID, p.Name, p.Description, p.Availability, p.Condition, p.Brand, p.Category,
			p.URL, p.ImageURL, p.GroupID, p.Price, p.Currency, nullJSON(p.Shipping), nullJSON(p.AppLinks),
		}, nil
	}))
	return err
}

// ProductDelete removes products and keeps their ids, for those that are
// inserted again.
func ProductDelete(ctx context.Context, q db.Querier, ids []int64) error {
	return collect.Execute(ctx, q, `delete from products where id = any($1)`, ids)
}

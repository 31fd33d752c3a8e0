package queries

import (
	"context"
	"slices"
	"strconv"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ProductListByRetailerID returns the named products that are in a
// catalogue, whole.
func ProductListByRetailerID(ctx context.Context, q db.Querier, catalogueID int64, retailerIDs []string) ([]models.Article, error) {
	return collect.Many[models.Article](ctx, q, `
		select id, catalogue_id, retailer_id, name, description, availability, condition, brand, category,
		       url, image_url, retailer_product_group_id as group_id, price, currency, shipping, applinks
		from products where catalogue_id = $1 and retailer_id = any($2)`, catalogueID, retailerIDs)
}

// ProductList returns a page of what a filter leaves of a catalogue, by id,
// and one more where there is one. Shipping and app links are left out. Of a
// catalogue that the organisation does not have it returns nothing.
func ProductList(ctx context.Context, q db.Querier, organisationID, catalogueID int64, filter models.ArticleFilter, p models.Page) ([]models.Article, error) {
	where := newProductWhere(catalogueID, filter)
	where.WriteString(" and exists (select from catalogues where id = " + where.param(catalogueID) + " and organisation_id = " + where.param(organisationID) + ")")
	order := "asc"
	if p.Before > 0 {
		order = "desc" // the nearest before the key, put in order below
		where.and("id < ", p.Before)
	} else {
		where.and("id > ", p.After)
	}
	products, err := collect.ManyLax[models.Article](ctx, q, `
		select id, catalogue_id, retailer_id, name, description, availability, condition, brand, category,
		       url, image_url, retailer_product_group_id as group_id, price, currency
		from products where `+where.String()+` order by id `+order+` limit `+strconv.Itoa(p.Limit+1), where.args...)
	if p.Before > 0 {
		slices.Reverse(products)
	}
	return products, err
}

// ProductCount counts what a filter leaves of a catalogue.
func ProductCount(ctx context.Context, q db.Querier, catalogueID int64, filter models.ArticleFilter) (int, error) {
	where := newProductWhere(catalogueID, filter)
	return collect.Value[int](ctx, q, `select count(*) from products where `+where.String(), where.args...)
}

package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ListFilterList returns the filters that an administrator has saved, by list and
// name. An empty list means every list.
func ListFilterList(ctx context.Context, q db.Querier, userID int64, list string) ([]models.ListFilter, error) {
	return collect.Many[models.ListFilter](ctx, q, `
		select id, list, name, query from list_filters where admin_user_id = $1 and ($2 = '' or list = $2) order by list, lower(name), id`, userID, list)
}

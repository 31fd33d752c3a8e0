package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// ListFilterInsert saves a filter. A taken name is a unique violation of
// list_filters_admin_user_id_list_name_key.
func ListFilterInsert(ctx context.Context, q db.Querier, userID int64, f models.ListFilter) (id int64, err error) {
	return collect.Value[int64](ctx, q, `
		insert into list_filters (admin_user_id, list, name, query) values ($1, $2, $3, $4) returning id`, userID, f.List, f.Name, f.Query)
}

// ListFilterUpdateName renames a filter of an administrator. It returns pgx.ErrNoRows
// where there is none.
func ListFilterUpdateName(ctx context.Context, q db.Querier, userID, id int64, name string) (before string, err error) {
	return collect.Value[string](ctx, q, `
		update list_filters f set name = $3 from (select id, name from list_filters where id = $2 and admin_user_id = $1 for update) b
		where f.id = b.id returning b.name`, userID, id, name)
}

// ListFilterDelete deletes a filter of an administrator and returns its name, or
// pgx.ErrNoRows.
func ListFilterDelete(ctx context.Context, q db.Querier, userID, id int64) (name string, err error) {
	return collect.Value[string](ctx, q, `delete from list_filters where id = $2 and admin_user_id = $1 returning name`, userID, id)
}

package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

// ListFilterInsert saves a filter. A taken name is a unique violation of
// list_filters_admin_user_id_list_name_key.
func ListFilterInsert(ctx context.Context, q db.Querier, userID int64, f models.ListFilter) (id int64, err error) {
	err = q.QueryRow(ctx, `
		insert into list_filters (admin_user_id, list, name, query) values ($1, $2, $3, $4) returning id`, userID, f.List, f.Name, f.Query).Scan(&id)
	return id, err
}

// ListFilterUpdateName renames a filter of an administrator. It returns pgx.ErrNoRows
// where there is none.
func ListFilterUpdateName(ctx context.Context, q db.Querier, userID, id int64, name string) (before string, err error) {
	err = q.QueryRow(ctx, `
		update list_filters f set name = $3 from (select id, name from list_filters where id = $2 and admin_user_id = $1 for update) b
		where f.id = b.id returning b.name`, userID, id, name).Scan(&before)
	return before, err
}

// ListFilterDelete deletes a filter of an administrator and returns its name, or
// pgx.ErrNoRows.
func ListFilterDelete(ctx context.Context, q db.Querier, userID, id int64) (name string, err error) {
	err = q.QueryRow(ctx, `delete from list_filters where id = $2 and admin_user_id = $1 returning name`, userID, id).Scan(&name)
	return name, err
}

package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// AdminUserListEmails returns the addresses of the active administrators with a
// role.
func AdminUserListEmails(ctx context.Context, q db.Querier, role string) ([]string, error) {
	return collect.Values[string](ctx, q, `select email from admin_users where role = $1 and active order by id`, role)
}

const adminUserColumns = `id, name, email, role, active, password_set_at is null as invited, last_sign_in_at, created_at,
	array(select product_id from product_editors e where e.admin_user_id = admin_users.id order by product_id) as products`

// AdminUserFilter picks administrators. Empty fields pick all.
type AdminUserFilter struct {
	Text  string // within the name or the address
	Role  string
	State string // active, inactive or invited
	After string // the address that the page follows
	// Descending lists the addresses from the last to the first.
	Descending bool
	Limit      int // at most so many
}

// AdminUserList returns the administrators by address.
func AdminUserList(ctx context.Context, q db.Querier, f AdminUserFilter) ([]models.AdminUser, error) {
	follows, order := `email > $4`, ` order by email limit $5`
	if f.Descending {
		follows, order = `($4 = '' or email < $4)`, ` order by email desc limit $5`
	}
	return collect.ManyLax[models.AdminUser](ctx, q, `
		select `+adminUserColumns+` from admin_users
		where ($1 = '' or strpos(lower(name), lower($1)) > 0 or strpos(email, lower($1)) > 0) and ($2 = '' or role = $2)
			and case $3 when 'active' then active and password_set_at is not null when 'inactive' then not active
				when 'invited' then active and password_set_at is null else true end
			and `+follows+order, f.Text, f.Role, f.State, f.After, f.Limit)
}

// AdminUserGet returns an administrator.
func AdminUserGet(ctx context.Context, q db.Querier, id int64) (models.AdminUser, error) {
	return collect.OneLax[models.AdminUser](ctx, q, `select `+adminUserColumns+` from admin_users where id = $1`, id)
}

// AdminUserGetByEmail returns the active administrator with an address.
func AdminUserGetByEmail(ctx context.Context, q db.Querier, email string) (models.AdminUser, error) {
	return collect.OneLax[models.AdminUser](ctx, q, `select `+adminUserColumns+` from admin_users where email = $1 and active`, email)
}

// ProductEditorExists reports whether an administrator is assigned to a
// product.
func ProductEditorExists(ctx context.Context, q db.Querier, adminUserID, productID int64) (exists bool, err error) {
	return collect.Value[bool](ctx, q, `select exists (select from product_editors where admin_user_id = $1 and product_id = $2)`, adminUserID, productID)
}

// ProductNameList returns every product that is not in the trash, by name.
func ProductNameList(ctx context.Context, q db.Querier) ([]models.ProductName, error) {
	return collect.Many[models.ProductName](ctx, q, `
		select i.id, i.slug, coalesce(r.content->>'name', i.slug) as name from items i
		left join revisions r on r.id = coalesce(i.live_revision_id, i.draft_revision_id)
		where i.kind = 'product' and i.practice_of is null and i.trashed_at is null order by 3`)
}

// AdminUserReviewEmails reports whether an administrator receives emails about
// reviews.
func AdminUserReviewEmails(ctx context.Context, q db.Querier, id int64) (on bool, err error) {
	return collect.Value[bool](ctx, q, `select review_emails from admin_users where id = $1`, id)
}

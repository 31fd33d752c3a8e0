package queries

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

// AdminUserInsert adds an administrator and returns the id. A taken address is
// a unique violation of admin_users_email_key.
func AdminUserInsert(ctx context.Context, q db.Querier, u models.AdminUser) (int64, error) {
	var id int64
	err := q.QueryRow(ctx, `
		insert into admin_users (name, email, password_hash, role, password_set_at)
		values ($1, $2, $3, $4, case when not $5 then now() end) returning id`,
		u.Name, u.Email, u.PasswordHash, u.Role, u.Invited).Scan(&id)
	return id, err
}

// AdminUserListEmails returns the addresses of the active administrators with a
// role.
func AdminUserListEmails(ctx context.Context, q db.Querier, role string) ([]string, error) {
	return values[string](ctx, q, `select email from admin_users where role = $1 and active order by id`, role)
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
	return manyLax[models.AdminUser](ctx, q, `
		select `+adminUserColumns+` from admin_users
		where ($1 = '' or strpos(lower(name), lower($1)) > 0 or strpos(email, lower($1)) > 0) and ($2 = '' or role = $2)
			and case $3 when 'active' then active and password_set_at is not null when 'inactive' then not active
				when 'invited' then active and password_set_at is null else true end
			and `+follows+order, f.Text, f.Role, f.State, f.After, f.Limit)
}

// AdminUserReset makes the administrator with an address an active Super Admin with a
// password, ends sessions and lock, and returns the id.
func AdminUserReset(ctx context.Context, q db.Querier, email, passwordHash string) (id int64, err error) {
	err = q.QueryRow(ctx, `
		update admin_users set password_hash = $2, password_set_at = now(), role = 'super_admin', active = true,
			session_version = session_version + 1, failed_sign_ins = 0, locked_until = null, updated_at = now()
		where email = $1 returning id`, email, passwordHash).Scan(&id)
	return id, err
}

// AdminUserGet returns an administrator.
func AdminUserGet(ctx context.Context, q db.Querier, id int64) (models.AdminUser, error) {
	return oneLax[models.AdminUser](ctx, q, `select `+adminUserColumns+` from admin_users where id = $1`, id)
}

// AdminUserGetByEmail returns the active administrator with an address.
func AdminUserGetByEmail(ctx context.Context, q db.Querier, email string) (models.AdminUser, error) {
	return oneLax[models.AdminUser](ctx, q, `select `+adminUserColumns+` from admin_users where email = $1 and active`, email)
}

// AdminUserLock keeps every other change to the active Super Admins, and to
// the administrator with the id, waiting until the transaction ends. It
// returns the ids of the active Super Admins.
func AdminUserLock(ctx context.Context, q db.Querier, id int64) ([]int64, error) {
	rows, err := q.Query(ctx, `select id, role = 'super_admin' and active from admin_users where role = 'super_admin' and active or id = $1 order by id for update`, id)
	if err != nil {
		return nil, err
	}
	var superiors []int64
	var found int64
	var superior bool
	_, err = pgx.ForEachRow(rows, []any{&found, &superior}, func() error {
		if superior {
			superiors = append(superiors, found)
		}
		return nil
	})
	return superiors, err
}

// AdminUserUpdateRole changes a role and ends every session.
func AdminUserUpdateRole(ctx context.Context, q db.Querier, id int64, role string) error {
	_, err := q.Exec(ctx, `update admin_users set role = $2, session_version = session_version + 1, updated_at = now() where id = $1`, id, role)
	return err
}

// AdminUserUpdateActive activates or deactivates an administrator and ends every
// session.
func AdminUserUpdateActive(ctx context.Context, q db.Querier, id int64, active bool) error {
	_, err := q.Exec(ctx, `update admin_users set active = $2, session_version = session_version + 1, updated_at = now() where id = $1`, id, active)
	return err
}

// AdminUserDelete removes an administrator, with sessions, links, assignments and
// the practice product. One who wrote other documentation is a foreign key violation.
func AdminUserDelete(ctx context.Context, q db.Querier, id int64) error {
	if err := PracticeDelete(ctx, q, id); err != nil {
		return err
	}
	_, err := q.Exec(ctx, `delete from admin_users where id = $1`, id)
	return err
}

// ProductEditorReplace assigns an administrator to products and to no others.
func ProductEditorReplace(ctx context.Context, q db.Querier, adminUserID int64, products []int64) error {
	_, err := q.Exec(ctx, `
		with gone as (delete from product_editors where admin_user_id = $1 and product_id <> all(coalesce($2::bigint[], '{}')))
		insert into product_editors (admin_user_id, product_id)
		select $1, id from items where kind = 'product' and practice_of is null and id = any($2) on conflict do nothing`, adminUserID, products)
	return err
}

// ProductEditorExists reports whether an administrator is assigned to a
// product.
func ProductEditorExists(ctx context.Context, q db.Querier, adminUserID, productID int64) (exists bool, err error) {
	err = q.QueryRow(ctx, `select exists (select from product_editors where admin_user_id = $1 and product_id = $2)`, adminUserID, productID).Scan(&exists)
	return exists, err
}

// ProductNameList returns every product that is not in the trash, by name.
func ProductNameList(ctx context.Context, q db.Querier) ([]models.ProductName, error) {
	return many[models.ProductName](ctx, q, `
		select i.id, i.slug, coalesce(r.content->>'name', i.slug) as name from items i
		left join revisions r on r.id = coalesce(i.live_revision_id, i.draft_revision_id)
		where i.kind = 'product' and i.practice_of is null and i.trashed_at is null order by 3`)
}

package writes

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	documentationwrites "heliograph/db/queries/documentation/writes"
)

// AdminUserInsert adds an administrator and returns the id. A taken address is
// a unique violation of admin_users_email_key.
func AdminUserInsert(ctx context.Context, q db.Querier, u models.AdminUser) (int64, error) {
	return collect.Value[int64](ctx, q, `
		insert into admin_users (name, email, password_hash, role, password_set_at)
		values ($1, $2, $3, $4, case when not $5 then now() end) returning id`,
		u.Name, u.Email, u.PasswordHash, u.Role, u.Invited)
}

// AdminUserReset makes the administrator with an address an active Super Admin with a
// password, ends sessions and lock, and returns the id.
func AdminUserReset(ctx context.Context, q db.Querier, email, passwordHash string) (id int64, err error) {
	return collect.Value[int64](ctx, q, `
		update admin_users set password_hash = $2, password_set_at = now(), role = 'super_admin', active = true,
			session_version = session_version + 1, failed_sign_ins = 0, locked_until = null, updated_at = now()
		where email = $1 returning id`, email, passwordHash)
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
	return collect.Execute(ctx, q, `update admin_users set role = $2, session_version = session_version + 1, updated_at = now() where id = $1`, id, role)
}

// AdminUserUpdateActive activates or deactivates an administrator and ends every
// session.
func AdminUserUpdateActive(ctx context.Context, q db.Querier, id int64, active bool) error {
	return collect.Execute(ctx, q, `update admin_users set active = $2, session_version = session_version + 1, updated_at = now() where id = $1`, id, active)
}

// AdminUserDelete removes an administrator, with sessions, links, assignments and
// the practice product. One who wrote other documentation is a foreign key violation.
func AdminUserDelete(ctx context.Context, q db.Querier, id int64) error {
	if err := documentationwrites.PracticeDelete(ctx, q, id); err != nil {
		return err
	}
	return collect.Execute(ctx, q, `delete from admin_users where id = $1`, id)
}

// ProductEditorReplace assigns an administrator to products and to no others.
func ProductEditorReplace(ctx context.Context, q db.Querier, adminUserID int64, products []int64) error {
	return collect.Execute(ctx, q, `
		with gone as (delete from product_editors where admin_user_id = $1 and product_id <> all(coalesce($2::bigint[], '{}')))
		insert into product_editors (admin_user_id, product_id)
		select $1, id from items where kind = 'product' and practice_of is null and id = any($2) on conflict do nothing`, adminUserID, products)
}

// AdminUserUpdateReviewEmails sets whether an administrator receives emails about
// reviews, and reports whether that changed.
func AdminUserUpdateReviewEmails(ctx context.Context, q db.Querier, id int64, on bool) (changed bool, err error) {
	return collect.Changed(ctx, q, `update admin_users set review_emails = $2, updated_at = now() where id = $1 and review_emails <> $2`, id, on)
}

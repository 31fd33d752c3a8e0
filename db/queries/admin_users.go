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
		insert into admin_users (name, email, password_hash, role) values ($1, $2, $3, $4) returning id`,
		u.Name, u.Email, u.PasswordHash, u.Role).Scan(&id)
	return id, err
}

// AdminUserListEmails returns the addresses of the active administrators with a
// role.
func AdminUserListEmails(ctx context.Context, q db.Querier, role string) ([]string, error) {
	rows, err := q.Query(ctx, `select email from admin_users where role = $1 and active order by id`, role)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

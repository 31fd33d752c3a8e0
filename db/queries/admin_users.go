package queries

import (
	"context"

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

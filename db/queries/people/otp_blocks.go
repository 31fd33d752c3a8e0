package queries

import (
	"context"
	"time"

	"heliograph/db"
)

// OTPBlockGet returns for how long a block of numbers is refused yet. No row
// comes back for one that is not.
func OTPBlockGet(ctx context.Context, q db.Querier, prefix string) (left time.Duration, err error) {
	err = q.QueryRow(ctx, `select until - now() from otp_blocks where prefix = $1 and until > now()`, prefix).Scan(&left)
	return left, err
}

package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/queries/collect"
)

// OTPBlockGet returns for how long a block of numbers is refused yet. No row
// comes back for one that is not.
func OTPBlockGet(ctx context.Context, q db.Querier, prefix string) (left time.Duration, err error) {
	return collect.Value[time.Duration](ctx, q, `select until - now() from otp_blocks where prefix = $1 and until > now()`, prefix)
}

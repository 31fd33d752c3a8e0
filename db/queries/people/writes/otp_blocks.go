package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/queries/collect"
)

// OTPBlockInsert refuses a block of numbers for a while, and reports whether it
// was not refused already.
func OTPBlockInsert(ctx context.Context, q db.Querier, prefix string, sent, verified int, life time.Duration) (bool, error) {
	return collect.Changed(ctx, q, `
		insert into otp_blocks as b (prefix, sent, verified, until) values ($1, $2, $3, now() + $4::interval)
		on conflict (prefix) do update set sent = excluded.sent, verified = excluded.verified, blocked_at = now(), until = excluded.until
		where b.until <= now()`, prefix, sent, verified, life)
}

// OTPBlockDelete forgets blocks that ended more than a day ago.
func OTPBlockDelete(ctx context.Context, q db.Querier) error {
	return collect.Execute(ctx, q, `delete from otp_blocks where until < now() - interval '1 day'`)
}

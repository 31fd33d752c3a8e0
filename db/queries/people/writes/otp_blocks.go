package writes

import (
	"context"
	"time"

	"heliograph/db"
)

// OTPBlockInsert refuses a block of numbers for a while, and reports whether it
// was not refused already.
func OTPBlockInsert(ctx context.Context, q db.Querier, prefix string, sent, verified int, life time.Duration) (bool, error) {
	tag, err := q.Exec(ctx, `
		insert into otp_blocks as b (prefix, sent, verified, until) values ($1, $2, $3, now() + $4::interval)
		on conflict (prefix) do update set sent = excluded.sent, verified = excluded.verified, blocked_at = now(), until = excluded.until
		where b.until <= now()`, prefix, sent, verified, life)
	return tag.RowsAffected() == 1, err
}

// OTPBlockDelete forgets blocks that ended more than a day ago.
func OTPBlockDelete(ctx context.Context, q db.Querier) error {
	_, err := q.Exec(ctx, `delete from otp_blocks where until < now() - interval '1 day'`)
	return err
}

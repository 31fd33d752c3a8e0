package writes

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	"heliograph/db/queries/parts"
)

// OTPChallengeInsert stores a challenge that lasts for life.
func OTPChallengeInsert(ctx context.Context, q db.Querier, c models.OTPChallenge, life time.Duration) error {
	return collect.Execute(ctx, q, `
		insert into otp_challenges (id, purpose, user_id, phone, expires_at)
		values ($1, $2, nullif($3, 0), nullif($4, ''), now() + $5::interval)`,
		c.ID, c.Purpose, c.UserID, c.Phone, life)
}

// OTPChallengeUpdateReplaced consumes the open challenges of a user and the one
// with the id, whosever it is.
func OTPChallengeUpdateReplaced(ctx context.Context, q db.Querier, purpose string, userID int64, id uuid.UUID) error {
	return collect.Execute(ctx, q, `
		update otp_challenges set consumed_at = now()
		where consumed_at is null and purpose = $1 and (user_id = $2 or id = $3)`, purpose, userID, id)
}

// OTPChallengeGetWaiting returns an open challenge for which no code was made
// yet, and locks it.
func OTPChallengeGetWaiting(ctx context.Context, q db.Querier, id uuid.UUID) (models.OTPChallenge, error) {
	return collect.OneLax[models.OTPChallenge](ctx, q, `
		select id, purpose, user_id, phone, created_at, expires_at from otp_challenges
		where id = $1 and hash is null and consumed_at is null and expires_at > now() and user_id is not null and phone is not null
		for update`, id)
}

// OTPChallengeUpdateSent stores the hash of the code that was sent.
func OTPChallengeUpdateSent(ctx context.Context, q db.Querier, id uuid.UUID, hash []byte) error {
	return collect.Execute(ctx, q, `update otp_challenges set hash = $2, sent_at = now() where id = $1`, id, hash)
}

// OTPChallengeUpdateCharged charges a guess before it is compared, and returns the
// challenge as it was charged. Guesses at a challenge that was replaced are charged
// as well, so that it cannot be told from one that belongs to nobody.
func OTPChallengeUpdateCharged(ctx context.Context, q db.Querier, id uuid.UUID, purpose string) (models.OTPChallenge, error) {
	return collect.OneLax[models.OTPChallenge](ctx, q, `
		with before as (select * from otp_challenges where id = $1 and purpose = $2 for update)
		update otp_challenges c set attempts = least(before.attempts + 1, 5) from before where c.id = before.id
		returning c.id, c.purpose, coalesce(c.user_id, 0) as user_id, coalesce(c.phone, '') as phone, c.hash, c.attempts,
			case when before.verified_at is not null then 'used' when before.attempts >= 5 then 'guessed'
				when before.expires_at <= now() then 'expired' when before.consumed_at is not null then 'replaced' else '' end as ended`, id, purpose)
}

// OTPChallengeUpdateConsumed ends a challenge that was not met.
func OTPChallengeUpdateConsumed(ctx context.Context, q db.Querier, id uuid.UUID) error {
	return collect.Execute(ctx, q, `update otp_challenges set consumed_at = now() where id = $1 and consumed_at is null`, id)
}

// OTPChallengeUpdateVerified consumes a challenge that was met, and reports
// whether it was still open.
func OTPChallengeUpdateVerified(ctx context.Context, q db.Querier, id uuid.UUID) (bool, error) {
	return collect.Changed(ctx, q, `
		update otp_challenges set consumed_at = now(), verified_at = now()
		where id = $1 and consumed_at is null and expires_at > now()`, id)
}

// OTPChallengeDelete drops challenges that expired more than a day ago.
func OTPChallengeDelete(ctx context.Context, q db.Querier) error {
	return collect.Execute(ctx, q, `delete from otp_challenges where expires_at < now() - interval '1 day'`)
}

// OTPChallengeListStranded returns up to limit open challenges with a code that was
// never made because its job was lost. A job that was completed or cancelled has
// decided that no code is sent; it is kept for longer than a challenge lives.
func OTPChallengeListStranded(ctx context.Context, q db.Querier, limit int) ([]uuid.UUID, error) {
	return collect.Values[uuid.UUID](ctx, q, `
		with decided as (
			`+parts.DecidedChallenges+`
		)
		select c.id from otp_challenges c
		where c.hash is null and c.consumed_at is null and c.expires_at > now() and c.user_id is not null and c.phone is not null
		  and not exists (select from decided d where d.id = c.id)
		order by c.created_at limit $1 for update of c skip locked`, limit)
}

package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// OTPChallengeGetRecent returns the challenge that is open for a user and was
// asked for within the last moments.
func OTPChallengeGetRecent(ctx context.Context, q db.Querier, userID int64, purpose string, within time.Duration) (models.OTPChallenge, error) {
	return collect.OneLax[models.OTPChallenge](ctx, q, `
		select id, user_id, purpose, coalesce(phone, '') as phone, created_at, expires_at from otp_challenges
		where user_id = $1 and purpose = $2 and consumed_at is null and attempts < 5 and created_at > now() - $3::interval`,
		userID, purpose, within)
}

// OTPChallengeCount counts, for the numbers that share their first six digits
// with phone (E.164), the codes that were sent between an hour ago and a delay
// ago, and how many of them were entered.
func OTPChallengeCount(ctx context.Context, q db.Querier, phone string, delay time.Duration) (sent, verified int, err error) {
	err = q.QueryRow(ctx, `
		select count(*), count(verified_at) from otp_challenges
		where left(phone, 7) = left($1, 7) and sent_at between now() - interval '1 hour' and now() - $2::interval`, phone, delay).
		Scan(&sent, &verified)
	return sent, verified, err
}

package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// SMSOTPColumns are the columns of sms_otps that a models.SMSOTP has.
const SMSOTPColumns = `id, organisation_id, phone, header, message, entity_id, template_id, digits, life_seconds, hash, returned, codes, attempts, sent_at`

// IsSMSOTPOpen is the condition of a code that can still be entered.
const IsSMSOTPOpen = `consumed_at is null and expires_at > now()`

// SMSOTPGet returns the open code with an id or, without one, the newest open
// code of a phone, with a header or with any if it is empty.
func SMSOTPGet(ctx context.Context, q db.Querier, organisationID int64, id, phone, header string) (models.SMSOTP, error) {
	return collect.One[models.SMSOTP](ctx, q, `
		select `+SMSOTPColumns+` from sms_otps
		where organisation_id = $1 and `+IsSMSOTPOpen+` and attempts < 5
			and case when $2 <> '' then id = $2 else phone = $3 and ($4 = '' or lower(header) = lower($4)) end
		order by sent_at desc limit 1`, organisationID, id, phone, header)
}

// SMSOTPCount counts the codes that an organisation sent to the prefix of a phone
// between an hour ago and a delay ago, and how many of them were entered. Codes
// that the organisation checks itself do not count.
func SMSOTPCount(ctx context.Context, q db.Querier, organisationID int64, phone string, delay time.Duration) (sent, verified int, err error) {
	err = q.QueryRow(ctx, `
		select coalesce(sum(codes), 0)::integer, count(verified_at) from sms_otps
		where organisation_id = $1 and left(phone, 7) = left($2, 7) and not returned
			and sent_at between now() - interval '1 hour' and now() - $3::interval`, organisationID, phone, delay).
		Scan(&sent, &verified)
	return sent, verified, err
}

// SMSOTPBlockGet returns how long a prefix is blocked for an organisation. No row
// comes back for one that is not.
func SMSOTPBlockGet(ctx context.Context, q db.Querier, organisationID int64, prefix string) (left time.Duration, err error) {
	return collect.Value[time.Duration](ctx, q, `select until - now() from sms_otp_blocks where organisation_id = $1 and prefix = $2 and until > now()`, organisationID, prefix)
}

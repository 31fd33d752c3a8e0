package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
)

const smsOTPColumns = `id, organisation_id, phone, header, message, entity_id, template_id, digits, life_seconds, hash, returned, codes, attempts, sent_at`

// isSMSOTPOpen is the condition of a code that can still be entered.
const isSMSOTPOpen = `consumed_at is null and expires_at > now()`

// SMSOTPInsert stores a code that was sent. It ends the open one of the
// organisation for the same phone and header.
func SMSOTPInsert(ctx context.Context, q db.Querier, o models.SMSOTP) error {
	_, err := q.Exec(ctx, `update sms_otps set consumed_at = now() where organisation_id = $1 and phone = $2 and lower(header) = lower($3) and consumed_at is null`,
		o.OrganisationID, o.Phone, o.Header)
	if err != nil {
		return err
	}
	_, err = q.Exec(ctx, `
		insert into sms_otps (id, organisation_id, phone, header, message, entity_id, template_id, digits, life_seconds, hash, returned, expires_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + make_interval(secs => $9::integer))`,
		o.ID, o.OrganisationID, o.Phone, o.Header, o.Message, o.EntityID, o.TemplateID, o.Digits, o.LifeSeconds, o.Hash, o.Returned)
	return err
}

// SMSOTPGet returns the open code with an id or, without one, the newest open
// code of a phone, with a header or with any if it is empty.
func SMSOTPGet(ctx context.Context, q db.Querier, organisationID int64, id, phone, header string) (models.SMSOTP, error) {
	return one[models.SMSOTP](ctx, q, `
		select `+smsOTPColumns+` from sms_otps
		where organisation_id = $1 and `+isSMSOTPOpen+` and attempts < 5
			and case when $2 <> '' then id = $2 else phone = $3 and ($4 = '' or lower(header) = lower($4)) end
		order by sent_at desc limit 1`, organisationID, id, phone, header)
}

// SMSOTPUpdateResent replaces the code of an open challenge and starts its life
// again. It reports false if the challenge has ended, had all of its codes, or
// got the last one less than a pause ago.
func SMSOTPUpdateResent(ctx context.Context, q db.Querier, o models.SMSOTP, pause time.Duration) (bool, error) {
	tag, err := q.Exec(ctx, `
		update sms_otps set hash = $2, codes = codes + 1, attempts = 0, sent_at = now(), expires_at = now() + make_interval(secs => life_seconds)
		where id = $1 and `+isSMSOTPOpen+` and codes < 4 and sent_at <= now() - $3::interval`, o.ID, o.Hash, pause)
	return tag.RowsAffected() == 1, err
}

// SMSOTPUpdateCharged counts an attempt before its code is compared, and returns
// the challenge. No row comes back for one that has ended or had five attempts.
func SMSOTPUpdateCharged(ctx context.Context, q db.Querier, organisationID int64, id string) (models.SMSOTP, error) {
	return one[models.SMSOTP](ctx, q, `
		update sms_otps set attempts = attempts + 1
		where organisation_id = $1 and id = $2 and `+isSMSOTPOpen+` and attempts < 5
		returning `+smsOTPColumns, organisationID, id)
}

// SMSOTPUpdateConsumed ends a challenge when its code was not entered.
func SMSOTPUpdateConsumed(ctx context.Context, q db.Querier, id string) error {
	_, err := q.Exec(ctx, `update sms_otps set consumed_at = now() where id = $1 and consumed_at is null`, id)
	return err
}

// SMSOTPUpdateVerified ends a challenge when its code was entered, and reports
// whether it was still open with the same code.
func SMSOTPUpdateVerified(ctx context.Context, q db.Querier, o models.SMSOTP) (bool, error) {
	tag, err := q.Exec(ctx, `
		update sms_otps set consumed_at = now(), verified_at = now()
		where id = $1 and hash = $2 and `+isSMSOTPOpen, o.ID, o.Hash)
	return tag.RowsAffected() == 1, err
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

// SMSOTPDelete deletes codes that expired more than a day ago, and blocks that
// ended as long ago.
func SMSOTPDelete(ctx context.Context, q db.Querier) error {
	if _, err := q.Exec(ctx, `delete from sms_otps where expires_at < now() - interval '1 day'`); err != nil {
		return err
	}
	_, err := q.Exec(ctx, `delete from sms_otp_blocks where until < now() - interval '1 day'`)
	return err
}

// SMSOTPBlockGet returns how long a prefix is blocked for an organisation. No row
// comes back for one that is not.
func SMSOTPBlockGet(ctx context.Context, q db.Querier, organisationID int64, prefix string) (left time.Duration, err error) {
	err = q.QueryRow(ctx, `select until - now() from sms_otp_blocks where organisation_id = $1 and prefix = $2 and until > now()`, organisationID, prefix).Scan(&left)
	return left, err
}

// SMSOTPBlock is a prefix to block for an organisation.
type SMSOTPBlock struct {
	OrganisationID int64
	Prefix         string
	Sent, Verified int
	Life           time.Duration
}

// SMSOTPBlockInsert blocks a prefix for an organisation, and reports whether it
// was not blocked already.
func SMSOTPBlockInsert(ctx context.Context, q db.Querier, b SMSOTPBlock) (bool, error) {
	tag, err := q.Exec(ctx, `
		insert into sms_otp_blocks as b (organisation_id, prefix, sent, verified, until) values ($1, $2, $3, $4, now() + $5::interval)
		on conflict (organisation_id, prefix) do update set sent = excluded.sent, verified = excluded.verified, blocked_at = now(), until = excluded.until
		where b.until <= now()`, b.OrganisationID, b.Prefix, b.Sent, b.Verified, b.Life)
	return tag.RowsAffected() == 1, err
}

package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/collect"
)

// SMSOTPInsert stores a code that was sent. It ends the open one of the
// organisation for the same phone and header.
func SMSOTPInsert(ctx context.Context, q db.Querier, o models.SMSOTP) error {
	_, err := q.Exec(ctx, `update sms_otps set consumed_at = now() where organisation_id = $1 and phone = $2 and lower(header) = lower($3) and consumed_at is null`,
		o.OrganisationID, o.Phone, o.Header)
	if err != nil {
		return err
	}
	return collect.Execute(ctx, q, `
		insert into sms_otps (id, organisation_id, phone, header, message, entity_id, template_id, digits, life_seconds, hash, returned, expires_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + make_interval(secs => $9::integer))`,
		o.ID, o.OrganisationID, o.Phone, o.Header, o.Message, o.EntityID, o.TemplateID, o.Digits, o.LifeSeconds, o.Hash, o.Returned)
}

// SMSOTPUpdateResent replaces the code of an open challenge and starts its life
// again. It reports false if the challenge has ended, had all of its codes, or
// got the last one less than a pause ago.
func SMSOTPUpdateResent(ctx context.Context, q db.Querier, o models.SMSOTP, pause time.Duration) (bool, error) {
	return collect.Changed(ctx, q, `
		update sms_otps set hash = $2, codes = codes + 1, attempts = 0, sent_at = now(), expires_at = now() + make_interval(secs => life_seconds)
		where id = $1 and `+queries.IsSMSOTPOpen+` and codes < 4 and sent_at <= now() - $3::interval`, o.ID, o.Hash, pause)
}

// SMSOTPUpdateCharged counts an attempt before its code is compared, and returns
// the challenge. No row comes back for one that has ended or had five attempts.
func SMSOTPUpdateCharged(ctx context.Context, q db.Querier, organisationID int64, id string) (models.SMSOTP, error) {
	return collect.One[models.SMSOTP](ctx, q, `
		update sms_otps set attempts = attempts + 1
		where organisation_id = $1 and id = $2 and `+queries.IsSMSOTPOpen+` and attempts < 5
		returning `+queries.SMSOTPColumns, organisationID, id)
}

// SMSOTPUpdateConsumed ends a challenge when its code was not entered.
func SMSOTPUpdateConsumed(ctx context.Context, q db.Querier, id string) error {
	return collect.Execute(ctx, q, `update sms_otps set consumed_at = now() where id = $1 and consumed_at is null`, id)
}

// SMSOTPUpdateVerified ends a challenge when its code was entered, and reports
// whether it was still open with the same code.
func SMSOTPUpdateVerified(ctx context.Context, q db.Querier, o models.SMSOTP) (bool, error) {
	return collect.Changed(ctx, q, `
		update sms_otps set consumed_at = now(), verified_at = now()
		where id = $1 and hash = $2 and `+queries.IsSMSOTPOpen, o.ID, o.Hash)
}

// SMSOTPDelete deletes codes that expired more than a day ago, and blocks that
// ended as long ago.
func SMSOTPDelete(ctx context.Context, q db.Querier) error {
	if _, err := q.Exec(ctx, `delete from sms_otps where expires_at < now() - interval '1 day'`); err != nil {
		return err
	}
	return collect.Execute(ctx, q, `delete from sms_otp_blocks where until < now() - interval '1 day'`)
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
	return collect.Changed(ctx, q, `
		insert into sms_otp_blocks as b (organisation_id, prefix, sent, verified, until) values ($1, $2, $3, $4, now() + $5::interval)
		on conflict (organisation_id, prefix) do update set sent = excluded.sent, verified = excluded.verified, blocked_at = now(), until = excluded.until
		where b.until <= now()`, b.OrganisationID, b.Prefix, b.Sent, b.Verified, b.Life)
}

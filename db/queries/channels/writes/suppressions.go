package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/collect"
)

// SuppressionUpsertMany stores suppressions and returns how many are new. An entry
// that a recipient asked for becomes one of the list.
func SuppressionUpsertMany(ctx context.Context, q db.Querier, rows []models.Suppression) (added int, err error) {
	return collect.Value[int](ctx, q, `
		with given as (
			select distinct on (organisation_id, recipient, channel) *
			from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) as g (organisation_id, recipient, channel, reason, note, actor)
		), stored as (
			insert into suppressions as s (organisation_id, recipient, channel, reason, note, actor)
			select organisation_id, recipient, channel, reason, note, actor from given
			on conflict (organisation_id, recipient, channel) do update set reason = least(s.reason, excluded.reason)
			returning xmax = 0 as added
		)
		select count(*) filter (where added) from stored`,
		column(rows, func(s *models.Suppression) int64 { return s.OrganisationID }),
		column(rows, func(s *models.Suppression) string { return s.Recipient }),
		column(rows, func(s *models.Suppression) string { return s.Channel }),
		column(rows, func(s *models.Suppression) string { return s.Reason }),
		column(rows, func(s *models.Suppression) string { return s.Note }),
		column(rows, func(s *models.Suppression) string { return s.Actor }))
}

// SuppressionDelete deletes a suppression and reports whether it existed.
func SuppressionDelete(ctx context.Context, q db.Querier, s models.Suppression) (bool, error) {
	return collect.Changed(ctx, q, `delete from suppressions where organisation_id = $1 and recipient = $2 and channel = $3`, s.OrganisationID, s.Recipient, s.Channel)
}

// SuppressionDeleteStop deletes what a recipient asked for by STOP, and reports
// whether it existed, under any identity of theirs. What the organisation has put on its
// list stays.
func SuppressionDeleteStop(ctx context.Context, q db.Querier, s models.Suppression) (bool, error) {
	return collect.Changed(ctx, q, `
		delete from suppressions where organisation_id = $1 and recipient in `+queries.IdentitiesOf+` and channel = $3 and reason = 'stop'`, s.OrganisationID, s.Recipient, s.Channel)
}

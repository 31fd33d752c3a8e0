package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// InvitationUpsert stores an invitation and returns its id. Another one of the
// organisation to the same address takes the place of the first.
func InvitationUpsert(ctx context.Context, q db.Querier, i models.Invitation, tokenHash []byte) (id int64, err error) {
	return collect.Value[int64](ctx, q, `
		insert into invitations (organisation_id, email, role, token_hash, expires_at) values ($1, $2, $3, $4, $5)
		on conflict (organisation_id, email) do update
		set role = excluded.role, token_hash = excluded.token_hash, expires_at = excluded.expires_at, created_at = now()
		returning id`, i.OrganisationID, i.Email, i.Role, tokenHash, i.ExpiresAt)
}

// InvitationDelete ends an invitation and reports whether it existed. Of several
// concurrent calls one returns true.
func InvitationDelete(ctx context.Context, q db.Querier, organisationID, id int64) (bool, error) {
	return collect.Changed(ctx, q, `delete from invitations where organisation_id = $1 and id = $2`, organisationID, id)
}

// InvitationDeleteExpired drops invitations that expired longer ago than keep.
func InvitationDeleteExpired(ctx context.Context, q db.Querier, keep time.Duration) error {
	return collect.Execute(ctx, q, `delete from invitations where expires_at < now() - $1::interval`, keep)
}

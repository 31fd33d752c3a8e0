package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

const invitationColumns = `i.id, i.organisation_id, o.name as organisation, i.email, i.role, i.expires_at`

// InvitationList returns the open invitations of an organisation, with those
// that expired, newest first.
func InvitationList(ctx context.Context, q db.Querier, organisationID int64) ([]models.Invitation, error) {
	return collect.Many[models.Invitation](ctx, q, `
		select `+invitationColumns+` from invitations i join organisations o on o.id = i.organisation_id
		where i.organisation_id = $1 order by i.id desc`, organisationID)
}

// InvitationGet returns an invitation of an organisation.
func InvitationGet(ctx context.Context, q db.Querier, organisationID, id int64) (models.Invitation, error) {
	return collect.One[models.Invitation](ctx, q, `
		select `+invitationColumns+` from invitations i join organisations o on o.id = i.organisation_id
		where i.organisation_id = $1 and i.id = $2`, organisationID, id)
}

// InvitationGetByToken returns the invitation of a link that still works.
func InvitationGetByToken(ctx context.Context, q db.Querier, tokenHash []byte) (models.Invitation, error) {
	return collect.One[models.Invitation](ctx, q, `
		select `+invitationColumns+` from invitations i join organisations o on o.id = i.organisation_id and o.status = 'active'
		where i.token_hash = $1 and i.expires_at > now()`, tokenHash)
}

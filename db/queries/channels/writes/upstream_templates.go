package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// UpstreamTemplateInsert stores that a template lives at an upstream, unless it does so
// already.
func UpstreamTemplateInsert(ctx context.Context, q db.Querier, u models.UpstreamTemplate) error {
	return collect.Execute(ctx, q, `
		insert into upstream_templates (template_id, carrier, account, upstream_id, revision) values ($1, $2, $3, $4, $5) on conflict do nothing`,
		u.TemplateID, u.Carrier, u.Account, u.UpstreamID, u.Revision)
}

// UpstreamTemplateUpdate stores what an upstream has of a template.
func UpstreamTemplateUpdate(ctx context.Context, q db.Querier, u models.UpstreamTemplate) error {
	return collect.Execute(ctx, q, `
		update upstream_templates set upstream_id = $2, attempted = $3, revision = $4, status = $5, reason = $6, components = coalesce($7, components), error = $8, observed_at = $9
		where template_id = $1`, u.TemplateID, u.UpstreamID, u.Attempted, u.Revision, u.Status, u.Reason, u.Components, u.Error, u.ObservedAt)
}

package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

const upstreamTemplateColumns = `u.template_id, u.carrier, u.account, u.upstream_id, u.attempted, u.revision, u.status, u.reason, u.components, u.error, u.observed_at`

// UpstreamTemplateGet returns what an upstream has of a template. No row comes back for
// a template that lives at none.
func UpstreamTemplateGet(ctx context.Context, q db.Querier, templateID int64) (models.UpstreamTemplate, error) {
	return collect.One[models.UpstreamTemplate](ctx, q, `select `+upstreamTemplateColumns+` from upstream_templates u where u.template_id = $1`, templateID)
}

// UpstreamTemplateFind returns the template of ours that one of an upstream means: by
// its id there, else by name and language in the account. No row comes back for a
// foreign one.
func UpstreamTemplateFind(ctx context.Context, q db.Querier, carrier, upstreamID string, accountID int64, name, language string) (templateID int64, err error) {
	return collect.Value[int64](ctx, q, `
		select coalesce(
			(select u.template_id from upstream_templates u join message_templates t on t.id = u.template_id
			 where u.carrier = $1 and u.upstream_id = $2 and u.upstream_id <> '' and t.business_account_id = $3 and t.status <> 'DELETED' limit 1),
			(select id from message_templates where business_account_id = $3 and name = $4 and language = $5 and status <> 'DELETED' limit 1), 0)`,
		carrier, upstreamID, accountID, name, language)
}

// UpstreamTemplateList returns up to limit templates that live at upstreams: the ones
// with a problem first, then the newest.
func UpstreamTemplateList(ctx context.Context, q db.Querier, limit int) ([]models.ListedUpstreamTemplate, error) {
	return collect.Many[models.ListedUpstreamTemplate](ctx, q, `
		select `+upstreamTemplateColumns+`, t.name, t.language, t.category, t.status as our_status, o.name as organisation
		from upstream_templates u join message_templates t on t.id = u.template_id join organisations o on o.id = t.organisation_id
		where t.status <> 'DELETED' order by (u.error <> '') desc, t.seq desc limit $1`, limit)
}

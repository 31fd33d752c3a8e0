package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

const upstreamTemplateColumns = `u.template_id, u.carrier, u.account, u.upstream_id, u.attempted, u.revision, u.status, u.reason, u.components, u.error, u.observed_at`

// UpstreamTemplateInsert stores that a template lives at an upstream, unless it does so
// already.
func UpstreamTemplateInsert(ctx context.Context, q db.Querier, u models.UpstreamTemplate) error {
	_, err := q.Exec(ctx, `
		insert into upstream_templates (template_id, carrier, account, upstream_id, revision) values ($1, $2, $3, $4, $5) on conflict do nothing`,
		u.TemplateID, u.Carrier, u.Account, u.UpstreamID, u.Revision)
	return err
}

// UpstreamTemplateGet returns what an upstream has of a template. No row comes back for
// a template that lives at none.
func UpstreamTemplateGet(ctx context.Context, q db.Querier, templateID int64) (models.UpstreamTemplate, error) {
	return one[models.UpstreamTemplate](ctx, q, `select `+upstreamTemplateColumns+` from upstream_templates u where u.template_id = $1`, templateID)
}

// UpstreamTemplateFind returns the template of ours that one of an upstream means: by
// its id there, else by name and language in the account. No row comes back for a
// foreign one.
func UpstreamTemplateFind(ctx context.Context, q db.Querier, carrier, upstreamID string, accountID int64, name, language string) (templateID int64, err error) {
	err = q.QueryRow(ctx, `
		select coalesce(
			(select u.template_id from upstream_templates u join message_templates t on t.id = u.template_id
			 where u.carrier = $1 and u.upstream_id = $2 and u.upstream_id <> '' and t.business_account_id = $3 and t.status <> 'DELETED' limit 1),
			(select id from message_templates where business_account_id = $3 and name = $4 and language = $5 and status <> 'DELETED' limit 1), 0)`,
		carrier, upstreamID, accountID, name, language).Scan(&templateID)
	return templateID, err
}

// UpstreamTemplateUpdate stores what an upstream has of a template.
func UpstreamTemplateUpdate(ctx context.Context, q db.Querier, u models.UpstreamTemplate) error {
	_, err := q.Exec(ctx, `
		update upstream_templates set upstream_id = $2, attempted = $3, revision = $4, status = $5, reason = $6, components = coalesce($7, components), error = $8, observed_at = $9
		where template_id = $1`, u.TemplateID, u.UpstreamID, u.Attempted, u.Revision, u.Status, u.Reason, u.Components, u.Error, u.ObservedAt)
	return err
}

// UpstreamTemplateList returns up to limit templates that live at upstreams: the ones
// with a problem first, then the newest.
func UpstreamTemplateList(ctx context.Context, q db.Querier, limit int) ([]models.ListedUpstreamTemplate, error) {
	return many[models.ListedUpstreamTemplate](ctx, q, `
		select `+upstreamTemplateColumns+`, t.name, t.language, t.category, t.status as our_status, o.name as organisation
		from upstream_templates u join message_templates t on t.id = u.template_id join organisations o on o.id = t.organisation_id
		where t.status <> 'DELETED' order by (u.error <> '') desc, t.seq desc limit $1`, limit)
}

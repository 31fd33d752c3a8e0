package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/collect"
)

// TemplateLock is TemplateGetByID that keeps others from changing it until the
// transaction ends.
func TemplateLock(ctx context.Context, q db.Querier, id int64) (models.Template, error) {
	return queries.TemplateRow(ctx, q, ` where t.id = $1 and t.status <> 'DELETED' for update of t`, id)
}

// TemplateLockNamed locks the templates of an account that have a name or, when
// it is empty, one of the ids; what is being deleted is not among them.
func TemplateLockNamed(ctx context.Context, q db.Querier, businessAccountID int64, name string, ids []int64) ([]models.Template, error) {
	return queries.TemplateRows(ctx, q, ` where t.business_account_id = $1 and t.status not in ('PENDING_DELETION', 'DELETED')
		and case when $2 = '' then t.id = any($3) else t.name = $2 end order by t.id for update of t`, businessAccountID, name, ids)
}

// TemplateInsert adds a template to an account of the organisation under an id
// taken from the registry.
func TemplateInsert(ctx context.Context, q db.Querier, t models.Template) error {
	return collect.Execute(ctx, q, `
		insert into message_templates (id, organisation_id, business_account_id, name, language, category, status, parameter_format,
		                               components, message_send_ttl_seconds, allow_category_change)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		t.ID, t.OrganisationID, t.BusinessAccountID, t.Name, t.Language, t.Category, t.Status, t.ParameterFormat,
		t.Components, t.TTL, t.AllowCategoryChange)
}

// TemplateUpdate stores what can change of a template.
func TemplateUpdate(ctx context.Context, q db.Querier, t models.Template) error {
	return collect.Execute(ctx, q, `
		update message_templates set category = $2, status = $3, parameter_format = $4, components = $5, message_send_ttl_seconds = $6,
		       previous_category = $7, rejected_reason = $8, quality = $9, quality_at = $10, revision = $11, edits = $12, reviewed_at = $13,
		       pauses = $14, paused_until = $15, deleted_at = $16, name_blocked_until = $17, updated_at = now()
		where id = $1`,
		t.ID, t.Category, t.Status, t.ParameterFormat, t.Components, t.TTL, t.PreviousCategory, t.RejectedReason, t.Quality, t.QualityAt,
		t.Revision, t.Edits, t.ReviewedAt, t.Pauses, t.PausedUntil, t.DeletedAt, t.NameBlockedUntil)
}

// TemplateRoomLock says what stands in the way of a new template and keeps
// others from adding one to the account until the transaction ends. A name
// that its deletion blocks is blocked in its own language and, when no other is
// left, in all.
func TemplateRoomLock(ctx context.Context, q db.Querier, businessAccountID int64, name, language string) (models.TemplateRoom, error) {
	var r models.TemplateRoom
	err := q.QueryRow(ctx, `
		select o.sandbox from business_accounts a join organisations o on o.id = a.organisation_id
		where a.id = $1 for update of a`, businessAccountID).Scan(&r.Sandbox)
	if err != nil {
		return r, err
	}
	sandbox := r.Sandbox
	r, err = collect.OneLax[models.TemplateRoom](ctx, q, `
		with live as (select name, language from message_templates where business_account_id = $1 and status <> 'DELETED')
		select (select count(*) from live) as count,
		       exists (select from live where name = $2 and language = $3) as taken,
		       exists (select from message_templates b where b.business_account_id = $1 and b.name = $2 and b.name_blocked_until > now()
		               and (b.language = $3 or not exists (select from live where name = $2))) as blocked`, businessAccountID, name, language)
	r.Sandbox = sandbox
	return r, err
}

package queries

import (
	"context"
	"slices"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

const templateColumns = `t.id, t.organisation_id, t.business_account_id, t.seq, t.name, t.language, t.category, t.status,
	t.parameter_format, t.components, t.message_send_ttl_seconds as ttl, t.allow_category_change, t.previous_category, t.rejected_reason,
	t.quality, t.quality_at, t.revision, t.edits, t.reviewed_at, t.pauses, t.paused_until, t.deleted_at, t.name_blocked_until,
	t.created_at, o.sandbox`

const templateSource = ` from message_templates t join organisations o on o.id = t.organisation_id`

// TemplateRows returns the templates that the rest of a statement picks.
func TemplateRows(ctx context.Context, q db.Querier, rest string, args ...any) ([]models.Template, error) {
	return collect.Many[models.Template](ctx, q, `select `+templateColumns+templateSource+rest, args...)
}

// TemplateRow returns the template that the rest of a statement picks.
func TemplateRow(ctx context.Context, q db.Querier, rest string, args ...any) (models.Template, error) {
	return collect.One[models.Template](ctx, q, `select `+templateColumns+templateSource+rest, args...)
}

// TemplateGet returns the template of a business account by name and language;
// a deleted one is not there.
func TemplateGet(ctx context.Context, q db.Querier, businessAccountID int64, name, language string) (models.Template, error) {
	return TemplateRow(ctx, q, ` where t.business_account_id = $1 and t.name = $2 and t.language = $3 and t.status <> 'DELETED'`,
		businessAccountID, name, language)
}

// TemplateGetByID returns a template; a deleted one is not there.
func TemplateGetByID(ctx context.Context, q db.Querier, id int64) (models.Template, error) {
	return TemplateRow(ctx, q, ` where t.id = $1 and t.status <> 'DELETED'`, id)
}

// TemplateListDue lists the ids of the templates with a pause that is over at a time
// and of the templates that wait for their deletion.
func TemplateListDue(ctx context.Context, q db.Querier, now time.Time) ([]int64, error) {
	return collect.Values[int64](ctx, q, `
		select id from message_templates
		where status = 'PAUSED' and paused_until <= $1 or status = 'PENDING_DELETION' order by id`, now)
}

// templateTexts are the texts of a template that a search looks into.
const templateTexts = `jsonb_path_query(t.components::jsonb, '$.**.text')`

const templateMatches = `t.business_account_id = $1 and t.status <> 'DELETED'
	and ($2 = '' or t.name = $2)
	and ($3 = '' or exists (select from ` + templateTexts + ` x where strpos(lower(x #>> '{}'), lower($3)) > 0))
	and ($4 = '' or strpos(t.name, lower($4)) > 0 or exists (select from ` + templateTexts + ` x where strpos(lower(x #>> '{}'), lower($4)) > 0))
	and ($5::text[] is null or t.status = any($5)) and ($6::text[] is null or t.category = any($6))
	and ($7::text[] is null or t.language = any($7)) and ($8::text[] is null or t.quality = any($8))`

func templateArgs(businessAccountID int64, f models.TemplateFilter) []any {
	return []any{businessAccountID, f.Name, f.Content, f.NameOrContent, f.Statuses, f.Categories, f.Languages, f.Qualities}
}

// TemplateList returns a page of the templates that a filter lets through,
// newest first, keyed by Seq, and one more where there is one.
func TemplateList(ctx context.Context, q db.Querier, businessAccountID int64, f models.TemplateFilter, p models.Page) ([]models.Template, error) {
	order := "desc"
	if p.Before > 0 {
		order = "asc" // the nearest before the key, put in order below
	}
	found, err := TemplateRows(ctx, q, ` where `+templateMatches+`
		and t.seq > $9 and ($10::bigint = 0 or t.seq < $10) order by t.seq `+order+` limit $11`,
		append(templateArgs(businessAccountID, f), p.Before, p.After, p.Limit+1)...)
	if p.Before > 0 {
		slices.Reverse(found)
	}
	return found, err
}

// TemplateCount counts the templates of an account.
func TemplateCount(ctx context.Context, q db.Querier, businessAccountID int64, f models.TemplateFilter) (models.TemplateCounts, error) {
	return collect.One[models.TemplateCounts](ctx, q, `
		select count(*) filter (where `+templateMatches+`) as matching, count(*) as "all",
		       count(*) = count(distinct t.name) * count(distinct t.language) as translated,
		       (select o.sandbox from business_accounts a join organisations o on o.id = a.organisation_id where a.id = $1) as sandbox
		from message_templates t where t.business_account_id = $1 and t.status <> 'DELETED'`, templateArgs(businessAccountID, f)...)
}

// TemplateIsUnderWay reports whether messages of a template that were accepted
// after a time are not yet delivered, read or failed.
func TemplateIsUnderWay(ctx context.Context, q db.Querier, t models.Template, after time.Time) (bool, error) {
	return collect.Value[bool](ctx, q, `
		select exists (
			select from messages
			where organisation_id = $1 and id > $5 and created_at > $2 and channel = 'messaging' and kind = 'template' and state in ('accepted', 'sent')
			  and sender_id in (select id from phone_numbers where business_account_id = $3)
			  and payload #>> '{template,name}' = $4 and payload #>> '{template,language,code}' = $6)`,
		t.OrganisationID, after, t.BusinessAccountID, t.Name, models.FirstMessageID(after.Add(-time.Minute)), t.Language)
}

// TemplateListWaiting returns the templates of live organisations that wait for a
// review here and not at an upstream, the oldest first.
func TemplateListWaiting(ctx context.Context, q db.Querier, limit int) ([]models.DeskTemplate, error) {
	return collect.Many[models.DeskTemplate](ctx, q, `select `+templateColumns+`, o.name as organisation`+templateSource+`
		where t.status = 'PENDING' and not o.sandbox and not exists (select from upstream_templates u where u.template_id = t.id) order by t.seq limit $1`, limit)
}

// TemplateGetAtDesk returns a template of a live organisation; a deleted one is not
// there.
func TemplateGetAtDesk(ctx context.Context, q db.Querier, id int64) (models.DeskTemplate, error) {
	return collect.One[models.DeskTemplate](ctx, q, `select `+templateColumns+`, o.name as organisation`+templateSource+`
		where t.id = $1 and t.status <> 'DELETED' and not o.sandbox`, id)
}

// TemplateGetAny returns a template, also a deleted one.
func TemplateGetAny(ctx context.Context, q db.Querier, id int64) (models.Template, error) {
	return TemplateRow(ctx, q, ` where t.id = $1`, id)
}

// TemplateListNamed returns the templates of an organisation with one of some names.
// The template with the id first comes last, after the templates of the oldest account.
func TemplateListNamed(ctx context.Context, q db.Querier, organisationID int64, names []string, first int64) ([]models.Template, error) {
	return TemplateRows(ctx, q, ` where t.organisation_id = $1 and t.name = any($2) and t.status <> 'DELETED'
		and t.business_account_id in (select id from business_accounts where organisation_id = $1)
		order by t.id = $3, t.business_account_id desc, t.id limit 500`, organisationID, names, first)
}

// TemplateListNewest returns the newest templates of an organisation.
func TemplateListNewest(ctx context.Context, q db.Querier, organisationID int64, limit int) ([]models.Template, error) {
	return TemplateRows(ctx, q, ` where t.organisation_id = $1 and t.status <> 'DELETED' order by t.seq desc, t.id limit $2`, organisationID, limit)
}

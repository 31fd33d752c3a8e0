package queries

import (
	"context"
	"strings"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	"heliograph/db/queries/parts"
)

const organisationEntries = `
	select o.id, o.name, o.status, o.sandbox, o.verified_at, o.created_at, u.users, u.last as last_sign_in_at, k.last as last_key_at
	from organisations o
	cross join lateral (select count(*) users, max(last_sign_in_at) last from organisation_users where organisation_id = o.id) u
	cross join lateral (select max(last_used_at) last from api_keys where organisation_id = o.id) k`

// escapeLike takes the meaning from what like reads as signs.
var escapeLike = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// OrganisationEntryList returns the organisations that the filter picks, the
// newest first.
func OrganisationEntryList(ctx context.Context, q db.Querier, f models.OrganisationFilter) ([]models.OrganisationEntry, error) {
	follows, order := `o.id < $7`, ` order by o.id desc limit $8`
	if f.OldestFirst {
		follows, order = `o.id > $7`, ` order by o.id limit $8`
	}
	return collect.Many[models.OrganisationEntry](ctx, q, organisationEntries+`
		where ($1 = '' or lower(o.name) like '%' || $2 || '%' or o.id::text = $1
				or o.id = any(array(select organisation_id from organisation_users where email = lower($1))))
			and ($3 = '' or o.status = $3) and ($4 = '' or (o.verified_at is not null) = ($4 = 'yes'))
			and ($5 = '' or coalesce(greatest(u.last, k.last) > now() - interval '30 days', false) = ($5 = 'recent'))
			and ($6 = '' or o.id = any(array(select organisation_id from webhooks
				where url <> '' and case $6 when 'failing' then failing_since is not null and disabled_at is null when 'disabled' then disabled_at is not null end)))
			and ($7 = 0 or `+follows+`)`+order,
		f.Text, strings.ToLower(escapeLike.Replace(f.Text)), f.Status, f.Verified, f.Activity, f.Webhooks, f.After, f.Limit)
}

// OrganisationEntryGet returns an organisation as administrators see it.
func OrganisationEntryGet(ctx context.Context, q db.Querier, id int64) (models.OrganisationEntry, error) {
	return collect.One[models.OrganisationEntry](ctx, q, organisationEntries+` where o.id = $1`, id)
}

// OrganisationChoiceList returns the organisations with a text in the name or with it
// as the id. The ones that begin with it come first, then the newest.
func OrganisationChoiceList(ctx context.Context, q db.Querier, text string, limit int) ([]models.OrganisationChoice, error) {
	return collect.Many[models.OrganisationChoice](ctx, q, `
		select id, name from organisations
		where $1 = '' or lower(name) like '%' || $2 || '%' or id::text = $1
		order by ($1 <> '' and lower(name) = lower($1)) desc, ($1 <> '' and lower(name) like $2 || '%') desc, id desc limit $3`,
		text, strings.ToLower(escapeLike.Replace(text)), limit)
}

// OrganisationChoices returns the organisations that have one of the ids.
func OrganisationChoices(ctx context.Context, q db.Querier, ids []int64) ([]models.OrganisationChoice, error) {
	return collect.Many[models.OrganisationChoice](ctx, q, `select id, name from organisations where id = any($1)`, ids)
}

// OrganisationMemberList returns the users of an organisation by address.
func OrganisationMemberList(ctx context.Context, q db.Querier, id int64) ([]models.OrganisationMember, error) {
	return collect.Many[models.OrganisationMember](ctx, q, `
		select id, name, email, coalesce(mobile, '') as mobile, role, active, last_sign_in_at
		from organisation_users where organisation_id = $1 order by email limit 1000`, id)
}

// OrganisationWebhookList returns the webhooks of an organisation, those that
// are disabled or fail first, at most 100.
func OrganisationWebhookList(ctx context.Context, q db.Querier, id int64) ([]models.OrganisationWebhook, error) {
	return collect.Many[models.OrganisationWebhook](ctx, q, `
		select channel, subject, url, failures, failing_since, disabled_at, coalesce(`+parts.LastWebhookAnswer+`, '') as answer
		from webhooks w where organisation_id = $1 and url <> '' order by disabled_at, failing_since, id limit 100`, id)
}

// OrganisationKeyList returns the keys of an organisation, the active ones
// first, then the newest, at most 100.
func OrganisationKeyList(ctx context.Context, q db.Querier, id int64) ([]models.OrganisationKey, error) {
	return collect.Many[models.OrganisationKey](ctx, q, `
		select name, prefix, channels, created_at, last_used_at, revoked_at
		from api_keys where organisation_id = $1 order by revoked_at is not null, id desc limit 100`, id)
}

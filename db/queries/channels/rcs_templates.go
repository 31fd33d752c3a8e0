package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// RCSTemplateRows selects the templates of bots.
const RCSTemplateRows = `select id, bot_id, organisation_id, name, type, content, state, reason, revision, created_at, updated_at from rcs_templates `

// RCSTemplateGet returns a template.
func RCSTemplateGet(ctx context.Context, q db.Querier, id string) (models.RCSTemplate, error) {
	return collect.One[models.RCSTemplate](ctx, q, RCSTemplateRows+`where id = $1`, id)
}

// RCSTemplateGetByName returns the template of a bot with a name.
func RCSTemplateGetByName(ctx context.Context, q db.Querier, botID, name string) (models.RCSTemplate, error) {
	return collect.One[models.RCSTemplate](ctx, q, RCSTemplateRows+`where bot_id = $1 and name = $2`, botID, name)
}

// RCSTemplateFilter selects templates; empty fields select all.
type RCSTemplateFilter struct {
	OrganisationID     int64
	BotID, State, Type string
}

const rcsTemplateWhere = `where organisation_id = $1 and ($2 = '' or bot_id = $2) and ($3 = '' or state = $3) and ($4 = '' or type = $4)`

// RCSTemplateList returns templates of an organisation, newest first.
func RCSTemplateList(ctx context.Context, q db.Querier, f RCSTemplateFilter, p RCSPage) ([]models.RCSTemplate, error) {
	return collect.Many[models.RCSTemplate](ctx, q, RCSTemplateRows+rcsTemplateWhere+` order by created_at desc, id limit $5 offset $6`,
		f.OrganisationID, f.BotID, f.State, f.Type, p.Limit, p.Offset)
}

// RCSTemplateCount returns how many templates RCSTemplateList finds.
func RCSTemplateCount(ctx context.Context, q db.Querier, f RCSTemplateFilter) (n int, err error) {
	return collect.Value[int](ctx, q, `select count(*) from rcs_templates `+rcsTemplateWhere, f.OrganisationID, f.BotID, f.State, f.Type)
}

// RCSTemplateListPending returns the templates of all organisations that wait for
// their review, oldest first.
func RCSTemplateListPending(ctx context.Context, q db.Querier, limit int) ([]models.RCSTemplate, error) {
	return collect.Many[models.RCSTemplate](ctx, q, RCSTemplateRows+`where state = 'PENDING' order by created_at, id limit $1`, limit)
}

// ApprovedTemplateList returns the approved templates of the messaging channel of
// an organisation, by name.
func ApprovedTemplateList(ctx context.Context, q db.Querier, organisationID int64, p RCSPage) ([]models.Template, error) {
	return TemplateRows(ctx, q, ` where t.organisation_id = $1 and t.status = 'APPROVED' order by t.name, t.language, t.id limit $2 offset $3`,
		organisationID, p.Limit, p.Offset)
}

// ApprovedTemplateCount returns how many templates ApprovedTemplateList finds.
func ApprovedTemplateCount(ctx context.Context, q db.Querier, organisationID int64) (n int, err error) {
	return collect.Value[int](ctx, q, `select count(*) from message_templates where organisation_id = $1 and status = 'APPROVED'`, organisationID)
}

// RCSTemplateListNamed returns the templates of a bot with one of some names.
func RCSTemplateListNamed(ctx context.Context, q db.Querier, botID string, names []string) ([]models.RCSTemplate, error) {
	return collect.Many[models.RCSTemplate](ctx, q, RCSTemplateRows+`where bot_id = $1 and name = any($2) order by name`, botID, names)
}

package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/collect"
)

// RCSTemplateLock returns a template and locks it until the transaction ends.
func RCSTemplateLock(ctx context.Context, q db.Querier, id string) (models.RCSTemplate, error) {
	return collect.One[models.RCSTemplate](ctx, q, queries.RCSTemplateRows+`where id = $1 for update`, id)
}

// RCSTemplateInsert adds a template. It reports false if the bot has one of the
// same name.
func RCSTemplateInsert(ctx context.Context, q db.Querier, t models.RCSTemplate) (bool, error) {
	return collect.Changed(ctx, q, `
		insert into rcs_templates (id, bot_id, organisation_id, name, type, content) values ($1, $2, $3, $4, $5, $6) on conflict (bot_id, name) do nothing`,
		t.ID, t.BotID, t.OrganisationID, t.Name, t.Type, t.Content)
}

// RCSTemplateUpdate stores what can change of a template.
func RCSTemplateUpdate(ctx context.Context, q db.Querier, t models.RCSTemplate) error {
	return collect.Execute(ctx, q, `
		update rcs_templates set content = $2, state = $3, reason = $4, revision = $5, updated_at = now() where id = $1`,
		t.ID, t.Content, t.State, t.Reason, t.Revision)
}

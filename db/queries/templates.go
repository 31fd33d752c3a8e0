package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

// TemplateGet returns the template of a business account by name and language;
// a deleted one is not there.
func TemplateGet(ctx context.Context, q db.Querier, businessAccountID int64, name, language string) (models.Template, error) {
	var t models.Template
	err := q.QueryRow(ctx, `
		select id, organisation_id, business_account_id, name, language, category, status, components
		from message_templates
		where business_account_id = $1 and name = $2 and language = $3 and status <> 'DELETED'`, businessAccountID, name, language).
		Scan(&t.ID, &t.OrganisationID, &t.BusinessAccountID, &t.Name, &t.Language, &t.Category, &t.Status, &t.Components)
	return t, err
}

// TemplateInsert adds a template to an account of the organisation under an id
// taken from the registry.
func TemplateInsert(ctx context.Context, q db.Querier, t models.Template) error {
	_, err := q.Exec(ctx, `
		insert into message_templates (id, organisation_id, business_account_id, name, language, category, status, components)
		values ($1, $2, $3, $4, $5, $6, $7, $8)`,
		t.ID, t.OrganisationID, t.BusinessAccountID, t.Name, t.Language, t.Category, t.Status, t.Components)
	return err
}

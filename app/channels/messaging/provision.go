package messaging

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/assets"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/keyring"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// Provision creates a business with an account, a phone number, a catalogue and
// three approved templates for an organisation, in the caller's transaction.
func Provision(ctx context.Context, tx pgx.Tx, k *keyring.Keyring, organisationID int64, name string) (assets.Sandbox, error) {
	s, err := assets.NewSandbox(ctx, tx, k, organisationID, name)
	if err != nil {
		return s, err
	}
	return s, addTemplates(ctx, tx, organisationID, s.BusinessAccountID)
}

// sandboxTemplates are the templates of a sandbox: one without variables, one
// with an authentication code, one with two variables.
var sandboxTemplates = []models.Template{
	{Name: "hello_world", Category: "UTILITY", Components: json.RawMessage(
		`[{"type":"BODY","text":"Hello. This is a test message from your sandbox."}]`)},
	{Name: "login_code", Category: "AUTHENTICATION", Components: json.RawMessage(
		`[{"type":"BODY","text":"*{{1}}* is your verification code. For your security, do not share this code.","add_security_recommendation":true,"example":{"body_text":[["123456"]]}},` +
			`{"type":"FOOTER","text":"This code expires in 10 minutes.","code_expiration_minutes":10},` +
			`{"type":"BUTTONS","buttons":[{"type":"URL","text":"Copy code","url":"https://example.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}","example":["https://example.com/otp/code/?otp_type=COPY_CODE&code=otp123456"]}]}]`)},
	{Name: "order_update", Category: "UTILITY", Components: json.RawMessage(
		`[{"type":"BODY","text":"Order {{1}} is on its way and arrives on {{2}}. Thank you for shopping.","example":{"body_text":[["A-1042","Friday"]]}}]`)},
}

func addTemplates(ctx context.Context, tx pgx.Tx, organisationID, accountID int64) error {
	for _, t := range sandboxTemplates {
		id, err := registry.Add(ctx, tx, "template", organisationID)
		if err != nil {
			return err
		}
		t.ID, t.OrganisationID, t.BusinessAccountID, t.Language, t.Status = id, organisationID, accountID, "en_US", "APPROVED"
		t.ParameterFormat = positional
		if err := writes.TemplateInsert(ctx, tx, t); err != nil {
			return fmt.Errorf("adding template %s: %w", t.Name, err)
		}
	}
	return nil
}

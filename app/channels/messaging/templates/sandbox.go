package templates

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/registry"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// Sandbox are the templates of a sandbox: one without variables, one
// with an authentication code, one with two variables.
var Sandbox = []models.Template{
	{Name: "hello_world", Category: "UTILITY", Components: json.RawMessage(
		`[{"type":"BODY","text":"Hello. This is a test message from your sandbox."}]`)},
	{Name: "login_code", Category: "AUTHENTICATION", Components: json.RawMessage(
		`[{"type":"BODY","text":"*{{1}}* is your verification code. For your security, do not share this code.","add_security_recommendation":true,"example":{"body_text":[["123456"]]}},` +
			`{"type":"FOOTER","text":"This code expires in 10 minutes.","code_expiration_minutes":10},` +
			`{"type":"BUTTONS","buttons":[{"type":"URL","text":"Copy code","url":"https://example.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}","example":["https://example.com/otp/code/?otp_type=COPY_CODE&code=otp123456"]}]}]`)},
	{Name: "order_update", Category: "UTILITY", Components: json.RawMessage(
		`[{"type":"BODY","text":"Order {{1}} is on its way and arrives on {{2}}. Thank you for shopping.","example":{"body_text":[["A-1042","Friday"]]}}]`)},
}

// AddSandbox adds the templates of a sandbox to an account.
func AddSandbox(ctx context.Context, tx pgx.Tx, organisationID, accountID int64) error {
	for _, t := range Sandbox {
		id, err := registry.Add(ctx, tx, "template", organisationID)
		if err != nil {
			return err
		}
		t.ID, t.OrganisationID, t.BusinessAccountID, t.Language, t.Status = id, organisationID, accountID, "en_US", "APPROVED"
		t.ParameterFormat = Positional
		if err := writes.TemplateInsert(ctx, tx, t); err != nil {
			return fmt.Errorf("adding template %s: %w", t.Name, err)
		}
	}
	return nil
}

package messaging

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/assets"
	"heliograph/app/channels/messaging/templates"
	"heliograph/app/keyring"
)

// Provision creates a business with an account, a phone number, a catalogue and
// three approved templates for an organisation, in the caller's transaction.
func Provision(ctx context.Context, tx pgx.Tx, k *keyring.Keyring, organisationID int64, name string) (assets.Sandbox, error) {
	s, err := assets.NewSandbox(ctx, tx, k, organisationID, name)
	if err != nil {
		return s, err
	}
	return s, templates.AddSandbox(ctx, tx, organisationID, s.BusinessAccountID)
}

package identity

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/queries/people/writes"
)

// Rename changes the name of an organisation's user.
func (d *Directory) Rename(ctx context.Context, u *User, name string) error {
	name = strings.TrimSpace(name)
	if problem := nameProblem(name); problem != "" {
		return fault.InvalidFields(fault.Field{Name: "name", Message: problem})
	}
	return db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		if err := writes.ProfileUpdateName(ctx, tx, u.ID, name); err != nil {
			return fmt.Errorf("renaming user %d: %w", u.ID, err)
		}
		return recordSelf(ctx, tx, u.Surface, u.ID, "rename")
	})
}

// RenameOrganisation changes the name of an owner's organisation.
func (d *Directory) RenameOrganisation(ctx context.Context, owner *User, name string) error {
	name = strings.TrimSpace(name)
	if problem := nameProblem(name); problem != "" {
		return fault.InvalidFields(fault.Field{Name: "organisation", Message: problem})
	}
	return db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		if err := writes.OrganisationUpdateName(ctx, tx, owner.OrganisationID, name); err != nil {
			return fmt.Errorf("renaming organisation %d: %w", owner.OrganisationID, err)
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: owner.Actor(), Action: "organisation.rename", Target: OrganisationActor(owner.OrganisationID),
			Details: map[string]any{"before": owner.Organisation, "after": name},
		})
	})
}

package identity

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
)

// Team manages the users of organisations on behalf of their owners. The caller
// has checked the role.
type Team struct {
	db       db.Beginner
	notifier Notifier
}

// NewTeam returns a Team that uses the database.
func NewTeam(b db.Beginner, letters Notifier) *Team { return &Team{b, letters} }

// errLastOwner prevents an organisation from losing its last owner.
var errLastOwner = fault.New(fault.Conflict, "This is the only active owner. Make another user an owner first.")

// errColleagueNotFound is also returned for users of other organisations.
var errColleagueNotFound = fault.New(fault.NotFound, "This colleague does not exist in your organisation.")

// ChangeRole changes the role of a colleague, ends their sessions and notifies
// them by email.
func (t *Team) ChangeRole(ctx context.Context, by *User, userID int64, role string) error {
	if !isOrganisationRole(role) {
		return fault.InvalidFields(fault.Field{Name: "role", Message: "Choose one of owner, developer and viewer."})
	}
	return t.change(ctx, by, userID, func(tx pgx.Tx, c models.Colleague) (audit.Entry, error) {
		entry := audit.Entry{Action: "user.change_role", Details: map[string]any{"before": c.Role, "after": role}}
		if c.Role != role {
			if err := t.notifier.notifyRoleChanged(ctx, tx, c, by.Organisation, role); err != nil {
				return entry, err
			}
		}
		c.Role = role
		return entry, writes.ColleagueUpdate(ctx, tx, c)
	})
}

// SetActive activates a colleague, or deactivates them and ends their sessions.
func (t *Team) SetActive(ctx context.Context, by *User, userID int64, active bool) error {
	return t.change(ctx, by, userID, func(tx pgx.Tx, c models.Colleague) (audit.Entry, error) {
		entry := audit.Entry{Action: "user.deactivate"}
		if active {
			entry.Action = "user.activate"
		}
		c.Active = active
		return entry, writes.ColleagueUpdate(ctx, tx, c)
	})
}

// Remove deletes a colleague and their sessions.
func (t *Team) Remove(ctx context.Context, by *User, userID int64) error {
	return t.change(ctx, by, userID, func(tx pgx.Tx, c models.Colleague) (audit.Entry, error) {
		return audit.Entry{Action: "user.remove", Details: map[string]any{"role": c.Role}}, writes.ColleagueDelete(ctx, tx, c.ID)
	})
}

// change changes a colleague unless no active owner would be left. Changes of one
// organisation run one at a time, so that two owners cannot remove each other at
// the same time: the second is no longer an owner then.
func (t *Team) change(ctx context.Context, by *User, userID int64, do func(tx pgx.Tx, c models.Colleague) (audit.Entry, error)) error {
	return db.InTx(ctx, t.db, func(tx pgx.Tx) error {
		if _, _, err := writes.OrganisationLock(ctx, tx, by.OrganisationID); err != nil {
			return fmt.Errorf("locking organisation %d: %w", by.OrganisationID, err)
		}
		// The change that this one waited for may have changed the role.
		switch self, err := queries.ColleagueGet(ctx, tx, by.OrganisationID, by.ID); {
		case err != nil && !db.IsNoRows(err):
			return fmt.Errorf("reading user %d: %w", by.ID, err)
		case self.Role != Owner || !self.Active:
			return fault.New(fault.Forbidden, "Your role no longer allows this.")
		}
		c, err := queries.ColleagueGet(ctx, tx, by.OrganisationID, userID)
		if err != nil {
			return db.Absent(err, errColleagueNotFound, "reading user %d", userID)
		}
		entry, err := do(tx, c)
		if err != nil {
			return fmt.Errorf("changing user %d: %w", userID, err)
		}
		owners, err := queries.ColleagueCountOwners(ctx, tx, by.OrganisationID)
		if err != nil {
			return fmt.Errorf("counting owners: %w", err)
		}
		if owners == 0 {
			return errLastOwner
		}
		entry.Actor, entry.Target = by.Actor(), userActor(userID)
		return audit.Record(ctx, tx, entry)
	})
}

func isOrganisationRole(role string) bool {
	return role == Owner || role == Developer || role == Viewer
}

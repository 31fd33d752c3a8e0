package identity

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/audit"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Team looks after the users of organisations. Whoever acts is an owner; that
// the role allows it is checked before.
type Team struct {
	db      db.Beginner
	letters Letters
}

// NewTeam makes a team over a database.
func NewTeam(b db.Beginner, letters Letters) *Team { return &Team{b, letters} }

// errLastOwner keeps an organisation in somebody's hands.
var errLastOwner = fault.New(fault.Conflict, "This is the only active owner. Make somebody else an owner first.")

// errNoColleague is the answer for users of other organisations, too.
var errNoColleague = fault.New(fault.NotFound, "There is no such colleague in your organisation.")

// ChangeRole gives a colleague another role, ends their sessions and tells them.
func (t *Team) ChangeRole(ctx context.Context, by *User, userID int64, role string) error {
	if !organisationRole(role) {
		return fault.InvalidFields(fault.Field{Name: "role", Message: "Choose one of owner, developer and viewer."})
	}
	return t.change(ctx, by, userID, func(tx pgx.Tx, c models.Colleague) (audit.Entry, error) {
		entry := audit.Entry{Action: "user.change_role", Details: map[string]any{"before": c.Role, "after": role}}
		if c.Role != role {
			if err := t.letters.tellRole(ctx, tx, c, by.Organisation, role); err != nil {
				return entry, err
			}
		}
		c.Role = role
		return entry, queries.ColleagueUpdate(ctx, tx, c)
	})
}

// SetActive lets a colleague in again, or keeps them out and ends their
// sessions.
func (t *Team) SetActive(ctx context.Context, by *User, userID int64, active bool) error {
	return t.change(ctx, by, userID, func(tx pgx.Tx, c models.Colleague) (audit.Entry, error) {
		entry := audit.Entry{Action: "user.deactivate"}
		if active {
			entry.Action = "user.activate"
		}
		c.Active = active
		return entry, queries.ColleagueUpdate(ctx, tx, c)
	})
}

// Remove deletes a colleague with all sessions.
func (t *Team) Remove(ctx context.Context, by *User, userID int64) error {
	return t.change(ctx, by, userID, func(tx pgx.Tx, c models.Colleague) (audit.Entry, error) {
		return audit.Entry{Action: "user.remove", Details: map[string]any{"role": c.Role}}, queries.ColleagueDelete(ctx, tx, c.ID)
	})
}

// change does something to a colleague, unless no active owner would be left.
// Changes of one organisation wait for each other, so two owners cannot remove
// one another at the same moment: the second is no owner any more.
func (t *Team) change(ctx context.Context, by *User, userID int64, do func(tx pgx.Tx, c models.Colleague) (audit.Entry, error)) error {
	return db.InTx(ctx, t.db, func(tx pgx.Tx) error {
		if _, _, err := queries.OrganisationLock(ctx, tx, by.OrganisationID); err != nil {
			return fmt.Errorf("locking organisation %d: %w", by.OrganisationID, err)
		}
		// A change that waited here may have taken the right to this one.
		switch self, err := queries.ColleagueGet(ctx, tx, by.OrganisationID, by.ID); {
		case err != nil && !db.IsNoRows(err):
			return fmt.Errorf("reading user %d: %w", by.ID, err)
		case self.Role != Owner || !self.Active:
			return fault.New(fault.Forbidden, "Your role does not allow this any more.")
		}
		c, err := queries.ColleagueGet(ctx, tx, by.OrganisationID, userID)
		if db.IsNoRows(err) {
			return errNoColleague
		}
		if err != nil {
			return fmt.Errorf("reading user %d: %w", userID, err)
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
		entry.Actor, entry.Target = by.Actor(), UserActor(userID)
		return audit.Record(ctx, tx, entry)
	})
}

func organisationRole(role string) bool { return role == Owner || role == Developer || role == Viewer }

package identity

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"heliograph/app/audit"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/queries"
)

// statusWords are what people read of the status of an organisation.
var statusWords = map[string]string{"active": "active", "inactive": "not verified", "suspended": "deactivated"}

// SetOrganisationActive lets an organisation work or keeps it from it, for a
// reason that the audit keeps. Its sessions end and its keys are refused at
// once, or after 30 seconds at the latest where notifications are lost. The
// owners of an organisation that never verified its number are let in with it.
func (a *Administrators) SetOrganisationActive(ctx context.Context, by *User, id int64, active bool, reason string) error {
	reason = strings.TrimSpace(reason)
	if reason == "" || utf8.RuneCountInString(reason) > 500 {
		return fault.InvalidFields(fault.Field{Name: "reason", Message: "Say why, in at most 500 characters. The audit keeps it."})
	}
	status, action := "suspended", "organisation.deactivate"
	if active {
		status, action = "active", "organisation.activate"
	}
	return db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		before, verified, err := queries.OrganisationLock(ctx, tx, id)
		if db.IsNoRows(err) {
			return fault.New(fault.NotFound, "There is no such organisation.")
		}
		if err != nil {
			return fmt.Errorf("locking an organisation: %w", err)
		}
		if before == status {
			return fault.New(fault.Conflict, "The organisation is %s already.", statusWords[status])
		}
		if err := queries.OrganisationUpdateStatus(ctx, tx, id, status, active && !verified); err != nil {
			return fmt.Errorf("changing an organisation: %w", err)
		}
		details := audit.Changes(map[string]any{"status": statusWords[before]}, map[string]any{"status": statusWords[status]})
		details["reason"] = reason
		return audit.Record(ctx, tx, audit.Entry{Actor: by.Actor(), Action: action, Target: OrganisationActor(id), Details: details})
	})
}

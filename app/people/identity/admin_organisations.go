package identity

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
	"heliograph/views/email"
)

// statusWords maps the status of an organisation to the word shown to users.
var statusWords = map[string]string{"active": "active", "inactive": "not verified", "suspended": "deactivated"}

// AddOrganisation adds an organisation that sends to real phones, and sends its owner a
// link that sets a password. Faults name the fields name, owner, email and mobile. An
// address that belongs to another organisation is Conflict.
func (a *Administrators) AddOrganisation(ctx context.Context, by *User, n NewOrganisation) (id int64, err error) {
	n.Sandbox, n.Owner.Password = false, newSessionID() // nobody knows it
	_, faults := n.check()
	faults.Add("owner", nameProblem(n.Owner.Name))
	if err := faults.Err(); err != nil {
		return 0, err
	}
	err = db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		if id, err = New(tx, a.notifier).CreateOrganisation(ctx, n, by.Actor()); err != nil {
			return err
		}
		owners, err := queries.ColleagueList(ctx, tx, id)
		if err != nil {
			return fmt.Errorf("reading the owner of an organisation: %w", err)
		}
		return a.notifier.sendLink(ctx, tx, owners[0], func(url string) email.Message { return email.OwnerLink(url, n.Name, userLinkLife) })
	})
	return id, err
}

// SetOrganisationActive activates or deactivates an organisation. The audit
// records the reason. On deactivation its sessions end and its keys are refused
// at once, or within 30 seconds if notifications are lost. Activating an
// organisation that never verified its number also activates its owners.
func (a *Administrators) SetOrganisationActive(ctx context.Context, by *User, id int64, active bool, reason string) error {
	reason = strings.TrimSpace(reason)
	if reason == "" || utf8.RuneCountInString(reason) > 500 {
		return fault.InvalidFields(fault.Field{Name: "reason", Message: "Enter a reason of at most 500 characters. It is recorded in the audit."})
	}
	status, action := "suspended", "organisation.deactivate"
	if active {
		status, action = "active", "organisation.activate"
	}
	return db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		before, verified, err := writes.OrganisationLock(ctx, tx, id)
		if err != nil {
			return db.Absent(err, fault.New(fault.NotFound, "This organisation does not exist."), "locking an organisation")
		}
		if before == status {
			return fault.New(fault.Conflict, "The organisation is already %s.", statusWords[status])
		}
		if err := writes.OrganisationUpdateStatus(ctx, tx, id, status, active && !verified); err != nil {
			return fmt.Errorf("changing an organisation: %w", err)
		}
		details := audit.Changes(map[string]any{"status": statusWords[before]}, map[string]any{"status": statusWords[status]})
		details["reason"] = reason
		return audit.Record(ctx, tx, audit.Entry{Actor: by.Actor(), Action: action, Target: OrganisationActor(id), Details: details})
	})
}

package identity

import (
	"context"
	"fmt"
	"regexp"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/people/writes"
)

// NewOrganisation is an organisation to create with its first owner.
type NewOrganisation struct {
	Name    string
	Sandbox bool // for tests: messages go to the virtual carrier only
	Owner   NewOwner
}

// NewOwner is the first user of an organisation.
type NewOwner struct {
	Name, Email, Password string
	Mobile                string // E.164, or empty
}

// OrganisationActor returns the name of an organisation in the audit.
func OrganisationActor(id int64) string { return fmt.Sprintf("organisation:%d", id) }

var e164Pattern = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)

// CreateOrganisation adds an active organisation with an active owner on behalf
// of an operator and returns its id. actor is recorded in the audit. Invalid
// input names its fields. An address that is already used is a Conflict.
func (d *Directory) CreateOrganisation(ctx context.Context, n NewOrganisation, actor string) (int64, error) {
	email, faults := n.check()
	faults.Add("password", passwordProblem(n.Owner.Password, email, n.Owner.Name, n.Name))
	if err := faults.Err(); err != nil {
		return 0, err
	}
	hash, err := hashPassword(ctx, n.Owner.Password)
	if err != nil {
		return 0, err
	}
	var id int64
	err = db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		id, err = writes.OrganisationInsert(ctx, tx, models.Organisation{Name: n.Name, Status: "active", Sandbox: n.Sandbox})
		if err != nil {
			return fmt.Errorf("adding an organisation: %w", err)
		}
		_, err = writes.OrganisationUserInsert(ctx, tx, models.OrganisationUser{
			OrganisationID: id, Name: n.Owner.Name, Email: email, Mobile: n.Owner.Mobile, PasswordHash: hash, Role: Owner, Active: true,
		})
		if db.IsUniqueViolation(err, "organisation_users_email_key") {
			return fault.New(fault.Conflict, "An account with the address %s already exists.", email)
		}
		if err != nil {
			return fmt.Errorf("adding the owner of an organisation: %w", err)
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: actor, Action: "organisation.create", Target: OrganisationActor(id), Details: map[string]any{"sandbox": n.Sandbox}})
	})
	return id, err
}

// check returns the owner's address as it is stored, and what is wrong but for the password.
func (n NewOrganisation) check() (email string, faults fault.Fields) {
	email, problem := normaliseEmail(n.Owner.Email)
	faults.Add("email", problem)
	faults.Add("name", nameProblem(n.Name))
	faults.AddIf(n.Owner.Mobile != "" && !e164Pattern.MatchString(n.Owner.Mobile), "mobile", "Enter the number with its country code, for example +919812345678.")
	return email, faults
}

// Package identitytest adds organisations and administrators for tests with a subject that
// is something else. They are recorded in the audit like the ones that identity adds, but
// the hash of their password takes no time.
package identitytest

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/people/writes"
)

// Password is the password of everybody here.
const Password = "nine slow herons wade"

// passwordHash is the Argon2id hash of Password with 8 KiB and one pass.
const passwordHash = "$argon2id$v=19$m=8,t=1,p=1$QIFEFLZk55mVew1n8qr79w$SQp2xd+/C0l5rKs86y8J98+dTZr153dnfURp0UpQqNw"

// AddAdmin adds an active administrator with a role of identity and returns the id.
func AddAdmin(t testing.TB, q db.Beginner, name, email, role string) (id int64) {
	t.Helper()
	err := db.InTx(t.Context(), q, func(tx pgx.Tx) (err error) {
		id, err = writes.AdminUserInsert(t.Context(), tx, models.AdminUser{Name: name, Email: email, PasswordHash: passwordHash, Role: role})
		if err != nil {
			return err
		}
		return audit.Record(t.Context(), tx, audit.Entry{
			Actor: "system", Action: "admin.create", Target: fmt.Sprintf("admin:%d", id), Details: map[string]any{"role": role},
		})
	})
	if err != nil {
		t.Fatalf("adding the administrator %s: %v", email, err)
	}
	return id
}

// AddOrganisation adds an active organisation and its owner, who has the email, and
// returns the id of the organisation.
func AddOrganisation(t testing.TB, q db.Beginner, o models.Organisation, email string) (id int64) {
	t.Helper()
	o.Status = "active"
	err := db.InTx(t.Context(), q, func(tx pgx.Tx) (err error) {
		if id, err = writes.OrganisationInsert(t.Context(), tx, o); err != nil {
			return err
		}
		AddUser(t, tx, models.OrganisationUser{OrganisationID: id, Name: "Asha", Email: email, Role: "owner"})
		return audit.Record(t.Context(), tx, audit.Entry{
			Actor: "system", Action: "organisation.create", Target: fmt.Sprintf("organisation:%d", id), Details: map[string]any{"sandbox": o.Sandbox},
		})
	})
	if err != nil {
		t.Fatalf("adding the organisation %s: %v", o.Name, err)
	}
	return id
}

// AddUser adds an active user of an organisation. It is not recorded.
func AddUser(t testing.TB, q db.Querier, u models.OrganisationUser) {
	t.Helper()
	u.PasswordHash, u.Active = passwordHash, true
	if _, err := writes.OrganisationUserInsert(t.Context(), q, u); err != nil {
		t.Fatalf("adding the user %s: %v", u.Email, err)
	}
}

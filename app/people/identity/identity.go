// Package identity knows who may do what: organisations and their API keys,
// administrators, their passwords and their sessions.
//
// Passwords are hashed with Argon2id (RFC 9106). Everything that an account
// may not learn about another takes the same time and gives the same words:
// a wrong password, an unknown address and a locked account cannot be told
// apart.
package identity

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/people/writes"
)

// The roles of administrators and of an organisation's users.
const (
	SuperAdmin = "super_admin" // manages everything
	Editor     = "editor"      // writes documentation of assigned products

	Owner     = "owner"     // manages the organisation's keys, webhooks and users
	Developer = "developer" // manages its keys and webhooks

	Viewer = "viewer" // reads; a role of both
)

// Directory manages accounts, sessions and API keys.
type Directory struct {
	db       db.Beginner
	notifier Notifier
}

// New returns a Directory that uses the database.
func New(b db.Beginner, letters Notifier) *Directory { return &Directory{b, letters} }

// NewAdmin is an administrator to create.
type NewAdmin struct{ Name, Email, Password, Role string }

// CreateAdmin adds an active administrator and returns the id. actor is recorded
// in the audit. Invalid input names its fields. An address that is already used
// is a Conflict.
func (d *Directory) CreateAdmin(ctx context.Context, n NewAdmin, actor string) (int64, error) {
	var faults fault.Fields
	email, problem := normaliseEmail(n.Email)
	faults.Add("email", problem)
	faults.Add("password", passwordProblem(n.Password, email, n.Name))
	faults.Add("name", nameProblem(n.Name))
	faults.AddIf(n.Role != SuperAdmin && n.Role != Editor && n.Role != Viewer, "role", "Choose one of super_admin, editor and viewer.")
	if err := faults.Err(); err != nil {
		return 0, err
	}
	hash, err := hashPassword(ctx, n.Password)
	if err != nil {
		return 0, err
	}
	var id int64
	err = db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		id, err = writes.AdminUserInsert(ctx, tx, models.AdminUser{Name: n.Name, Email: email, Role: n.Role, PasswordHash: hash})
		if db.IsUniqueViolation(err, "admin_users_email_key") {
			return fault.New(fault.Conflict, "An administrator with the address %s already exists.", email)
		}
		if err != nil {
			return fmt.Errorf("adding an administrator: %w", err)
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: actor, Action: "admin.create", Target: adminActor(id), Details: map[string]any{"role": n.Role}})
	})
	return id, err
}

// ResetAdmin recovers the administration: it sets the password of an administrator,
// makes the account an active Super Admin, and ends its sessions, links and lock.
// actor is recorded in the audit. An unknown address is NotFound.
func (d *Directory) ResetAdmin(ctx context.Context, address, password, actor string) error {
	email, problem := normaliseEmail(address)
	var faults fault.Fields
	faults.Add("email", problem)
	faults.Add("password", passwordProblem(password, email))
	if err := faults.Err(); err != nil {
		return err
	}
	hash, err := hashPassword(ctx, password)
	if err != nil {
		return err
	}
	return db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		id, err := writes.AdminUserReset(ctx, tx, email, hash)
		if err != nil {
			absent := fault.New(fault.NotFound, "No administrator has the address %s. Run heliograph admin create to add one.", email)
			return db.Absent(err, absent, "resetting an administrator")
		}
		if err := writes.AdminLinkUpdateConsumed(ctx, tx, id); err != nil {
			return fmt.Errorf("invalidating links: %w", err)
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: actor, Action: "admin.reset", Target: adminActor(id), Details: map[string]any{"role": SuperAdmin}})
	})
}

// adminActor returns the name of an administrator in the audit.
func adminActor(id int64) string { return fmt.Sprintf("admin:%d", id) }

// userActor returns the name of an organisation's user in the audit.
func userActor(id int64) string { return fmt.Sprintf("user:%d", id) }

// breaksLine reports whether a character breaks lines or changes the text
// direction. Joiners do not, because some scripts need them.
func breaksLine(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

func nameProblem(name string) string {
	if strings.TrimSpace(name) == "" || len([]rune(name)) > 200 || strings.ContainsFunc(name, breaksLine) {
		return "Enter a name of 1 to 200 characters on one line."
	}
	return ""
}

// normaliseEmail returns an address in the form in which it is stored.
var normaliseEmail = notification.NormaliseAddress

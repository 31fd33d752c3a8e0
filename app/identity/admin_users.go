package identity

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"heliograph/app/audit"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Administrators are managed by the Super Admins among them, who can neither
// change nor remove themselves: so one of them always stays.
type Administrators struct {
	db      db.Beginner
	letters Letters
}

// NewAdministrators makes the managers over a database.
func NewAdministrators(b db.Beginner, letters Letters) *Administrators {
	return &Administrators{b, letters}
}

// Invitation is somebody to let in. Products are those that an Editor writes.
type Invitation struct {
	Name, Email, Role string
	Products          []int64
}

// Invite adds an administrator without a password, sends them a link to set
// one, and returns the id. Invalid input names its fields; a taken address is
// one.
func (a *Administrators) Invite(ctx context.Context, by *User, n Invitation) (int64, error) {
	var faults []fault.Field
	email, problem := normaliseEmail(n.Email)
	faults = check(faults, "email", problem)
	faults = check(faults, "name", nameProblem(n.Name))
	faults = check(faults, "role", roleProblem(n.Role))
	if len(faults) > 0 {
		return 0, fault.InvalidFields(faults...)
	}
	user := models.AdminUser{Name: n.Name, Email: email, Role: n.Role, PasswordHash: nobody, Invited: true}
	err := db.InTx(ctx, a.db, func(tx pgx.Tx) (err error) {
		user.ID, err = queries.AdminUserInsert(ctx, tx, user)
		if db.IsUniqueViolation(err, "admin_users_email_key") {
			return fault.InvalidFields(fault.Field{Name: "email", Message: "An administrator has this address already."})
		}
		if err != nil {
			return fmt.Errorf("adding an administrator: %w", err)
		}
		if err := queries.ProductEditorReplace(ctx, tx, user.ID, n.Products); err != nil {
			return fmt.Errorf("assigning products: %w", err)
		}
		if err := a.sendLink(ctx, tx, user); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: by.Actor(), Action: "admin.invite", Target: AdminActor(user.ID),
			Details: map[string]any{"email": email, "role": n.Role, "products": n.Products},
		})
	})
	return user.ID, err
}

func roleProblem(role string) string {
	if role != SuperAdmin && role != Editor && role != Viewer {
		return "Choose Super Admin, Editor or Viewer."
	}
	return ""
}

// SetRole gives an administrator another role and ends their sessions.
func (a *Administrators) SetRole(ctx context.Context, by *User, id int64, role string) error {
	if problem := roleProblem(role); problem != "" {
		return fault.InvalidFields(fault.Field{Name: "role", Message: problem})
	}
	return a.change(ctx, by, id, func(tx pgx.Tx, user models.AdminUser) (*audit.Entry, error) {
		if user.Role == role {
			return nil, nil
		}
		details := audit.Changes(map[string]any{"role": user.Role}, map[string]any{"role": role})
		return &audit.Entry{Action: "admin.change_role", Details: details}, queries.AdminUserUpdateRole(ctx, tx, id, role)
	})
}

// SetActive lets an administrator in or keeps them out. Their sessions end, and
// links that were sent to them are worth nothing any more.
func (a *Administrators) SetActive(ctx context.Context, by *User, id int64, active bool) error {
	return a.change(ctx, by, id, func(tx pgx.Tx, user models.AdminUser) (*audit.Entry, error) {
		if user.Active == active {
			return nil, nil
		}
		action := map[bool]string{true: "admin.activate", false: "admin.deactivate"}[active]
		details := audit.Changes(map[string]any{"active": user.Active}, map[string]any{"active": active})
		err := errors.Join(queries.AdminUserUpdateActive(ctx, tx, id, active), queries.AdminLinkUpdateConsumed(ctx, tx, id))
		return &audit.Entry{Action: action, Details: details}, err
	})
}

// SetProducts assigns an administrator to products and to no others. Only
// Editors need it, but who becomes one later keeps it.
func (a *Administrators) SetProducts(ctx context.Context, by *User, id int64, products []int64) error {
	return a.change(ctx, by, id, func(tx pgx.Tx, user models.AdminUser) (*audit.Entry, error) {
		slices.Sort(products)
		products = slices.Compact(products)
		if slices.Equal(user.Products, products) {
			return nil, nil
		}
		details := audit.Changes(map[string]any{"products": user.Products}, map[string]any{"products": products})
		return &audit.Entry{Action: "admin.assign", Details: details}, queries.ProductEditorReplace(ctx, tx, id, products)
	})
}

// EndSessions signs an administrator out everywhere. Where nobody is signed in
// there is nothing to do or to record.
func (a *Administrators) EndSessions(ctx context.Context, by *User, id int64) error {
	return a.change(ctx, by, id, func(tx pgx.Tx, _ models.AdminUser) (*audit.Entry, error) {
		ended, err := queries.SessionUpdateRevokedOthers(ctx, tx, models.Session{Surface: string(Administration), UserID: id})
		if err != nil || ended == 0 {
			return nil, err
		}
		return &audit.Entry{Action: "admin.end_sessions", Details: map[string]any{"sessions": ended}}, nil
	})
}

// Delete removes an administrator who never wrote documentation; others are a
// Conflict, because what they wrote keeps its author.
func (a *Administrators) Delete(ctx context.Context, by *User, id int64) error {
	return a.change(ctx, by, id, func(tx pgx.Tx, user models.AdminUser) (*audit.Entry, error) {
		err := db.InTx(ctx, tx, func(tx pgx.Tx) error { return queries.AdminUserDelete(ctx, tx, id) })
		if db.IsForeignKeyViolation(err) {
			return nil, fault.New(fault.Conflict, "This administrator wrote documentation and cannot be deleted. Deactivate the account in place of it.")
		}
		return &audit.Entry{Action: "admin.delete", Details: map[string]any{"email": user.Email, "role": user.Role}}, err
	})
}

// SendLink sends an administrator a link to set a password, and uses up those
// sent before.
func (a *Administrators) SendLink(ctx context.Context, by *User, id int64) error {
	return a.change(ctx, by, id, func(tx pgx.Tx, user models.AdminUser) (*audit.Entry, error) {
		if !user.Active {
			return nil, fault.New(fault.Conflict, "The account is not active. Activate it first.")
		}
		return &audit.Entry{Action: "admin.send_link"}, a.sendLink(ctx, tx, user)
	})
}

// change applies what a Super Admin does to another administrator, and records
// it if it changed anything. Changes wait for one another: who lost the right
// meanwhile is Forbidden.
func (a *Administrators) change(ctx context.Context, by *User, id int64, apply func(pgx.Tx, models.AdminUser) (*audit.Entry, error)) error {
	if by.ID == id {
		return fault.New(fault.Conflict, "You cannot change your own account here. Ask another Super Admin.")
	}
	return db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		superiors, err := queries.AdminUserLock(ctx, tx, id)
		if err != nil {
			return fmt.Errorf("locking administrators: %w", err)
		}
		if !slices.Contains(superiors, by.ID) {
			return fault.New(fault.Forbidden, "Your role does not allow this any more.")
		}
		user, err := queries.AdminUserGet(ctx, tx, id)
		if db.IsNoRows(err) {
			return fault.New(fault.NotFound, "There is no such administrator.")
		}
		if err != nil {
			return fmt.Errorf("reading an administrator: %w", err)
		}
		entry, err := apply(tx, user)
		if err != nil || entry == nil {
			return err
		}
		entry.Actor, entry.Target = by.Actor(), AdminActor(id)
		return audit.Record(ctx, tx, *entry)
	})
}

// MayEdit reports whether an administrator may write the documentation of a
// product: a Super Admin of every one, an Editor of those assigned.
func (d *Directory) MayEdit(ctx context.Context, user *User, productID int64) (bool, error) {
	if user.Role != Editor || user.Surface != Administration {
		return user.Role == SuperAdmin, nil
	}
	assigned, err := queries.ProductEditorExists(ctx, d.db, user.ID, productID)
	if err != nil {
		return false, fmt.Errorf("reading the assignments of an Editor: %w", err)
	}
	return assigned, nil
}

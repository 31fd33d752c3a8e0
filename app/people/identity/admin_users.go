package identity

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
)

// Administrators manages administrators on behalf of Super Admins. A Super Admin
// cannot change or remove their own account, so that one always remains.
type Administrators struct {
	db       db.Beginner
	notifier Notifier
}

// NewAdministrators returns an Administrators that uses the database.
func NewAdministrators(b db.Beginner, letters Notifier) *Administrators {
	return &Administrators{b, letters}
}

// Invitation is an administrator to invite. Products are the ones that an Editor
// may write.
type Invitation struct {
	Name, Email, Role string
	Products          []int64
}

// Invite adds an administrator without a password, sends them a link to set one,
// and returns the id. Invalid input names its fields, which include an address
// that is already used.
func (a *Administrators) Invite(ctx context.Context, by *User, n Invitation) (int64, error) {
	var faults fault.Fields
	email, problem := normaliseEmail(n.Email)
	faults.Add("email", problem)
	faults.Add("name", nameProblem(n.Name))
	faults.Add("role", roleProblem(n.Role))
	if err := faults.Err(); err != nil {
		return 0, err
	}
	user := models.AdminUser{Name: n.Name, Email: email, Role: n.Role, PasswordHash: dummyHash, Invited: true}
	err := db.InTx(ctx, a.db, func(tx pgx.Tx) (err error) {
		user.ID, err = writes.AdminUserInsert(ctx, tx, user)
		if db.IsUniqueViolation(err, "admin_users_email_key") {
			return fault.InvalidFields(fault.Field{Name: "email", Message: "An administrator already has this address."})
		}
		if err != nil {
			return fmt.Errorf("adding an administrator: %w", err)
		}
		if err := writes.ProductEditorReplace(ctx, tx, user.ID, n.Products); err != nil {
			return fmt.Errorf("assigning products: %w", err)
		}
		if err := a.sendLink(ctx, tx, user); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: by.Actor(), Action: "admin.invite", Target: adminActor(user.ID),
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

// SetRole changes the role of an administrator and ends their sessions.
func (a *Administrators) SetRole(ctx context.Context, by *User, id int64, role string) error {
	if problem := roleProblem(role); problem != "" {
		return fault.InvalidFields(fault.Field{Name: "role", Message: problem})
	}
	return a.change(ctx, by, id, func(tx pgx.Tx, user models.AdminUser) (*audit.Entry, error) {
		if user.Role == role {
			return nil, nil
		}
		details := audit.Changes(map[string]any{"role": user.Role}, map[string]any{"role": role})
		return &audit.Entry{Action: "admin.change_role", Details: details}, writes.AdminUserUpdateRole(ctx, tx, id, role)
	})
}

// SetActive activates or deactivates an administrator. It ends their sessions and
// invalidates links that were sent to them.
func (a *Administrators) SetActive(ctx context.Context, by *User, id int64, active bool) error {
	return a.change(ctx, by, id, func(tx pgx.Tx, user models.AdminUser) (*audit.Entry, error) {
		if user.Active == active {
			return nil, nil
		}
		action := map[bool]string{true: "admin.activate", false: "admin.deactivate"}[active]
		details := audit.Changes(map[string]any{"active": user.Active}, map[string]any{"active": active})
		err := errors.Join(writes.AdminUserUpdateActive(ctx, tx, id, active), writes.AdminLinkUpdateConsumed(ctx, tx, id))
		return &audit.Entry{Action: action, Details: details}, err
	})
}

// SetProducts replaces the products that an administrator is assigned to. Only
// Editors need it, but the assignment is kept for a later change of role.
func (a *Administrators) SetProducts(ctx context.Context, by *User, id int64, products []int64) error {
	return a.change(ctx, by, id, func(tx pgx.Tx, user models.AdminUser) (*audit.Entry, error) {
		slices.Sort(products)
		products = slices.Compact(products)
		if slices.Equal(user.Products, products) {
			return nil, nil
		}
		details := audit.Changes(map[string]any{"products": user.Products}, map[string]any{"products": products})
		return &audit.Entry{Action: "admin.assign", Details: details}, writes.ProductEditorReplace(ctx, tx, id, products)
	})
}

// EndSessions ends all sessions of an administrator. Without open sessions
// nothing is recorded.
func (a *Administrators) EndSessions(ctx context.Context, by *User, id int64) error {
	return a.change(ctx, by, id, func(tx pgx.Tx, _ models.AdminUser) (*audit.Entry, error) {
		ended, err := writes.SessionUpdateRevokedOthers(ctx, tx, models.Session{Surface: string(Administration), UserID: id})
		if err != nil || ended == 0 {
			return nil, err
		}
		return &audit.Entry{Action: "admin.end_sessions", Details: map[string]any{"sessions": ended}}, nil
	})
}

// Remove removes an administrator who never wrote documentation. Others are a
// Conflict, because documentation refers to its author.
func (a *Administrators) Remove(ctx context.Context, by *User, id int64) error {
	return a.change(ctx, by, id, func(tx pgx.Tx, user models.AdminUser) (*audit.Entry, error) {
		err := db.InTx(ctx, tx, func(tx pgx.Tx) error { return writes.AdminUserDelete(ctx, tx, id) })
		if db.IsForeignKeyViolation(err) {
			return nil, fault.New(fault.Conflict, "This administrator wrote documentation and cannot be removed. Deactivate the account instead.")
		}
		return &audit.Entry{Action: "admin.delete", Details: map[string]any{"email": user.Email, "role": user.Role}}, err
	})
}

// SendLink sends an administrator a link to set a password and invalidates
// earlier ones.
func (a *Administrators) SendLink(ctx context.Context, by *User, id int64) error {
	return a.change(ctx, by, id, func(tx pgx.Tx, user models.AdminUser) (*audit.Entry, error) {
		if !user.Active {
			return nil, fault.New(fault.Conflict, "The account is not active. Activate it first.")
		}
		return &audit.Entry{Action: "admin.send_link"}, a.sendLink(ctx, tx, user)
	})
}

// change applies a Super Admin's change to another administrator, and records it
// if it changed anything. Changes run one at a time, so that a Super Admin who
// lost the role in the meantime is Forbidden.
func (a *Administrators) change(ctx context.Context, by *User, id int64, apply func(pgx.Tx, models.AdminUser) (*audit.Entry, error)) error {
	if by.ID == id {
		return fault.New(fault.Conflict, "You cannot change your own account here. Ask another Super Admin.")
	}
	return db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		superiors, err := writes.AdminUserLock(ctx, tx, id)
		if err != nil {
			return fmt.Errorf("locking administrators: %w", err)
		}
		if !slices.Contains(superiors, by.ID) {
			return fault.New(fault.Forbidden, "Your role no longer allows this.")
		}
		user, err := queries.AdminUserGet(ctx, tx, id)
		if err != nil {
			return db.Absent(err, fault.New(fault.NotFound, "This administrator does not exist."), "reading an administrator")
		}
		entry, err := apply(tx, user)
		if err != nil || entry == nil {
			return err
		}
		entry.Actor, entry.Target = by.Actor(), adminActor(id)
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

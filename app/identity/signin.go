package identity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/audit"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// How long a session lasts: without a request, and at all.
const (
	SessionIdle = 30 * time.Minute
	SessionLife = 12 * time.Hour
)

// lockedAt is the failure in a row from which on an account is locked.
const lockedAt = 5

// Credentials are what somebody signs in with.
type Credentials struct {
	Email, Password string
	// UserAgent is the browser's name for itself, shown beside the session.
	UserAgent string
}

// Session is a session just begun. Its id is a secret of the browser.
type Session struct {
	ID        string
	AdminID   int64
	Version   int // the administrator's session version
	IssuedAt  time.Time
	ExpiresAt time.Time
}

// Admin is the administrator that a session belongs to.
type Admin struct {
	ID    int64
	Name  string
	Email string
	Role  string // SuperAdmin, Editor or Viewer
}

// errCredentials is the one answer to every sign-in that fails.
var errCredentials = fault.New(fault.Unauthenticated,
	"The email address or the password is wrong. After several failures the account is locked for a while, up to 15 minutes.")

// SignInAdmin begins a session with a fresh id. Every failure is the same
// Unauthenticated fault, after the same work.
func (d *Directory) SignInAdmin(ctx context.Context, c Credentials) (*Session, error) {
	user, err := d.attempt(ctx, c.Email)
	if err != nil {
		return nil, err
	}
	match, err := passwordMatches(ctx, c.Password, user.PasswordHash)
	if err != nil {
		return nil, err
	}
	if !match || !user.Active {
		return nil, d.refuse(ctx, user)
	}
	now := time.Now()
	s := &Session{ID: newSessionID(), AdminID: user.ID, Version: user.SessionVersion, IssuedAt: now, ExpiresAt: now.Add(SessionLife)}
	err = db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		if err := queries.AdminUserUpdateSignedIn(ctx, tx, user.ID); err != nil {
			return fmt.Errorf("noting a sign-in: %w", err)
		}
		err := queries.SessionInsert(ctx, tx, models.Session{
			IDHash: hashID(s.ID), AdminUserID: user.ID, SessionVersion: user.SessionVersion, UserAgent: c.UserAgent, ExpiresAt: s.ExpiresAt,
		})
		if err != nil {
			return fmt.Errorf("storing a session: %w", err)
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: AdminActor(user.ID), Action: "admin.sign_in", Target: AdminActor(user.ID)})
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// attempt charges the attempt and returns the account, or nobody.
func (d *Directory) attempt(ctx context.Context, email string) (models.AdminUser, error) {
	none := models.AdminUser{PasswordHash: nobody}
	email, problem := normaliseEmail(email)
	if problem != "" {
		return none, nil
	}
	user, err := queries.AdminUserAttempt(ctx, d.db, email)
	if db.IsNoRows(err) {
		return none, nil
	}
	if err != nil {
		return none, fmt.Errorf("looking an administrator up: %w", err)
	}
	return user, nil
}

// refuse answers a failed attempt; the one that locks an account is recorded.
func (d *Directory) refuse(ctx context.Context, user models.AdminUser) error {
	if user.FailedSignIns != lockedAt {
		return errCredentials
	}
	err := db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		return audit.Record(ctx, tx, audit.Entry{Actor: "system", Action: "admin.lock", Target: AdminActor(user.ID)})
	})
	if err != nil {
		return err
	}
	return errCredentials
}

// Resume returns whose session it is. One that has ended in any way, or that
// was never begun, is an Unauthenticated fault.
func (d *Directory) Resume(ctx context.Context, s Session) (*Admin, error) {
	hash := hashID(s.ID)
	user, stale, err := queries.SessionGet(ctx, d.db, models.Session{IDHash: hash, AdminUserID: s.AdminID, SessionVersion: s.Version}, SessionIdle)
	if db.IsNoRows(err) {
		return nil, fault.New(fault.Unauthenticated, "Your session has ended. Sign in again.")
	}
	if err != nil {
		return nil, fmt.Errorf("looking a session up: %w", err)
	}
	if stale {
		if err := queries.SessionUpdateSeen(ctx, d.db, hash); err != nil {
			return nil, fmt.Errorf("noting the use of a session: %w", err)
		}
	}
	return &Admin{ID: user.ID, Name: user.Name, Email: user.Email, Role: user.Role}, nil
}

// SignOutAdmin ends a session for good.
func (d *Directory) SignOutAdmin(ctx context.Context, s Session) error {
	return db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		if err := queries.SessionUpdateRevoked(ctx, tx, hashID(s.ID)); err != nil {
			return fmt.Errorf("ending a session: %w", err)
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: AdminActor(s.AdminID), Action: "admin.sign_out", Target: AdminActor(s.AdminID)})
	})
}

// newSessionID is 256 random bits.
func newSessionID() string {
	raw := make([]byte, 32)
	rand.Read(raw) //nolint:errcheck // never fails: crypto/rand ends the process instead
	return base64.RawURLEncoding.EncodeToString(raw)
}

func hashID(id string) []byte {
	sum := sha256.Sum256([]byte(id))
	return sum[:]
}

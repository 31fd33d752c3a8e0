package identity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
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
	// Known is the version of the sessions under which this browser signed in
	// to the account before, or 0: while it is the present one, a lock does not
	// stop the attempt. The caller limits how often.
	Known int
}

// Surface is a part of the site with users, sessions and a sign-in of its own.
type Surface string

// The surfaces.
const (
	Account        Surface = "account" // organisations look after their own
	Administration Surface = "admin"   // administrators look after everything
)

// Session is a session just begun. Its id is a secret of the browser.
type Session struct {
	ID        string
	Surface   Surface
	UserID    int64
	Version   int // the user's session version
	IssuedAt  time.Time
	ExpiresAt time.Time
}

// User is who a session belongs to.
type User struct {
	Surface Surface
	ID      int64
	Name    string
	Email   string
	Role    string // SuperAdmin, Editor or Viewer; Owner, Developer or Viewer of an organisation
	// OrganisationID and Organisation, its name, are empty for administrators.
	OrganisationID int64
	Organisation   string
}

// Actor names the user in the audit.
func (u *User) Actor() string { return actor(u.Surface, u.ID) }

func actor(s Surface, userID int64) string {
	if s == Administration {
		return AdminActor(userID)
	}
	return UserActor(userID)
}

// errCredentials is the one answer to every sign-in that fails.
var errCredentials = fault.New(fault.Unauthenticated,
	"The email address or the password is wrong. After several failures the account is locked for a while, up to 15 minutes.")

// SignIn begins a session with a fresh id. Every failure is the same
// Unauthenticated fault, after the same work; but who knows the password of an
// organisation's account is told that it was deactivated, and gets a
// PendingError where it was never verified.
func (d *Directory) SignIn(ctx context.Context, surface Surface, c Credentials) (*Session, error) {
	user, err := d.attempt(ctx, surface, c)
	if err != nil {
		return nil, err
	}
	match, err := passwordMatches(ctx, c.Password, user.PasswordHash)
	if err != nil {
		return nil, err
	}
	if match && !user.Active && surface == Account {
		return nil, d.turnAway(ctx, user)
	}
	if !match || !user.Active {
		return nil, d.refuse(ctx, surface, user)
	}
	var s *Session
	err = db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		if err := queries.UserUpdateSignedIn(ctx, tx, string(surface), user.ID); err != nil {
			return fmt.Errorf("noting a sign-in: %w", err)
		}
		if s, err = begin(ctx, tx, surface, user, c.UserAgent); err != nil {
			return err
		}
		return recordSelf(ctx, tx, surface, user.ID, "sign_in")
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// begin stores a session with a fresh id under the user's present version. What a
// browser calls itself may be any bytes.
func begin(ctx context.Context, tx pgx.Tx, surface Surface, user models.User, userAgent string) (*Session, error) {
	now := time.Now()
	s := &Session{ID: newSessionID(), Surface: surface, UserID: user.ID, Version: user.SessionVersion, IssuedAt: now, ExpiresAt: now.Add(SessionLife)}
	err := queries.SessionInsert(ctx, tx, models.Session{
		IDHash: hashID(s.ID), Surface: string(surface), UserID: user.ID, SessionVersion: user.SessionVersion,
		UserAgent: strings.ToValidUTF8(userAgent, "\uFFFD"), ExpiresAt: s.ExpiresAt,
	})
	if err != nil {
		return nil, fmt.Errorf("storing a session: %w", err)
	}
	return s, nil
}

// recordSelf notes in the audit what users do with their own account.
func recordSelf(ctx context.Context, tx pgx.Tx, surface Surface, userID int64, verb string) error {
	noun := "user"
	if surface == Administration {
		noun = "admin"
	}
	who := actor(surface, userID)
	return audit.Record(ctx, tx, audit.Entry{Actor: who, Action: noun + "." + verb, Target: who})
}

// attempt charges the attempt and returns the account, or nobody. Both wait for
// the disk: else the time that it takes would tell who has an account.
func (d *Directory) attempt(ctx context.Context, surface Surface, c Credentials) (models.User, error) {
	none := models.User{PasswordHash: nobody}
	email, problem := normaliseEmail(c.Email)
	if problem != "" {
		return none, nil
	}
	user, err := queries.UserAttempt(ctx, d.db, string(surface), email, c.Known)
	if db.IsNoRows(err) {
		user, err = none, queries.UserAttemptNobody(ctx, d.db)
	}
	if err != nil {
		return none, fmt.Errorf("looking a user up: %w", err)
	}
	return user, nil
}

// turnAway answers who knows the password of an account that is not active.
func (d *Directory) turnAway(ctx context.Context, user models.User) error {
	if err := queries.UserUpdateUnlocked(ctx, d.db, string(Account), user.ID); err != nil {
		return fmt.Errorf("unlocking an account: %w", err)
	}
	switch {
	case user.Pending:
		return &PendingError{UserID: user.ID}
	case user.Dismissed:
		return fault.New(fault.Unauthenticated, "Your password is right, but your access to %s was deactivated. Ask an owner of the organisation to activate it.", user.Organisation)
	}
	return fault.New(fault.Unauthenticated, "Your password is right, but %s is deactivated: nobody signs in to it, and its API keys are refused. Ask support to activate it.", user.Organisation)
}

// refuse answers a failed attempt; the one that locks an account is recorded.
func (d *Directory) refuse(ctx context.Context, surface Surface, user models.User) error {
	if user.FailedSignIns != lockedAt {
		return errCredentials
	}
	err := db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		return recordSelf(ctx, tx, surface, user.ID, "lock")
	})
	if err != nil {
		return err
	}
	return errCredentials
}

// Resume returns whose session it is. One that has ended in any way, or that
// was never begun, is an Unauthenticated fault.
func (d *Directory) Resume(ctx context.Context, s Session) (*User, error) {
	hash := hashID(s.ID)
	user, stale, err := queries.SessionGet(ctx, d.db, models.Session{IDHash: hash, Surface: string(s.Surface), UserID: s.UserID, SessionVersion: s.Version}, SessionIdle)
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
	return &User{
		Surface: s.Surface, ID: user.ID, Name: user.Name, Email: user.Email, Role: user.Role,
		OrganisationID: user.OrganisationID, Organisation: user.Organisation,
	}, nil
}

// SignOut ends a session for good.
func (d *Directory) SignOut(ctx context.Context, s Session) error {
	return db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		if err := queries.SessionUpdateRevoked(ctx, tx, hashID(s.ID)); err != nil {
			return fmt.Errorf("ending a session: %w", err)
		}
		return recordSelf(ctx, tx, s.Surface, s.UserID, "sign_out")
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

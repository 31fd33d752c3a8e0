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

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
)

// The longest time of a session without a request, and in total.
const (
	sessionIdle = 30 * time.Minute
	SessionLife = 12 * time.Hour
)

// lockThreshold is the number of consecutive failures that locks an account.
const lockThreshold = 5

// Credentials is the input of SignIn.
type Credentials struct {
	Email, Password string
	// UserAgent is the browser's User-Agent header, shown with the session.
	UserAgent string
	// Known is the session version under which this browser signed in to the
	// account before, or 0. While it is the current version, a lock does not
	// stop the attempt. The caller limits these attempts.
	Known int
}

// Surface is a part of the site with its own users, sessions and sign-in.
type Surface string

// The surfaces.
const (
	Account        Surface = "account" // users of organisations
	Administration Surface = "admin"   // administrators
)

// Session is a new session. Its id is a secret of the browser.
type Session struct {
	ID        string
	Surface   Surface
	UserID    int64
	Version   int // the user's session version
	IssuedAt  time.Time
	ExpiresAt time.Time
}

// User is the user of a session.
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

// Actor returns the name of the user in the audit.
func (u *User) Actor() string { return u.Surface.Actor(u.ID) }

// Actor returns the name of a user of the surface in the audit.
func (s Surface) Actor(userID int64) string {
	if s == Administration {
		return adminActor(userID)
	}
	return userActor(userID)
}

// errCredentials is the same error for every sign-in that fails.
var errCredentials = fault.New(fault.Unauthenticated,
	"The email address or the password is wrong. After several failed attempts the account is locked for up to 15 minutes.")

// SignIn starts a session with a new id. Every failure is the same
// Unauthenticated error after the same work. Only with the correct password of
// an organisation's account does the error say that it is deactivated, or is a
// PendingError if it was never verified.
func (d *Directory) SignIn(ctx context.Context, surface Surface, c Credentials) (*Session, error) {
	user, err := d.chargeAttempt(ctx, surface, c)
	if err != nil {
		return nil, err
	}
	match, err := passwordMatches(ctx, c.Password, user.PasswordHash)
	if err != nil {
		return nil, err
	}
	if match && !user.Active && surface == Account {
		return nil, d.rejectInactive(ctx, user)
	}
	if !match || !user.Active {
		return nil, d.rejectCredentials(ctx, surface, user)
	}
	var s *Session
	err = db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		if err := writes.UserUpdateSignedIn(ctx, tx, string(surface), user.ID); err != nil {
			return fmt.Errorf("noting a sign-in: %w", err)
		}
		if s, err = startSession(ctx, tx, surface, user, c.UserAgent); err != nil {
			return err
		}
		return audit.RecordSoon(ctx, tx, selfEntry(surface, user.ID, "sign_in"))
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// startSession stores a session with a new id and the user's current session
// version. userAgent may contain any bytes.
func startSession(ctx context.Context, tx pgx.Tx, surface Surface, user models.User, userAgent string) (*Session, error) {
	now := time.Now()
	s := &Session{ID: newSessionID(), Surface: surface, UserID: user.ID, Version: user.SessionVersion, IssuedAt: now, ExpiresAt: now.Add(SessionLife)}
	err := writes.SessionInsert(ctx, tx, models.Session{
		IDHash: hashID(s.ID), Surface: string(surface), UserID: user.ID, SessionVersion: user.SessionVersion,
		UserAgent: strings.ToValidUTF8(userAgent, "\uFFFD"), ExpiresAt: s.ExpiresAt,
	})
	if err != nil {
		return nil, fmt.Errorf("storing a session: %w", err)
	}
	return s, nil
}

// recordSelf records an action of a user on their own account in the audit.
func recordSelf(ctx context.Context, tx pgx.Tx, surface Surface, userID int64, verb string) error {
	return audit.Record(ctx, tx, selfEntry(surface, userID, verb))
}

func selfEntry(surface Surface, userID int64, verb string) audit.Entry {
	noun := "user"
	if surface == Administration {
		noun = "admin"
	}
	who := surface.Actor(userID)
	return audit.Entry{Actor: who, Action: noun + "." + verb, Target: who}
}

// chargeAttempt counts a sign-in attempt and returns the account, or a dummy user
// if there is none. Both cases write to the disk, because otherwise the response
// time would reveal whether an account exists.
func (d *Directory) chargeAttempt(ctx context.Context, surface Surface, c Credentials) (models.User, error) {
	none := models.User{PasswordHash: dummyHash}
	email, problem := normaliseEmail(c.Email)
	if problem != "" {
		return none, nil
	}
	user, err := writes.UserAttempt(ctx, d.db, string(surface), email, c.Known)
	if db.IsNoRows(err) {
		user, err = none, queries.UserAttemptNobody(ctx, d.db)
	}
	if err != nil {
		return none, fmt.Errorf("looking a user up: %w", err)
	}
	return user, nil
}

// rejectInactive responds to a correct password for an account that is not active.
func (d *Directory) rejectInactive(ctx context.Context, user models.User) error {
	if err := writes.UserUpdateUnlocked(ctx, d.db, string(Account), user.ID); err != nil {
		return fmt.Errorf("unlocking an account: %w", err)
	}
	switch {
	case user.Pending:
		return &PendingError{UserID: user.ID}
	case user.Dismissed:
		return fault.New(fault.Unauthenticated, "Your password is correct, but your access to %s is deactivated. Ask an owner of the organisation to activate it.", user.Organisation)
	}
	return fault.New(fault.Unauthenticated, "Your password is correct, but %s is deactivated. Its users cannot sign in and its API keys are refused. Contact us to activate it.", user.Organisation)
}

// rejectCredentials returns errCredentials and records the attempt that locks the
// account.
func (d *Directory) rejectCredentials(ctx context.Context, surface Surface, user models.User) error {
	if user.FailedSignIns != lockThreshold {
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

// Resume returns the user of a session and renews its idle time. A session that
// has ended or does not exist is Unauthenticated.
func (d *Directory) Resume(ctx context.Context, s Session) (*User, error) {
	user, stale, err := d.findSession(ctx, s)
	if err != nil || !stale {
		return user, err
	}
	if err := writes.SessionUpdateSeen(ctx, d.db, hashID(s.ID)); err != nil {
		return nil, fmt.Errorf("noting the use of a session: %w", err)
	}
	return user, nil
}

// Peek is Resume for a request that no person made: it does not renew the
// session.
func (d *Directory) Peek(ctx context.Context, s Session) (*User, error) {
	user, _, err := d.findSession(ctx, s)
	return user, err
}

// Alive reports which sessions of an area are still open, by their ids. It renews
// none of them.
func (d *Directory) Alive(ctx context.Context, surface Surface, sessions []Session) (map[string]bool, error) {
	hashes := make([][]byte, len(sessions))
	for i, s := range sessions {
		hashes[i] = hashID(s.ID)
	}
	open, err := queries.SessionListAlive(ctx, d.db, string(surface), hashes, sessionIdle)
	if err != nil {
		return nil, fmt.Errorf("looking sessions up: %w", err)
	}
	alive := make(map[string]bool, len(open))
	for i, s := range sessions {
		if version, ok := open[string(hashes[i])]; ok && version == s.Version {
			alive[s.ID] = true
		}
	}
	return alive, nil
}

// findSession finds the user of a session, and whether its last use was noted more than
// a minute ago.
func (d *Directory) findSession(ctx context.Context, s Session) (*User, bool, error) {
	user, stale, err := queries.SessionGet(ctx, d.db, models.Session{IDHash: hashID(s.ID), Surface: string(s.Surface), UserID: s.UserID, SessionVersion: s.Version}, sessionIdle)
	if err != nil {
		return nil, false, db.Absent(err, fault.New(fault.Unauthenticated, "Your session has ended. Sign in again."), "looking a session up")
	}
	return &User{
		Surface: s.Surface, ID: user.ID, Name: user.Name, Email: user.Email, Role: user.Role,
		OrganisationID: user.OrganisationID, Organisation: user.Organisation,
	}, stale, nil
}

// SignOut ends a session.
func (d *Directory) SignOut(ctx context.Context, s Session) error {
	return db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		if err := writes.SessionUpdateRevoked(ctx, tx, hashID(s.ID)); err != nil {
			return fmt.Errorf("ending a session: %w", err)
		}
		return audit.RecordSoon(ctx, tx, selfEntry(s.Surface, s.UserID, "sign_out"))
	})
}

// newSessionID returns 256 random bits as text.
func newSessionID() string {
	raw := make([]byte, 32)
	rand.Read(raw) //nolint:errcheck // never fails: crypto/rand ends the process instead
	return base64.RawURLEncoding.EncodeToString(raw)
}

func hashID(id string) []byte {
	sum := sha256.Sum256([]byte(id))
	return sum[:]
}

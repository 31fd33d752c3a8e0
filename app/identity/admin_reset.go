package identity

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/audit"
	"heliograph/app/fault"
	"heliograph/app/notification"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// How long links are good for.
const (
	ResetLife      = time.Hour
	InvitationLife = 7 * 24 * time.Hour
)

// LinkPath is where links in letters to administrators lead; the token is in
// the query.
const LinkPath = "/admin/reset-password"

// requestTime is how long asking for a link takes whether or not there is
// somebody to send it to, unless the database takes longer.
const requestTime = 250 * time.Millisecond

// RequestReset sends a link to the active administrator with an address, if
// there is one. What it returns, and after what time, tells nothing about that.
func (a *Administrators) RequestReset(ctx context.Context, address string) error {
	timer := time.NewTimer(requestTime)
	defer timer.Stop()
	email, problem := normaliseEmail(address)
	if problem != "" {
		return fault.InvalidFields(fault.Field{Name: "email", Message: problem})
	}
	err := db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		user, err := queries.AdminUserGetByEmail(ctx, tx, email)
		if db.IsNoRows(err) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("looking an administrator up: %w", err)
		}
		if err := a.sendLink(ctx, tx, user); err != nil {
			return err
		}
		return recordSelf(ctx, tx, Administration, user.ID, "request_reset")
	})
	select {
	case <-timer.C:
	case <-ctx.Done():
		err = errors.Join(err, ctx.Err())
	}
	return err
}

// sendLink makes a link for an administrator and queues the letter with it.
func (a *Administrators) sendLink(ctx context.Context, tx pgx.Tx, user models.AdminUser) error {
	token := newSessionID()
	link := models.AdminLink{Hash: hashID(token), AdminUserID: user.ID, Purpose: "reset", ExpiresAt: time.Now().Add(ResetLife)}
	letter := notification.Email{
		To: user.Email, Purpose: "admin_reset", Topic: "admin_link:" + AdminActor(user.ID), ExpiresAt: link.ExpiresAt,
		Subject: "Set a new password",
		Text: "Hello " + user.Name + ",\n\nsomebody asked for a new password of your administrator account. This link sets it, once and within an hour:\n\n" +
			a.publicURL + LinkPath + "?token=" + token + "\n\nIf it was not you, nothing needs to be done: your password stays as it is.\n",
	}
	if user.Invited {
		link.Purpose, link.ExpiresAt = "invitation", time.Now().Add(InvitationLife)
		letter.Purpose, letter.ExpiresAt, letter.Subject = "admin_invitation", link.ExpiresAt, "You are invited to the administration"
		letter.Text = "Hello " + user.Name + ",\n\nyou are invited to the administration of " + a.publicURL + ". This link sets your password, once and within seven days:\n\n" +
			a.publicURL + LinkPath + "?token=" + token + "\n"
	}
	if err := queries.AdminLinkInsert(ctx, tx, link); err != nil {
		return fmt.Errorf("storing a link: %w", err)
	}
	if err := a.mail.SendEmail(ctx, tx, letter); err != nil {
		return fmt.Errorf("queueing a letter: %w", err)
	}
	return nil
}

var errLink = fault.New(fault.NotFound, "This link was used already or has expired. Ask for another.")

// CheckLink returns whose link a token belongs to. One that cannot be used any
// more, or never could, is NotFound.
func (a *Administrators) CheckLink(ctx context.Context, token string) (models.AdminUser, error) {
	link, err := queries.AdminLinkGet(ctx, a.db, hashID(token))
	if db.IsNoRows(err) {
		return models.AdminUser{}, errLink
	}
	if err != nil {
		return models.AdminUser{}, fmt.Errorf("looking a link up: %w", err)
	}
	return queries.AdminUserGet(ctx, a.db, link.AdminUserID)
}

// Reset sets the password of the administrator whose link the token belongs
// to, ends their sessions and uses up all their links. A password that may not
// be, or that is the old one, is Invalid and leaves the link as it is.
func (a *Administrators) Reset(ctx context.Context, token, password string) error {
	user, err := a.CheckLink(ctx, token)
	if err != nil {
		return err
	}
	hash, err := a.newHash(ctx, user, password)
	if err != nil {
		return err
	}
	return db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		// Whoever comes second with the same link waits here and finds it used.
		used, err := queries.AdminLinkConsume(ctx, tx, hashID(token))
		if err != nil {
			return fmt.Errorf("using a link up: %w", err)
		}
		if !used {
			return errLink
		}
		if _, err := setAdminPassword(ctx, tx, user.ID, hash); err != nil {
			return err
		}
		return recordSelf(ctx, tx, Administration, user.ID, "reset_password")
	})
}

// ChangePassword sets another password for a user of the administration who
// knows the present one, ends every session and begins another in the place of
// this one. Invalid input names its field.
func (a *Administrators) ChangePassword(ctx context.Context, by *User, current, password, userAgent string) (*Session, error) {
	old, err := queries.AdminUserGetPassword(ctx, a.db, by.ID)
	if err != nil {
		return nil, fmt.Errorf("reading a password: %w", err)
	}
	match, err := passwordMatches(ctx, current, old)
	if err != nil {
		return nil, err
	}
	if !match {
		return nil, fault.InvalidFields(fault.Field{Name: "current", Message: "This is not your present password."})
	}
	hash, err := a.newHash(ctx, models.AdminUser{ID: by.ID, Name: by.Name, Email: by.Email}, password)
	if err != nil {
		return nil, err
	}
	var s *Session
	err = db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		version, err := setAdminPassword(ctx, tx, by.ID, hash)
		if err != nil {
			return err
		}
		if s, err = begin(ctx, tx, Administration, models.User{ID: by.ID, SessionVersion: version}, userAgent); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: by.Actor(), Action: "admin.change_password", Target: by.Actor()})
	})
	return s, err
}

// newHash is the hash of a password that a user may take. One that may not be
// taken, or that is the present one, is an Invalid field "password".
func (a *Administrators) newHash(ctx context.Context, user models.AdminUser, password string) (string, error) {
	if problem := passwordProblem(password, user.Email, user.Name); problem != "" {
		return "", fault.InvalidFields(fault.Field{Name: "password", Message: problem})
	}
	old, err := queries.AdminUserGetPassword(ctx, a.db, user.ID)
	if err != nil {
		return "", fmt.Errorf("reading a password: %w", err)
	}
	same, err := passwordMatches(ctx, password, old)
	if err != nil {
		return "", err
	}
	if same {
		return "", fault.InvalidFields(fault.Field{Name: "password", Message: "This is the present password. Choose another."})
	}
	return hashPassword(ctx, password)
}

// setAdminPassword stores a password and ends what the old one opened. It returns
// the session version from now on.
func setAdminPassword(ctx context.Context, tx pgx.Tx, id int64, hash string) (version int, err error) {
	if version, err = queries.AdminUserUpdatePassword(ctx, tx, id, hash); err != nil {
		return 0, fmt.Errorf("storing a password: %w", err)
	}
	if err := queries.AdminLinkUpdateConsumed(ctx, tx, id); err != nil {
		return 0, fmt.Errorf("using links up: %w", err)
	}
	return version, nil
}

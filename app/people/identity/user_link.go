package identity

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
	"heliograph/views/email"
)

// UserLinkPath is the path of links in emails to users of organisations. The token
// is in the query.
const UserLinkPath = "/reset-password"

// userLinkLife is how long a link is valid. The user did not ask for it at this
// moment and may read the email hours later.
const userLinkLife = 24 * time.Hour

// SendLink sends a colleague a link that sets a new password, and invalidates
// earlier ones. It helps users who have no mobile number to receive a code.
func (t *Team) SendLink(ctx context.Context, by *User, userID int64) error {
	return t.change(ctx, by, userID, func(tx pgx.Tx, c models.Colleague) (audit.Entry, error) {
		return audit.Entry{Action: "user.send_link"}, t.notifier.sendUserLink(ctx, tx, c, by.Name+" of "+by.Organisation)
	})
}

// SendUserLink sends a user of an organisation a link that sets a new password, and
// invalidates earlier ones. It helps the only owner of an organisation.
func (a *Administrators) SendUserLink(ctx context.Context, by *User, organisationID, userID int64) error {
	return db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		c, err := queries.ColleagueGet(ctx, tx, organisationID, userID)
		if err != nil {
			return db.Absent(err, fault.New(fault.NotFound, "This user does not exist."), "reading user %d", userID)
		}
		if err := a.notifier.sendUserLink(ctx, tx, c, "An administrator"); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: by.Actor(), Action: "user.send_link", Target: userActor(userID)})
	})
}

// sendUserLink sends a user a link that sets a new password. sender is named in the
// email.
func (l Notifier) sendUserLink(ctx context.Context, tx pgx.Tx, c models.Colleague, sender string) error {
	return l.sendLink(ctx, tx, c, func(url string) email.Message { return email.PasswordLink(url, sender, userLinkLife) })
}

// sendLink creates a link for a user and queues the email that is written with it.
func (l Notifier) sendLink(ctx context.Context, tx pgx.Tx, c models.Colleague, write func(url string) email.Message) error {
	if !c.Active {
		return fault.New(fault.Conflict, "The account is not active. Activate it first.")
	}
	token := newSessionID()
	link := models.UserLink{Hash: hashID(token), UserID: c.ID, ExpiresAt: time.Now().Add(userLinkLife)}
	if err := writes.UserLinkInsert(ctx, tx, link); err != nil {
		return fmt.Errorf("storing a link: %w", err)
	}
	return l.Mail.SendEmail(ctx, tx, notification.Email{
		To: c.Email, Purpose: "user_link", Topic: "user_link:" + userActor(c.ID), ExpiresAt: link.ExpiresAt,
		Message: write(l.PublicURL + UserLinkPath + "?token=" + token),
	})
}

// CheckLink returns the user that the link with the token was sent to. A token that
// is unknown, used or expired is NotFound.
func (t *Team) CheckLink(ctx context.Context, token string) (models.User, error) {
	link, err := queries.UserLinkGet(ctx, t.db, hashID(token))
	if err != nil {
		absent := fault.New(fault.NotFound, "This link has expired or was already used. Ask an owner of your organisation for another one.")
		return models.User{}, db.Absent(err, absent, "looking a link up")
	}
	return queries.UserGet(ctx, t.db, string(Account), link.UserID)
}

// Reset sets the password of the user that the link with the token was sent to, and
// ends all their sessions and links. A password that is not allowed, or that is the
// current one, is Invalid and the link stays valid.
func (t *Team) Reset(ctx context.Context, token, password, confirmation string) error {
	user, err := t.CheckLink(ctx, token)
	if err != nil {
		return err
	}
	return t.notifier.resetByLink(ctx, t.db, linkReset{
		surface: Account, id: user.ID, email: user.Email, name: user.Name, token: token, password: password, confirmation: confirmation, consume: writes.UserLinkConsume,
	})
}

// linkReset is a new password for the user that a link was sent to.
type linkReset struct {
	surface                Surface
	id                     int64
	email, name            string
	token                  string
	password, confirmation string
	// consume uses a link up and reports whether it was open.
	consume func(ctx context.Context, q db.Querier, hash []byte) (bool, error)
}

// resetByLink sets a password, uses the link up and ends all sessions and links of
// the user. If the password is refused the link stays valid.
func (l Notifier) resetByLink(ctx context.Context, b db.Beginner, r linkReset) error {
	if err := newPasswordFaults(r.password, r.confirmation, r.email, r.name).Err(); err != nil {
		return err
	}
	row, hash, err := hashNewPassword(ctx, b, r.surface, r.id, r.password)
	if err != nil {
		return err
	}
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		// A second request with the same link waits here and finds it used.
		open, err := r.consume(ctx, tx, hashID(r.token))
		if err != nil {
			return fmt.Errorf("using a link up: %w", err)
		}
		if !open {
			return errLink
		}
		if _, err := l.setPassword(ctx, tx, r.surface, row, hash); err != nil {
			return err
		}
		return recordSelf(ctx, tx, r.surface, r.id, "reset_password")
	})
}

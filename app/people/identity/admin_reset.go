package identity

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
	"heliograph/views/email"
)

// How long links are valid.
const (
	resetLife           = time.Hour
	adminInvitationLife = 7 * 24 * time.Hour
)

// LinkPath is the path of links in emails to administrators. The token is in the
// query.
const LinkPath = "/admin/reset-password"

// requestTime is how long a request for a link takes, whether or not the address
// has an account, unless the database takes longer.
const requestTime = 250 * time.Millisecond

// RequestReset sends a link to the active administrator with an address, if
// there is one. Neither the result nor the time reveals whether there is.
func (a *Administrators) RequestReset(ctx context.Context, address string) error {
	timer := time.NewTimer(requestTime)
	defer timer.Stop()
	email, problem := normaliseEmail(address)
	if problem != "" {
		return fault.InvalidFields(fault.Field{Name: "email", Message: problem})
	}
	err := db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		user, err := queries.AdminUserGetByEmail(ctx, tx, email)
		if err != nil {
			return db.Absent(err, nil, "looking an administrator up")
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

// sendLink creates a link for an administrator and queues the email with it.
func (a *Administrators) sendLink(ctx context.Context, tx pgx.Tx, user models.AdminUser) error {
	token := newSessionID()
	link := models.AdminLink{Hash: hashID(token), AdminUserID: user.ID, Purpose: "reset", ExpiresAt: time.Now().Add(resetLife)}
	url := a.notifier.PublicURL + LinkPath + "?token=" + token
	m := notification.Email{
		To: user.Email, Message: email.PasswordLink(url, "", resetLife), Purpose: "admin_reset", Topic: adminLinkTopic(user.ID), ExpiresAt: link.ExpiresAt,
	}
	if user.Invited {
		link.Purpose, link.ExpiresAt = "invitation", time.Now().Add(adminInvitationLife)
		m.Message, m.Purpose, m.ExpiresAt = email.AdminInvitation(a.notifier.PublicURL, url, adminInvitationLife), "admin_invitation", link.ExpiresAt
	}
	if err := writes.AdminLinkInsert(ctx, tx, link); err != nil {
		return fmt.Errorf("storing a link: %w", err)
	}
	if err := a.notifier.Mail.SendEmail(ctx, tx, m); err != nil {
		return fmt.Errorf("queueing an email: %w", err)
	}
	return nil
}

// Bounced returns the invited administrators with a last email that was not
// delivered.
func (a *Administrators) Bounced(ctx context.Context, users []models.AdminUser) (map[int64]bool, error) {
	var topics []string
	for _, u := range users {
		if u.Invited && u.Active {
			topics = append(topics, adminLinkTopic(u.ID))
		}
	}
	failed, err := queries.NotificationListFailedTopics(ctx, a.db, topics)
	bounced := map[int64]bool{}
	for _, u := range users {
		bounced[u.ID] = slices.Contains(failed, adminLinkTopic(u.ID))
	}
	return bounced, err
}

// adminLinkTopic identifies the links of an administrator in emails.
func adminLinkTopic(id int64) string { return "admin_link:" + adminActor(id) }

var errLink = fault.New(fault.NotFound, "This link has expired or was already used. Request a new one.")

// CheckLink returns the administrator that the link with the token was sent to. A
// token that is unknown, used or expired is NotFound.
func (a *Administrators) CheckLink(ctx context.Context, token string) (models.AdminUser, error) {
	link, err := queries.AdminLinkGet(ctx, a.db, hashID(token))
	if err != nil {
		return models.AdminUser{}, db.Absent(err, errLink, "looking a link up")
	}
	return queries.AdminUserGet(ctx, a.db, link.AdminUserID)
}

// Reset sets the password of the administrator that the link with the token was
// sent to, and ends all their sessions and links. A password that is not allowed,
// or that is the current one, is Invalid and the link stays valid.
func (a *Administrators) Reset(ctx context.Context, token, password, confirmation string) error {
	user, err := a.CheckLink(ctx, token)
	if err != nil {
		return err
	}
	return a.notifier.resetByLink(ctx, a.db, linkReset{
		surface: Administration, id: user.ID, email: user.Email, name: user.Name, token: token, password: password, confirmation: confirmation, consume: writes.AdminLinkConsume,
	})
}

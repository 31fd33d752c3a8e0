package identity

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/notification"
	"heliograph/db/models"
)

// Mailer queues emails within a transaction and cancels queued ones of a topic.
type Mailer interface {
	SendEmail(ctx context.Context, tx pgx.Tx, m notification.Email) error
	Cancel(ctx context.Context, tx pgx.Tx, topic string) error
}

// Notifier sends users emails about changes to their accounts. The zero Notifier
// can be used where no account is changed.
type Notifier struct {
	Mail Mailer
	// PublicURL is the start of links.
	PublicURL string
}

// notice is an email about a change that matters for the security of an account.
type notice struct {
	surface Surface
	userID  int64
	to      string // an address
	purpose string // one word
	subject string
	text    string
}

// send queues a notice. It replaces a queued notice of the same purpose and
// account.
func (l Notifier) send(ctx context.Context, tx pgx.Tx, n notice) error {
	return l.Mail.SendEmail(ctx, tx, notification.Email{
		To: n.to, Purpose: n.purpose, Topic: n.purpose + ":" + actor(n.surface, n.userID), ExpiresAt: time.Now().Add(emailLife),
		Subject: n.subject, Text: n.text,
	})
}

func (l Notifier) notifyPasswordChanged(ctx context.Context, tx pgx.Tx, surface Surface, user models.User) error {
	forgot, contact := "/forgot-password", "an owner of your organisation"
	if surface == Administration {
		forgot, contact = "/admin/forgot-password", "a Super Admin"
	}
	return l.send(ctx, tx, notice{
		surface: surface, userID: user.ID, to: user.Email, purpose: "password_changed", subject: "Your Heliograph password was changed",
		text: fmt.Sprintf(`The password of your account was changed. All earlier sessions have ended.

If this was not you, reset your password now at
%s%s
and contact %s.
`, l.PublicURL, forgot, contact),
	})
}

func (l Notifier) notifyMobileChanged(ctx context.Context, tx pgx.Tx, user *User, mobile string) error {
	return l.send(ctx, tx, notice{
		surface: Account, userID: user.ID, to: user.Email, purpose: "mobile_changed", subject: "Your Heliograph mobile number was changed",
		text: fmt.Sprintf(`The mobile number of your account was changed to one that ends in %s. Codes to reset your password will be sent to this number. All other sessions have ended.

If this was not you, change your password and your number now at
%s/account/profile
and contact an owner of your organisation.
`, mobile[len(mobile)-3:], l.PublicURL),
	})
}

func (l Notifier) notifyRoleChanged(ctx context.Context, tx pgx.Tx, c models.Colleague, organisation, role string) error {
	return l.send(ctx, tx, notice{
		surface: Account, userID: c.ID, to: c.Email, purpose: "role_changed", subject: "Your role in " + organisation + " was changed",
		text: fmt.Sprintf(`Your role in %s is now %s. It was %s before. Sign in again to use it at
%s/login

If you did not expect this, ask an owner of your organisation.
`, organisation, role, c.Role, l.PublicURL),
	})
}

// emailLife is how long an email is worth sending.
const emailLife = 24 * time.Hour

// notifyAddressOwner tells the owner of an account by email that somebody tried to
// register its address, at most three times a day.
func (e *Enrolment) notifyAddressOwner(ctx context.Context, tx pgx.Tx, a models.Applicant) error {
	if err := e.takeLimits(ctx, a.Email, noticesByAccount); fault.Is(err, fault.Limited) {
		return nil
	} else if err != nil {
		return err
	}
	return e.Notifications.SendEmail(ctx, tx, notification.Email{
		To: a.Email, Purpose: "registration_taken", Topic: fmt.Sprintf("registration_taken:%d", a.UserID), ExpiresAt: time.Now().Add(emailLife),
		Subject: "Your Heliograph account",
		Text: fmt.Sprintf(`Somebody tried to register an organisation with this email address. The address already has an account, so nothing was created or changed.

If this was you, sign in at
%s/login
or reset your password at
%s/forgot-password

If this was not you, ignore this email.
`, e.PublicURL, e.PublicURL),
	})
}

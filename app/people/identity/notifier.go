package identity

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/people/notification"
	"heliograph/db/models"
	"heliograph/views/email"
)

// mailer queues emails within a transaction and cancels queued ones of a topic.
type mailer interface {
	SendEmail(ctx context.Context, tx pgx.Tx, m notification.Email) error
	Cancel(ctx context.Context, tx pgx.Tx, topic string) error
}

// Notifier sends users emails about changes to their accounts. The zero Notifier
// can be used where no account is changed.
type Notifier struct {
	Mail mailer
	// PublicURL is the start of links.
	PublicURL string
}

// notice is an email about a change that matters for the security of an account.
type notice struct {
	surface Surface
	userID  int64
	to      string // an address
	purpose string // one word
}

// send queues a notice. It replaces a queued notice of the same purpose and
// account.
func (l Notifier) send(ctx context.Context, tx pgx.Tx, n notice, m email.Message) error {
	return l.Mail.SendEmail(ctx, tx, notification.Email{
		To: n.to, Message: m, Purpose: n.purpose, Topic: n.purpose + ":" + n.surface.Actor(n.userID), ExpiresAt: time.Now().Add(emailLife),
	})
}

// site returns where users of a surface sign in and who helps them.
func (l Notifier) site(surface Surface) email.Site {
	if surface == Administration {
		return email.Site{PublicURL: l.PublicURL, Forgot: "/admin/forgot-password", Helper: "a Super Admin"}
	}
	return email.Site{PublicURL: l.PublicURL, Forgot: "/forgot-password", Helper: "an owner of your organisation"}
}

func (l Notifier) notifyPasswordChanged(ctx context.Context, tx pgx.Tx, surface Surface, user models.User) error {
	return l.send(ctx, tx, notice{surface, user.ID, user.Email, "password_changed"}, email.PasswordChanged(l.site(surface)))
}

func (l Notifier) notifyMobileChanged(ctx context.Context, tx pgx.Tx, user *User, mobile string) error {
	return l.send(ctx, tx, notice{Account, user.ID, user.Email, "mobile_changed"}, email.MobileChanged(l.site(Account), mobile[len(mobile)-3:]))
}

func (l Notifier) notifyRoleChanged(ctx context.Context, tx pgx.Tx, c models.Colleague, organisation, role string) error {
	change := email.RoleChange{Organisation: organisation, Before: c.Role, After: role}
	return l.send(ctx, tx, notice{Account, c.ID, c.Email, "role_changed"}, email.RoleChanged(l.site(Account), change))
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
		Message: email.AddressTaken(Notifier{PublicURL: e.PublicURL}.site(Account)),
	})
}

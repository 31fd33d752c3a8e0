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

// Mailer queues letters in the transaction of what they are about, and takes
// back those of a topic that still wait.
type Mailer interface {
	SendEmail(ctx context.Context, tx pgx.Tx, m notification.Email) error
	Cancel(ctx context.Context, tx pgx.Tx, topic string) error
}

// Letters are how users hear what happens to their accounts. The zero Letters
// serve whoever changes nobody's.
type Letters struct {
	Mail Mailer
	// PublicURL begins the links.
	PublicURL string
}

// notice tells a user that something which guards the account is another now.
type notice struct {
	surface Surface
	userID  int64
	to      string // an address
	purpose string // one word
	subject string
	text    string
}

// tell queues a notice. A newer one of the same purpose and account takes the
// place of one that still waits.
func (l Letters) tell(ctx context.Context, tx pgx.Tx, n notice) error {
	return l.Mail.SendEmail(ctx, tx, notification.Email{
		To: n.to, Purpose: n.purpose, Topic: n.purpose + ":" + actor(n.surface, n.userID), ExpiresAt: time.Now().Add(letterLife),
		Subject: n.subject, Text: n.text,
	})
}

func (l Letters) tellPassword(ctx context.Context, tx pgx.Tx, surface Surface, user models.User) error {
	forgot, whom := "/forgot-password", "an owner of your organisation"
	if surface == Administration {
		forgot, whom = "/admin/forgot-password", "a Super Admin"
	}
	return l.tell(ctx, tx, notice{
		surface: surface, userID: user.ID, to: user.Email, purpose: "password_changed", subject: "Your Heliograph password was changed",
		text: fmt.Sprintf(`The password of your account was changed. Every earlier session has ended.

If this was not you, choose another password now at
%s%s
and tell %s.
`, l.PublicURL, forgot, whom),
	})
}

func (l Letters) tellMobile(ctx context.Context, tx pgx.Tx, user *User, mobile string) error {
	return l.tell(ctx, tx, notice{
		surface: Account, userID: user.ID, to: user.Email, purpose: "mobile_changed", subject: "Your Heliograph mobile number was changed",
		text: fmt.Sprintf(`The mobile number of your account was changed to one that ends in %s. Codes for a forgotten password go there from now on. Every other session has ended.

If this was not you, choose another password and set the number back now at
%s/account/profile
and tell an owner of your organisation.
`, mobile[len(mobile)-3:], l.PublicURL),
	})
}

func (l Letters) tellRole(ctx context.Context, tx pgx.Tx, c models.Colleague, organisation, role string) error {
	return l.tell(ctx, tx, notice{
		surface: Account, userID: c.ID, to: c.Email, purpose: "role_changed", subject: "Your role in " + organisation + " was changed",
		text: fmt.Sprintf(`Your role in %s is %s now; it was %s. Sign in again to use it at
%s/login

If you did not expect this, ask an owner of your organisation.
`, organisation, role, c.Role, l.PublicURL),
	})
}

// letterLife is how long it makes sense to send a letter.
const letterLife = 24 * time.Hour

// tellOwner writes to the owner of an address that somebody registers with,
// at most three times a day.
func (e *Enrolment) tellOwner(ctx context.Context, tx pgx.Tx, a models.Applicant) error {
	if err := e.take(ctx, a.Email, noticesByAccount); fault.Is(err, fault.Limited) {
		return nil
	} else if err != nil {
		return err
	}
	return e.Notifications.SendEmail(ctx, tx, notification.Email{
		To: a.Email, Purpose: "registration_taken", Topic: fmt.Sprintf("registration_taken:%d", a.UserID), ExpiresAt: time.Now().Add(letterLife),
		Subject: "Your Heliograph account",
		Text: fmt.Sprintf(`Somebody tried to register an organisation with this address. It has an account already, so nothing was created and nothing changed.

If it was you, sign in at
%s/login
or choose another password at
%s/forgot-password

If it was not you, there is nothing to do.
`, e.PublicURL, e.PublicURL),
	})
}

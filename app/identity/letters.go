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

// tellReset writes to a user whose password was changed by a code.
func (e *Enrolment) tellReset(ctx context.Context, tx pgx.Tx, user models.User) error {
	return e.Notifications.SendEmail(ctx, tx, notification.Email{
		To: user.Email, Purpose: "password_reset", Topic: fmt.Sprintf("password_reset:%d", user.ID), ExpiresAt: time.Now().Add(letterLife),
		Subject: "Your Heliograph password was changed",
		Text: fmt.Sprintf(`The password of your account was changed with a code that was sent to your mobile number. All other sessions have ended.

If it was not you, choose another password now at
%s/forgot-password
and tell the owner of your organisation.
`, e.PublicURL),
	})
}

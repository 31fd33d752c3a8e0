package identity

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/metric"
	"heliograph/app/people/notification"
	"heliograph/app/people/otp"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/people/writes"
	"heliograph/jobs/args"
)

// codeDigits is the length of the portal's own codes.
const codeDigits = 6

// errCode is the same error for every code that is not accepted.
var errCode = fault.InvalidFields(fault.Field{Name: "code", Message: "This code is wrong or no longer valid. Check the digits or request a new code."})

// The errors of a code after its challenge ended. They depend only on what this browser
// did, and on the time, so that they reveal nothing about the account.
var (
	errCodeExpired = fault.InvalidFields(fault.Field{Name: "code", Message: "This code has expired. Request a new code."})
	errCodeUsed    = fault.InvalidFields(fault.Field{Name: "code", Message: "This code was already used. Request a new code."})
	errCodeGuessed = fault.InvalidFields(fault.Field{Name: "code", Message: "Too many wrong codes were entered, so this code no longer works. Request a new code."})
)

// codeEnds holds the errors of challenges that ended. A challenge that was replaced
// by a newer one is not listed: its code is simply wrong.
var codeEnds = map[string]error{"expired": errCodeExpired, "used": errCodeUsed, "guessed": errCodeGuessed}

// codeMAC returns the MAC of a code that is stored. It is valid only for this
// challenge, purpose and number.
func codeMAC(k *keyring.Keyring, c models.OTPChallenge, code string) []byte {
	return keyring.MAC(k.Subkey("otp"), c.ID.String(), c.Purpose, c.Phone, code)
}

// issueChallenge stores a challenge and the job that sends its code. It replaces
// the earlier challenges of the user and of this browser.
func (e *Enrolment) issueChallenge(ctx context.Context, tx pgx.Tx, c models.OTPChallenge, previous uuid.UUID) error {
	if err := writes.OTPChallengeUpdateReplaced(ctx, tx, c.Purpose, c.UserID, previous); err != nil {
		return fmt.Errorf("replacing a challenge: %w", err)
	}
	if err := writes.OTPChallengeInsert(ctx, tx, c, codeLife); err != nil {
		return fmt.Errorf("storing a challenge: %w", err)
	}
	if _, err := e.Notifications.Jobs.InsertTx(ctx, tx, args.SendCode{ChallengeID: c.ID}, nil); err != nil {
		return fmt.Errorf("queueing a code: %w", err)
	}
	return nil
}

// SendCode generates the code of a challenge and queues its SMS. It does nothing
// if the challenge belongs to no user, already has a code or has ended, or if too
// many codes were sent to the number.
func (e *Enrolment) SendCode(ctx context.Context, challenge uuid.UUID) error {
	c, err := writes.OTPChallengeGetWaiting(ctx, e.DB, challenge)
	if err != nil {
		return db.Absent(err, nil, "reading a challenge")
	}
	if c.Purpose == ForRecovery {
		// A registration checks this limit in the request. A recovery checks it
		// here, because the response must not depend on it.
		if err := e.takeNumberLimits(ctx, c.Phone); err != nil {
			return logRefusal(ctx, challenge, err)
		}
	}
	err = db.InTx(ctx, e.DB, func(tx pgx.Tx) error { return e.sendCode(ctx, tx, challenge) })
	if err == nil {
		metric.Code(phone.Region(c.Phone), "sent")
	}
	return logRefusal(ctx, challenge, err)
}

func (e *Enrolment) sendCode(ctx context.Context, tx pgx.Tx, challenge uuid.UUID) error {
	c, err := writes.OTPChallengeGetWaiting(ctx, tx, challenge)
	if err != nil {
		return db.Absent(err, nil, "reading a challenge")
	}
	code, err := otp.New(codeDigits)
	if err != nil {
		return err
	}
	err = e.Notifications.SendSMS(ctx, tx, notification.SMS{
		To: c.Phone, Code: code, Purpose: c.Purpose, Topic: codeTopic(c.UserID), ExpiresAt: c.ExpiresAt,
	})
	if err != nil {
		return err
	}
	if err := writes.OTPChallengeUpdateSent(ctx, tx, c.ID, codeMAC(e.Keyring, c, code)); err != nil {
		return fmt.Errorf("storing a code: %w", err)
	}
	return nil
}

// checkCode counts an attempt and then compares the code, so that no more than
// five codes are ever compared. It returns the challenge, which is still open.
func (e *Enrolment) checkCode(ctx context.Context, c Challenge, text string, v Visitor) (models.OTPChallenge, error) {
	var none models.OTPChallenge
	code, ok := otp.Parse(text, codeDigits)
	if !ok {
		return none, fault.InvalidFields(fault.Field{Name: "code", Message: "Enter the six digits of the code."})
	}
	if err := e.takeLimits(ctx, v.Client, guessesByClient); err != nil {
		return none, err
	}
	stored, err := writes.OTPChallengeUpdateCharged(ctx, e.DB, c.ID, c.Purpose)
	if err != nil {
		return none, db.Absent(err, errCode, "counting an attempt at a code")
	}
	if err := codeEnds[stored.Ended]; err != nil {
		return none, err
	}
	if stored.Ended == "" && e.equal(stored.Hash, codeMAC(e.Keyring, stored, code)) && stored.UserID != 0 {
		metric.Code(phone.Region(stored.Phone), "verified")
		return stored, nil
	}
	metric.Code(phone.Region(stored.Phone), "wrong")
	if stored.Attempts == otp.Guesses {
		if err := writes.OTPChallengeUpdateConsumed(ctx, e.DB, c.ID); err != nil {
			return none, fmt.Errorf("ending a challenge: %w", err)
		}
		return none, errCodeGuessed
	}
	return none, errCode
}

// consumeChallenge consumes a challenge once its code was entered. It returns errCode
// if another request or a newer challenge came first. Like everything that
// issues codes it locks the user first, which prevents deadlocks.
func consumeChallenge(ctx context.Context, tx pgx.Tx, c models.OTPChallenge) error {
	_, err := writes.ApplicantGetByID(ctx, tx, c.UserID)
	if err != nil {
		return db.Absent(err, errCode, "locking a user") // the registration was deleted in the meantime
	}
	open, err := writes.OTPChallengeUpdateVerified(ctx, tx, c.ID)
	if err != nil {
		return fmt.Errorf("consuming a challenge: %w", err)
	}
	if !open {
		return errCode
	}
	return nil
}

// CancelCode ends a challenge, so that its code is not sent any more.
func CancelCode(ctx context.Context, tx pgx.Tx, challenge uuid.UUID) error {
	return writes.OTPChallengeUpdateConsumed(ctx, tx, challenge)
}

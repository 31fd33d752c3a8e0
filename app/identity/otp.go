package identity

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"strings"
	"unicode"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/metric"
	"heliograph/app/notification"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

const (
	codeDigits  = 6
	codeGuesses = 5
)

// errCode is the one answer to every code that does not open anything.
var errCode = fault.InvalidFields(fault.Field{Name: "code", Message: "This code is wrong or no longer valid. Check the digits, or send another code."})

// newCode is six random digits.
func newCode() (string, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		return "", fmt.Errorf("making a code: %w", err)
	}
	return fmt.Sprintf("%0*d", codeDigits, n), nil
}

// ParseCode reads a code as people type and paste it, with spaces and dashes
// between the digits of any script. It reports false for anything else.
func ParseCode(text string) (string, bool) {
	var code strings.Builder
	for _, r := range text {
		switch digit, ok := decimal(r); {
		case ok && code.Len() < codeDigits:
			code.WriteByte(digit)
		case !unicode.IsSpace(r) && !unicode.Is(unicode.Dash, r) && !unicode.Is(unicode.Cf, r):
			return "", false
		}
	}
	return code.String(), code.Len() == codeDigits
}

// decimal gives the ASCII digit of a decimal digit. The digits of a script are
// ten in a row from a multiple of ten within their range of the table.
func decimal(r rune) (byte, bool) {
	for _, table := range unicode.Nd.R16 {
		if lo, hi := rune(table.Lo), rune(table.Hi); lo <= r && r <= hi {
			return '0' + byte((r-lo)%10), true
		}
	}
	for _, table := range unicode.Nd.R32 {
		if lo, hi := rune(table.Lo), rune(table.Hi); lo <= r && r <= hi {
			return '0' + byte((r-lo)%10), true
		}
	}
	return 0, false
}

// mac is what is stored of a code: it fits its challenge, purpose and number
// alone.
func (e *Enrolment) mac(c models.OTPChallenge, code string) []byte {
	return keyring.MAC(e.Keyring.Subkey("otp"), c.ID.String(), c.Purpose, c.Phone, code)
}

// ask stores a challenge in place of those that its user, or this browser, had
// before, and the job that makes and sends the code.
func (e *Enrolment) ask(ctx context.Context, tx pgx.Tx, c models.OTPChallenge, previous uuid.UUID) error {
	if err := queries.OTPChallengeUpdateReplaced(ctx, tx, c.Purpose, c.UserID, previous); err != nil {
		return fmt.Errorf("replacing a challenge: %w", err)
	}
	if err := queries.OTPChallengeInsert(ctx, tx, c, CodeLife); err != nil {
		return fmt.Errorf("storing a challenge: %w", err)
	}
	if _, err := e.Notifications.Jobs.InsertTx(ctx, tx, args.SendCode{ChallengeID: c.ID}, nil); err != nil {
		return fmt.Errorf("queueing a code: %w", err)
	}
	return nil
}

// SendCode makes the code of a challenge and queues the SMS that carries it.
// It does nothing for a challenge that is for nobody, has its code already or
// has ended, nor where the number had too many codes.
func (e *Enrolment) SendCode(ctx context.Context, challenge uuid.UUID) error {
	c, err := queries.OTPChallengeGetWaiting(ctx, e.DB, challenge)
	if db.IsNoRows(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading a challenge: %w", err)
	}
	if c.Purpose == ForRecovery {
		// Who registers was told at once; here nobody may hear of it.
		if err := e.takeNumber(ctx, c.Phone); err != nil {
			return quiet(ctx, challenge, err)
		}
	}
	err = db.InTx(ctx, e.DB, func(tx pgx.Tx) error { return e.sendCode(ctx, tx, challenge) })
	if err == nil {
		metric.Code(phone.Region(c.Phone), "sent")
	}
	return quiet(ctx, challenge, err)
}

func (e *Enrolment) sendCode(ctx context.Context, tx pgx.Tx, challenge uuid.UUID) error {
	c, err := queries.OTPChallengeGetWaiting(ctx, tx, challenge)
	if db.IsNoRows(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading a challenge: %w", err)
	}
	code, err := newCode()
	if err != nil {
		return err
	}
	err = e.Notifications.SendSMS(ctx, tx, notification.SMS{
		To: c.Phone, Code: code, Purpose: c.Purpose, Topic: topic(c.UserID), ExpiresAt: c.ExpiresAt,
	})
	if err != nil {
		return err
	}
	if err := queries.OTPChallengeUpdateSent(ctx, tx, c.ID, e.mac(c, code)); err != nil {
		return fmt.Errorf("storing a code: %w", err)
	}
	return nil
}

// guess charges a guess and then compares it; only the five that were charged
// are ever compared. It returns the challenge that was met, still open.
func (e *Enrolment) guess(ctx context.Context, c Challenge, text string, v Visitor) (models.OTPChallenge, error) {
	var none models.OTPChallenge
	code, ok := ParseCode(text)
	if !ok {
		return none, fault.InvalidFields(fault.Field{Name: "code", Message: "Enter the six digits of the code."})
	}
	if err := e.take(ctx, v.Client, guessesByClient); err != nil {
		return none, err
	}
	stored, err := queries.OTPChallengeUpdateCharged(ctx, e.DB, c.ID, c.Purpose)
	if db.IsNoRows(err) {
		return none, errCode
	}
	if err != nil {
		return none, fmt.Errorf("charging a guess: %w", err)
	}
	if e.equal(stored.Hash, e.mac(stored, code)) && stored.UserID != 0 {
		metric.Code(phone.Region(stored.Phone), "verified")
		return stored, nil
	}
	metric.Code(phone.Region(stored.Phone), "wrong")
	if stored.Attempts == codeGuesses {
		if err := queries.OTPChallengeUpdateConsumed(ctx, e.DB, c.ID); err != nil {
			return none, fmt.Errorf("ending a challenge: %w", err)
		}
	}
	return none, errCode
}

// meet consumes a challenge that was guessed, unless another request or a
// newer challenge was faster. It locks the user first, as everything does that
// asks for a code, so that no two wait for each other.
func meet(ctx context.Context, tx pgx.Tx, c models.OTPChallenge) error {
	_, err := queries.ApplicantGetByID(ctx, tx, c.UserID)
	if db.IsNoRows(err) {
		return errCode // the registration was forgotten at this moment
	}
	if err != nil {
		return fmt.Errorf("locking a user: %w", err)
	}
	open, err := queries.OTPChallengeUpdateVerified(ctx, tx, c.ID)
	if err != nil {
		return fmt.Errorf("consuming a challenge: %w", err)
	}
	if !open {
		return errCode
	}
	return nil
}

package identity

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/audit"
	"heliograph/app/fault"
	"heliograph/app/limit"
	"heliograph/app/notification"
	"heliograph/db"
	"heliograph/db/queries"
)

// How often codes are asked for, sent and guessed at. All are closed while the
// count cannot be kept: codes cost money and guard accounts.
var (
	registrationsByClient = limit.Limit{Name: "registration_client", Burst: 5, Period: time.Hour}
	resetsByClient        = limit.Limit{Name: "reset_client", Burst: 10, Period: time.Hour}
	resetsByAccount       = []limit.Limit{
		{Name: "reset_pause", Burst: 1, Period: CodePause},
		{Name: "reset_account", Burst: 3, Period: time.Hour},
	}
	guessesByClient = limit.Limit{Name: "otp_check_client", Burst: 20, Period: time.Hour}

	codesByClient = limit.Limit{Name: "otp_client", Burst: 20, Period: time.Hour}
	codesByNumber = []limit.Limit{
		{Name: "otp_pause", Burst: 1, Period: CodePause},
		{Name: "otp_number", Burst: 5, Period: 10 * time.Minute},
		{Name: "otp_number_day", Burst: 10, Period: 24 * time.Hour},
	}
	codesByPrefix = limit.Limit{Name: "otp_prefix", Burst: 50, Period: time.Hour}

	// Codes to numbers that somebody who is signed in wants to have.
	numbersByUser = limit.Limit{Name: "mobile_user", Burst: 5, Period: time.Hour}

	// Letters to the owner of an address that somebody else registers with.
	noticesByAccount = limit.Limit{Name: "registration_notice", Burst: 3, Period: 24 * time.Hour}
)

// A block of numbers is refused while, of at least conversionSample codes sent
// to it within an hour, less than conversionFloor percent were entered: then
// they are asked for by programs, to earn by receiving them. Codes count once
// there was time to enter them. It is refused for conversionBlock, and
// administrators are told once.
const (
	conversionSample = 50
	conversionFloor  = 30
	conversionDelay  = 2 * time.Minute
	conversionBlock  = time.Hour
)

// prefix is the block that a number in E.164 belongs to: + and six digits.
func prefix(phone string) string { return phone[:min(len(phone), 7)] }

// takeNumber counts a code to a number in E.164.
func (e *Enrolment) takeNumber(ctx context.Context, phone string) error {
	if err := e.take(ctx, phone, codesByNumber...); err != nil {
		return err
	}
	if err := e.take(ctx, prefix(phone), codesByPrefix); err != nil {
		return err
	}
	left, err := queries.OTPBlockGet(ctx, e.DB, prefix(phone))
	if err == nil {
		return heldBack(left)
	}
	if !db.IsNoRows(err) {
		return fmt.Errorf("looking a block of numbers up: %w", err)
	}
	sent, verified, err := queries.OTPChallengeCount(ctx, e.DB, phone, conversionDelay)
	if err != nil {
		return fmt.Errorf("counting the codes of a prefix: %w", err)
	}
	if sent < conversionSample || verified*100 >= sent*conversionFloor {
		return nil
	}
	if err := e.holdBack(ctx, prefix(phone), sent, verified); err != nil {
		return err
	}
	return heldBack(conversionBlock)
}

// heldBack answers for numbers of a block that is refused.
func heldBack(left time.Duration) error {
	return &fault.Error{
		Kind: fault.Limited, Code: "otp_conversion", RetryAfter: left,
		Message: "Codes to numbers like this one are held back for an hour, because few of them are entered. Use another number, or try again later.",
	}
}

// holdBack refuses a block of numbers; the first of those that find it out at
// the same moment tells the administrators.
func (e *Enrolment) holdBack(ctx context.Context, prefix string, sent, verified int) error {
	return db.InTx(ctx, e.DB, func(tx pgx.Tx) error {
		first, err := queries.OTPBlockInsert(ctx, tx, prefix, sent, verified, conversionBlock)
		if err != nil {
			return fmt.Errorf("refusing a block of numbers: %w", err)
		}
		if !first {
			return nil
		}
		settings, err := e.Notifications.Settings.Within(tx).SMS(ctx)
		if err != nil {
			return err
		}
		err = e.Notifications.Alert(ctx, tx, settings, notification.Email{
			Purpose: "conversion", ExpiresAt: time.Now().Add(conversionBlock),
			Subject: "Codes to " + prefix + " are held back for an hour",
			Text: fmt.Sprintf(`Of %d codes that were sent to numbers beginning with %s within an hour, %d were
entered. That few are when programs ask for codes to earn by receiving them, so
numbers of this block get none for an hour.

If it goes on, narrow the countries that codes may go to under SMS settings:
%s/admin/sms-settings
`, sent, prefix, verified, e.PublicURL),
		})
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: "system", Action: "otp.hold_back", Target: "phone_prefix:" + prefix, Details: map[string]any{"sent": sent, "verified": verified},
		})
	})
}

// take counts one use of each limit for a key, in this order, until one is
// used up.
func (e *Enrolment) take(ctx context.Context, key string, limits ...limit.Limit) error {
	for _, n := range limits {
		if err := e.Limiter.Take(ctx, n, key); err != nil {
			return err
		}
	}
	return nil
}

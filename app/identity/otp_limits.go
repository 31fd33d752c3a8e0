package identity

import (
	"context"
	"fmt"
	"time"

	"heliograph/app/fault"
	"heliograph/app/limit"
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

	// Letters to the owner of an address that somebody else registers with.
	noticesByAccount = limit.Limit{Name: "registration_notice", Burst: 3, Period: 24 * time.Hour}
)

// A block of numbers is refused while, of at least conversionSample codes sent
// to it within an hour, less than conversionFloor percent were entered: then
// they are asked for by programs, to earn by receiving them. Codes count once
// there was time to enter them.
const (
	conversionSample = 50
	conversionFloor  = 30
	conversionDelay  = 2 * time.Minute
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
	sent, verified, err := queries.OTPChallengeCount(ctx, e.DB, phone, conversionDelay)
	if err != nil {
		return fmt.Errorf("counting the codes of a prefix: %w", err)
	}
	if sent >= conversionSample && verified*100 < sent*conversionFloor {
		return &fault.Error{
			Kind: fault.Limited, Code: "otp_conversion", RetryAfter: time.Hour,
			Message: "Codes to numbers like this one are held back for an hour, because few of them are entered. Use another number, or try again later.",
		}
	}
	return nil
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

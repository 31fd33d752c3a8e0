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

// Limits on requests for codes, codes sent and attempts to enter them. All refuse
// while the count cannot be stored, because codes cost money and protect
// accounts.
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

	// Codes to new numbers of signed-in users.
	numbersByUser = limit.Limit{Name: "mobile_user", Burst: 5, Period: time.Hour}

	// Emails to the owner of an account whose address is registered again.
	noticesByAccount = limit.Limit{Name: "registration_notice", Burst: 3, Period: 24 * time.Hour}
)

// A prefix is blocked for conversionBlock if at least conversionSample codes were
// sent to it within an hour and less than conversionFloor percent of them were
// entered. Such codes are requested by programs that earn money from received
// SMS. A code counts after conversionDelay, when there was time to enter it.
// Administrators are notified once.
const (
	conversionSample = 50
	conversionFloor  = 30
	conversionDelay  = 2 * time.Minute
	conversionBlock  = time.Hour
)

// prefix returns the prefix of a number in E.164: + and six digits.
func prefix(phone string) string { return phone[:min(len(phone), 7)] }

// takeNumberLimits counts a code to a number in E.164 against all limits.
func (e *Enrolment) takeNumberLimits(ctx context.Context, phone string) error {
	if err := e.takeLimits(ctx, phone, codesByNumber...); err != nil {
		return err
	}
	if err := e.takeLimits(ctx, prefix(phone), codesByPrefix); err != nil {
		return err
	}
	left, err := queries.OTPBlockGet(ctx, e.DB, prefix(phone))
	if err == nil {
		return errPrefixBlocked(left)
	}
	if !db.IsNoRows(err) {
		return fmt.Errorf("looking up a blocked prefix: %w", err)
	}
	sent, verified, err := queries.OTPChallengeCount(ctx, e.DB, phone, conversionDelay)
	if err != nil {
		return fmt.Errorf("counting the codes of a prefix: %w", err)
	}
	if sent < conversionSample || verified*100 >= sent*conversionFloor {
		return nil
	}
	if err := e.blockPrefix(ctx, prefix(phone), sent, verified); err != nil {
		return err
	}
	return errPrefixBlocked(conversionBlock)
}

// errPrefixBlocked returns the error for numbers of a blocked prefix.
func errPrefixBlocked(left time.Duration) error {
	return &fault.Error{
		Kind: fault.Limited, Code: "otp_conversion", RetryAfter: left,
		Message: "Codes to numbers with this prefix are paused for an hour, because few of them were entered. Use a different number or try again later.",
	}
}

// blockPrefix blocks a prefix. The first of several concurrent calls notifies the
// administrators.
func (e *Enrolment) blockPrefix(ctx context.Context, prefix string, sent, verified int) error {
	return db.InTx(ctx, e.DB, func(tx pgx.Tx) error {
		first, err := queries.OTPBlockInsert(ctx, tx, prefix, sent, verified, conversionBlock)
		if err != nil {
			return fmt.Errorf("blocking a prefix: %w", err)
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
			Subject: "Codes to " + prefix + " are paused for an hour",
			Text: fmt.Sprintf(`Of %d codes sent to numbers that start with %s within an hour, only %d were
entered. This is typical of programs that request codes to earn money from
received SMS. No codes are sent to these numbers for an hour.

If this continues, restrict the allowed countries in the SMS settings:
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

// takeLimits counts one use of each limit for a key, in order, until one is
// exceeded.
func (e *Enrolment) takeLimits(ctx context.Context, key string, limits ...limit.Limit) error {
	for _, n := range limits {
		if err := e.Limiter.Take(ctx, n, key); err != nil {
			return err
		}
	}
	return nil
}

package identity

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/operation/audit"
	"heliograph/app/operation/limit"
	"heliograph/app/people/notification"
	"heliograph/app/people/otp"
	"heliograph/db"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
	"heliograph/views/email"
)

// Limits on requests for codes, codes sent and attempts to enter them. All refuse
// while the count cannot be stored, because codes cost money and protect
// accounts.
var (
	registrationsByClient = limit.Limit{Name: "registration_client", Burst: 5, Period: time.Hour}
	resetsByClient        = limit.Limit{Name: "reset_client", Burst: 10, Period: time.Hour}
	resetsByAccount       = []limit.Limit{
		{Name: "reset_pause", Burst: 1, Period: codePause},
		{Name: "reset_account", Burst: 3, Period: time.Hour},
	}
	guessesByClient = limit.Limit{Name: "otp_check_client", Burst: 20, Period: time.Hour}

	codesByClient = limit.Limit{Name: "otp_client", Burst: 20, Period: time.Hour}
	codesByNumber = []limit.Limit{
		{Name: "otp_pause", Burst: 1, Period: codePause},
		{Name: "otp_number", Burst: 5, Period: 10 * time.Minute},
		{Name: "otp_number_day", Burst: 10, Period: 24 * time.Hour},
	}
	codesByPrefix = limit.Limit{Name: "otp_prefix", Burst: 50, Period: time.Hour}

	// Codes to new numbers of signed-in users.
	numbersByUser = limit.Limit{Name: "mobile_user", Burst: 5, Period: time.Hour}

	// Emails to the owner of an account when its address is registered again.
	noticesByAccount = limit.Limit{Name: "registration_notice", Burst: 3, Period: 24 * time.Hour}
)

// takeNumberLimits counts a code to a number in E.164 against all limits.
func (e *Enrolment) takeNumberLimits(ctx context.Context, phone string) error {
	return otp.Guard{Limiter: e.Limiter, Number: codesByNumber, Prefix: codesByPrefix, Blocks: prefixBlocks{e}}.Take(ctx, "", phone)
}

// prefixBlocks stores the blocks of the portal's own codes.
type prefixBlocks struct{ *Enrolment }

// Left returns how long a prefix is blocked.
func (b prefixBlocks) Left(ctx context.Context, prefix string) (time.Duration, error) {
	left, err := queries.OTPBlockGet(ctx, b.DB, prefix)
	if db.IsNoRows(err) {
		return 0, nil
	}
	return left, err
}

// Count counts the codes to the prefix of a number.
func (b prefixBlocks) Count(ctx context.Context, phone string, delay time.Duration) (sent, verified int, err error) {
	return queries.OTPChallengeCount(ctx, b.DB, phone, delay)
}

// Block blocks a prefix. The first of several concurrent calls notifies the
// administrators.
func (b prefixBlocks) Block(ctx context.Context, c otp.Conversion) error {
	return db.InTx(ctx, b.DB, func(tx pgx.Tx) error {
		first, err := writes.OTPBlockInsert(ctx, tx, c.Prefix, c.Sent, c.Verified, otp.BlockLife)
		if err != nil || !first {
			return err
		}
		settings, err := b.Notifications.Settings.Within(tx).SMS(ctx)
		if err != nil {
			return err
		}
		err = b.Notifications.Alert(ctx, tx, settings, notification.Email{
			Purpose: "conversion", ExpiresAt: time.Now().Add(otp.BlockLife),
			Message: email.CodesPaused(email.PausedPrefix{Prefix: c.Prefix, Sent: c.Sent, Verified: c.Verified}, b.PublicURL),
		})
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: "system", Action: "otp.hold_back", Target: "phone_prefix:" + c.Prefix, Details: map[string]any{"sent": c.Sent, "verified": c.Verified},
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

package sms

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/app/operation/limit"
	"heliograph/app/people/otp"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// Limits of one organisation: codes to a number, codes at all, and guesses at the
// codes of a number. An organisation may send many codes to one prefix as long as
// enough of them are entered, but not many at once: how many were entered is known
// after two minutes.
var (
	otpsByNumber = []limit.Limit{
		{Name: "sms_otp_pause", Burst: 1, Period: otpPause},
		{Name: "sms_otp_number", Burst: 5, Period: 10 * time.Minute},
		{Name: "sms_otp_number_day", Burst: 10, Period: 24 * time.Hour},
	}
	otpsByPrefix       = limit.Limit{Name: "sms_otp_prefix", Burst: otp.Sample, Period: 2 * time.Minute}
	otpsByOrganisation = limit.Limit{Name: "sms_otp_organisation", Burst: 20_000, Period: time.Hour}
	otpGuesses         = limit.Limit{Name: "sms_otp_check", Burst: 20, Period: time.Hour}
)

// OTPVerified is a code that was entered.
type OTPVerified struct {
	Mobile string `json:"mobile"` // digits with the country code
	ID     string `json:"uniqueid"`
}

// Verify checks the code that a person entered. The challenge is named by its id,
// or by its number and perhaps its sender. A correct code is accepted once.
func (s *OTPs) Verify(ctx context.Context, organisationID int64, g OTPGuess) (OTPVerified, error) {
	switch {
	case g.ID == "" && g.Numbers == "":
		return OTPVerified{}, fault.New(fault.Invalid, "uniqueid is required, or numbers")
	case g.Code == "":
		return OTPVerified{}, fault.New(fault.Invalid, "otp is required")
	}
	o, err := s.find(ctx, organisationID, g.ID, g.Sender, g.Numbers)
	if err != nil {
		return OTPVerified{}, err
	}
	code, ok := otp.Parse(g.Code, o.Digits)
	if !ok {
		return OTPVerified{}, fault.New(fault.Invalid, "otp must be the %d digits of the code", o.Digits)
	}
	if err := s.Limiter.Take(ctx, otpGuesses, otpScope(organisationID)+o.Phone); err != nil {
		return OTPVerified{}, err
	}
	// Count the attempt before the code is compared, so that no more than five
	// codes are ever compared.
	o, err = writes.SMSOTPUpdateCharged(ctx, s.DB, organisationID, o.ID)
	if err != nil {
		return OTPVerified{}, db.Absent(err, errNoChallenge, "counting an attempt at a code")
	}
	if !s.equal(o.Hash, s.codeMAC(o, code)) {
		return OTPVerified{}, s.rejectGuess(ctx, o)
	}
	open, err := writes.SMSOTPUpdateVerified(ctx, s.DB, o)
	if err != nil {
		return OTPVerified{}, fmt.Errorf("ending a challenge: %w", err)
	}
	if !open {
		return OTPVerified{}, errNoChallenge
	}
	return OTPVerified{Mobile: strings.TrimPrefix(o.Phone, "+"), ID: o.ID}, nil
}

// OTPGuess is a code that a person entered. Values are as the client sent them.
type OTPGuess struct {
	ID, Sender, Numbers string
	Code                string
}

// rejectGuess says how many guesses are left, and ends the challenge after the
// last one.
func (s *OTPs) rejectGuess(ctx context.Context, o models.SMSOTP) error {
	if left := otp.Guesses - o.Attempts; left > 0 {
		return fault.New(fault.Invalid, "The code is wrong. Guesses left: %d.", left)
	}
	if err := writes.SMSOTPUpdateConsumed(ctx, s.DB, o.ID); err != nil {
		return fmt.Errorf("ending a challenge: %w", err)
	}
	return fault.New(fault.Invalid, "The code is wrong, and this was the last guess. Generate a new code.")
}

// takeLimits counts a code to a number against the limits of the organisation.
func (s *OTPs) takeLimits(ctx context.Context, o models.SMSOTP) error {
	if err := s.Limiter.Take(ctx, otpsByOrganisation, otpScope(o.OrganisationID)); err != nil {
		return err
	}
	guard := otp.Guard{Limiter: s.Limiter, Number: otpsByNumber, Prefix: otpsByPrefix, Blocks: otpBlocks{s.DB, o.OrganisationID}}
	return guard.Take(ctx, otpScope(o.OrganisationID), o.Phone)
}

func otpScope(organisationID int64) string { return strconv.FormatInt(organisationID, 10) + " " }

// otpBlocks stores the blocked prefixes of one organisation. It leaves what other
// organisations and the portal block as it is.
type otpBlocks struct {
	db             db.Beginner
	organisationID int64
}

// Left returns how long a prefix is blocked.
func (b otpBlocks) Left(ctx context.Context, prefix string) (time.Duration, error) {
	left, err := queries.SMSOTPBlockGet(ctx, b.db, b.organisationID, prefix)
	if db.IsNoRows(err) {
		return 0, nil
	}
	return left, err
}

// Count counts the codes to the prefix of a number.
func (b otpBlocks) Count(ctx context.Context, phone string, delay time.Duration) (sent, verified int, err error) {
	return queries.SMSOTPCount(ctx, b.db, b.organisationID, phone, delay)
}

// Block blocks a prefix and records it in the audit once.
func (b otpBlocks) Block(ctx context.Context, c otp.Conversion) error {
	return db.InTx(ctx, b.db, func(tx pgx.Tx) error {
		first, err := writes.SMSOTPBlockInsert(ctx, tx, writes.SMSOTPBlock{
			OrganisationID: b.organisationID, Prefix: c.Prefix, Sent: c.Sent, Verified: c.Verified, Life: otp.BlockLife,
		})
		if err != nil || !first {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: "system", Action: "sms_otp.hold_back", Target: "phone_prefix:" + c.Prefix,
			Details: map[string]any{"organisation": b.organisationID, "sent": c.Sent, "verified": c.Verified},
		})
	})
}

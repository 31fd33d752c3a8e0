package sms

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/app/people/otp"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// Rules of the codes that partners send.
const (
	otpDigits  = 6
	otpMinutes = 10
	otpPause   = 30 * time.Second // between codes of a challenge
	otpResends = 3                // new codes of a challenge

	maxOTPMessage = 1000 // characters

	// defaultOTPText is the text of a code if a request has none.
	defaultOTPText = "{otp} is your code. It is valid for %d minutes."
)

// codeSMS is the SMS of a code. Text has {otp} where the code goes, so that what
// is stored and shown does not contain the code.
type codeSMS struct {
	OrganisationID       int64
	Header, To           string // To is E.164
	EntityID, TemplateID string
	Text, Code           string
	Life                 time.Duration
}

// codeSender accepts the SMS of codes.
type codeSender interface {
	// CheckCode returns the *Refusal that SendCode would return, so that a wrong
	// request does not count against the limits of a number.
	CheckCode(ctx context.Context, m codeSMS) error
	// SendCode accepts an SMS within tx, like any other of the organisation. A
	// *Refusal says what is wrong with it.
	SendCode(ctx context.Context, tx pgx.Tx, m codeSMS) error
}

// OTPOptions holds the dependencies of OTPs.
type OTPOptions struct {
	DB      db.Beginner
	Keyring *keyring.Keyring
	Limiter *limit.Limiter
	Sender  codeSender
	// MayReturn reports whether the organisation may get its codes, to check them
	// itself.
	MayReturn func(ctx context.Context, organisationID int64) (bool, error)
}

// OTPs sends and verifies the one-time passwords of partners. A code is stored as
// an HMAC. It is valid once, for its life, and until the next code of its
// challenge. The fifth wrong guess ends its challenge.
type OTPs struct {
	OTPOptions
	equal func(stored, given []byte) bool // hmac.Equal; tests count calls
}

// NewOTPs returns new OTPs.
func NewOTPs(o OTPOptions) *OTPs { return &OTPs{o, hmac.Equal} }

// OTPRequest asks for a code. Values are as the client sent them.
type OTPRequest struct {
	Sender, Numbers, Message string
	EntityID, TemplateID     string
	Length, Expiry, Return   string
}

// OTPSent is a code on its way.
type OTPSent struct {
	Mobile    string `json:"mobile"` // digits with the country code
	ID        string `json:"uniqueid"`
	ExpiresIn int    `json:"expires_in"` // seconds
	Code      string `json:"otp,omitempty"`
}

// Generate creates a code, sends it to one phone and returns its challenge. An
// earlier challenge of the same phone and sender ends.
func (s *OTPs) Generate(ctx context.Context, organisationID int64, r OTPRequest) (OTPSent, error) {
	o, err := r.check()
	if err != nil {
		return OTPSent{}, err
	}
	if o.Returned {
		allowed, err := s.MayReturn(ctx, organisationID)
		if err != nil {
			return OTPSent{}, err
		}
		if !allowed {
			return OTPSent{}, fault.New(fault.Forbidden, "returnotp is off for this account: leave it out, or ask your account manager")
		}
	}
	o.ID, o.OrganisationID = "otp_"+rand.Text(), organisationID
	if err := s.Sender.CheckCode(ctx, newCodeSMS(o, strings.Repeat("0", o.Digits))); err != nil {
		return OTPSent{}, err
	}
	if err := s.takeLimits(ctx, o); err != nil {
		return OTPSent{}, err
	}
	return s.send(ctx, o, func(tx pgx.Tx, o models.SMSOTP) error {
		err := writes.SMSOTPInsert(ctx, tx, o)
		if db.IsUniqueViolation(err, "sms_otps_open") {
			return errTooSoon
		}
		return err
	})
}

// Resend replaces the code of an open challenge by a new one and sends it. The
// old code stops working and the life starts again. The challenge is named by its
// id, or by its sender and number.
func (s *OTPs) Resend(ctx context.Context, organisationID int64, id, sender, number string) (OTPSent, error) {
	if id == "" && (sender == "" || number == "") {
		return OTPSent{}, fault.New(fault.Invalid, "uniqueid is required, or sender and numbers")
	}
	o, err := s.find(ctx, organisationID, id, sender, number)
	if err != nil {
		return OTPSent{}, err
	}
	switch {
	case o.Codes > otpResends:
		return OTPSent{}, fault.New(fault.Invalid, "%d new codes were sent already. Generate a new one.", otpResends)
	case time.Since(o.SentAt) < otpPause:
		return OTPSent{}, errTooSoon
	}
	if err := s.takeLimits(ctx, o); err != nil {
		return OTPSent{}, err
	}
	return s.send(ctx, o, func(tx pgx.Tx, o models.SMSOTP) error {
		done, err := writes.SMSOTPUpdateResent(ctx, tx, o, otpPause)
		if err == nil && !done {
			return errTooSoon
		}
		return err
	})
}

// errTooSoon is the refusal of a code that follows another one too fast.
var errTooSoon = fault.New(fault.Invalid, "too soon: wait %d seconds between codes", int(otpPause.Seconds()))

// errNoChallenge says that nothing is open. It does not say why, so that nobody
// learns from it whether a number got a code.
var errNoChallenge = fault.New(fault.NotFound, "No open challenge. Generate a new code.")

// send makes a code, stores it and accepts its SMS in one transaction.
func (s *OTPs) send(ctx context.Context, o models.SMSOTP, store func(tx pgx.Tx, o models.SMSOTP) error) (OTPSent, error) {
	code, err := otp.New(o.Digits)
	if err != nil {
		return OTPSent{}, err
	}
	o.Hash = s.codeMAC(o, code)
	err = db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		if err := store(tx, o); err != nil {
			return err
		}
		return s.Sender.SendCode(ctx, tx, newCodeSMS(o, code))
	})
	if err != nil {
		return OTPSent{}, err
	}
	sent := OTPSent{Mobile: strings.TrimPrefix(o.Phone, "+"), ID: o.ID, ExpiresIn: o.LifeSeconds}
	if o.Returned {
		sent.Code = code
	}
	return sent, nil
}

func newCodeSMS(o models.SMSOTP, code string) codeSMS {
	return codeSMS{
		OrganisationID: o.OrganisationID, Header: o.Header, To: o.Phone, EntityID: o.EntityID, TemplateID: o.TemplateID,
		Text: o.Message, Code: code, Life: o.Life(),
	}
}

// codeMAC returns the MAC of a code that is stored. It is valid only for this
// challenge and number.
func (s *OTPs) codeMAC(o models.SMSOTP, code string) []byte {
	return keyring.MAC(s.Keyring.Subkey("sms_otp"), o.ID, o.Phone, code)
}

func (s *OTPs) find(ctx context.Context, organisationID int64, id, sender, number string) (models.SMSOTP, error) {
	var e164 string
	if id == "" {
		var err error
		if e164, err = readPhone(number); err != nil {
			return models.SMSOTP{}, err
		}
	}
	o, err := queries.SMSOTPGet(ctx, s.DB, organisationID, id, e164, sender)
	if err != nil {
		return o, db.Absent(err, errNoChallenge, "reading a challenge")
	}
	return o, nil
}

// check reads a request.
func (r OTPRequest) check() (o models.SMSOTP, err error) {
	o = models.SMSOTP{Header: r.Sender, Message: r.Message, EntityID: r.EntityID, TemplateID: r.TemplateID, Returned: strings.EqualFold(r.Return, "Y")}
	if r.Sender == "" {
		return o, fault.New(fault.Invalid, "sender is required")
	}
	if o.Phone, err = readPhone(r.Numbers); err != nil {
		return o, err
	}
	if o.Digits, err = readWithin("otplength", r.Length, otpDigits, [2]int{4, 9}); err != nil {
		return o, err
	}
	minutes, err := readWithin("otpexpiry", r.Expiry, otpMinutes, [2]int{1, 1440})
	if err != nil {
		return o, err
	}
	o.LifeSeconds = minutes * 60
	if r.Return != "" && !o.Returned && !strings.EqualFold(r.Return, "N") {
		return o, fault.New(fault.Invalid, "returnotp must be Y or N")
	}
	if o.Message == "" {
		o.Message = fmt.Sprintf(defaultOTPText, minutes)
	}
	o.Message = strings.ReplaceAll(o.Message, "##OTP##", "{otp}")
	switch {
	case !strings.Contains(o.Message, "{otp}"):
		return o, fault.New(fault.Invalid, "message must contain {otp} or ##OTP##")
	case len([]rune(o.Message)) > maxOTPMessage:
		return o, fault.New(fault.Invalid, "message must have at most %d characters", maxOTPMessage)
	}
	return o, nil
}

// readPhone reads one mobile number with its country code.
func readPhone(text string) (string, error) {
	switch {
	case text == "":
		return "", fault.New(fault.Invalid, "numbers is required")
	case strings.ContainsAny(text, ",;"):
		return "", fault.New(fault.Invalid, "numbers must be one number: send a request for each phone")
	}
	e164, problem := phone.Parse("+"+strings.TrimPrefix(strings.TrimSpace(text), "+"), "")
	if problem != "" {
		return "", fault.New(fault.Invalid, "numbers is not a mobile number with its country code, such as 919812345678")
	}
	return e164, nil
}

// readWithin reads a whole number of a range. An empty text is the default.
func readWithin(name, text string, value int, within [2]int) (int, error) {
	if text == "" {
		return value, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < within[0] || n > within[1] {
		return 0, fault.New(fault.Invalid, "%s must be %d to %d", name, within[0], within[1])
	}
	return n, nil
}

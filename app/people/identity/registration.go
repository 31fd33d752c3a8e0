package identity

import (
	"context"
	"crypto/hmac"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
)

// Registration is the input of Register, as it was typed.
type Registration struct {
	Organisation string
	Email        string // of its owner
	Mobile       string // of its owner, with the country code
	Password     string
	Confirmation string // the password again
}

// normalise returns the registration in the form in which it is stored, or an
// Invalid error that names the fields to change.
func (e *Enrolment) normalise(ctx context.Context, r Registration) (Registration, error) {
	var faults fault.Fields
	var problem string
	r.Organisation = strings.Join(strings.Fields(r.Organisation), " ")
	problem = nameProblem(r.Organisation)
	if problem != "" {
		problem = "Enter the name of your organisation with 1 to 200 characters on one line."
	}
	faults.Add("organisation", problem)
	r.Email, problem = normaliseEmail(r.Email)
	faults.Add("email", problem)
	var err error
	if r.Mobile, problem, err = e.mobileNumber(ctx, r.Mobile); err != nil {
		return r, err
	}
	faults.Add("mobile", problem)
	faults = append(faults, newPasswordFaults(r.Password, r.Confirmation, r.Email, r.Organisation)...)
	return r, faults.Err()
}

// newPasswordFaults checks a password that was entered twice.
func newPasswordFaults(password, confirmation string, about ...string) fault.Fields {
	var faults fault.Fields
	faults.Add("password", passwordProblem(password, about...))
	faults.AddIf(faults == nil && password != confirmation, "confirmation", "Enter the same password again.")
	return faults
}

// Register creates an organisation and its owner, both inactive, and sends the
// owner a code. Registering an address again before the code is entered replaces
// the earlier input. If the address has an active account, its owner is notified
// by email and the result is the same.
func (e *Enrolment) Register(ctx context.Context, typed Registration, v Visitor) (*Challenge, error) {
	r, err := e.normalise(ctx, typed)
	if err != nil {
		return nil, err
	}
	if err := e.takeLimits(ctx, v.Client, registrationsByClient, codesByClient); err != nil {
		return nil, err
	}
	if err := e.takeNumberLimits(ctx, r.Mobile); err != nil {
		return nil, err
	}
	if err := e.checkBudget(ctx); err != nil {
		return nil, err
	}
	hash, err := hashPassword(ctx, r.Password)
	if err != nil {
		return nil, err
	}
	c := models.OTPChallenge{ID: uuid.New(), Purpose: ForRegistration, Phone: r.Mobile}
	err = db.InTx(ctx, e.DB, func(tx pgx.Tx) error {
		if c.UserID, err = e.saveApplicant(ctx, tx, r, hash); err != nil {
			return err
		}
		return e.issueChallenge(ctx, tx, c, uuid.Nil)
	})
	if err != nil {
		return nil, err
	}
	return &Challenge{
		ID: c.ID, Purpose: c.Purpose, AskedAt: time.Now(), Organisation: r.Organisation, Email: r.Email, Phone: r.Mobile, Registered: registrationMark(e.Keyring, hash),
	}, nil
}

// registrationMark identifies a registration by the hash of its password, which
// differs each time. Without it, an attacker could register the same address and
// number in between, and the code that the real owner requests would activate the
// attacker's password.
func registrationMark(k *keyring.Keyring, passwordHash string) []byte {
	return keyring.MAC(k.Subkey("otp"), "registered", passwordHash)
}

// saveApplicant stores a registration and returns the id of its user, or 0 if the
// address has an active account.
func (e *Enrolment) saveApplicant(ctx context.Context, tx pgx.Tx, r Registration, hash string) (int64, error) {
	a, err := writes.ApplicantGet(ctx, tx, r.Email)
	known := err == nil
	if err != nil && !db.IsNoRows(err) {
		return 0, fmt.Errorf("looking an applicant up: %w", err)
	}
	if known && !a.Pending {
		return 0, e.notifyAddressOwner(ctx, tx, a)
	}
	a.Email, a.Mobile, a.PasswordHash, a.Organisation.Name = r.Email, r.Mobile, hash, r.Organisation
	if known {
		err = writes.ApplicantUpdate(ctx, tx, a)
	} else {
		err = addApplicant(ctx, tx, &a)
	}
	if err != nil {
		return 0, err
	}
	return a.UserID, audit.Record(ctx, tx, audit.Entry{
		Actor: userActor(a.UserID), Action: "organisation.register", Target: OrganisationActor(a.Organisation.ID),
		Details: map[string]any{"again": known},
	})
}

// addApplicant stores an organisation and its owner, both inactive. The
// organisation is a sandbox until an administrator changes that.
func addApplicant(ctx context.Context, tx pgx.Tx, a *models.Applicant) (err error) {
	a.Organisation.Status, a.Organisation.Sandbox = "inactive", true
	if a.Organisation.ID, err = writes.OrganisationInsert(ctx, tx, a.Organisation); err != nil {
		return fmt.Errorf("adding an organisation: %w", err)
	}
	a.UserID, err = writes.OrganisationUserInsert(ctx, tx, models.OrganisationUser{
		OrganisationID: a.Organisation.ID, Email: a.Email, Mobile: a.Mobile, PasswordHash: a.PasswordHash, Role: Owner,
	})
	if db.IsUniqueViolation(err, "organisation_users_email_key") {
		// The address was registered twice at the same time.
		return &fault.Error{Kind: fault.Unavailable, Message: "The service is busy. Try again in a moment.", RetryAfter: time.Second, Err: err}
	}
	if err != nil {
		return fmt.Errorf("adding the owner of an organisation: %w", err)
	}
	return nil
}

// PendingError is returned for a correct password of an account that is not
// verified yet.
type PendingError struct{ UserID int64 }

// Error implements error.
func (e *PendingError) Error() string { return "the account is not verified yet" }

// ContinueRegistration sends a new code to the user of a PendingError, or returns
// the current challenge if it was issued less than codePause ago.
func (e *Enrolment) ContinueRegistration(ctx context.Context, p *PendingError, v Visitor) (*Challenge, error) {
	recent, err := queries.OTPChallengeGetRecent(ctx, e.DB, p.UserID, ForRegistration, codePause)
	if err != nil && !db.IsNoRows(err) {
		return nil, fmt.Errorf("reading a challenge: %w", err)
	}
	a, missing := writes.ApplicantGetByID(ctx, e.DB, p.UserID)
	if missing != nil {
		return nil, fmt.Errorf("reading an applicant: %w", missing)
	}
	c := Challenge{
		ID: recent.ID, Purpose: ForRegistration, AskedAt: recent.CreatedAt, Organisation: a.Organisation.Name, Email: a.Email, Phone: a.Mobile,
		Registered: registrationMark(e.Keyring, a.PasswordHash),
	}
	if err == nil {
		return &c, nil
	}
	return e.replaceChallenge(ctx, c, v, func(tx pgx.Tx) (models.Applicant, error) { return writes.ApplicantGetByID(ctx, tx, p.UserID) })
}

// resendRegistration replaces the challenge of a registration with a new one.
func (e *Enrolment) resendRegistration(ctx context.Context, c Challenge, v Visitor) (*Challenge, error) {
	return e.replaceChallenge(ctx, c, v, func(tx pgx.Tx) (models.Applicant, error) { return writes.ApplicantGetByChallenge(ctx, tx, c.ID) })
}

// replaceChallenge issues a new challenge for the number of a registration. It
// belongs to the applicant that find returns while that registration is pending,
// and otherwise to no user.
func (e *Enrolment) replaceChallenge(ctx context.Context, c Challenge, v Visitor, find func(pgx.Tx) (models.Applicant, error)) (*Challenge, error) {
	if err := e.takeNumberLimits(ctx, c.Phone); err != nil {
		return nil, err
	}
	if err := e.takeLimits(ctx, v.Client, codesByClient); err != nil {
		return nil, err
	}
	if err := e.checkBudget(ctx); err != nil {
		return nil, err
	}
	next := models.OTPChallenge{ID: uuid.New(), Purpose: ForRegistration, Phone: c.Phone}
	err := db.InTx(ctx, e.DB, func(tx pgx.Tx) error {
		a, err := find(tx)
		if err != nil && !db.IsNoRows(err) {
			return fmt.Errorf("looking an applicant up: %w", err)
		}
		if a.Pending && a.Mobile == c.Phone && hmac.Equal(c.Registered, registrationMark(e.Keyring, a.PasswordHash)) {
			next.UserID = a.UserID
		}
		return e.issueChallenge(ctx, tx, next, c.ID)
	})
	if err != nil {
		return nil, err
	}
	c.ID, c.AskedAt = next.ID, time.Now()
	return &c, nil
}

package identity

import (
	"context"
	"crypto/hmac"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/audit"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Registration is what an organisation registers with, as it was typed.
type Registration struct {
	Organisation string
	Email        string // of its owner
	Mobile       string // of its owner, with the country code
	Password     string
	Confirmation string // the password once more
}

// normalise gives the registration in the form in which it is stored, or says
// which fields must change.
func (e *Enrolment) normalise(ctx context.Context, r Registration) (Registration, error) {
	var faults []fault.Field
	var problem string
	r.Organisation = strings.Join(strings.Fields(r.Organisation), " ")
	problem = nameProblem(r.Organisation)
	if problem != "" {
		problem = "Enter the name of your organisation, in 1 to 200 characters, in one line."
	}
	faults = check(faults, "organisation", problem)
	r.Email, problem = normaliseEmail(r.Email)
	faults = check(faults, "email", problem)
	var err error
	if r.Mobile, problem, err = e.mobileNumber(ctx, r.Mobile); err != nil {
		return r, err
	}
	faults = check(faults, "mobile", problem)
	faults = append(faults, newPasswordFaults(r.Password, r.Confirmation, r.Email, r.Organisation)...)
	if len(faults) > 0 {
		return r, fault.InvalidFields(faults...)
	}
	return r, nil
}

// newPasswordFaults checks a password that was entered twice.
func newPasswordFaults(password, confirmation string, about ...string) []fault.Field {
	faults := check(nil, "password", passwordProblem(password, about...))
	if faults == nil && password != confirmation {
		faults = check(faults, "confirmation", "Enter the same password once more.")
	}
	return faults
}

// Register creates an organisation and its owner, both inactive, and sends the
// owner a code. Who registers an address again before the code was entered
// replaces what was entered before. The owner of an active account with the
// address is told by email, and the answer is the same.
func (e *Enrolment) Register(ctx context.Context, typed Registration, v Visitor) (*Challenge, error) {
	r, err := e.normalise(ctx, typed)
	if err != nil {
		return nil, err
	}
	if err := e.take(ctx, v.Client, registrationsByClient, codesByClient); err != nil {
		return nil, err
	}
	if err := e.takeNumber(ctx, r.Mobile); err != nil {
		return nil, err
	}
	if err := e.affordable(ctx); err != nil {
		return nil, err
	}
	hash, err := hashPassword(ctx, r.Password)
	if err != nil {
		return nil, err
	}
	c := models.OTPChallenge{ID: uuid.New(), Purpose: ForRegistration, Phone: r.Mobile}
	err = db.InTx(ctx, e.DB, func(tx pgx.Tx) error {
		if c.UserID, err = e.apply(ctx, tx, r, hash); err != nil {
			return err
		}
		return e.ask(ctx, tx, c, uuid.Nil)
	})
	if err != nil {
		return nil, err
	}
	return &Challenge{
		ID: c.ID, Purpose: c.Purpose, AskedAt: time.Now(), Organisation: r.Organisation, Email: r.Email, Phone: r.Mobile, Registered: e.mark(hash),
	}, nil
}

// mark tells a registration by the hash of its password, which is another each
// time. Without it, whoever registers somebody's address and number in between
// would have their own password activated by a code that the other asks for.
func (e *Enrolment) mark(passwordHash string) []byte {
	return keyring.MAC(e.Keyring.Subkey("otp"), "registered", passwordHash)
}

// apply stores who registers and returns the user, 0 where the address has an
// active account.
func (e *Enrolment) apply(ctx context.Context, tx pgx.Tx, r Registration, hash string) (int64, error) {
	a, err := queries.ApplicantGet(ctx, tx, r.Email)
	known := err == nil
	if err != nil && !db.IsNoRows(err) {
		return 0, fmt.Errorf("looking an applicant up: %w", err)
	}
	if known && !a.Pending {
		return 0, e.tellOwner(ctx, tx, a)
	}
	a.Email, a.Mobile, a.PasswordHash, a.Organisation.Name = r.Email, r.Mobile, hash, r.Organisation
	if known {
		err = queries.ApplicantUpdate(ctx, tx, a)
	} else {
		err = addApplicant(ctx, tx, &a)
	}
	if err != nil {
		return 0, err
	}
	return a.UserID, audit.Record(ctx, tx, audit.Entry{
		Actor: UserActor(a.UserID), Action: "organisation.register", Target: OrganisationActor(a.Organisation.ID),
		Details: map[string]any{"again": known},
	})
}

// addApplicant stores an organisation and its owner, both inactive. What a
// registered organisation tries stays a sandbox until an administrator decides
// otherwise.
func addApplicant(ctx context.Context, tx pgx.Tx, a *models.Applicant) (err error) {
	a.Organisation.Status, a.Organisation.Sandbox = "inactive", true
	if a.Organisation.ID, err = queries.OrganisationInsert(ctx, tx, a.Organisation); err != nil {
		return fmt.Errorf("adding an organisation: %w", err)
	}
	a.UserID, err = queries.OrganisationUserInsert(ctx, tx, models.OrganisationUser{
		OrganisationID: a.Organisation.ID, Email: a.Email, Mobile: a.Mobile, PasswordHash: a.PasswordHash, Role: Owner,
	})
	if db.IsUniqueViolation(err, "organisation_users_email_key") {
		// Two registered the address at the same moment.
		return &fault.Error{Kind: fault.Unavailable, Message: "The service is busy just now. Try again in a moment.", RetryAfter: time.Second, Err: err}
	}
	if err != nil {
		return fmt.Errorf("adding the owner of an organisation: %w", err)
	}
	return nil
}

// PendingError says that somebody knew the password of an account whose code
// was never entered.
type PendingError struct{ UserID int64 }

// Error says so, for the log.
func (e *PendingError) Error() string { return "the account is not verified yet" }

// Continue sends whom a PendingError names another code, or returns the
// challenge of a moment ago.
func (e *Enrolment) Continue(ctx context.Context, p *PendingError, v Visitor) (*Challenge, error) {
	recent, err := queries.OTPChallengeGetRecent(ctx, e.DB, p.UserID, ForRegistration, CodePause)
	if err != nil && !db.IsNoRows(err) {
		return nil, fmt.Errorf("reading a challenge: %w", err)
	}
	a, missing := queries.ApplicantGetByID(ctx, e.DB, p.UserID)
	if missing != nil {
		return nil, fmt.Errorf("reading an applicant: %w", missing)
	}
	c := Challenge{
		ID: recent.ID, Purpose: ForRegistration, AskedAt: recent.CreatedAt, Organisation: a.Organisation.Name, Email: a.Email, Phone: a.Mobile,
		Registered: e.mark(a.PasswordHash),
	}
	if err == nil {
		return &c, nil
	}
	return e.replace(ctx, c, v, func(tx pgx.Tx) (models.Applicant, error) { return queries.ApplicantGetByID(ctx, tx, p.UserID) })
}

// askAgain replaces the challenge of a registration.
func (e *Enrolment) askAgain(ctx context.Context, c Challenge, v Visitor) (*Challenge, error) {
	return e.replace(ctx, c, v, func(tx pgx.Tx) (models.Applicant, error) { return queries.ApplicantGetByChallenge(ctx, tx, c.ID) })
}

// replace asks for another code to the number of a registration, for whom find
// returns while that very registration is pending, else for nobody.
func (e *Enrolment) replace(ctx context.Context, c Challenge, v Visitor, find func(pgx.Tx) (models.Applicant, error)) (*Challenge, error) {
	if err := e.takeNumber(ctx, c.Phone); err != nil {
		return nil, err
	}
	if err := e.take(ctx, v.Client, codesByClient); err != nil {
		return nil, err
	}
	if err := e.affordable(ctx); err != nil {
		return nil, err
	}
	next := models.OTPChallenge{ID: uuid.New(), Purpose: ForRegistration, Phone: c.Phone}
	err := db.InTx(ctx, e.DB, func(tx pgx.Tx) error {
		a, err := find(tx)
		if err != nil && !db.IsNoRows(err) {
			return fmt.Errorf("looking an applicant up: %w", err)
		}
		if a.Pending && a.Mobile == c.Phone && hmac.Equal(c.Registered, e.mark(a.PasswordHash)) {
			next.UserID = a.UserID
		}
		return e.ask(ctx, tx, next, c.ID)
	})
	if err != nil {
		return nil, err
	}
	c.ID, c.AskedAt = next.ID, time.Now()
	return &c, nil
}

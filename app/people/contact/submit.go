package contact

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/operation/metric"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/people/writes"
)

// The limits of submissions, and of emails to addresses that visitors enter.
var (
	submissions = limit.Limit{Name: "contact", Burst: 5, Period: time.Hour}
	emailsTo    = limit.Limit{Name: "contact_email", Burst: 3, Period: 24 * time.Hour}
	emailsAll   = limit.Limit{Name: "contact_emails", Burst: 300, Period: time.Hour}
)

// sameWithin is how long the same words of the same sender are one enquiry.
const sameWithin = 24 * time.Hour

// Receipt confirms a submission to its sender.
type Receipt struct {
	Reference string
	Email     string
	// Confirm says that the sender must open the link of an email first.
	Confirm bool
}

// AskedAgain is the code of the error for a form that a program may have sent. A
// person sends it again.
const AskedAgain = "asked_again"

var (
	errStale = &fault.Error{Kind: fault.Invalid, Message: "This form was open for too long, or was sent already. Check it and send it again. Nothing that you entered is lost."}
	errAsked = &fault.Error{Kind: fault.Invalid, Code: AskedAgain, Message: "Send the form once more to confirm that a person has filled it in. Nothing that you entered is lost."}
	errBusy  = &fault.Error{
		Kind: fault.Invalid, Code: AskedAgain,
		Message: "Many enquiries are arriving, so that your browser has to do a short calculation. Send the form once more. Nothing that you entered is lost.",
	}
)

// Submit stores an enquiry and queues its deliveries. client is the key of the
// sender's address, as from limit.Client. Invalid input names its fields. The same
// words of the same sender within a day are joined to the first enquiry, with the
// same receipt.
func (s *Service) Submit(ctx context.Context, f Form, client string) (Receipt, error) {
	e, err := f.normalise()
	if err != nil {
		metric.Enquiry("invalid")
		return Receipt{}, err
	}
	st, ok := s.Stamps.open(f.Stamp)
	if !ok || time.Since(st.shown) > formLife {
		metric.Enquiry("stale")
		return Receipt{}, errStale
	}
	suspect := f.Trap != "" || time.Since(st.since) < quickest
	if suspect && !st.asked {
		metric.Enquiry("asked")
		return Receipt{}, errAsked
	}
	if err := s.Limiter.Take(ctx, submissions, client); err != nil {
		return Receipt{}, err
	}
	e.Status = models.EnquiryNew
	switch {
	case f.Trap != "": // filled in twice
		e.Status = models.EnquirySpam
	case !st.isProven(f.Stamp, f.Proof):
		e.Status = models.EnquiryUnconfirmed
	}
	e.ID, e.Reference, e.ClientHash = uuid.Must(uuid.NewV7()), newReference(), s.clientHash(client, time.Now())
	return s.store(ctx, e, st)
}

// checkWork asks for the form again if it was opened before forms asked for work,
// and they do now. Otherwise forms that were collected in a quiet hour could be
// sent together.
func (s *Service) checkWork(ctx context.Context, tx pgx.Tx, st stamp) error {
	if st.work > 0 {
		return nil
	}
	needed, err := s.Stamps.needsWork(ctx, s.Settings.Within(tx), tx)
	if err == nil && needed {
		return errBusy
	}
	return err
}

// store stores an enquiry or joins it to the same one.
func (s *Service) store(ctx context.Context, e models.Enquiry, st stamp) (r Receipt, err error) {
	outcome := map[string]string{models.EnquiryNew: "received"}[e.Status]
	outcome = cmp.Or(outcome, e.Status)
	err = db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		if err := writes.EnquiryLockFingerprint(ctx, tx, e.Fingerprint); err != nil {
			return fmt.Errorf("locking an enquiry: %w", err)
		}
		fresh, err := writes.ContactStampInsert(ctx, tx, st.nonce[:], st.shown.Add(formLife))
		if err != nil {
			return fmt.Errorf("spending the stamp of a form: %w", err)
		}
		known, err := writes.EnquiryUpdateRepeated(ctx, tx, e.Fingerprint, time.Now().Add(-sameWithin))
		switch {
		case err == nil:
			outcome = "repeated"
			r = Receipt{Reference: known.Reference, Email: known.Email, Confirm: known.Status == models.EnquiryUnconfirmed}
			return s.join(ctx, tx, known, e)
		case !db.IsNoRows(err):
			return fmt.Errorf("looking for the same enquiry: %w", err)
		case !fresh:
			return errStale
		}
		if err := s.checkWork(ctx, tx, st); err != nil {
			return err
		}
		r = Receipt{Reference: e.Reference, Email: e.Email, Confirm: e.Status == models.EnquiryUnconfirmed}
		return s.add(ctx, tx, e)
	})
	if errors.Is(err, errBusy) {
		metric.Enquiry("asked")
	}
	if err != nil {
		return Receipt{}, err
	}
	metric.Enquiry(outcome)
	return r, nil
}

// add stores a new enquiry with what follows from its status.
func (s *Service) add(ctx context.Context, tx pgx.Tx, e models.Enquiry) error {
	if err := writes.EnquiryInsert(ctx, tx, e); err != nil {
		return fmt.Errorf("storing an enquiry: %w", err)
	}
	if err := addEvent(ctx, tx, e.ID, models.EnquiryEvent{Actor: visitorActor, Kind: "received", After: e.Status}); err != nil {
		return err
	}
	if err := record(ctx, tx, visitorActor, "enquiry.submit", e.Reference, map[string]any{"status": e.Status}); err != nil {
		return err
	}
	if e.Status == models.EnquiryNew {
		if err := s.release(ctx, tx, e); err != nil {
			return err
		}
	}
	mail, err := s.mayEmail(ctx, tx, e.Email)
	switch {
	case err != nil || !mail:
		return err
	case e.Status == models.EnquiryUnconfirmed:
		return s.sendConfirmation(ctx, tx, e)
	case e.Status == models.EnquiryNew:
		return s.sendThanks(ctx, tx, e)
	}
	return nil
}

// join notes another submission of an enquiry. One that a person sends properly
// confirms an enquiry that was not confirmed.
func (s *Service) join(ctx context.Context, tx pgx.Tx, known, again models.Enquiry) error {
	if known.Status == models.EnquiryUnconfirmed && again.Status == models.EnquiryNew {
		return s.confirm(ctx, tx, known)
	}
	if known.Repeats > 20 { // the history has said it often enough
		return nil
	}
	return addEvent(ctx, tx, known.ID, models.EnquiryEvent{Actor: visitorActor, Kind: "repeated"})
}

func addEvent(ctx context.Context, tx pgx.Tx, id uuid.UUID, v models.EnquiryEvent) error {
	if err := writes.EnquiryEventInsert(ctx, tx, id, v); err != nil {
		return fmt.Errorf("adding to the history of an enquiry: %w", err)
	}
	return nil
}

// referenceAlphabet has no characters that are mistaken for others.
const referenceAlphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

// newReference returns what people quote, such as K7QF-2M9X.
func newReference() string {
	raw := make([]byte, 8)
	rand.Read(raw) //nolint:errcheck // never fails: crypto/rand ends the process instead
	for i, b := range raw {
		raw[i] = referenceAlphabet[int(b)%len(referenceAlphabet)]
	}
	return string(raw[:4]) + "-" + string(raw[4:])
}

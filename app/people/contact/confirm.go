package contact

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
	"heliograph/views/email"
)

// ConfirmPath is the path of the page that confirms an enquiry.
const ConfirmPath = "/contact-us/confirm"

const (
	confirmPurpose = "contact/confirm"
	confirmLife    = 7 * 24 * time.Hour
)

var errConfirm = &fault.Error{Kind: fault.Invalid, Title: "This link does not work", Message: "It is not complete, or has expired. Send the form again."}

func (s *Service) confirmToken(id uuid.UUID) string {
	return id.String() + "." + s.Keyring.Sign(confirmPurpose, id.String())
}

// CheckConfirmation returns the enquiry that the link with the token was sent
// for. A token that is not valid or expired is Invalid.
func (s *Service) CheckConfirmation(ctx context.Context, token string) (models.Enquiry, error) {
	text, signature, _ := strings.Cut(token, ".")
	id, err := uuid.Parse(text)
	if err != nil || !s.Keyring.Verify(signature, confirmPurpose, text) {
		return models.Enquiry{}, errConfirm
	}
	e, err := queries.EnquiryGet(ctx, s.DB, id)
	if db.IsNoRows(err) || err == nil && time.Since(e.CreatedAt) > confirmLife {
		return models.Enquiry{}, errConfirm
	}
	if err != nil {
		return e, fmt.Errorf("reading an enquiry: %w", err)
	}
	return e, nil
}

// Confirm confirms the enquiry that the link with the token was sent for. Once
// confirmed it stays so.
func (s *Service) Confirm(ctx context.Context, token string) (models.Enquiry, error) {
	e, err := s.CheckConfirmation(ctx, token)
	if err != nil {
		return e, err
	}
	return e, db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		locked, err := writes.EnquiryLock(ctx, tx, e.ID)
		if err != nil {
			return db.Absent(err, errConfirm, "reading an enquiry")
		}
		if locked.Status != models.EnquiryUnconfirmed {
			return nil
		}
		return s.confirm(ctx, tx, locked)
	})
}

// confirm makes an unconfirmed enquiry a new one.
func (s *Service) confirm(ctx context.Context, tx pgx.Tx, e models.Enquiry) error {
	if err := writes.EnquiryUpdateStatus(ctx, tx, e.ID, models.EnquiryNew); err != nil {
		return fmt.Errorf("confirming an enquiry: %w", err)
	}
	if err := addEvent(ctx, tx, e.ID, models.EnquiryEvent{Actor: visitorActor, Kind: "confirmed", Before: e.Status, After: models.EnquiryNew}); err != nil {
		return err
	}
	if err := record(ctx, tx, visitorActor, "enquiry.confirm", e.Reference, nil); err != nil {
		return err
	}
	e.Status = models.EnquiryNew
	return s.release(ctx, tx, e)
}

// sendConfirmation queues the email with the link that confirms an enquiry.
func (s *Service) sendConfirmation(ctx context.Context, tx pgx.Tx, e models.Enquiry) error {
	url := s.PublicURL + ConfirmPath + "?token=" + s.confirmToken(e.ID)
	return s.sendToSender(ctx, tx, e, notification.Email{
		Message: email.EnquiryConfirm(e.Reference, url), Purpose: "contact_confirm", ExpiresAt: time.Now().Add(confirmLife),
	})
}

// sendThanks queues the email that confirms to the sender what was received.
func (s *Service) sendThanks(ctx context.Context, tx pgx.Tx, e models.Enquiry) error {
	return s.sendToSender(ctx, tx, e, notification.Email{
		Message: email.EnquiryReceived(e.Reference), Purpose: "contact_thanks", ExpiresAt: time.Now().Add(48 * time.Hour),
	})
}

// mayEmail reports whether an address may get an email now. Anybody can enter any
// address, so these emails are few.
func (s *Service) mayEmail(ctx context.Context, tx pgx.Tx, address string) (bool, error) {
	limiter := limit.New(tx, s.Keyring)
	err := limiter.Take(ctx, emailsTo, address)
	if err == nil {
		err = limiter.Take(ctx, emailsAll, "")
	}
	if fault.Is(err, fault.Limited) {
		return false, nil
	}
	return err == nil, err
}

// sendToSender queues an email to the address that was entered.
func (s *Service) sendToSender(ctx context.Context, tx pgx.Tx, e models.Enquiry, m notification.Email) error {
	m.To, m.Topic = e.Email, m.Purpose+":"+e.ID.String()
	if err := s.Mail.SendEmail(ctx, tx, m); err != nil {
		return fmt.Errorf("queueing an email to the sender of an enquiry: %w", err)
	}
	return nil
}

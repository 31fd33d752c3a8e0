package sms

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/views/email"
)

// HeaderDesk is where administrators decide who owns a header. No two live
// organisations own one.
type HeaderDesk struct {
	DB        db.Beginner
	Mail      notification.Mailer // may be nil
	PublicURL string
}

// deskHeaders is how many headers the desk lists.
const deskHeaders = 500

// maxHeaderReason is the limit of a reason in characters.
const maxHeaderReason = 500

// The decisions of an administrator.
const (
	GrantHeader    = "grant"
	DeclineHeader  = "decline"
	WithdrawHeader = "withdraw" // a granted one
)

// Headers returns the headers of all live organisations, the undecided ones first.
func (d HeaderDesk) Headers(ctx context.Context) ([]models.SMSHeader, error) {
	list, err := queries.SMSHeaderListAll(ctx, d.DB, deskHeaders)
	if err != nil {
		return nil, fmt.Errorf("listing the headers: %w", err)
	}
	return list, nil
}

// HeaderDetails is a header with what an administrator needs to decide about it.
type HeaderDetails struct {
	models.SMSHeader
	Usage models.SMSHeaderUsage
	// Others are the same header and its look-alikes of other organisations, with their
	// usage.
	Others []headerUser
	// NumberOwner is another organisation that receives SMS at the same number, or 0.
	NumberOwner int64
}

// headerUser is another organisation that has a header or has asked for it.
type headerUser struct {
	models.SMSHeader
	Usage models.SMSHeaderUsage
}

// Header returns a header of a live organisation.
func (d HeaderDesk) Header(ctx context.Context, id int64) (details HeaderDetails, err error) {
	if details.SMSHeader, err = getHeader(ctx, d.DB, id); err != nil {
		return details, err
	}
	alike, err := writes.SMSHeaderListAlike(ctx, d.DB, details.SMSHeader.Header, false)
	if err != nil {
		return details, fmt.Errorf("listing the users of header %d: %w", id, err)
	}
	for _, h := range alike {
		usage, err := queries.SMSHeaderUsageGet(ctx, d.DB, h)
		if err != nil {
			return details, fmt.Errorf("reading the usage of header %d: %w", h.ID, err)
		}
		switch {
		case h.ID == id:
			details.Usage = usage
		case h.OrganisationID != details.OrganisationID:
			details.Others = append(details.Others, headerUser{h, usage})
		}
	}
	if details.NumberOwner, err = queries.SMSNumberOther(ctx, d.DB, details.OrganisationID, details.SMSHeader.Header); err != nil {
		return details, fmt.Errorf("looking for the owner of number %s: %w", details.SMSHeader.Header, err)
	}
	return details, nil
}

func getHeader(ctx context.Context, q db.Querier, id int64) (models.SMSHeader, error) {
	h, err := queries.SMSHeaderGet(ctx, q, id)
	if db.IsNoRows(err) || err == nil && h.State == models.HeaderReleased {
		return h, fault.New(fault.NotFound, "This header does not exist, or its organisation gave it back.")
	}
	if err != nil {
		return h, fmt.Errorf("reading header %d: %w", id, err)
	}
	return h, nil
}

// Decisions lists what can be decided about a header in a state.
func Decisions(state string) []string {
	switch state {
	case models.HeaderRequested, models.HeaderContested:
		return []string{GrantHeader, DeclineHeader}
	case models.HeaderGranted:
		return []string{WithdrawHeader}
	case models.HeaderDeclined:
		return []string{GrantHeader}
	}
	return nil
}

// HeaderDecision is what an administrator decides about a header.
type HeaderDecision struct {
	ID       int64
	Decision string
	Reason   string // the organisation reads it; GrantHeader needs none
	Actor    string // recorded in the audit
}

// Decide grants, declines or withdraws a header. The owners of its organisation get
// an email. Granting one that several organisations use declines it and its contested
// look-alikes for the others.
func (d HeaderDesk) Decide(ctx context.Context, decision HeaderDecision) error {
	decision.Reason = strings.TrimSpace(decision.Reason)
	if err := decision.check(); err != nil {
		return err
	}
	return db.InTx(ctx, d.DB, func(tx pgx.Tx) error {
		h, err := getHeader(ctx, tx, decision.ID)
		if err != nil {
			return err
		}
		alike, err := writes.SMSHeaderListAlike(ctx, tx, h.Header, true)
		if err != nil {
			return fmt.Errorf("locking header %s: %w", h.Header, err)
		}
		i := slices.IndexFunc(alike, func(other models.SMSHeader) bool { return other.ID == h.ID })
		if i < 0 || !slices.Contains(Decisions(alike[i].State), decision.Decision) {
			return fault.New(fault.Conflict, "The state of the header has changed. Read the page again before you decide.")
		}
		h = alike[i]
		if decision.Decision != GrantHeader {
			return d.settle(ctx, tx, h, models.HeaderDeclined, decision)
		}
		if err := mayGrant(ctx, tx, h, alike); err != nil {
			return err
		}
		for _, other := range alike {
			if other.OrganisationID == h.OrganisationID || other.State != models.HeaderContested {
				continue
			}
			lost := decision
			lost.Decision, lost.Reason = DeclineHeader, "The header was granted to another organisation that uses it."
			if err := d.settle(ctx, tx, other, models.HeaderDeclined, lost); err != nil {
				return err
			}
		}
		return d.settle(ctx, tx, h, models.HeaderGranted, decision)
	})
}

func (decision HeaderDecision) check() error {
	var wrong fault.Fields
	switch decision.Decision {
	case GrantHeader:
	case DeclineHeader, WithdrawHeader:
		wrong.AddIf(decision.Reason == "", "reason", "Enter a reason. The organisation reads it.")
	default:
		wrong.Add("decision", "Choose a decision.")
	}
	isText := utf8.ValidString(decision.Reason) && !strings.ContainsRune(decision.Reason, 0)
	wrong.AddIf(!isText || utf8.RuneCountInString(decision.Reason) > maxHeaderReason, "reason", fmt.Sprintf("Enter at most %d characters.", maxHeaderReason))
	return wrong.Err()
}

// mayGrant checks that nobody else owns a header or receives SMS at its number. Neither
// may be a look-alike: readers and carriers take one for the other, and replies would
// reach the wrong organisation.
func mayGrant(ctx context.Context, tx pgx.Tx, h models.SMSHeader, alike []models.SMSHeader) error {
	if err := writes.SMSAddressLock(ctx, tx, h.Header); err != nil {
		return fmt.Errorf("locking header %s: %w", h.Header, err)
	}
	for _, other := range alike {
		if other.OrganisationID == h.OrganisationID || other.State != models.HeaderGranted {
			continue
		}
		if strings.EqualFold(other.Header, h.Header) {
			return fault.New(fault.Conflict, "%s belongs to %s. Withdraw it there first.", other.Header, other.Organisation)
		}
		return fault.New(fault.Conflict, "“%s” looks like “%s”, which belongs to %s: only blanks, capitals or zeros differ. Decline it, or withdraw the other one first.", h.Header, other.Header, other.Organisation)
	}
	owner, err := queries.SMSNumberOther(ctx, tx, h.OrganisationID, h.Header)
	if err != nil {
		return fmt.Errorf("looking for the owner of number %s: %w", h.Header, err)
	}
	if owner != 0 {
		return fault.New(fault.Conflict, "Another organisation receives SMS at %s or a look-alike. Take the number from it first.", h.Header)
	}
	return nil
}

// settle stores the state of a header, records it and notifies the organisation.
func (d HeaderDesk) settle(ctx context.Context, tx pgx.Tx, h models.SMSHeader, state string, decision HeaderDecision) error {
	reason := decision.Reason
	if state == models.HeaderGranted {
		reason = ""
	}
	if err := writes.SMSHeaderDecide(ctx, tx, h.ID, state, reason); err != nil {
		return fmt.Errorf("storing the state of header %d: %w", h.ID, err)
	}
	h.State, h.Reason = state, reason
	if err := d.notify(ctx, tx, h, decision.Decision); err != nil {
		return err
	}
	return audit.Record(ctx, tx, audit.Entry{
		Actor: decision.Actor, Action: "sms_header." + decision.Decision, Target: fmt.Sprintf("organisation:%d", h.OrganisationID),
		Details: map[string]any{"header": h.Header, "reason": decision.Reason},
	})
}

// headerOutcomes say in an email what was decided about a header.
var headerOutcomes = map[string]string{
	GrantHeader: "was granted to you", DeclineHeader: "was not granted to you", WithdrawHeader: "was withdrawn from you",
}

func (d HeaderDesk) notify(ctx context.Context, tx pgx.Tx, h models.SMSHeader, decision string) error {
	if d.Mail == nil {
		return nil
	}
	_, err := notification.TellOwners(ctx, tx, d.Mail, h.OrganisationID, notification.Email{
		Purpose: "sms_header", Topic: fmt.Sprintf("sms_header:%d", h.ID), ExpiresAt: time.Now().Add(24 * time.Hour),
		Message: email.HeaderDecided(h.Header, headerOutcomes[decision], h.Reason, d.PublicURL+"/account/sms"),
	})
	return err
}

package contact

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/app/people/identity"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
)

// Statuses are the statuses that administrators choose from, in the order of the
// work.
var Statuses = []string{models.EnquiryNew, models.EnquiryContacted, models.EnquiryQualified, models.EnquiryWon, models.EnquiryLost, models.EnquirySpam}

// Desk is where administrators work the enquiries.
type Desk struct{ service *Service }

// MayWork reports whether an administrator may change enquiries: Super Admins
// always, Editors if the settings say so.
func (d *Desk) MayWork(ctx context.Context, user *identity.User) (bool, error) {
	if user.Role == identity.SuperAdmin {
		return true, nil
	}
	v, err := d.service.Settings.Contact(ctx)
	return err == nil && v.Editors && user.Role == identity.Editor, err
}

// change calls do with an enquiry that nobody else changes meanwhile. An enquiry
// that does not exist is NotFound, and a user who may not change it Forbidden.
func (d *Desk) change(ctx context.Context, user *identity.User, id uuid.UUID, do func(tx pgx.Tx, e models.Enquiry) error) error {
	may, err := d.MayWork(ctx, user)
	if err != nil {
		return err
	}
	if !may {
		return fault.New(fault.Forbidden, "Your role only reads enquiries. A Super Admin can let Editors change them.")
	}
	return db.InTx(ctx, d.service.DB, func(tx pgx.Tx) error {
		e, err := writes.EnquiryLock(ctx, tx, id)
		if err != nil {
			return db.Absent(err, fault.New(fault.NotFound, "This enquiry does not exist. It may have been erased."), "loading an enquiry")
		}
		return do(tx, e)
	})
}

// SetStatus changes the status of an enquiry. One that was spam or unconfirmed is
// delivered then, and one that becomes spam is delivered no more.
func (d *Desk) SetStatus(ctx context.Context, user *identity.User, id uuid.UUID, status string) error {
	if !slices.Contains(Statuses, status) {
		return fault.InvalidFields(fault.Field{Name: "status", Message: "Choose a status from the list."})
	}
	return d.change(ctx, user, id, func(tx pgx.Tx, e models.Enquiry) error {
		if e.Status == status {
			return nil
		}
		if err := writes.EnquiryUpdateStatus(ctx, tx, id, status); err != nil {
			return fmt.Errorf("changing the status of an enquiry: %w", err)
		}
		if err := addEvent(ctx, tx, id, models.EnquiryEvent{Actor: user.Actor(), Kind: "status", Before: e.Status, After: status}); err != nil {
			return err
		}
		if err := record(ctx, tx, user.Actor(), "enquiry.status", e.Reference, map[string]any{"before": e.Status, "after": status}); err != nil {
			return err
		}
		withheld := []string{models.EnquirySpam, models.EnquiryUnconfirmed}
		switch {
		case status == models.EnquirySpam:
			return writes.ContactDeliveryDeleteOpen(ctx, tx, id)
		case slices.Contains(withheld, e.Status):
			e.Status = status
			return d.service.release(ctx, tx, e)
		}
		return nil
	})
}

// Assign assigns an enquiry to an active administrator; 0 is nobody.
func (d *Desk) Assign(ctx context.Context, user *identity.User, id uuid.UUID, admin int64) error {
	return d.change(ctx, user, id, func(tx pgx.Tx, e models.Enquiry) error {
		name := ""
		if admin != 0 {
			a, err := queries.AdminUserGet(ctx, tx, admin)
			if err != nil && !db.IsNoRows(err) {
				return fmt.Errorf("loading an administrator: %w", err)
			}
			if err != nil || !a.Active {
				return fault.InvalidFields(fault.Field{Name: "assignee", Message: "Choose an active administrator."})
			}
			name = a.Name
		}
		if err := writes.EnquiryUpdateAssignee(ctx, tx, id, admin); err != nil {
			return fmt.Errorf("assigning an enquiry: %w", err)
		}
		if err := addEvent(ctx, tx, id, models.EnquiryEvent{Actor: user.Actor(), Kind: "assigned", After: name}); err != nil {
			return err
		}
		return record(ctx, tx, user.Actor(), "enquiry.assign", e.Reference, map[string]any{"assignee": admin})
	})
}

// AddNote adds a note to the history of an enquiry. Visitors never see it.
func (d *Desk) AddNote(ctx context.Context, user *identity.User, id uuid.UUID, text string) error {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if text == "" || utf8.RuneCountInString(text) > maxMessage {
		return fault.InvalidFields(fault.Field{Name: "note", Message: "Enter a note of at most 5,000 characters."})
	}
	return d.change(ctx, user, id, func(tx pgx.Tx, e models.Enquiry) error {
		if err := addEvent(ctx, tx, id, models.EnquiryEvent{Actor: user.Actor(), Kind: "note", After: text}); err != nil {
			return err
		}
		return record(ctx, tx, user.Actor(), "enquiry.note", e.Reference, nil)
	})
}

// Retry queues a failed or missing delivery of an enquiry again.
func (d *Desk) Retry(ctx context.Context, user *identity.User, id uuid.UUID, kind string) error {
	return d.change(ctx, user, id, func(tx pgx.Tx, e models.Enquiry) error {
		deliveries, err := queries.ContactDeliveryList(ctx, tx, id)
		if err != nil {
			return fmt.Errorf("loading deliveries: %w", err)
		}
		for _, known := range deliveries {
			if known.Kind == kind && known.State == models.ContactPending {
				return fault.New(fault.Conflict, "This delivery is on its way. It is tried until it succeeds, for two weeks.")
			}
		}
		if e.Status == models.EnquirySpam || e.Status == models.EnquiryUnconfirmed {
			return fault.New(fault.Conflict, "This enquiry is not delivered. Change its status first.")
		}
		v, err := d.service.Settings.Within(tx).Contact(ctx)
		switch {
		case err != nil:
			return err
		case kind == models.ContactEmail:
			err = d.service.queueEmail(ctx, tx, e)
		case kind == models.ContactWebhook && v.URL == "":
			return fault.New(fault.Conflict, "No webhook is set. Set its URL in the settings first.")
		case kind == models.ContactWebhook:
			err = d.service.queueWebhook(ctx, tx, id)
		default:
			return fault.New(fault.NotFound, "Choose email or webhook.")
		}
		if err != nil {
			return err
		}
		if err := addEvent(ctx, tx, id, models.EnquiryEvent{Actor: user.Actor(), Kind: "retried", After: kind}); err != nil {
			return err
		}
		return record(ctx, tx, user.Actor(), "enquiry.retry", e.Reference, map[string]any{"delivery": kind})
	})
}

// Erase deletes everything that is stored about the person with an email address,
// and returns how many enquiries that were. Copies that were delivered, and
// backups, are elsewhere. It is for Super Admins.
func (d *Desk) Erase(ctx context.Context, user *identity.User, address string) (int, error) {
	if user.Role != identity.SuperAdmin {
		return 0, fault.New(fault.Forbidden, "Only Super Admins erase enquiries.")
	}
	email, problem := notification.NormaliseAddress(address)
	if problem != "" {
		return 0, fault.InvalidFields(fault.Field{Name: "email", Message: problem})
	}
	var erased []string
	err := db.InTx(ctx, d.service.DB, func(tx pgx.Tx) (err error) {
		if erased, err = writes.EnquiryErase(ctx, tx, email); err != nil {
			return fmt.Errorf("erasing enquiries: %w", err)
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: user.Actor(), Action: "enquiry.erase", Target: "enquiries", Details: map[string]any{"references": erased}})
	})
	return len(erased), err
}

// RecordExport records in the audit that a user takes enquiries out of the system.
func (d *Desk) RecordExport(ctx context.Context, user *identity.User, filter map[string][]string) error {
	return db.InTx(ctx, d.service.DB, func(tx pgx.Tx) error {
		fields := slices.Sorted(maps.Keys(filter)) // not what was searched for, which may be a person
		return audit.Record(ctx, tx, audit.Entry{Actor: user.Actor(), Action: "enquiry.export", Target: "enquiries", Details: map[string]any{"filtered_by": fields}})
	})
}

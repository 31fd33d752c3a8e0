package sms

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/relay"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// Limits of an account.
const (
	maxHeaders   = 100
	maxTemplates = 500

	maxTemplateText = 2000
)

// Registry manages the headers, the registration and the stored texts of
// organisations.
type Registry struct {
	db        db.Beginner
	endpoints *relay.Endpoints
}

// NewRegistry returns a new Registry.
func NewRegistry(q db.Beginner, endpoints *relay.Endpoints) *Registry {
	return &Registry{q, endpoints}
}

// Account reads an account from the database.
func (r *Registry) Account(ctx context.Context, organisationID int64) (*Account, error) {
	return loadAccount(ctx, r.db, organisationID)
}

// By is an organisation and the user who acts for it.
type By struct {
	OrganisationID int64
	Actor          string // recorded in the audit
}

// change makes a change of an account and records it.
func (r *Registry) change(ctx context.Context, by By, action string, details map[string]any, work func(tx pgx.Tx) error) error {
	return db.InTx(ctx, r.db, func(tx pgx.Tx) error {
		if err := writes.SMSAccountEnsure(ctx, tx, by.OrganisationID); err != nil {
			return fmt.Errorf("locking the SMS account of %d: %w", by.OrganisationID, err)
		}
		if err := work(tx); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: by.Actor, Action: action, Target: fmt.Sprintf("organisation:%d", by.OrganisationID), Details: details})
	})
}

// AddHeader asks for a header. A sandbox has it at once, a live organisation when
// an administrator grants it.
func (r *Registry) AddHeader(ctx context.Context, by By, header string) error {
	header = strings.TrimSpace(header)
	kind, ok := KindOfHeader(header)
	if !ok {
		return fault.InvalidFields(fault.Field{Name: "header", Message: "Enter 6 letters or 6 digits for India, or up to 15 letters, digits and spaces for other countries."})
	}
	return r.change(ctx, by, "sms_header.add", map[string]any{"header": header}, func(tx pgx.Tx) error {
		added, err := writes.SMSHeaderInsert(ctx, tx, models.SMSHeader{OrganisationID: by.OrganisationID, Header: header, Kind: string(kind)}, maxHeaders)
		if err != nil {
			return fmt.Errorf("adding a header: %w", err)
		}
		if !added {
			return fault.InvalidFields(fault.Field{Name: "header", Message: fmt.Sprintf("Your account already has or awaits this header, or it has %d headers.", maxHeaders)})
		}
		return nil
	})
}

// RemoveHeader gives a header back, or withdraws the request for it.
func (r *Registry) RemoveHeader(ctx context.Context, by By, header string) error {
	return r.change(ctx, by, "sms_header.remove", map[string]any{"header": header}, func(tx pgx.Tx) error {
		removed, err := writes.SMSHeaderRelease(ctx, tx, by.OrganisationID, header)
		if err != nil {
			return fmt.Errorf("removing a header: %w", err)
		}
		if !removed {
			return fault.New(fault.NotFound, "Your account does not have this header.")
		}
		return nil
	})
}

// Registration is what an organisation sets for all of its messages.
type Registration struct {
	EntityID string // DLT; may be empty
	Reports  int16  // ReportsOff, ReportsAlways or ReportsOnRequest
}

// SetRegistration stores the entity id and when reports are sent.
func (r *Registry) SetRegistration(ctx context.Context, by By, set Registration) error {
	var faults fault.Fields
	set.EntityID = strings.TrimSpace(set.EntityID)
	faults.AddIf(set.EntityID != "" && !isDLTID(set.EntityID), "entity_id", "Enter the 6 to 20 digits of your registration, usually 19.")
	faults.AddIf(set.Reports < ReportsOff || set.Reports > ReportsOnRequest, "reports", "Choose when reports are sent.")
	if err := faults.Err(); err != nil {
		return err
	}
	return r.change(ctx, by, "sms_account.set", map[string]any{"entity_id": set.EntityID, "reports": set.Reports}, func(tx pgx.Tx) error {
		if err := writes.SMSAccountUpdate(ctx, tx, by.OrganisationID, set.EntityID, set.Reports); err != nil {
			return fmt.Errorf("setting the registration: %w", err)
		}
		return nil
	})
}

// AddTemplate stores a text and returns its id.
func (r *Registry) AddTemplate(ctx context.Context, by By, t models.SMSTemplate) (id int64, err error) {
	t.OrganisationID, t.Name, t.DLTTemplateID = by.OrganisationID, strings.TrimSpace(t.Name), strings.TrimSpace(t.DLTTemplateID)
	if faults := templateFaults(t); len(faults) > 0 {
		return 0, fault.InvalidFields(faults...)
	}
	err = r.change(ctx, by, "sms_template.add", map[string]any{"name": t.Name, "dlt_template_id": t.DLTTemplateID}, func(tx pgx.Tx) error {
		headers, err := queries.SMSHeaderList(ctx, tx, by.OrganisationID)
		if err != nil {
			return fmt.Errorf("listing headers: %w", err)
		}
		if t.Header != "" {
			if !slices.ContainsFunc(headers, func(h models.SMSHeader) bool {
				return strings.EqualFold(h.Header, t.Header) && h.State != models.HeaderDeclined
			}) {
				return fault.InvalidFields(fault.Field{Name: "text_header", Message: "Choose a header of your account, or none."})
			}
		}
		if id, err = writes.SMSTemplateInsert(ctx, tx, t, maxTemplates); err != nil {
			return fmt.Errorf("storing a text: %w", err)
		}
		if id == 0 {
			return fault.New(fault.Conflict, "Your account has %d stored texts. Remove one first.", maxTemplates)
		}
		return nil
	})
	return id, err
}

func templateFaults(t models.SMSTemplate) (faults fault.Fields) {
	if n := utf8.RuneCountInString(t.Name); n == 0 || n > 100 {
		faults.Add("name", "Enter a name of 1 to 100 characters.")
	}
	faults.AddIf(t.DLTTemplateID != "" && !isDLTID(t.DLTTemplateID), "dlt_template_id", "Enter the 6 to 20 digits of the registration, usually 19, or leave it empty.")
	switch n := utf8.RuneCountInString(t.Text); {
	case n == 0 || n > maxTemplateText || !utf8.ValidString(t.Text) || strings.ContainsRune(t.Text, 0):
		faults.Add("text", fmt.Sprintf("Enter a text of 1 to %d characters.", maxTemplateText))
	case strings.Count(t.Text, "{#") != Variables(t.Text):
		faults.Add("text", "Write each variable as {#var#}.")
	}
	return faults
}

// RemoveTemplate removes a stored text.
func (r *Registry) RemoveTemplate(ctx context.Context, by By, id int64) error {
	return r.change(ctx, by, "sms_template.remove", map[string]any{"id": id}, func(tx pgx.Tx) error {
		removed, err := writes.SMSTemplateDelete(ctx, tx, by.OrganisationID, id)
		if err != nil {
			return fmt.Errorf("removing a stored text: %w", err)
		}
		if !removed {
			return fault.New(fault.NotFound, "Your account does not have this text.")
		}
		return nil
	})
}

// Sandbox holds what a new organisation can send with at once.
type Sandbox struct {
	Header, EntityID, TemplateID string
	Text                         string // a text that fits the template
	StoredTextID                 int64  // of the template
}

// What every sandbox sends with. The ids belong to nobody.
const (
	sandboxHeader   = "HELIOG"
	sandboxEntity   = "1101234567890123456"
	sandboxTemplate = "1107123456789012345"
)

// What every sandbox sends: its headers and its stored texts.
var (
	sandboxHeaders = []string{sandboxHeader, "600123", "Heliograph"}
	sandboxTexts   = []models.SMSTemplate{
		{Name: "Parcel", DLTTemplateID: sandboxTemplate, Header: sandboxHeader, Text: "Dear {#var#}, your parcel {#var#} arrives today."},
		{Name: "One-time password", DLTTemplateID: "1107123456789012346", Header: sandboxHeader, Text: "{#var#} is your code. It is valid for {#var#} minutes."},
		{Name: "Offer", DLTTemplateID: "1107123456789012347", Header: "600123", Text: "Get {#var#} off until {#var#}. Reply STOP to opt out."},
	}
)

// Provision gives a sandbox its headers, a registration and stored texts, in the
// caller's transaction.
func Provision(ctx context.Context, tx pgx.Tx, k *keyring.Keyring, organisationID int64) (Sandbox, error) {
	s := Sandbox{Header: sandboxHeader, EntityID: sandboxEntity, TemplateID: sandboxTemplate, Text: "Dear Asha, your parcel A-1042 arrives today."}
	if err := writes.SMSAccountEnsure(ctx, tx, organisationID); err != nil {
		return s, fmt.Errorf("adding the SMS account: %w", err)
	}
	if err := writes.SMSAccountUpdate(ctx, tx, organisationID, sandboxEntity, ReportsAlways); err != nil {
		return s, fmt.Errorf("setting the registration: %w", err)
	}
	for _, header := range sandboxHeaders {
		kind, _ := KindOfHeader(header)
		if _, err := writes.SMSHeaderInsert(ctx, tx, models.SMSHeader{OrganisationID: organisationID, Header: header, Kind: string(kind)}, maxHeaders); err != nil {
			return s, fmt.Errorf("adding header %s: %w", header, err)
		}
	}
	for i, t := range sandboxTexts {
		t.OrganisationID = organisationID
		id, err := writes.SMSTemplateInsert(ctx, tx, t, maxTemplates)
		if err != nil {
			return s, fmt.Errorf("adding the text %s: %w", t.Name, err)
		}
		if i == 0 {
			s.StoredTextID = id
		}
	}
	_, _, err := ensureSecrets(ctx, tx, relay.NewEndpoints(relay.Options{Keyring: k}), organisationID)
	return s, err
}

package contact_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/app/fault"
	"heliograph/app/operation/setting"
	"heliograph/app/people/identity"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

func TestWorkingAnEnquiry(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.submit(t, valid())
	e, asha := d.only(t), d.admin(t, identity.SuperAdmin)
	if err := d.contacts.Desk.SetStatus(t.Context(), asha, e.ID, models.EnquiryContacted); err != nil {
		t.Fatal(err)
	}
	if err := d.contacts.Desk.Assign(t.Context(), asha, e.ID, asha.ID); err != nil {
		t.Fatal(err)
	}
	if err := d.contacts.Desk.AddNote(t.Context(), asha, e.ID, "Called back.\r\nWants prices."); err != nil {
		t.Fatal(err)
	}
	got := d.text(t, `select string_agg(kind || '(' || before || '>' || after || ')', ' ' order by id) from contact_events`)
	if want := "received(>new) status(new>contacted) assigned(>Asha super_admin) note(>Called back.\nWants prices.)"; got != want {
		t.Errorf("the history is %s\nwant %s", got, want)
	}
	if audit := d.text(t, `select string_agg(action, ' ' order by seq) from audit_entries where target like 'enquiry:%'`); audit != "enquiry.submit enquiry.status enquiry.assign enquiry.note" {
		t.Errorf("the audit has %s", audit)
	}
	if words := d.text(t, `select string_agg(details::text, '') from audit_entries where target like 'enquiry:%'`); strings.Contains(words, "Called") || strings.Contains(words, "mira") {
		t.Errorf("the audit holds personal data: %s", words)
	}
	for name, err := range map[string]error{
		"a status that is none":   d.contacts.Desk.SetStatus(t.Context(), asha, e.ID, models.EnquiryUnconfirmed),
		"nobody of that id":       d.contacts.Desk.Assign(t.Context(), asha, e.ID, 999_999),
		"an empty note":           d.contacts.Desk.AddNote(t.Context(), asha, e.ID, " \n"),
		"a note of 6,000 letters": d.contacts.Desk.AddNote(t.Context(), asha, e.ID, strings.Repeat("a", 6000)),
	} {
		if !fault.Is(err, fault.Invalid) {
			t.Errorf("%s gives %v", name, err)
		}
	}
	if err := d.contacts.Desk.SetStatus(t.Context(), asha, uuid.New(), models.EnquiryWon); !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown enquiry gives %v", err)
	}
}

func TestWhoMayWork(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.submit(t, valid())
	e := d.only(t)
	people := map[string]*identity.User{}
	for _, role := range []string{identity.SuperAdmin, identity.Editor, identity.Viewer} {
		people[role] = d.admin(t, role)
	}
	for _, editors := range []bool{false, true} {
		if _, err := d.settings.SaveContact(t.Context(), setting.ContactChange{Editors: editors, KeepDays: "10", KeepSpamDays: "5", Challenge: "off"}, "admin:1"); err != nil {
			t.Fatal(err)
		}
		for role, want := range map[string]bool{identity.SuperAdmin: true, identity.Editor: editors, identity.Viewer: false} {
			err := d.contacts.Desk.AddNote(t.Context(), people[role], e.ID, "A note.")
			if got := err == nil; got != want || err != nil && !fault.Is(err, fault.Forbidden) {
				t.Errorf("with editors %v, %s gives %v", editors, role, err)
			}
		}
	}
	if _, err := d.contacts.Desk.Erase(t.Context(), people[identity.Editor], "mira@example.com"); !fault.Is(err, fault.Forbidden) {
		t.Errorf("an Editor erases: %v", err)
	}
}

func TestSpamIsDeliveredWhenItIsRescued(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	asha := d.admin(t, identity.SuperAdmin)
	d.setRecipient(t, "sales@example.com")
	d.submit(t, valid())
	e := d.only(t)
	if got := d.deliveries(t, e.ID); got != "email pending" {
		t.Fatalf("at first: %s", got)
	}
	if err := d.contacts.Desk.SetStatus(t.Context(), asha, e.ID, models.EnquirySpam); err != nil {
		t.Fatal(err)
	}
	if got := d.deliveries(t, e.ID); got != "none" {
		t.Errorf("as spam: %s", got)
	}
	if state := d.text(t, `select state from notifications where purpose = 'contact'`); state != "cancelled" {
		t.Errorf("its email is %s", state)
	}
	if err := d.contacts.Desk.Retry(t.Context(), asha, e.ID, models.ContactEmail); !fault.Is(err, fault.Conflict) {
		t.Errorf("sending spam gives %v", err)
	}
	if err := d.contacts.Desk.SetStatus(t.Context(), asha, e.ID, models.EnquiryNew); err != nil {
		t.Fatal(err)
	}
	if got := d.deliveries(t, e.ID); got != "email pending" {
		t.Errorf("rescued: %s", got)
	}
}

// A webhook that was set after an enquiry came gets it when somebody asks for that.
func TestEnquiryIsSentToAWebhookThatWasSetLater(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	asha := d.admin(t, identity.SuperAdmin)
	d.submit(t, valid())
	e := d.only(t)
	if err := d.contacts.Desk.Retry(t.Context(), asha, e.ID, models.ContactWebhook); !fault.Is(err, fault.Conflict) {
		t.Errorf("without a webhook: %v", err)
	}
	if _, err := d.settings.SaveContact(t.Context(), setting.ContactChange{URL: "https://example.com/enquiries", KeepDays: "10", KeepSpamDays: "5", Challenge: "off"}, "admin:1"); err != nil {
		t.Fatal(err)
	}
	if err := d.contacts.Desk.Retry(t.Context(), asha, e.ID, models.ContactWebhook); err != nil {
		t.Errorf("with one: %v", err)
	}
	if got := d.deliveries(t, e.ID); got != "email waiting, webhook pending" {
		t.Errorf("then: %s", got)
	}
}

func (d *desk) setRecipient(t *testing.T, address string) {
	t.Helper()
	if err := d.settings.SaveEmail(t.Context(), setting.EmailChange{Mode: models.ModeVirtual, Contact: address, Port: "587", TLS: models.TLSStartTLS}, "admin:1"); err != nil {
		t.Fatal(err)
	}
}

func TestErasedMeansFoundNowhere(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	d := newDeskOn(t, pool)
	d.setRecipient(t, "sales@example.com")
	asha := d.admin(t, identity.SuperAdmin)
	f := valid()
	f.Organisation, f.Name, f.Email, f.Phones, f.Message = "Plantedorg", "Plantedname", "planted@example.com", "+919812399999", "Plantedmessage, please answer."
	d.submit(t, f)
	planted := d.only(t)
	if err := d.contacts.Desk.AddNote(t.Context(), asha, planted.ID, "Plantednote"); err != nil {
		t.Fatal(err)
	}
	f.Email, f.Organisation, f.Name, f.Phones, f.Message = "kept@example.com", "Keptorg", "Kept", "", "Another enquiry that stays."
	d.submit(t, f)
	if n, err := d.contacts.Desk.Erase(t.Context(), asha, " Planted@Example.com"); err != nil || n != 1 {
		t.Fatalf("erased %d, %v", n, err)
	}
	all := dbtest.Dump(t, pool)
	for _, word := range []string{"planted", "919812399999"} {
		if found := dbtest.Find(all, word); found != "" {
			t.Errorf("%s is still there: %s", word, found)
		}
	}
	if d.only(t).Organisation != "Keptorg" {
		t.Error("the enquiry of somebody else is gone")
	}
	if d.text(t, `select details->>'references' from audit_entries where action = 'enquiry.erase'`) != `["`+planted.Reference+`"]` {
		t.Error("the audit does not name what was erased")
	}
}

func TestRetention(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if _, err := d.settings.SaveContact(t.Context(), setting.ContactChange{KeepDays: "100", KeepSpamDays: "10", Challenge: "off"}, "admin:1"); err != nil {
		t.Fatal(err)
	}
	for i, row := range []struct {
		status string
		age    time.Duration
	}{
		{"won", 99 * 24 * time.Hour}, {"won", 101 * 24 * time.Hour}, {"spam", 9 * 24 * time.Hour}, {"spam", 11 * 24 * time.Hour}, {"unconfirmed", 11 * 24 * time.Hour}, {"new", 31 * 24 * time.Hour},
	} {
		_, err := d.db.Exec(t.Context(), `
			insert into contact_enquiries (id, reference, status, organisation, name, email, message, consent_version, fingerprint, client_hash, created_at, updated_at)
			values ($1, $2, $3, 'Org', 'Name', 'a@example.com', 'Words of an enquiry.', 'v', 'x', 'y', now() - $4::interval, now() - $4::interval)`,
			uuid.Must(uuid.NewV7()), "REF-"+string(rune('A'+i)), row.status, row.age)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := d.contacts.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if kept := d.text(t, `select string_agg(reference, ' ' order by reference) from contact_enquiries`); kept != "REF-A REF-C REF-F" {
		t.Errorf("kept: %s", kept)
	}
	if hashes := d.text(t, `select string_agg(reference, ' ') from contact_enquiries where client_hash is not null`); hashes != "REF-C" {
		t.Errorf("hashes of addresses are kept of %s", hashes)
	}
	if n := d.text(t, `select details->>'deleted' from audit_entries where action = 'enquiry.expire'`); n != "3" {
		t.Errorf("the audit counts %s", n)
	}
}

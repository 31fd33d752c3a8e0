package jobs_test

import (
	"fmt"
	"io"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/google/uuid"

	"heliograph/app/operation/setting"
	"heliograph/app/people/contact"
	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// envelope is an SMTP server that keeps emails with their recipients, and refuses
// those to planted@.
type envelope struct {
	mu      *sync.Mutex
	to      *[]string
	letters *[]string
}

func (e envelope) NewSession(*smtp.Conn) (smtp.Session, error) { return e, nil }
func (e envelope) Mail(string, *smtp.MailOptions) error        { return nil }
func (e envelope) Reset()                                      {}
func (e envelope) Logout() error                               { return nil }

func (e envelope) Rcpt(to string, _ *smtp.RcptOptions) error {
	if strings.HasPrefix(to, "planted") {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "No mailbox " + to}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	*e.to = append(*e.to, to)
	return nil
}

func (e envelope) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	e.mu.Lock()
	defer e.mu.Unlock()
	*e.letters = append(*e.letters, string(text))
	return err
}

// serveMail starts an SMTP server that the office sends its emails to.
func (o *office) serveMail(t *testing.T, contactRecipient string) envelope {
	t.Helper()
	e := envelope{&sync.Mutex{}, &[]string{}, &[]string{}}
	server := smtp.NewServer(e)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() { server.Serve(listener) }) //nolint:errcheck // it ends by being closed
	t.Cleanup(func() { server.Close(); wg.Wait() })
	err = o.settings.SaveEmail(t.Context(), setting.EmailChange{
		Mode: models.ModeSMTP, From: "Portal <portal@example.com>", Host: "127.0.0.1", Contact: contactRecipient,
		Port: strconv.Itoa(listener.Addr().(*net.TCPAddr).Port), TLS: models.TLSNone,
	}, "admin:1")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Words that try to add headers, recipients or parts to the emails about an
// enquiry arrive as words. Every email has the headers of an ordinary one.
func TestHostileEnquiriesMakeCleanEmails(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	s, _ := o.contacts(t, "", "")
	e := o.serveMail(t, "sales@example.com")
	words := []string{
		"an ordinary one", "x\r\nBcc: all@example.com", "x\nTo: all@example.com", "x\rCc: all@example.com", "x\u2028Bcc: all@example.com", "x\r\n\r\n<b>body</b>", "x\r\n.\r\nMAIL FROM:<a@example.com>",
		"=?utf-8?q?x?=\r\n =?utf-8?q?Bcc:_all=40example.com?=", "x\r\nContent-Type: text/html", strings.Repeat("கலங்கரை ", 20), "--\r\nMIME-Version: 9", "x\x0bBcc: all@example.com\x0c", "\"x\" <all@example.com>",
	}
	for n, text := range words {
		stamp, err := s.Stamps.Next(t.Context(), "", true)
		if err != nil {
			t.Fatal(err)
		}
		f := contact.Form{Organisation: text, Name: "Mira " + text, Email: fmt.Sprintf("mira%d@example.com", n), Message: "My enquiry is this: " + text, Consent: true, Stamp: stamp}
		if _, err := s.Submit(t.Context(), f, fmt.Sprint(n)); err != nil {
			t.Errorf("%q is refused: %v", text, err)
		}
	}
	o.work(t)
	o.await(t, strconv.Itoa(2*len(words)), `select count(*)::text from notifications where state = 'sent'`)
	e.mu.Lock()
	defer e.mu.Unlock()
	var usual []string
	for _, letter := range *e.letters {
		m, err := mail.ReadMessage(strings.NewReader(letter))
		if err != nil {
			t.Fatalf("%v:\n%s", err, letter)
		}
		names := slices.Sorted(maps.Keys(m.Header))
		if usual == nil {
			usual = names
		}
		to, err := m.Header.AddressList("To")
		if err != nil || len(to) != 1 || !slices.Equal(names, usual) {
			t.Errorf("an email to %v, %v has the headers %v, want %v", to, err, names, usual)
		}
		subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
		if err != nil || strings.ContainsAny(subject, "\r\n\u2028") {
			t.Errorf("a subject is %q, %v", subject, err)
		}
	}
	for _, to := range *e.to {
		if to != "sales@example.com" && !strings.HasPrefix(to, "mira") {
			t.Errorf("an email went to %s", to)
		}
	}
	if len(*e.to) != 2*len(words) {
		t.Errorf("%d recipients for %d enquiries", len(*e.to), len(words))
	}
}

// A person who is erased after everything happened is found in no table: not in
// what receivers answered, nor in notes, jobs or the audit.
func TestErasedAfterDeliveryIsFoundNowhere(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	var calls atomic.Int64
	crm := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			w.WriteHeader(http.StatusInternalServerError)
		}
		io.Copy(w, r.Body) //nolint:errcheck // an echo
	}))
	t.Cleanup(crm.Close)
	s, _ := o.contacts(t, crm.URL, "")
	o.serveMail(t, "sales@example.com")
	stamp, err := s.Stamps.Next(t.Context(), "", true)
	if err != nil {
		t.Fatal(err)
	}
	receipt, err := s.Submit(t.Context(), contact.Form{
		Organisation: "Plantedorg", Website: "plantedsite.example", Name: "Plantedname", Email: "planted@example.com", Phones: "+91 98123 99999", GSTNumber: "27AAPFU0939F1ZV",
		Message: "Plantedmessage, please answer.", Consent: true, Page: "/docs/plantedpage", Stamp: stamp,
	}, "203.0.113.77")
	if err != nil {
		t.Fatal(err)
	}
	o.work(t)
	o.await(t, "1", `select count(*)::text from contact_attempts`)
	if _, err := o.pool.Exec(t.Context(), `update river.river_job set scheduled_at = now(), state = 'available' where kind = 'deliver_contact' and state = 'scheduled'`); err != nil {
		t.Fatal(err)
	}
	o.await(t, "webhook delivered 1", `select string_agg(kind || ' ' || state || ' 1', '') from contact_deliveries where kind = 'webhook'`)
	o.await(t, "failed sent", `select string_agg(state, ' ' order by state) from notifications`)
	asha := identitytest.AddAdmin(t, o.pool, "Asha", "asha@example.com", identity.SuperAdmin)
	user := &identity.User{Surface: identity.Administration, ID: asha, Role: identity.SuperAdmin}
	var id uuid.UUID
	if err := o.pool.QueryRow(t.Context(), `select id from contact_enquiries`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	if err := s.Desk.AddNote(t.Context(), user, id, "Plantednote"); err != nil {
		t.Fatal(err)
	}
	values := []string{"plantedorg", "plantedsite", "plantedname", "planted@example.com", "919812399999", "27AAPFU0939F1ZV", "plantedmessage", "plantedpage", "plantednote"}
	before := dbtest.Dump(t, o.pool)
	for _, value := range values {
		if dbtest.Find(before, value) == "" {
			t.Errorf("%s is not stored at all", value)
		}
	}
	if n, err := s.Desk.Erase(t.Context(), user, "Planted@example.com"); n != 1 || err != nil {
		t.Fatalf("erased %d, %v", n, err)
	}
	after := dbtest.Dump(t, o.pool)
	for _, value := range append(values, "203.0.113.77", "planted") {
		if at := dbtest.Find(after, value); at != "" {
			t.Errorf("%s is still there: %s", value, at)
		}
	}
	if dbtest.Find(after, receipt.Reference) == "" {
		t.Error("the audit does not name the erased enquiry by its reference")
	}
	if log := o.log.text(); strings.Contains(strings.ToLower(log), "planted") {
		t.Errorf("the log names the person: %s", log)
	}
}

//go:build drill && linux

package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/operation/setting"
	"heliograph/app/people/contact"
	"heliograph/app/people/identity"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/jobs"
)

const (
	contactKills = 20 // half of them while nobody receives
	contactAway  = 24 * time.Hour
)

// contactDrill is a mail server and a webhook that can be away, and what came to
// them: for each enquiry the ids under which it came.
type contactDrill struct {
	fleet         *fleet
	web           *process
	settings      *setting.Settings
	mailAt, crmAt string

	mu            sync.Mutex
	mails, posts  map[string][]string // by reference or webhook id
	closeReceives func()
}

// TestContactDrill takes the mail server and the webhook of enquiries away for
// ten days, while people write and the worker is killed again and again, and then
// for longer than deliveries are tried. In the end every enquiry was delivered by
// email and by webhook. Time passes by moving what waits for it.
func TestContactDrill(t *testing.T) {
	d := newContactDrill(t)
	var sent []string
	for range contactKills / 2 {
		sent = append(sent, d.enquire(t), d.enquire(t))
		d.killWorker(t, 1500*time.Millisecond)
		d.pass(t, contactAway)
	}
	if n := d.count(t, `select count(*) from contact_deliveries where state <> 'pending'`); n > 0 {
		t.Errorf("%d deliveries ended while nobody received", n)
	}
	d.receive(t)
	for range contactKills / 2 {
		sent = append(sent, d.enquire(t))
		d.killWorker(t, 700*time.Millisecond)
		d.pass(t, time.Hour)
	}
	worker := d.fleet.start("worker")
	d.settle(t, 2*len(sent))
	repeated := d.judge(t, sent)
	t.Logf("%d enquiries, %d kills, receivers away for %v: every one delivered by email and webhook; %d deliveries came twice, under the same id", len(sent), contactKills, contactKills/2*contactAway, repeated)

	d.closeReceives()
	late := []string{d.enquire(t), d.enquire(t), d.enquire(t)}
	waitUntil(t, time.Minute, "the first attempts", func() bool {
		return d.count(t, `select count(*) from contact_attempts a join contact_deliveries x on x.enquiry_id = a.enquiry_id and x.kind = 'webhook' where x.state = 'pending'`) >= 3
	})
	d.pass(t, 15*24*time.Hour)
	waitUntil(t, 3*time.Minute, "deliveries are given up", func() bool {
		return d.count(t, `select count(*) from contact_deliveries where state = 'failed'`) == 6
	})
	d.receive(t)
	d.retryAll(t)
	sent = append(sent, late...)
	d.settle(t, 2*len(sent))
	d.judge(t, sent)
	worker.end(syscall.SIGTERM)
	d.fleet.checkLogs()
	t.Logf("%d enquiries whose deliveries had failed for good were sent again", len(late))
}

type freeGuard struct{}

func (freeGuard) CheckURL(context.Context, string) error { return nil }

func newContactDrill(t *testing.T) *contactDrill {
	t.Helper()
	f := newFleet(t)
	d := &contactDrill{fleet: f, mailAt: freeAddress(), crmAt: freeAddress(), mails: map[string][]string{}, posts: map[string][]string{}}
	d.settings = setting.New(setting.Options{DB: f.pool, Listener: db.NewListener(f.pool), Keyring: f.keyring, Guard: freeGuard{}, PlainSMTP: true})
	host, port, err := net.SplitHostPort(d.mailAt)
	if err != nil {
		t.Fatal(err)
	}
	err = d.settings.SaveEmail(t.Context(), setting.EmailChange{Mode: models.ModeSMTP, From: "Portal <portal@example.com>", Contact: "sales@example.com", Host: host, Port: port, TLS: models.TLSNone}, "admin:1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.settings.SaveContact(t.Context(), setting.ContactChange{URL: "http://" + d.crmAt, KeepDays: "700", KeepSpamDays: "30", Challenge: "off"}, "admin:1"); err != nil {
		t.Fatal(err)
	}
	d.web = f.start("web", "TRUSTED_PROXIES=127.0.0.0/8")
	return d
}

// drillMailbox receives emails and notes the Message-ID of each to the contact
// recipient.
type drillMailbox struct{ drill *contactDrill }

func (b drillMailbox) NewSession(*smtp.Conn) (smtp.Session, error) { return b, nil }
func (b drillMailbox) Mail(string, *smtp.MailOptions) error        { return nil }
func (b drillMailbox) Rcpt(string, *smtp.RcptOptions) error        { return nil }
func (b drillMailbox) Reset()                                      {}
func (b drillMailbox) Logout() error                               { return nil }

func (b drillMailbox) Data(r io.Reader) error {
	time.Sleep(50 * time.Millisecond) // so that kills meet it
	m, err := mail.ReadMessage(r)
	if err != nil {
		return err
	}
	if _, rest, ok := strings.Cut(m.Header.Get("Subject"), "Enquiry "); ok {
		b.drill.note(b.drill.mails, rest[:9], m.Header.Get("Message-ID"))
	}
	return nil
}

func (d *contactDrill) note(in map[string][]string, key, id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	in[key] = append(in[key], id)
}

// receive brings mail server and webhook back, until closeReceives.
func (d *contactDrill) receive(t *testing.T) {
	t.Helper()
	box := smtp.NewServer(drillMailbox{d})
	crm := &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(50 * time.Millisecond)
		if _, err := io.Copy(io.Discard, r.Body); err == nil {
			d.note(d.posts, r.Header.Get("Webhook-Id"), r.Header.Get("Webhook-Signature"))
		}
		w.WriteHeader(http.StatusNoContent)
	})}
	for address, serve := range map[string]func(net.Listener) error{d.mailAt: box.Serve, d.crmAt: crm.Serve} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		go serve(l) //nolint:errcheck // it ends by being closed
	}
	d.closeReceives = sync.OnceFunc(func() { box.Close(); crm.Close() })
	t.Cleanup(d.closeReceives)
}

// enquire sends an enquiry as a person does who is asked once more, and returns
// its reference.
func (d *contactDrill) enquire(t *testing.T) string {
	t.Helper()
	v, n := newVisitor(t), rand.IntN(1<<24)
	page := v.get(d.web.url + "/contact-us")
	for range 2 {
		field := func(name string) string { return page.document.Find(`main input[name="`+name+`"]`).AttrOr("value", "") }
		form := url.Values{
			"_csrf": {field("_csrf")}, "stamp": {field("stamp")}, "organisation": {"Lighthouse"}, "name": {"Mira"}, "consent": {"yes"},
			"email": {fmt.Sprintf("mira%d@example.com", n)}, "message": {fmt.Sprintf("Enquiry number %d, please answer.", n)},
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.web.url+"/contact-us", strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("X-Forwarded-For", fmt.Sprintf("198.%d.%d.%d", 18+n>>16&1, n>>8&255, n&255))
		if page = v.send(r); page.status == http.StatusSeeOther {
			break
		}
	}
	v.must("sending an enquiry", http.StatusSeeOther, page)
	return v.get(d.web.url + "/contact-us/thanks").document.Find(".quoted-reference strong").Text()
}

// killWorker lets a worker work for a random part of a time and kills it.
func (d *contactDrill) killWorker(t *testing.T, most time.Duration) {
	t.Helper()
	worker := d.fleet.start("worker")
	time.Sleep(time.Duration(rand.Float64() * float64(most)))
	worker.end(syscall.SIGKILL)
}

// pass lets time pass for what waits.
func (d *contactDrill) pass(t *testing.T, by time.Duration) {
	t.Helper()
	for _, sql := range []string{
		`update contact_deliveries set queued_at = queued_at - $1::interval where state = 'pending'`,
		`update notifications set created_at = created_at - $1::interval, expires_at = expires_at - $1::interval where state = 'queued' and purpose = 'contact'`,
		`update river.river_job set scheduled_at = scheduled_at - $1::interval where kind in ('deliver_contact', 'send_email') and state in ('scheduled', 'retryable', 'available')`,
		`update river.river_job set attempted_at = attempted_at - $1::interval where kind in ('deliver_contact', 'send_email') and state = 'running'`,
	} {
		if _, err := d.fleet.pool.Exec(t.Context(), sql, by); err != nil {
			t.Fatal(err)
		}
	}
}

func (d *contactDrill) count(t *testing.T, sql string) (n int) {
	t.Helper()
	if err := d.fleet.pool.QueryRow(t.Context(), sql).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// settle waits until so many deliveries have succeeded.
func (d *contactDrill) settle(t *testing.T, want int) {
	t.Helper()
	d.pass(t, time.Hour)
	waitUntil(t, 4*time.Minute, strconv.Itoa(want)+" deliveries", func() bool {
		return d.count(t, `select count(*) from contact_deliveries where state = 'delivered'`) == want
	})
}

// judge fails the test for every enquiry that was not delivered once per kind. A
// delivery may come again, because its worker was killed before it could note it, under
// the same id; judge returns how many did.
func (d *contactDrill) judge(t *testing.T, sent []string) (repeated int) {
	t.Helper()
	ids := map[string]string{}
	rows, err := d.fleet.pool.Query(t.Context(), `select reference, id from contact_enquiries`)
	if err != nil {
		t.Fatal(err)
	}
	var reference string
	var id uuid.UUID
	if _, err := pgx.ForEachRow(rows, []any{&reference, &id}, func() error { ids[reference] = "enquiry_" + id.String(); return nil }); err != nil {
		t.Fatal(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, reference := range sent {
		mails, posts := d.mails[reference], d.posts[ids[reference]]
		if len(mails) == 0 || len(posts) == 0 {
			t.Errorf("%s came %d times by email and %d times by webhook", reference, len(mails), len(posts))
			continue
		}
		for _, other := range mails {
			if other != mails[0] {
				t.Errorf("%s came under two Message-IDs: %v", reference, mails)
			}
		}
		repeated += len(mails) - 1 + len(posts) - 1
	}
	if len(ids) != len(sent) || len(d.posts) != len(sent) || len(d.mails) != len(sent) {
		t.Errorf("%d enquiries were sent, %d are stored, %d came by email and %d by webhook", len(sent), len(ids), len(d.mails), len(d.posts))
	}
	if repeated > contactKills {
		t.Errorf("%d deliveries came twice, after %d kills", repeated, contactKills)
	}
	return repeated
}

// retryAll sends everything again that failed, as an administrator does.
func (d *contactDrill) retryAll(t *testing.T) {
	t.Helper()
	inserter, err := jobs.New(jobs.Deps{Pool: d.fleet.pool}, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	messages := notification.New(notification.Options{DB: d.fleet.pool, Keyring: d.fleet.keyring, Settings: d.settings, Jobs: inserter})
	service := contact.New(contact.Options{DB: d.fleet.pool, Keyring: d.fleet.keyring, Settings: d.settings, Jobs: inserter, Mail: messages, PublicURL: d.web.url})
	admin := &identity.User{Surface: identity.Administration, ID: 1, Role: identity.SuperAdmin}
	rows, err := d.fleet.pool.Query(t.Context(), `select enquiry_id, kind, state from contact_deliveries where state = 'failed'`)
	if err != nil {
		t.Fatal(err)
	}
	failed, err := pgx.CollectRows(rows, pgx.RowToStructByNameLax[models.ContactDelivery])
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range failed {
		if err := service.Desk.Retry(t.Context(), admin, f.EnquiryID, f.Kind); err != nil {
			t.Fatal(err)
		}
	}
}

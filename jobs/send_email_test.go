package jobs_test

import (
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/google/go-cmp/cmp"

	"heliograph/app/operation/setting"
	"heliograph/app/people/notification"
	"heliograph/db/models"
)

// mailbox is an SMTP server.
type mailbox struct{ letters chan string }

func (b mailbox) NewSession(*smtp.Conn) (smtp.Session, error) { return b, nil }
func (b mailbox) Mail(string, *smtp.MailOptions) error        { return nil }
func (b mailbox) Reset()                                      {}
func (b mailbox) Logout() error                               { return nil }

func (b mailbox) Rcpt(to string, _ *smtp.RcptOptions) error {
	if strings.HasPrefix(to, "nobody@") {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "No such mailbox"}
	}
	return nil
}

func (b mailbox) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	b.letters <- string(text)
	return err
}

// receive starts an SMTP server that emails are sent to.
func (o *office) receive(t *testing.T) mailbox {
	t.Helper()
	box := mailbox{make(chan string, 10)}
	server := smtp.NewServer(box)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() { server.Serve(listener) }) //nolint:errcheck // it ends by being closed
	t.Cleanup(func() { server.Close(); wg.Wait() })
	err = o.settings.SaveEmail(t.Context(), setting.EmailChange{
		Mode: models.ModeSMTP, From: "Portal <portal@example.com>", Host: "127.0.0.1",
		Port: strconv.Itoa(listener.Addr().(*net.TCPAddr).Port), TLS: models.TLSNone,
	}, "admin:1")
	if err != nil {
		t.Fatal(err)
	}
	return box
}

func TestEmailIsSentByTheWorker(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	box := o.receive(t)
	o.sendEmail(t, "asha@example.com")
	o.sendEmail(t, "nobody@example.com")
	o.hides(t, "tok3n-of-one-use")
	o.work(t)
	if diff := cmp.Diff([]string{"email sent 1", "email failed 1 readable"}, o.settled(t)); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if letter := <-box.letters; !strings.Contains(letter, "tok3n-of-one-use") || !strings.Contains(letter, "Subject: Set a new password") {
		t.Errorf("the email is\n%s", letter)
	}
	if got := o.answers(t); !strings.Contains(got, "550 5.1.1 No such mailbox") {
		t.Errorf("the answers are\n%s", got)
	}
	o.hides(t, "tok3n-of-one-use")
}

// Virtual messages are readable for a day.
func TestVirtualMessages(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	if err := o.send(t, code("482913")); err != nil {
		t.Fatal(err)
	}
	o.sendEmail(t, "asha@example.com")
	o.work(t)
	if diff := cmp.Diff([]string{"sms sent 1 readable", "email sent 1 readable"}, o.settled(t)); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	o.hides(t, "482913", "tok3n-of-one-use")
	read := func(q notification.InboxQuery) (texts []string) {
		t.Helper()
		messages, more, err := o.messages.Inbox(t.Context(), q, "admin:1")
		if err != nil || more {
			t.Fatalf("the inbox: %v, more %t", err, more)
		}
		for _, m := range messages {
			texts = append(texts, fmt.Sprintf("%s %t %.6s", m.Kind, m.Forgotten, m.Text))
		}
		return texts
	}
	if diff := cmp.Diff([]string{"email false We rec", "sms false 482913"}, read(notification.InboxQuery{})); diff != "" {
		t.Errorf("the inbox (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"sms false 482913"}, read(notification.InboxQuery{Recipient: " 98123 45678"})); diff != "" {
		t.Errorf("the inbox of a number (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"email false We rec"}, read(notification.InboxQuery{Kind: models.KindEmail})); diff != "" {
		t.Errorf("the inbox of emails (-want +got):\n%s", diff)
	}
	if _, err := o.pool.Exec(t.Context(), `update notifications set created_at = created_at - interval '25 hours', expires_at = expires_at - interval '25 hours'`); err != nil {
		t.Fatal(err)
	}
	if err := notification.Sweep(t.Context(), o.pool); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"email true ", "sms true "}, read(notification.InboxQuery{})); diff != "" {
		t.Errorf("the inbox a day later (-want +got):\n%s", diff)
	}
	// Both messages were read in one look, and what is looked at again is no news.
	var views int
	if err := o.pool.QueryRow(t.Context(), `select count(*) from audit_entries where action = 'inbox.read' and actor = 'admin:1'`).Scan(&views); err != nil || views != 1 {
		t.Errorf("%d views are recorded, %v, want 1", views, err)
	}
}

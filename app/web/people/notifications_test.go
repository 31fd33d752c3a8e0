package people_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/people/identity"
	"heliograph/app/people/notification"
	"heliograph/app/web/webtest"
	"heliograph/db"
	emails "heliograph/views/email"
)

// A rejected email shows the provider's answer, is a concern, marks the invitation,
// and can be sent again once.
func TestResendNotification(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, webtest.UserRow, `update admin_users set password_set_at = null where id = 1000001`)
	err := db.InTx(t.Context(), site.DB, func(tx pgx.Tx) error {
		return site.Notifications.SendEmail(t.Context(), tx, notification.Email{
			To: "ravi@example.com", Message: emails.AdminInvitation("https://docs.example.com", "https://docs.example.com/x?token=t0ken", time.Hour),
			Purpose: "admin_invitation", Topic: "admin_link:admin:1000001", ExpiresAt: time.Now().Add(time.Hour),
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if a := c.Get("/admin"); strings.Contains(a.Find(".concerns").Text(), "not delivered") {
		t.Error("an email that waits is a concern")
	}
	webtest.Exec(t, site, `update notifications set state = 'failed', finished_at = now(), attempts = 1`,
		`insert into notification_attempts (notification_id, number, started_at, latency_ms, provider, outcome, answer)
		 select id, 1, now(), 5, 'mail.example.com:25', 'rejected', 'C: RCPT TO:<ravi@example.com>'||chr(10)||'S: 550 No such mailbox' from notifications`)
	if a := c.Get("/admin"); !strings.Contains(a.Find(".concerns").Text(), "1 email or code was not delivered") || a.Find(".concerns a[href='/admin/notifications']").Length() != 1 {
		t.Errorf("the concerns are %s", a.Find(".concerns").Text())
	}
	if a := c.Get("/admin/users"); strings.Count(a.Find("tbody").Text(), "not delivered") != 1 {
		t.Errorf("the users are %s", a.Find("tbody").Text())
	}
	list := c.Get("/admin/notifications?state=failed&to=RAVI")
	if !strings.Contains(list.Find("tbody").Text(), "S: 550 No such mailbox") || list.Find("tbody a[href^='/admin/notifications/']").Length() != 1 {
		t.Fatalf("the log is %s", list.Find("main").Text())
	}
	if a := c.Get("/admin/notifications?kind=sms"); a.Find("tbody tr").Length() != 0 {
		t.Errorf("the SMS are %s", a.Find("tbody").Text())
	}
	path := list.Find("tbody a").First().AttrOr("href", "")
	record := c.Get(path)
	if record.Status != 200 || !strings.Contains(record.Find("pre.answer").Text(), "RCPT TO") || record.Find("form[action='"+path+"/resend']").Length() != 1 {
		t.Fatalf("the record is %d %s", record.Status, record.Find("main").Text())
	}
	if a := site.SignInAdmin(t, identity.Editor).Post(path+"/resend", nil); a.Status != 403 {
		t.Errorf("an Editor gets %d", a.Status)
	}
	sent := c.Post(path+"/resend", nil)
	if again := c.Follow(sent); sent.Status != 303 || again.Status != 200 || !strings.Contains(again.Find("dl").Text(), "Waiting") {
		t.Fatalf("sending again gives %d %s", sent.Status, again.Find("main").Text())
	}
	if a := c.Get("/admin"); strings.Contains(a.Find(".concerns").Text(), "not delivered") {
		t.Error("an email that was sent again is still a concern")
	}
	var entries int
	if err := site.DB.QueryRow(t.Context(), `select count(*) from audit_entries where action = 'notification.resend'`).Scan(&entries); err != nil || entries != 1 {
		t.Errorf("%d entries in the audit, %v", entries, err)
	}
	webtest.Exec(t, site, `update notifications set created_at = now() - interval '2 hours', expires_at = now() - interval '1 hour' where state = 'failed'`)
	if a := c.Post(path+"/resend", nil); a.Status != 409 {
		t.Errorf("an expired email gives %d", a.Status)
	}
}

// Administrators find a message by id, whole number, reference or request id, in
// every organisation, and see its states but not its content.
func TestFindMessage(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	const id = "01a20455-0d62-7336-b528-6fedf877621f" // of 0x01a204550d62 ms
	const request, submission, other = "01a204550c0012ab34cd56ef", "01a20455-0c01-7abc-8def-0123456789ab", "01a204550c0012ab34cd56f0"
	webtest.Exec(t, site, webtest.OrganisationRow, `insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload, reference, state, request_id)
		values ('`+id+`', 1000001, 'sms', 1, '919812345678', 'text', '{"text": "a secret", "req_id": "`+submission+`"}', 'order-17', 'delivered', '`+request+`')`,
		`insert into message_events (message_id, organisation_id, state, occurred_at) values ('`+id+`', 1000001, 'delivered', now())`)
	if a := c.Get("/admin/messages"); a.Find(".empty").Length() != 1 {
		t.Error("without a search there are rows")
	}
	for _, text := range []string{id, "+91+98123+45678", "order-17", request, submission} {
		if a := c.Get("/admin/messages?q=" + strings.ReplaceAll(text, "+91+", "%2B91+")); a.Find("tbody a[href='/admin/messages/"+id+"']").Length() != 1 {
			t.Errorf("%s finds %s", text, a.Find("main").Text())
		}
	}
	for _, text := range []string{"order", "9812345678", "%25", other} {
		if a := c.Get("/admin/messages?q=" + text); a.Find("tbody tr").Length() != 0 {
			t.Errorf("%s finds %s", text, a.Find("tbody").Text())
		}
	}
	a := c.Get("/admin/messages/" + id)
	if a.Status != 200 || strings.Contains(a.Body, "a secret") || !strings.Contains(a.Find("tbody").Text(), "delivered") || a.Find("a[href='/admin/organisations/1000001']").Length() == 0 {
		t.Errorf("the message is %d %s", a.Status, a.Find("main").Text())
	}
	if a := c.Get("/admin/messages/01a20455-0d62-7336-b528-6fedf8776210"); a.Status != 404 {
		t.Errorf("an unknown message gives %d", a.Status)
	}
}

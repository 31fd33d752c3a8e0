package messaging_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/templates"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/jobs/args"
)

// templateBench is a sandbox account with a webhook.
type templateBench struct {
	*bundle
	account models.BusinessAccount
}

func setupTemplates(t *testing.T) *templateBench {
	t.Helper()
	b := &templateBench{bundle: setup(t)}
	if _, err := b.pool.Exec(t.Context(), `update organisations set sandbox = true`); err != nil {
		t.Fatal(err)
	}
	if err := b.service.Webhooks.SetWebhook(t.Context(), b.number, messaging.Webhook{URL: "https://example.com/hook"}, "test"); err != nil {
		t.Fatal(err)
	}
	var err error
	b.account, err = b.service.Numbers.Account(t.Context(), b.number.OrganisationID, fmt.Sprint(b.sandbox.BusinessAccountID))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func templateInput(t *testing.T, body string) (in templates.Input) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &in); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return in
}

func (b *templateBench) create(t *testing.T, body string) (made templates.Created, err error) {
	t.Helper()
	reply, err := b.service.Templates.CreateTemplate(t.Context(), b.account, templateInput(t, body), "")
	if err == nil {
		err = json.Unmarshal(reply.Body, &made)
	}
	return made, err
}

// plain is a template of a category without variables.
func plain(name, category string) string {
	return fmt.Sprintf(`{"name":%q,"language":"en_US","category":%q,"components":[{"type":"BODY","text":"Hello there"}]}`, name, category)
}

func (b *templateBench) made(t *testing.T, body string) string {
	t.Helper()
	made, err := b.create(t, body)
	if err != nil {
		t.Fatal(err)
	}
	return made.ID
}

func (b *templateBench) get(t *testing.T, id string) models.Template {
	t.Helper()
	found, err := b.service.Templates.Template(t.Context(), b.account.OrganisationID, id)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func (b *templateBench) edit(t *testing.T, id, body string) error {
	t.Helper()
	return b.service.Templates.EditTemplate(t.Context(), b.account.OrganisationID, id, templateInput(t, body))
}

// review ends the review that is due.
func (b *templateBench) review(t *testing.T, id string) models.Template {
	t.Helper()
	now := b.get(t, id)
	b.reviewRevision(t, now.ID, now.Revision)
	return b.get(t, id)
}

func (b *templateBench) reviewRevision(t *testing.T, id int64, revision int) {
	t.Helper()
	err := db.InTx(t.Context(), b.pool, func(tx pgx.Tx) error {
		return templates.Review(t.Context(), tx, b.jobs, "msgapp", args.ReviewTemplate{TemplateID: id, Revision: revision})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (b *templateBench) settle(t *testing.T) {
	t.Helper()
	if err := templates.Settle(t.Context(), b.pool, b.jobs, "msgapp"); err != nil {
		t.Fatal(err)
	}
}

func (b *templateBench) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	if _, err := b.pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

// events returns the events of stored callbacks in order and deletes them.
func (b *templateBench) events(t *testing.T) string {
	t.Helper()
	var told string
	err := b.pool.QueryRow(t.Context(), `
		with told as (delete from deliveries returning id, event)
		select coalesce(string_agg(substr(event, 10), ' ' order by id), '') from told where event like 'template.%'`).Scan(&told)
	if err != nil {
		t.Fatal(err)
	}
	return told
}

func wantFault(t *testing.T, name string, err error, subcode int) {
	t.Helper()
	f := fault.As(err)
	switch {
	case f == nil:
		t.Errorf("%s: error = %v, want a fault", name, err)
	case f.Code != "100" || f.Subcode != subcode || f.Fields[0].Message == "" || (f.Title == "") != (subcode == 0):
		t.Errorf("%s: code %s, subcode %d %q (%s), want code 100, subcode %d", name, f.Code, f.Subcode, f.Title, f.Fields[0].Message, subcode)
	}
}

func TestAuthenticationTemplateIsStoredAsItIsSent(t *testing.T) {
	t.Parallel()
	b := setupTemplates(t)
	made, err := b.create(t, `{"name":"code_one","language":"en_US","category":"authentication","components":[
		{"type":"body","add_security_recommendation":true},{"type":"footer","code_expiration_minutes":10},
		{"type":"buttons","buttons":[{"type":"otp","otp_type":"copy_code"}]}]}`)
	if err != nil || made.Status != "APPROVED" || made.Category != "AUTHENTICATION" {
		t.Fatalf("created %+v, %v; want it approved at once", made, err)
	}
	got := b.get(t, made.ID)
	var components any
	if err := json.Unmarshal(got.Components, &components); err != nil {
		t.Fatal(err)
	}
	address := "https://example.com/otp/code/?otp_type=COPY_CODE&code=otp"
	want := []any{
		map[string]any{
			"type": "BODY", "text": "*{{1}}* is your verification code. For your security, do not share this code.", "add_security_recommendation": true,
			"example": map[string]any{"body_text": []any{[]any{"123456"}}},
		},
		map[string]any{"type": "FOOTER", "text": "This code expires in 10 minutes.", "code_expiration_minutes": 10.0},
		map[string]any{"type": "BUTTONS", "buttons": []any{
			map[string]any{"type": "URL", "text": "Copy code", "url": address + "{{1}}", "example": []any{address + "123456"}},
		}},
	}
	if diff := cmp.Diff(want, components); diff != "" {
		t.Error(diff)
	}
	if got.TTL == nil || *got.TTL != 600 {
		t.Errorf("time to live = %v, want 600", got.TTL)
	}
	if told := b.events(t); told != "approved" {
		t.Errorf("told %q, want approved", told)
	}
	hindi := b.get(t, b.made(t, `{"name":"code_one","language":"hi","category":"AUTHENTICATION","components":[{"type":"BODY"},{"type":"FOOTER","code_expiration_minutes":"1"},
		{"type":"BUTTONS","buttons":[{"type":"OTP","otp_type":"ONE_TAP","autofill_text":"Fill","supported_apps":[{"package_name":"com.example.lamps","signature_hash":"K8a/AINcGX7"}]}]}]}`))
	for _, part := range []string{"सत्यापन कोड", "1 मिनट", "ONE_TAP", "package_name=com.example.lamps", "K8a%2FAINcGX7"} {
		if !strings.Contains(string(hindi.Components), part) {
			t.Errorf("%s is not in %s", part, hindi.Components)
		}
	}
	if hindi.Status != "PENDING" {
		t.Errorf("a one-tap template is %s, want PENDING", hindi.Status)
	}
	if _, err := b.service.Sender.Send(t.Context(), b.number, []byte(`{"messaging_product":"msgapp","to":"919812345678","type":"template","template":{"name":"code_one","language":{"code":"en_US"},
		"components":[{"type":"body","parameters":[{"type":"text","text":"4711"}]},{"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":"4711"}]}]}}`), ""); err != nil {
		t.Errorf("the approved template cannot be sent: %v", err)
	}
}

func TestTemplateNameIsTakenOnce(t *testing.T) {
	t.Parallel()
	b := setupTemplates(t)
	errs := make([]error, 8)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { _, errs[i] = b.create(t, plain("news", "MARKETING")) })
	}
	wg.Wait()
	created := 0
	for _, err := range errs {
		if err == nil {
			created++
			continue
		}
		wantFault(t, "same name and language", err, 2388024)
	}
	if created != 1 {
		t.Errorf("%d templates were created, want 1", created)
	}
	if _, err := b.create(t, strings.Replace(plain("news", "MARKETING"), "en_US", "hi", 1)); err != nil {
		t.Errorf("another language: %v", err)
	}
}

func TestAccountHasRoomForSoManyTemplates(t *testing.T) {
	t.Parallel()
	b := setupTemplates(t)
	b.exec(t, `with ids as (select n, 3000000000000000 + n as id from generate_series(1, 246) n),
		r as (insert into registry (id, kind, organisation_id) select id, 'template', $1 from ids returning id)
		insert into message_templates (id, organisation_id, business_account_id, name, language, category, status, components)
		select id, $1, $2, 'filler_' || id, 'en_US', 'UTILITY', 'APPROVED', '[]' from r`, b.account.OrganisationID, b.account.ID)
	last := b.made(t, plain("last_one", "UTILITY"))
	_, err := b.create(t, plain("one_more", "UTILITY"))
	wantFault(t, "template 251", err, 2388019)
	if err := b.service.Templates.DeleteTemplates(t.Context(), b.account, templates.Choice{Name: "last_one", ID: input.Text(last)}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.create(t, plain("one_more", "UTILITY")); err != nil {
		t.Errorf("after a deletion: %v", err)
	}
	b.exec(t, `update organisations set sandbox = false`)
	if _, err := b.create(t, plain("beyond", "UTILITY")); err != nil {
		t.Errorf("template 251 outside a sandbox: %v", err)
	}
}

func TestTemplatesOfOthersAreMissing(t *testing.T) {
	t.Parallel()
	b := setupTemplates(t)
	id := b.made(t, plain("mine", "UTILITY"))
	stranger := b.account.OrganisationID + 1
	if _, err := b.service.Templates.Template(t.Context(), stranger, id); !fault.Is(err, fault.NotFound) {
		t.Errorf("reading: %v, want NotFound", err)
	}
	if err := b.service.Templates.EditTemplate(t.Context(), stranger, id, templateInput(t, `{"category":"MARKETING"}`)); !fault.Is(err, fault.NotFound) {
		t.Errorf("editing: %v, want NotFound", err)
	}
	other := models.BusinessAccount{ID: b.account.ID + 1, OrganisationID: stranger}
	for _, choice := range []templates.Choice{{Name: "mine"}, {Name: "mine", ID: input.Text(id)}, {IDs: input.Text(id)}} {
		if err := b.service.Templates.DeleteTemplates(t.Context(), other, choice); !fault.Is(err, fault.NotFound) {
			t.Errorf("deleting %+v: %v, want NotFound", choice, err)
		}
	}
	if got := b.get(t, id); got.Status != "PENDING" {
		t.Errorf("the template is %s", got.Status)
	}
}

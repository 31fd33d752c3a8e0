package api_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/sms"
	"heliograph/app/documentation/openapi/codetest"
)

// Reports can be asked for, by the organisation that sent the message.
func TestSMSReportIsAskedFor(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	id := p.submit(t, map[string]any{"cust_ref": "parcel-8"}).Messages[0].ID
	ask := func(id string) (r sms.ReportResponse) {
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/genericapi/dlr?accesskey="+p.key+"&msg_id="+id, nil))
		if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil || w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		codetest.Note(t, "sms", r.Status.Code.String(), "GET /genericapi/dlr?accesskey={key}&msg_id="+id)
		if r.Report != nil {
			codetest.Note(t, "sms report", r.Report.Code, "GET /genericapi/dlr?accesskey={key}&msg_id="+id)
		}
		return r
	}
	if r := ask(id); r.Status.Code != 200 || r.Report.Status != "ACCEPTD" || r.Report.ID != id || r.Report.Reference != "parcel-8" {
		t.Errorf("%+v %+v", r, r.Report)
	}
	for _, unknown := range []string{"", "x", strings.Repeat("z", 25), strings.Repeat("0", 25)} {
		if r := ask(unknown); r.Status.Code != sms.CodeReportingKey || r.Report != nil {
			t.Errorf("%q: %+v", unknown, r)
		}
	}
	later := p.submit(t, map[string]any{".schedule_time": sms.LocalTime(time.Now().Add(time.Hour)), ".messages": []any{map[string]any{
		"dest": "919812345678", "header": p.sandbox.Header, "msg": strings.Repeat("a", 400), "dlt_template_id": p.sandbox.TemplateID}}})
	if r := ask(later.Messages[0].ID); r.Report.Status != "SCHEDULED" || r.Report.Parts != 3 {
		t.Errorf("%+v", r.Report)
	}
}

// Addresses that a request names are checked like the account's own.
func TestSMSReportAddress(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	for address, want := range map[string]sms.Code{
		"https://93.184.216.34/reports": 200, "https://93.184.216.34/dlr?id=%msg_id%&state=%status%": 200,
		"http://93.184.216.34/": sms.CodeBadRequest, "https://127.0.0.1/": sms.CodeBadRequest, "https://10.0.0.1/": sms.CodeBadRequest, "nonsense": sms.CodeBadRequest,
	} {
		if a := p.submit(t, map[string]any{".dlr_url": address}); a.Status.Code != want {
			t.Errorf("%s: %s, want %s", address, a.text, want)
		}
	}
	var subjects []string
	rows, err := p.pool.Query(t.Context(), `select distinct subject from messages`)
	if err != nil {
		t.Fatal(err)
	}
	if subjects, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil || len(subjects) != 2 || slices.Contains(subjects, fmt.Sprint(p.id)) {
		t.Errorf("subjects %v, %v", subjects, err)
	}
	if a := p.submit(t, map[string]any{"dlr_req": "0", "dest": "919812345699"}); a.Status.Code != 200 {
		t.Fatal(a.text)
	}
	var nobody int
	if err := p.pool.QueryRow(t.Context(), `select count(*) from messages where subject = '-'`).Scan(&nobody); err != nil || nobody != 1 {
		t.Errorf("%d messages without reports, %v", nobody, err)
	}
}

// An address for each message would fill the table of webhooks.
func TestSMSReportAddressesAreBounded(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	_, err := p.pool.Exec(t.Context(), `insert into webhooks (organisation_id, channel, subject, url, headers) select $1::bigint, 'sms', 'used/' || n, 'https://93.184.216.34/', '' from generate_series(1, 98) n`, p.id)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time it is known
		if a := p.submit(t, map[string]any{".dlr_url": "https://93.184.216.34/a"}); a.Status.Code != sms.CodeAccepted {
			t.Errorf("the last address: %s", a.text)
		}
	}
	if a := p.submit(t, map[string]any{".dlr_url": "https://93.184.216.34/b"}); a.Status.Code != sms.CodeBadRequest || !strings.Contains(a.Status.Desc, "%msg_id%") {
		t.Errorf("one address too many: %s", a.text)
	}
	// A process that has forgotten which addresses are known looks them up.
	_, err = p.pool.Exec(t.Context(), `
		with old as (delete from webhooks where subject = 'used/1' returning *)
		insert into webhooks (organisation_id, channel, subject, url, headers) select organisation_id, channel, 'used/99', url, headers from old`)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if a := p.submit(t, map[string]any{".dlr_url": "https://93.184.216.34/a"}); a.Status.Code != sms.CodeAccepted {
			t.Fatalf("a known address, looked up: %s", a.text)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

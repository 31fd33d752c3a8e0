//go:build judge

package jobs_test

import (
	"encoding/binary"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf16"

	"heliograph/app/channels"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/sms"
	"heliograph/app/outbound/kanneltest"
	"heliograph/app/web/api"
	"heliograph/jobs"

	"github.com/labstack/echo/v4"
)

// SMS that people send come over SMPP and through a real Kannel to the organisation
// that has the number, with every character.
func TestSMSAreReceivedThroughKannel(t *testing.T) {
	t.Parallel()
	b := prepare(t, func(*jobs.Deps) {})
	receiver := &pipeline.Receiver{DB: b.pool, Keyring: b.keyring, Jobs: b.client, Channels: channels.Declared()}
	router := echo.New()
	router.Any(pipeline.ReportPrefix+"/*", api.NewReports(receiver, nil, nil, 4).Handle)
	hooks := httptest.NewServer(http.HandlerFunc(router.ServeHTTP))
	t.Cleanup(hooks.Close)
	address := hooks.URL + pipeline.NewInboundAddress(b.keyring, "operator", sms.Channel, 0).Path()
	gateway := kanneltest.StartWith(t, kanneltest.Config{Inbound: address + "?from=%p&to=%P&text=%b&charset=%C&id=%I", Retries: -1}, func(kanneltest.Submitted) string { return "DELIVRD" })
	if _, err := b.pool.Exec(t.Context(), `insert into sms_numbers (number, organisation_id) values ('56767', $1)`, b.number.OrganisationID); err != nil {
		t.Fatal(err)
	}
	count := func(sql string, args ...any) (n int) {
		if err := b.pool.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	kanneltest.Await(t, "the gateway is bound", gateway.Bound)
	unicode := "नमस्ते 🪔 & 50 %"
	var wide []byte
	for _, unit := range utf16.Encode([]rune(unicode)) {
		wide = binary.BigEndian.AppendUint16(wide, unit)
	}
	gateway.Deliver("919812345678", "56767", 0, []byte("Where is it & why + how?"))
	gateway.Deliver("919812345678", "56767", 8, wide)
	gateway.Deliver("919812345678", "56767", 0, []byte(" stop. "))
	kanneltest.Await(t, "three messages are received", func() bool {
		return count(`select count(*) from inbound_messages where organisation_id = $1 and channel = 'sms' and recipient = '56767' and contact = '919812345678'`, b.number.OrganisationID) == 3
	})
	for _, text := range []string{"Where is it & why + how?", unicode} {
		if n := count(`select count(*) from inbound_messages where payload->>'text' = $1`, text); n != 1 {
			t.Errorf("%q was received %d times", text, n)
		}
	}
	if n := count(`select count(*) from suppressions where recipient = '919812345678' and channel = 'sms' and reason = 'stop' and organisation_id = $1`, b.number.OrganisationID); n != 1 {
		t.Error("STOP was not obeyed")
	}
	for _, m := range gateway.Messages() {
		if !strings.HasPrefix(m.To, "0") {
			t.Errorf("the gateway answered %s with %q", m.To, m.Text)
		}
	}
}

package jobs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/relay"
	"heliograph/app/channels/sms"
	"heliograph/app/documentation/openapi/codetest"
	"heliograph/app/outbound"
	"heliograph/app/runtest"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/jobs"
)

// Workers wait for their timers and hardly compute, so more tests run side by side than
// there are processors, unless -parallel says how many.
func TestMain(m *testing.M) {
	runtest.Overlap(8)
	codetest.Run(m)
}

// refuser is a carrier that refuses a message with the code that the last six
// digits of its recipient are, and takes no message otherwise.
type refuser struct{ outbound.Carrier }

func (refuser) Send(_ context.Context, m outbound.Message) (outbound.Receipt, error) {
	code, err := strconv.Atoi(m.Recipient[len(m.Recipient)-6:])
	if err != nil {
		return outbound.Receipt{}, err
	}
	return outbound.Receipt{}, &outbound.CarrierError{Code: code, Title: fmt.Sprintf("Refused with %d", code)}
}

func refusing(d *jobs.Deps) { d.Carrier = refuser{d.Carrier} }

// The published reasons of an operator for refusing an SMS reach the sender's report
// with their meaning.
func TestReasonsOfOperatorsAreReported(t *testing.T) {
	t.Parallel()
	x := newTexter(t, refusing)
	statuses := map[string]string{}
	for status, codes := range map[string]string{
		"REJECTD": "402 403 404 408 413 414 417 432 433 442 445 617 618 620 622 625 626 627 631 632 642",
		"UNDELIV": "602 606 607 608 613", "EXPIRED": "407 640", "UNKNOWN": "699",
	} {
		for _, code := range strings.Fields(codes) {
			statuses["919812000"+code] = status
		}
	}
	for recipient := range statuses {
		x.submit(t, sms.Submission{Messages: []sms.Message{{Dest: []string{recipient}}}})
	}
	for range len(statuses) {
		_, report := x.next(t)
		want := report.Dest[len(report.Dest)-3:]
		reason, err := strconv.Atoi(want)
		if err != nil || report.Code != want || report.Err != want || report.Status != statuses[report.Dest] || report.Desc != sms.ReasonMeaning(reason) {
			t.Errorf("%s: %+v, want %s %s", report.Dest, report, statuses[report.Dest], want)
		}
		delete(statuses, report.Dest)
	}
	if len(statuses) > 0 {
		t.Errorf("no report about %v", statuses)
	}
}

// The errors of a carrier of RCS reach the webhook of the bot.
func TestErrorsOfRCSAreReported(t *testing.T) {
	t.Parallel()
	b := setup(t, refusing)
	var bot rcs.Sandbox
	err := db.InTx(t.Context(), b.pool, func(tx pgx.Tx) (err error) {
		bot, err = rcs.Provision(t.Context(), tx, b.number.OrganisationID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	type event struct {
		Status, UserContact string
		Error               struct {
			Code    int
			Message string
		}
	}
	events := make(chan event, 10)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var e event
		if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
			t.Errorf("an event is no JSON: %v", err)
		}
		events <- e
	}))
	t.Cleanup(server.Close)
	endpoints := relay.NewEndpoints(relay.Options{DB: b.pool, Keyring: b.keyring, Guard: openGuard{}})
	service := rcs.New(rcs.Options{Pool: b.pool, Endpoints: endpoints, Keyring: b.keyring, Jobs: b.client})
	if err := service.Webhooks.SetWebhook(t.Context(), rcs.By{OrganisationID: b.number.OrganisationID, Actor: "test"}, rcs.WebhookSetting{BotID: bot.BotID, URL: server.URL}); err != nil {
		t.Fatal(err)
	}
	names := map[int]string{402: "insufficient_balance", 403: "curfew_hrs", 404: "rcs_disabled", 409: "invalid_template", 410: "opted_out", 423: "dnd_enabled", 429: "rate_limit"}
	group := pipeline.Group{}
	for code := range names {
		group.Messages = append(group.Messages, models.Message{
			ID: uuid.Must(uuid.NewV7()), OrganisationID: b.number.OrganisationID, Channel: rcs.Channel, Sender: bot.BotID, Recipient: fmt.Sprintf("919812000%d", code),
			Reference: fmt.Sprint(code), Kind: "text", Payload: []byte(`{"contentMessage":{"text":"Hello"}}`), CreatedAt: time.Now(),
		})
	}
	if _, err := pipeline.NewAcceptor(b.pool, nil).Accept(t.Context(), group); err != nil {
		t.Fatal(err)
	}
	for range group.Messages {
		var e event
		select {
		case e = <-events:
		case <-time.After(30 * time.Second):
			t.Fatalf("no event within 30 s; without one: %v", names)
		}
		if e.Status != "FAILED" || e.Error.Message != names[e.Error.Code] || !strings.HasSuffix(e.UserContact, strconv.Itoa(e.Error.Code)) {
			t.Errorf("event %+v, want FAILED with %q", e, names[e.Error.Code])
		}
		delete(names, e.Error.Code)
		codetest.Note(t, "rcs error", strconv.Itoa(e.Error.Code), "an RCS message to "+e.UserContact+", whose carrier refuses it so")
	}
}

// The errors of a carrier of the messaging channel reach the webhook of the number.
func TestErrorsOfMessagingAreReported(t *testing.T) {
	t.Parallel()
	b := setup(t, refusing)
	url, calls := receiver(t, always(200))
	b.setWebhook(t, url)
	for _, code := range []int{131016, 131026, 131049, 131050, 131052} {
		id := b.send(t, fmt.Sprintf("919812%d", code))
		c := next(t, calls)
		if c.status.ID != id || c.status.Status != "failed" || len(c.status.Errors) != 1 || c.status.Errors[0].Code != code || c.status.Errors[0].Title != fmt.Sprintf("Refused with %d", code) {
			t.Errorf("code %d: %s", code, c.body)
		}
	}
}

package messaging_test

import (
	"testing"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/documentation/openapi/codetest"
	"heliograph/app/fault"
	"heliograph/db"
)

// A live number sends once a carrier is set up for it; a sandbox needs none.
func TestLiveNumberSendsOnlyWithACarrier(t *testing.T) {
	t.Parallel()
	b := setup(t)
	options := b.options
	options.Listener = db.NewListener(b.pool)
	options.Routes = pipeline.NewRoutes(b.pool, options.Listener)
	service := messaging.New(options)
	number := b.number
	send := func(sandbox bool) error {
		t.Helper()
		if _, err := b.pool.Exec(t.Context(), `update organisations set sandbox = $2 where id = $1`, number.OrganisationID, sandbox); err != nil {
			t.Fatal(err)
		}
		number.Sandbox = sandbox
		_, err := service.Sender.Send(t.Context(), number, []byte(hello), "")
		return err
	}
	if err := send(true); err != nil {
		t.Errorf("a sandbox without a carrier: %v", err)
	}
	before := b.count(t, `select count(*) from messages`)
	if f := fault.As(send(false)); f == nil || f.Code != "133010" || f.Kind != fault.Invalid {
		t.Errorf("a live number without a carrier: %v, want code 133010", f)
	} else {
		codetest.Note(t, "messaging", f.Code, "a message from a live number without a carrier")
	}
	if n := b.count(t, `select count(*) from messages`); n != before {
		t.Error("the refused message was stored")
	}
	_, err := b.pool.Exec(t.Context(), `
		with c as (insert into carriers (name, kind) values ('upstream', 'http') returning id)
		insert into carrier_routes (channel, carrier_id) select 'messaging', id from c`)
	if err != nil {
		t.Fatal(err)
	}
	if err := send(false); err != nil {
		t.Errorf("a live number with a carrier: %v", err)
	}
}

package pipeline

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/channels/blocklist"
	"heliograph/app/fault"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/jobs/args"

	"github.com/jackc/pgx/v5"
)

// A carrier is tried with what its kind needs, under the number as digits.
// Settings are checked with the secret that is stored if none is entered.
func TestCarriersAreTried(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	var tried []CarrierTest
	var secrets []bool // whether checked settings had one
	var refused error
	c := &Carriers{
		DB: tx, Keyring: newKeyring(t), Kinds: []string{"kannel", KindRBM}, PublicURL: "https://docs.example.com",
		CheckURL: func(context.Context, string) error { return nil },
		CheckSettings: func(row models.Carrier) error {
			secrets = append(secrets, len(row.Secret) > 0)
			if strings.Contains(string(row.Settings), "wrong") {
				return errors.New("a setting is wrong")
			}
			return nil
		},
		Try: func(_ context.Context, row models.Carrier, test CarrierTest) (string, error) {
			tried = append(tried, test)
			return row.Name + "-1", refused
		},
	}
	set := func(change CarrierChange) {
		t.Helper()
		if err := c.Set(t.Context(), change, "admin:1"); err != nil {
			t.Fatal(err)
		}
	}
	set(CarrierChange{Name: "gateway", Kind: "kannel", Secret: "hush"})
	set(CarrierChange{Name: "gateway", Kind: "kannel"})
	set(CarrierChange{Name: "agent", Kind: KindRBM})
	if err := c.Set(t.Context(), CarrierChange{Name: "agent", Kind: KindRBM, Settings: map[string]string{"a": "wrong"}}, "admin:1"); fault.As(err) == nil || fault.As(err).Fields[0].Name != "settings" {
		t.Errorf("settings that cannot work: %v", err)
	}
	if diff := cmp.Diff([]bool{true, true, false, false}, secrets); diff != "" {
		t.Errorf("settings with a secret (-want +got):\n%s", diff)
	}

	good := CarrierTest{Sender: "PARCEL", Recipient: "+91 98123 45678", Text: strings.Repeat("t", 140)}
	with := func(change func(test *CarrierTest)) CarrierTest {
		test := good
		change(&test)
		return test
	}
	for name, wrong := range map[string]struct {
		test  CarrierTest
		field string
	}{
		"a number without a country": {with(func(test *CarrierTest) { test.Recipient = "12" }), "recipient"},
		"no sender":                  {with(func(test *CarrierTest) { test.Sender = "" }), "sender"},
		"a long sender":              {with(func(test *CarrierTest) { test.Sender = strings.Repeat("s", 65) }), "sender"},
		"no text":                    {with(func(test *CarrierTest) { test.Text = "" }), "text"},
		"a long text":                {with(func(test *CarrierTest) { test.Text += "t" }), "text"},
	} {
		if f := fault.As(second(c.Test(t.Context(), "gateway", wrong.test, "admin:1"))); f == nil || len(f.Fields) != 1 || f.Fields[0].Name != wrong.field {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if err := second(c.Test(t.Context(), "nobody", good, "admin:1")); !fault.Is(err, fault.NotFound) || len(tried) > 0 {
		t.Errorf("an unknown carrier: %v, tried %v", err, tried)
	}
	good.Sender = strings.Repeat("s", 64)
	for name, test := range map[string]CarrierTest{"gateway": good, "agent": with(func(test *CarrierTest) { test.Text = "" })} {
		id, err := c.Test(t.Context(), name, test, "admin:1")
		if test.Recipient = "919812345678"; err != nil || id != name+"-1" || tried[len(tried)-1] != test {
			t.Errorf("%s: %s, %v, tried with %+v", name, id, err, tried[len(tried)-1])
		}
	}
	refused = errors.New("no such bind")
	if err := second(c.Test(t.Context(), "gateway", good, "admin:1")); !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "no such bind") {
		t.Errorf("a carrier that refuses: %v", err)
	}
	var entries int
	if err := tx.QueryRow(t.Context(), `select count(*) from audit_entries where action = 'carrier.test' and actor = 'admin:1'`).Scan(&entries); err != nil || entries != 3 {
		t.Errorf("%d tests are in the audit, want 3: %v", entries, err)
	}
}

// A disabled carrier stays, and is enabled again. Its address for messages of
// people is its own.
func TestCarriersAreDisabled(t *testing.T) {
	t.Parallel()
	c := &Carriers{
		DB: dbtest.Tx(t), Keyring: newKeyring(t), Kinds: []string{"kannel"}, PublicURL: "https://docs.example.com",
		CheckURL: func(context.Context, string) error { return nil },
	}
	if err := c.Set(t.Context(), CarrierChange{Name: "gateway", Kind: "kannel"}, "admin:1"); err != nil {
		t.Fatal(err)
	}
	for _, enabled := range []bool{false, false, true} {
		if err := c.SetEnabled(t.Context(), "gateway", enabled, "admin:1"); err != nil {
			t.Errorf("setting it to %v: %v", enabled, err)
		}
		if row, err := c.Get(t.Context(), "gateway"); err != nil || (row.DisabledAt == nil) != enabled {
			t.Errorf("set to %v it is disabled at %v, %v", enabled, row.DisabledAt, err)
		}
	}
	for name, err := range map[string]error{
		"reading": second(c.Get(t.Context(), "nobody")), "enabling": c.SetEnabled(t.Context(), "nobody", true, "admin:1"), "removing": c.Remove(t.Context(), "nobody", "admin:1"), "renewing": c.RenewInboundURL(t.Context(), "nobody", "admin:1"),
	} {
		if f := fault.As(err); f == nil || f.Kind != fault.NotFound || f.Message != "There is no carrier nobody." {
			t.Errorf("%s an unknown carrier: %v", name, err)
		}
	}
	for renewals := range 3 {
		address, err := c.InboundURL(t.Context(), "gateway")
		path, ours := strings.CutPrefix(address, "https://docs.example.com")
		if a, ok := ParseReportPath(path); err != nil || !ours || !ok || !a.Inbound() || a != NewInboundAddress(c.Keyring, "gateway", "sms", renewals) {
			t.Errorf("after %d renewals, messages of people come to %s: %v", renewals, address, err)
		}
		r := &Receiver{DB: c.DB, Keyring: c.Keyring, Channels: Channels{"sms": {Receive: func(context.Context, pgx.Tx, args.Inserter, string, map[string]string) (int64, error) { return 0, nil }}}}
		for old := range 3 {
			err := r.ReceiveMessage(t.Context(), NewInboundAddress(c.Keyring, "gateway", "sms", old), nil)
			if (err == nil) != (old == renewals) {
				t.Errorf("after %d renewals, the address after %d gives %v", renewals, old, err)
			}
		}
		if err := c.RenewInboundURL(t.Context(), "gateway", "admin:1"); err != nil {
			t.Fatal(err)
		}
	}
}

// second returns the error of two results.
func second[T any](_ T, err error) error { return err }

// A channel decides the outcome of a message to a suppressed recipient. Without a
// rule of its own it fails.
func TestSuppressedMessages(t *testing.T) {
	t.Parallel()
	m := newMessage(1)
	m.Leg = 2
	step, ok := (&Channel{}).SuppressedStep(m, blocklist.Listed)
	if !ok || step.MessageID != m.ID || step.Leg != 2 || step.State != Failed || !step.Final || step.Failure == nil || step.Failure.Title == "" {
		t.Errorf("without a rule: %+v, %v", step, ok)
	}
	own := &Channel{Suppressed: func(_ models.Message, reason blocklist.Reason) (string, Failure, bool) {
		return "rejected", Failure{Title: string(reason)}, reason != blocklist.Stopped
	}}
	if step, ok = own.SuppressedStep(m, blocklist.Barred); !ok || step.State != "rejected" || step.Failure.Title != string(blocklist.Barred) {
		t.Errorf("with a rule: %+v, %v", step, ok)
	}
	if step, ok = own.SuppressedStep(m, blocklist.Stopped); ok {
		t.Errorf("a message that may be sent all the same: %+v", step)
	}
}

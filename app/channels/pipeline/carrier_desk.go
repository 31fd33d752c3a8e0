package pipeline

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/app/operation/audit"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// Get returns a carrier with its sealed secret. An unknown one is NotFound.
func (c *Carriers) Get(ctx context.Context, name string) (models.Carrier, error) {
	carrier, err := queries.CarrierGet(ctx, c.DB, name)
	if err != nil {
		return carrier, db.Absent(err, fault.New(fault.NotFound, "There is no carrier %s.", name), "reading carrier %s", name)
	}
	return carrier, nil
}

// SetEnabled enables or disables a carrier. Messages of a disabled one wait, until
// another route takes them or they expire.
func (c *Carriers) SetEnabled(ctx context.Context, name string, enabled bool, actor string) error {
	action := map[bool]string{true: "carrier.enable", false: "carrier.disable"}[enabled]
	return c.change(ctx, audit.Entry{Actor: actor, Action: action, Target: "carrier:" + name}, func(tx pgx.Tx) error {
		return mustExist("carrier " + name)(writes.CarrierUpdateDisabled(ctx, tx, name, !enabled))
	})
}

// KindRBM is the kind of carriers of RCS. A test asks them whether they reach a
// phone, and sends nothing.
const KindRBM = "rbm"

// KindGraph is the kind of carriers of the messaging channel that speak the Graph API.
// A test asks them about everything that their settings name, and sends nothing.
const KindGraph = "graph"

// CarrierCheck is one part of the test of a carrier, with what was answered.
type CarrierCheck struct {
	Name   string
	Passed bool
	Answer string
}

// Check asks the upstream of a carrier of kind graph about everything that its settings
// name.
func (c *Carriers) Check(ctx context.Context, name, actor string) ([]CarrierCheck, error) {
	carrier, err := c.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	if carrier.Kind != KindGraph {
		return nil, fault.New(fault.Invalid, "A carrier of kind %s is tested with a message.", carrier.Kind)
	}
	entry := audit.Entry{Actor: actor, Action: "carrier.test", Target: "carrier:" + name}
	if err := c.change(ctx, entry, func(pgx.Tx) error { return nil }); err != nil {
		return nil, err
	}
	return c.CheckUpstream(ctx, carrier)
}

// CarrierTest is an SMS with which a carrier is tried.
type CarrierTest struct{ Sender, Recipient, Text string }

// Test hands an SMS to a carrier at once, whatever the routes say, and returns the
// carrier's id for it, which may be empty. One of RCS is asked about the phone. Invalid input names its fields; a refusal
// of the carrier is Invalid too, and says what it answered.
func (c *Carriers) Test(ctx context.Context, name string, t CarrierTest, actor string) (id string, err error) {
	carrier, err := c.Get(ctx, name)
	if err != nil {
		return "", err
	}
	to, ok := phone.NewRecipient(t.Recipient, 0)
	var faults fault.Fields
	faults.AddIf(!ok, "recipient", "Enter a number with its country code, such as +919812345678.")
	faults.AddIf(t.Sender == "" || len(t.Sender) > 64, "sender", "Enter the header or the bot that the message comes from.")
	faults.AddIf(carrier.Kind != KindRBM && (t.Text == "" || len(t.Text) > 140), "text", "Enter a text of at most 140 characters.")
	if err := faults.Err(); err != nil {
		return "", err
	}
	t.Recipient = to.Digits
	entry := audit.Entry{Actor: actor, Action: "carrier.test", Target: "carrier:" + name}
	if err := c.change(ctx, entry, func(pgx.Tx) error { return nil }); err != nil {
		return "", err
	}
	if id, err = c.Try(ctx, carrier, t); err != nil {
		return "", fault.New(fault.Invalid, "The carrier did not take the message: %s.", err)
	}
	return id, nil
}

// InboundURL returns the signed address to which a carrier passes on the SMS that
// people send.
func (c *Carriers) InboundURL(ctx context.Context, name string) (string, error) {
	renewals, err := queries.CarrierInboundRenewals(ctx, c.DB, name)
	if err != nil {
		return "", fmt.Errorf("reading the inbound address of carrier %s: %w", name, err)
	}
	return c.PublicURL + NewInboundAddress(c.Keyring, name, "sms", renewals).Path(), nil
}

// RenewInboundURL replaces the address to which a carrier passes on the SMS that people
// send. The one before takes nothing from then on.
func (c *Carriers) RenewInboundURL(ctx context.Context, name, actor string) error {
	return c.change(ctx, audit.Entry{Actor: actor, Action: "carrier.inbound_renew", Target: "carrier:" + name}, func(tx pgx.Tx) error {
		return mustExist("carrier " + name)(writes.CarrierInboundRenew(ctx, tx, name))
	})
}

// healthWindow is how far back the health of a carrier looks.
const healthWindow = time.Hour

// Health returns what each carrier did in the last hour.
func (c *Carriers) Health(ctx context.Context) (map[string]models.CarrierHealth, error) {
	rows, err := queries.CarrierHealthList(ctx, c.DB, healthWindow)
	if err != nil {
		return nil, fmt.Errorf("reading the health of carriers: %w", err)
	}
	return lists.By(rows, func(h models.CarrierHealth) string { return h.Carrier }), nil
}

package carry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/keyring"
	"heliograph/app/outbound"
	"heliograph/db/models"
)

// openCarriers finds the carriers of messages and keeps them open.
type openCarriers struct {
	deps    Options
	mu      sync.Mutex
	open    map[string]openCarrier
	library *library
}

// openCarrier is a carrier with the settings that it was opened with.
type openCarrier struct {
	outbound.Carrier
	changedAt time.Time // of the settings
}

// errNoCarrier is the error of a message that no route leads to a carrier.
var errNoCarrier = errors.New("no carrier takes messages of this sender")

func newOpenCarriers(deps Options) *openCarriers {
	return &openCarriers{deps: deps, open: map[string]openCarrier{}, library: newLibrary(deps)}
}

// find returns the carrier of a message. Messages of sandboxes go to the virtual
// carrier, and so do all others if the worker was started without routes.
func (c *openCarriers) find(ctx context.Context, m models.Message) (outbound.Carrier, error) {
	if c.deps.Routes == nil {
		return c.deps.Carrier, nil
	}
	route, err := c.deps.Routes.Find(ctx, pipeline.RouteQuery{Channel: m.Channel, Sender: m.Sender, OrganisationID: m.OrganisationID})
	switch {
	case err != nil:
		return nil, err
	case route.Sandbox:
		return c.deps.Carrier, nil
	case route.Name == "":
		return nil, errNoCarrier
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if have, ok := c.open[route.Name]; ok && have.changedAt.Equal(route.UpdatedAt) {
		return have.Carrier, nil
	}
	carrier, err := openWith(c.deps, route.Carrier, c.library)
	if err != nil {
		return nil, err
	}
	c.open[route.Name] = openCarrier{carrier, route.UpdatedAt}
	return carrier, nil
}

// OpenCarrier returns the carrier that an operator set up. It reports each message
// to a signed address below PublicURL.
func OpenCarrier(deps Options, c models.Carrier) (outbound.Carrier, error) {
	return openWith(deps, c, newLibrary(deps))
}

func openWith(deps Options, c models.Carrier, l *library) (outbound.Carrier, error) {
	settings, err := carrierSettings(deps, c, l)
	if err != nil {
		return nil, err
	}
	return outbound.OpenCarrier(deps.Gateways, settings)
}

// OpenGraph returns a carrier of kind graph that an operator set up.
func OpenGraph(deps Options, c models.Carrier) (*outbound.Graph, error) {
	settings, err := carrierSettings(deps, c, nil)
	if err != nil {
		return nil, err
	}
	return outbound.OpenGraph(deps.Gateways, settings)
}

// carrierSettings returns the settings of a carrier with its secret opened.
func carrierSettings(deps Options, c models.Carrier, l *library) (outbound.CarrierSettings, error) {
	k := deps.Keyring
	settings := outbound.CarrierSettings{Name: c.Name, Kind: c.Kind, URL: c.URL, Settings: c.Settings, Files: deps.CarrierFiles}
	if l != nil {
		settings.Library = l
	}
	settings.Report = func(m outbound.Message) string {
		return deps.PublicURL + pipeline.NewReportAddress(k, c.Name, m.Channel, m.ID).Path()
	}
	if len(c.Secret) > 0 {
		secret, err := k.Open(c.Secret, keyring.Place("carriers", "secret", c.Name))
		if err != nil {
			return settings, fmt.Errorf("opening the secret of carrier %s: %w", c.Name, err)
		}
		settings.Secret = string(secret)
	}
	return settings, nil
}

// CheckCarrier asks the upstream of a carrier of kind graph about everything that its
// settings name, and whether its webhook answers at PublicURL.
func CheckCarrier(ctx context.Context, deps Options, c models.Carrier) ([]pipeline.CarrierCheck, error) {
	carrier, err := OpenGraph(deps, c)
	if err != nil {
		return nil, err
	}
	accounts, err := outbound.GraphAccounts(c.Settings)
	if err != nil {
		return nil, err
	}
	var checks []pipeline.CarrierCheck
	for _, s := range append(carrier.Check(ctx, accounts), carrier.CheckWebhook(ctx, deps.PublicURL+messaging.UpstreamPath(c.Name), messaging.VerifyToken(deps.Keyring, c.Name))) {
		checks = append(checks, pipeline.CarrierCheck(s))
	}
	return checks, nil
}

// TryCarrier hands an SMS to a carrier and returns the carrier's id for it. Its
// report changes nothing. A carrier of RCS is asked whether it reaches the phone.
func TryCarrier(ctx context.Context, deps Options, c models.Carrier, t pipeline.CarrierTest) (id string, err error) {
	carrier, err := OpenCarrier(deps, c)
	if err != nil {
		return "", err
	}
	m := outbound.Message{
		ID: "test-" + uuid.NewString(), Attempt: 1, Channel: "sms", Sender: t.Sender, Recipient: t.Recipient, Kind: "text", Part: 1, Parts: 1, Until: time.Now().Add(time.Hour),
	}
	if asked, ok := carrier.(outbound.Reacher); ok {
		reaches, err := asked.Reaches(ctx, m)
		if err == nil && !reaches {
			err = errors.New("the phone cannot receive RCS, or the bot does not reach it")
		}
		return "", err
	}
	if m.Payload, err = json.Marshal(map[string]string{"encoding": "GSM7", "text": t.Text}); err != nil {
		return "", fmt.Errorf("writing a test message: %w", err)
	}
	receipt, err := carrier.Send(ctx, m)
	return receipt.ProviderID, err
}

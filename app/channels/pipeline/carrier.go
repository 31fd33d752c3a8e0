package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// Carriers manages the carriers that operators set up, and which messages each of
// them takes.
type Carriers struct {
	DB      db.Beginner
	Keyring *keyring.Keyring
	Kinds   []string // of carriers that can be set up
	// CheckURL checks whether an address may be dialled. A *fault.Error says what
	// to change.
	CheckURL func(ctx context.Context, url string) error
	// CheckSettings checks the settings of a carrier for its kind; nil checks
	// nothing.
	CheckSettings func(models.Carrier) error
	// PublicURL is the start of the addresses that carriers report to.
	PublicURL string
	// Try hands an SMS to a carrier and returns the carrier's id for it.
	Try func(ctx context.Context, c models.Carrier, t CarrierTest) (id string, err error)
	// CheckUpstream asks the upstream of a carrier of kind graph about everything that
	// its settings name.
	CheckUpstream func(ctx context.Context, c models.Carrier) ([]CarrierCheck, error)
	// VerifyToken returns the token with which the upstream of a carrier of kind graph
	// verifies its webhook.
	VerifyToken func(carrier string) string
}

// CarrierChange is a carrier to set up or to change.
type CarrierChange struct {
	Name, Kind, URL string
	Settings        map[string]string // in the kind's own words
	Secret          models.Secret     // password or key; empty keeps the stored one
	// Secrets are members of a secret that is a JSON object. Empty ones keep what is
	// stored.
	Secrets map[string]models.Secret
}

var carrierName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,39}$`)

// Set stores a carrier. The secret is sealed, and the audit does not contain it.
// Invalid input names its fields.
func (c *Carriers) Set(ctx context.Context, change CarrierChange, actor string) error {
	var faults fault.Fields
	faults.AddIf(!carrierName.MatchString(change.Name) || change.Name == "virtual", "name", "Enter a name of lower-case letters, digits, - and _, but not virtual.")
	faults.AddIf(!slices.Contains(c.Kinds, change.Kind), "kind", "Choose one of: "+strings.Join(c.Kinds, ", ")+".")
	if err := c.CheckURL(ctx, change.URL); err != nil {
		f := fault.As(err)
		if f == nil {
			return err
		}
		faults.Add("url", f.Message)
	}
	if err := faults.Err(); err != nil {
		return err
	}
	if change.Settings == nil {
		change.Settings = map[string]string{}
	}
	settings, err := json.Marshal(change.Settings)
	if err != nil {
		return fmt.Errorf("writing the settings of carrier %s: %w", change.Name, err)
	}
	row := models.Carrier{Name: change.Name, Kind: change.Kind, URL: change.URL, Settings: settings}
	if change.Secret, err = c.mergeSecrets(ctx, change); err != nil {
		return err
	}
	if change.Secret != "" {
		row.Secret = c.Keyring.Seal([]byte(change.Secret), keyring.Place("carriers", "secret", change.Name))
	}
	if c.CheckSettings != nil {
		checked := row
		if stored, err := queries.CarrierGet(ctx, c.DB, change.Name); err == nil && change.Secret == "" {
			checked.Secret = stored.Secret
		} else if err != nil && !db.IsNoRows(err) {
			return fmt.Errorf("reading carrier %s: %w", change.Name, err)
		}
		if err := c.CheckSettings(checked); err != nil {
			return fault.InvalidFields(fault.Field{Name: "settings", Message: "The settings cannot work: " + err.Error() + "."})
		}
	}
	details := map[string]any{"kind": change.Kind, "url": change.URL, "settings": change.Settings, "secret_set": change.Secret != ""}
	return c.change(ctx, audit.Entry{Actor: actor, Action: "carrier.set", Target: "carrier:" + change.Name, Details: details}, func(tx pgx.Tx) error {
		return writes.CarrierUpsert(ctx, tx, row)
	})
}

// mergeSecrets returns the secret of a change with its members among the stored ones.
func (c *Carriers) mergeSecrets(ctx context.Context, change CarrierChange) (models.Secret, error) {
	members, fresh := map[string]string{}, false
	for _, value := range change.Secrets {
		fresh = fresh || value != ""
	}
	if !fresh {
		return change.Secret, nil
	}
	stored, err := queries.CarrierGet(ctx, c.DB, change.Name)
	if err != nil && !db.IsNoRows(err) {
		return "", fmt.Errorf("reading carrier %s: %w", change.Name, err)
	}
	if len(stored.Secret) > 0 {
		secret, err := c.Keyring.Open(stored.Secret, keyring.Place("carriers", "secret", change.Name))
		if err != nil {
			return "", fmt.Errorf("opening the secret of carrier %s: %w", change.Name, err)
		}
		_ = json.Unmarshal(secret, &members) // one of another shape is replaced
	}
	for name, value := range change.Secrets {
		if value != "" {
			members[name] = string(value)
		}
	}
	text, err := json.Marshal(members)
	return models.Secret(text), err
}

// Remove deletes a carrier with its routes. Messages that it has are still
// reported.
func (c *Carriers) Remove(ctx context.Context, name, actor string) error {
	return c.change(ctx, audit.Entry{Actor: actor, Action: "carrier.remove", Target: "carrier:" + name}, func(tx pgx.Tx) error {
		return mustExist("carrier " + name)(writes.CarrierDelete(ctx, tx, name))
	})
}

// Route sends the messages of a rule to its carrier.
func (c *Carriers) Route(ctx context.Context, rule models.CarrierRule, actor string) error {
	if !slices.Contains([]string{"messaging", "sms", "rcs"}, rule.Channel) {
		return fault.InvalidFields(fault.Field{Name: "channel", Message: "Choose messaging, sms or rcs."})
	}
	return c.change(ctx, ruleEntry(rule, "carrier_route.set", actor), func(tx pgx.Tx) error {
		existed, err := writes.CarrierRouteUpsert(ctx, tx, rule)
		if err == nil && !existed {
			return fault.InvalidFields(fault.Field{Name: "carrier", Message: missingCarrier(rule.Carrier)})
		}
		return err
	})
}

// missingCarrier says what to enter in place of a carrier that does not exist.
func missingCarrier(name string) string {
	if name == "" {
		return "Choose a carrier. Where there is none yet, add one first."
	}
	return "There is no carrier " + name + ". Add it first, or choose another one."
}

// RemoveRoute deletes the route of a rule's channel, sender and organisation.
func (c *Carriers) RemoveRoute(ctx context.Context, rule models.CarrierRule, actor string) error {
	return c.change(ctx, ruleEntry(rule, "carrier_route.remove", actor), func(tx pgx.Tx) error {
		return mustExist("such route")(writes.CarrierRouteDelete(ctx, tx, rule))
	})
}

func ruleEntry(r models.CarrierRule, action, actor string) audit.Entry {
	return audit.Entry{
		Actor: actor, Action: action, Target: "carrier_route:" + r.Channel,
		Details: map[string]any{"sender": r.Sender, "organisation": r.OrganisationID, "carrier": r.Carrier},
	}
}

// mustExist turns a change of nothing into a NotFound fault.
func mustExist(what string) func(bool, error) error {
	return func(existed bool, err error) error {
		if err == nil && !existed {
			return fault.New(fault.NotFound, "There is no %s.", what)
		}
		return err
	}
}

// change makes a change and records it.
func (c *Carriers) change(ctx context.Context, e audit.Entry, work func(tx pgx.Tx) error) error {
	return db.InTx(ctx, c.DB, func(tx pgx.Tx) error {
		if err := work(tx); err != nil {
			return err
		}
		return audit.Record(ctx, tx, e)
	})
}

// List returns all carriers, without their secrets, and all routes.
func (c *Carriers) List(ctx context.Context) ([]models.Carrier, []models.CarrierRule, error) {
	carriers, err := queries.CarrierList(ctx, c.DB)
	if err != nil {
		return nil, nil, fmt.Errorf("listing carriers: %w", err)
	}
	rules, err := queries.CarrierRouteList(ctx, c.DB)
	if err != nil {
		return nil, nil, fmt.Errorf("listing the routes of carriers: %w", err)
	}
	return carriers, rules, nil
}

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"heliograph/app/channels/carry"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/outbound"
	"heliograph/db/models"
)

// carrierActions are the actions of the command carrier.
var carrierActions = []string{"set", "enable", "disable", "test", "remove", "route", "unroute", "list"}

// runCarrier is the commands carrier set, enable, disable, test, remove, route,
// unroute and list.
func runCarrier(ctx context.Context, t terminal, args []string) error {
	action := carrierActions[0]
	if len(args) > 0 && slices.Contains(carrierActions, args[0]) {
		action = args[0]
	}
	flags := newFlags(t, "carrier "+action)
	data := dataFlag(flags)
	var change pipeline.CarrierChange
	var rule models.CarrierRule
	var test pipeline.CarrierTest
	given := false
	if action != "list" && action != "unroute" {
		flags.StringVar(&change.Name, "name", "", "`name` of the carrier")
	}
	switch action {
	case "set":
		change.Settings = map[string]string{}
		flags.StringVar(&change.Kind, "kind", outbound.KindKannel, "`kind` of gateway: "+strings.Join(outbound.CarrierKinds(), ", "))
		flags.StringVar(&change.URL, "url", "", "`address` that takes messages, for Kannel that of sendsms")
		flags.Func("setting", "a setting as `name=value`, such as username=heliograph; may be repeated", func(text string) error {
			name, value, ok := strings.Cut(text, "=")
			if change.Settings[name] = value; !ok || name == "" {
				return fmt.Errorf("write it as name=value")
			}
			return nil
		})
		flags.BoolVar(&given, "secret-stdin", false, "read the password or key from the standard input (default: keep the stored one)")
	case "test":
		flags.StringVar(&test.Sender, "sender", "", "`header` of the message")
		flags.StringVar(&test.Recipient, "to", "", "`number` of the recipient, with its country code")
		flags.StringVar(&test.Text, "text", "Test message", "`text` of the message, which is sent for real")
	case "route", "unroute":
		flags.StringVar(&rule.Channel, "channel", "sms", "`channel` of the messages")
		flags.StringVar(&rule.Sender, "sender", "", "`header` of the messages (default: all)")
		flags.Int64Var(&rule.OrganisationID, "organisation", 0, "`id` of the organisation that sends them (default: all)")
	}
	if err := parseAction(flags, action, args); err != nil {
		return err
	}
	rule.Carrier = change.Name
	return withCarriers(ctx, t, *data, func(carriers *pipeline.Carriers) error {
		switch action {
		case "list":
			return printCarriers(ctx, t, carriers)
		case "enable", "disable":
			return carriers.SetEnabled(ctx, change.Name, action == "enable", "operator")
		case "test":
			id, err := carriers.Test(ctx, change.Name, test, "operator")
			if err == nil {
				fmt.Fprintln(t.out, strings.TrimSpace("The carrier has taken the message. "+id))
			}
			return asFlags(err)
		case "remove":
			return carriers.Remove(ctx, change.Name, "operator")
		case "route":
			if _, err := carriers.Get(ctx, rule.Carrier); err != nil { // its flag is called --name
				return err
			}
			return asFlags(carriers.Route(ctx, rule, "operator"))
		case "unroute":
			return carriers.RemoveRoute(ctx, rule, "operator")
		}
		if given {
			secret, err := password(t.in, true)
			if err != nil {
				return err
			}
			change.Secret = models.Secret(secret)
		}
		if err := carriers.Set(ctx, change, "operator"); err != nil || change.Kind != outbound.KindGraph {
			return asFlags(err)
		}
		fmt.Fprintf(t.out, "Enter these at the upstream, and subscribe to messages and templates.\n\nCallback address: %s\nVerify token: %s\n",
			carriers.PublicURL+messaging.UpstreamPath(change.Name), carriers.VerifyToken(change.Name))
		return nil
	})
}

func withCarriers(ctx context.Context, t terminal, data string, do func(*pipeline.Carriers) error) error {
	return t.withPlatform(ctx, data, "carrier", func(p *platform) error {
		return do(newCarriers(p))
	})
}

// newCarriers returns the carriers of a platform.
func newCarriers(p *platform) *pipeline.Carriers {
	deps := carry.Options{Keyring: p.keyring, Gateways: p.gateways, CarrierFiles: p.carrierFiles, PublicURL: p.config.PublicURL}
	return &pipeline.Carriers{
		DB: p.pool, Keyring: p.keyring, PublicURL: p.config.PublicURL, Kinds: outbound.CarrierKinds(), CheckURL: outbound.Guard{Client: p.gateways}.CheckURL,
		CheckSettings: func(c models.Carrier) error {
			_, err := carry.OpenCarrier(deps, c)
			return err
		},
		Try: func(ctx context.Context, c models.Carrier, t pipeline.CarrierTest) (string, error) {
			return carry.TryCarrier(ctx, deps, c, t)
		},
		VerifyToken: func(carrier string) string { return messaging.VerifyToken(p.keyring, carrier) },
		CheckUpstream: func(ctx context.Context, c models.Carrier) ([]pipeline.CarrierCheck, error) {
			return carry.CheckCarrier(ctx, deps, c)
		},
	}
}

func printCarriers(ctx context.Context, t terminal, carriers *pipeline.Carriers) error {
	list, rules, err := carriers.List(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CARRIER\tKIND\tSTATE\tADDRESS\tSETTINGS")
	for _, c := range list {
		state := "enabled"
		if c.DisabledAt != nil {
			state = "disabled"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", c.Name, c.Kind, state, c.URL, c.Settings)
	}
	fmt.Fprintln(table, "\nCHANNEL\tSENDER\tORGANISATION\tCARRIER")
	for _, r := range rules {
		organisation := "all"
		if r.OrganisationID != 0 {
			organisation = fmt.Sprint(r.OrganisationID)
		}
		sender := "all"
		if r.Sender != "" {
			sender = r.Sender
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", r.Channel, sender, organisation, r.Carrier)
	}
	return table.Flush()
}

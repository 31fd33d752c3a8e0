package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"heliograph/app/channels/messaging/assets"
	"heliograph/db/models"
)

// orgActions are the actions of the command org.
var orgActions = []string{"create", "add-account", "add-number", "add-catalogue", "assets"}

// runOrgAssets is the commands org add-account, add-number, add-catalogue and assets.
func runOrgAssets(ctx context.Context, t terminal, action string, args []string) error {
	flags := newFlags(t, "org "+action)
	by, name := assets.By{Actor: operator}, ""
	var n assets.NewNumber
	flags.Int64Var(&by.OrganisationID, "organisation", 0, "`id` of the organisation (required)")
	if action != "assets" {
		flags.StringVar(&name, "name", "", "`name` of what is added; of a number, the one that recipients see")
	}
	if action == "add-number" {
		flags.StringVar(&n.Number, "number", "", "`number` with its country code; those of sandboxes are made up")
		flags.Int64Var(&n.AccountID, "account", 0, "`id` of its business account (default: the oldest)")
	}
	data := dataFlag(flags)
	if err := parseAction(flags, action, args); err != nil {
		return err
	}
	return t.withPlatform(ctx, *data, "org", func(p *platform) (err error) {
		assets, id := assets.New(p.pool, p.keyring), int64(0)
		switch n.VerifiedName = name; action {
		case "add-account":
			id, err = assets.AddAccount(ctx, by, name)
		case "add-number":
			id, err = assets.AddNumber(ctx, by, n)
		case "add-catalogue":
			id, err = assets.AddCatalogue(ctx, by, name)
		}
		if err != nil {
			return asFlags(err)
		}
		if id != 0 {
			fmt.Fprintf(t.out, "Added under the id %d.\n\n", id)
		}
		list, err := assets.List(ctx, by.OrganisationID)
		if err != nil {
			return err
		}
		return printAssets(t.out, list)
	})
}

func printAssets(w io.Writer, list models.Assets) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "KIND\tID\tNAME\tNUMBER")
	for _, kind := range []struct {
		name string
		list []models.NamedAsset
	}{{"business", list.Businesses}, {"account", list.Accounts}, {"catalogue", list.Catalogues}} {
		for _, a := range kind.list {
			fmt.Fprintf(table, "%s\t%d\t%s\t\n", kind.name, a.ID, a.Name)
		}
	}
	for _, n := range list.Numbers {
		fmt.Fprintf(table, "number\t%d\t%s\t%s\n", n.ID, n.VerifiedName, n.Number)
	}
	return table.Flush()
}

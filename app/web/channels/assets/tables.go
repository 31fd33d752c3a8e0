package assets

import (
	"strconv"
	"time"

	"heliograph/app/lists"
	"heliograph/db/models"
	"heliograph/views/ui"
)

// Tables returns what an organisation has, each kind in a table. change returns the
// cell with what can be done with a number, an account or a catalogue; nil for people
// who only read.
func Tables(list models.Assets, change func(models.Asset) ui.Cell) []ui.Table {
	return []ui.Table{
		numberTable(list, change),
		namedTable("Business accounts", "Account id", list.Accounts, changing(change, "business_account")),
		namedTable("Catalogues", "Catalogue id", list.Catalogues, changing(change, "catalogue")),
		namedTable("Businesses", "Business id", list.Businesses, nil),
	}
}

func numberTable(list models.Assets, change func(models.Asset) ui.Cell) ui.Table {
	accounts := lists.Pairs(list.Accounts, func(a models.NamedAsset) (int64, string) { return a.ID, a.Name })
	t := ui.Table{Caption: "Phone numbers", Quiet: true, Columns: []ui.Column{{Label: "Number"}, {Label: "Verified name", Plain: true}, {Label: "Phone number id"}, {Label: "Account", Plain: true}}}
	for _, n := range list.Numbers {
		row := []ui.Cell{{Text: n.Number, Mono: true}, {Text: n.VerifiedName}, {Text: strconv.FormatInt(n.ID, 10), Mono: true}, {Text: accounts[n.BusinessAccountID]}}
		if change != nil {
			row = append(row, change(models.Asset{ID: n.ID, Kind: "phone_number", Name: n.Number}))
		}
		t.Rows = append(t.Rows, row)
	}
	return withChange(t, change != nil)
}

func namedTable(caption, label string, list []models.NamedAsset, change func(models.NamedAsset) ui.Cell) ui.Table {
	t := ui.Table{Caption: caption, Quiet: true, Columns: []ui.Column{{Label: "Name"}, {Label: label}, {Label: "Added (UTC)"}}}
	for _, a := range list {
		row := []ui.Cell{{Text: a.Name}, {Text: strconv.FormatInt(a.ID, 10), Mono: true}, day(a.CreatedAt)}
		if change != nil {
			row = append(row, change(a))
		}
		t.Rows = append(t.Rows, row)
	}
	return withChange(t, change != nil)
}

func changing(change func(models.Asset) ui.Cell, kind string) func(models.NamedAsset) ui.Cell {
	if change == nil {
		return nil
	}
	return func(a models.NamedAsset) ui.Cell { return change(models.Asset{ID: a.ID, Kind: kind, Name: a.Name}) }
}

func withChange(t ui.Table, change bool) ui.Table {
	if change {
		t.Columns = append(t.Columns, ui.Column{Label: "Change", Plain: true})
	}
	return t
}

// day is a cell with a time. The age of the time is its title.
func day(t time.Time) ui.Cell {
	return ui.Minute(t)
}

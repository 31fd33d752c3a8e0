package assets

import (
	"strings"

	"heliograph/app/channels/messaging/registry"
	"heliograph/app/web/listing"
	"heliograph/db/models"
	"heliograph/views/ui"
)

// kindWords name what lives at an upstream.
var kindWords = map[string]string{
	registry.Profile: "Profile", registry.EncryptionKey: "Encryption key", registry.QRCode: "QR code", registry.Product: "Product",
}

// ChangeTable lists changes that wait for an upstream, or that one refused. The
// organisation and the carrier of each are for administrators.
func ChangeTable(changes []models.ListedUpstreamAsset, administration bool) ui.Table {
	t := ui.Table{
		Caption: "Changes for the carrier", Quiet: true,
		Columns: []ui.Column{{Label: "What", Lead: true}, {Label: "Id of the number or catalogue"}, {Label: "Changed (UTC)"}, {Label: "State"}, {Label: "Reason", Plain: true}},
	}
	if administration {
		t.Caption = "Changes for upstreams"
		t.Columns = append(t.Columns, ui.Column{Label: "Organisation", Plain: true}, ui.Column{Label: "Carrier", Plain: true})
	}
	for _, c := range changes {
		state := ui.Cell{Text: "Waits", Badge: true, Tone: ui.Warn}
		if !c.Waits() {
			state = ui.Cell{Text: "Problem", Badge: true, Tone: ui.Bad}
		}
		reason := strings.TrimPrefix(c.Error, "carrier: ")
		row := []ui.Cell{
			{Text: strings.TrimSpace(kindWords[c.Kind] + " " + c.Item)}, {Text: listing.Plain(c.AssetID), Mono: true}, ui.Minute(c.ChangedAt), state,
			{Text: listing.Clip(reason, listing.ShortError), Title: reason},
		}
		if administration {
			row = append(row, ui.Cell{Text: c.Organisation}, ui.Cell{Text: c.Carrier})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

package organisations

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging/assets"
	"heliograph/app/fault"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	"heliograph/views/ui"
)

// assetKinds names the kinds of assets in sentences.
var assetKinds = map[string]string{"phone_number": "number", "business_account": "account", "catalogue": "catalogue"}

func removalPath(organisationID, assetID int64) string {
	return organisationAssetsPath(organisationID) + "/" + listing.Plain(assetID) + "/removal"
}

// removalRegion is the region of the question about an asset on the page that lists it.
func removalRegion(assetID int64) ui.Region { return ui.Confirm.Of(listing.Plain(assetID)) }

// removalCell returns the cell with the button that removes an asset.
func removalCell(organisationID int64, a models.Asset) ui.Cell {
	region := removalRegion(a.ID)
	ask := ui.Ask{Link: ui.Link{Label: "Remove", Href: removalPath(organisationID, a.ID)}, Object: a.Name, Region: region, Small: true}
	return ui.Cell{Opens: region, Body: ui.AskButton(ask)}
}

// AskRemoveAsset asks before a number, an account or a catalogue is removed, and
// names what depends on it.
func (h *Handlers) AskRemoveAsset(c echo.Context) (*page.Question, error) {
	by, id, err := assetOf(c)
	if err != nil {
		return nil, err
	}
	asset, uses, err := h.Assets.Find(c.Request().Context(), by.OrganisationID, id)
	if err != nil {
		return nil, err
	}
	if uses.Numbers > 0 {
		return nil, fault.New(fault.Conflict, "The account %s has phone numbers. Remove them first.", asset.Name)
	}
	back := organisationAssetsPath(by.OrganisationID)
	f := page.AdministrationFrame(c, "Remove the "+assetKinds[asset.Kind]+" "+asset.Name, page.OrganisationsPath).Under("Numbers and accounts", back)
	return &page.Question{Frame: f, Question: ui.Question{
		Region: removalRegion(id), Action: ui.Post{Label: "Remove the " + assetKinds[asset.Kind], Kind: ui.Danger},
		Text: removalText(asset, uses), Back: ui.Link{Label: "Keep the " + assetKinds[asset.Kind]},
	}}, nil
}

// RemoveAsset removes a number, an account or a catalogue.
func (h *Handlers) RemoveAsset(c echo.Context) error {
	by, id, err := assetOf(c)
	if err != nil {
		return err
	}
	asset, err := h.Assets.Remove(c.Request().Context(), by, id)
	if err != nil {
		return err
	}
	return page.Done(c, organisationAssetsPath(by.OrganisationID), assetKinds[asset.Kind]+"-removed")
}

// assetOf returns the organisation and the asset that a request is about.
func assetOf(c echo.Context) (by assets.By, id int64, err error) {
	by.Actor = page.User(c).Actor()
	if by.OrganisationID, err = page.ID(c); err != nil {
		return by, 0, err
	}
	if id, err = strconv.ParseInt(c.Param("asset"), 10, 64); err != nil {
		return by, 0, fault.New(fault.NotFound, "The organisation has no number, account or catalogue with this id.")
	}
	return by, id, nil
}

// removalText says what happens to what depends on an asset.
func removalText(a models.Asset, uses models.AssetUses) string {
	switch a.Kind {
	case "phone_number":
		text := "Nothing can be sent from " + a.Name + " any more, and its webhook cannot be changed. "
		if uses.Messages > 0 {
			text += quantity(uses.Messages, "accepted message") + " not handed over yet will fail, each with its callback. "
		}
		if uses.Callbacks > 0 {
			text += "Callbacks that wait (" + quantity(uses.Callbacks, "callback") + ") are still posted. "
		}
		return text + "It loses " + listed(quantity(uses.Codes, "QR code"), quantity(uses.Media, "media file"), "its profile") + ". The log keeps what was sent. The number can be added again, under another id."
	case "business_account":
		return fmt.Sprintf("%s is removed with %s. Its templates cannot be restored.", a.Name, listed(quantity(uses.Templates, "template"), quantity(uses.Shares, "share")))
	default:
		return fmt.Sprintf("%s is deleted with %s, and cannot be restored. Messages that show its products were sent already and stay as they are.", a.Name, quantity(uses.Products, "product"))
	}
}

func quantity(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return listing.Number(n) + " " + noun
}

// listed joins words as a sentence does.
func listed(words ...string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

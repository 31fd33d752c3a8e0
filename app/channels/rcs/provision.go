package rcs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// Sandbox is what an organisation tries RCS with.
type Sandbox struct {
	BotID      string // launched
	DraftBotID string // not launched, with a test device that accepted
	Device     string // the number of that device
}

// sandboxDevice is the test device of a sandbox.
const sandboxDevice = "919812345678"

// sandboxTemplates are the approved templates of a sandbox, one of each type.
var sandboxTemplates = map[string]string{
	"order_ok": `{"templateType": "TEXT", "text": "Hello [name], your order is on its way.", "fallbackText": "Dear [name], your parcel A-1042 arrives today.",
		"suggestions": [{"suggestionType": "reply", "displayText": "Track", "postback": "track"}, {"suggestionType": "reply", "displayText": "Stop", "postback": "stop"}]}`,
	"order_card": `{"templateType": "STANDALONE", "orientation": "VERTICAL", "card": {"cardTitle": "On its way", "cardDescription": "Hello [name], your parcel arrives today.",
		"suggestions": [{"suggestionType": "dialer_action", "displayText": "Call us", "postback": "call", "phoneNumber": "+919812345670"}]}}`,
	"pickup_points": `{"templateType": "CAROUSEL", "width": "MEDIUM_WIDTH", "height": "SHORT_HEIGHT", "carouselList": [
		{"cardTitle": "Station", "cardDescription": "Open until 10 pm", "suggestions": [{"suggestionType": "reply", "displayText": "Choose", "postback": "pick_station"}]},
		{"cardTitle": "Market", "cardDescription": "Open until 8 pm", "suggestions": [{"suggestionType": "reply", "displayText": "Choose", "postback": "pick_market"}]}]}`,
}

// Provision gives a sandbox a launched bot with templates, and one that is not
// launched with a test device.
func Provision(ctx context.Context, tx pgx.Tx, organisationID int64) (s Sandbox, err error) {
	launched, err := provisionBot(ctx, tx, organisationID, "Parcel updates")
	if err != nil {
		return s, err
	}
	draft, err := provisionBot(ctx, tx, organisationID, "Parcel offers")
	if err != nil {
		return s, err
	}
	clientID := newClientID()
	launched.Verification, launched.Launch, launched.ClientID = lifecycle.Verified, lifecycle.Launched, &clientID
	if err := writes.RCSBotUpdate(ctx, tx, launched); err != nil {
		return s, fmt.Errorf("launching the bot of a sandbox: %w", err)
	}
	d := models.RCSDevice{BotID: draft.ID, Number: sandboxDevice, Name: "Asha", State: accepted}
	if err := writes.RCSDeviceUpsert(ctx, tx, d); err != nil {
		return s, fmt.Errorf("adding a test device: %w", err)
	}
	if err := writes.RCSDeviceUpdate(ctx, tx, d); err != nil {
		return s, fmt.Errorf("adding a test device: %w", err)
	}
	for name, content := range sandboxTemplates {
		if err := provisionTemplate(ctx, tx, launched, name, content); err != nil {
			return s, err
		}
	}
	return Sandbox{BotID: launched.ID, DraftBotID: draft.ID, Device: "+" + sandboxDevice}, nil
}

// provisionBot adds a complete bot.
func provisionBot(ctx context.Context, tx pgx.Tx, organisationID int64, name string) (b models.RCSBot, err error) {
	profile, err := sandboxProfile(name)
	if err != nil {
		return b, err
	}
	b = models.RCSBot{
		ID:             newID(),
		OrganisationID: organisationID,
		Name:           name,
		Profile:        profile,
		Verification:   lifecycle.Unverified,
		Launch:         lifecycle.Unlaunched,
		Transform:      formDefault,
		CreatedAt:      time.Now(),
	}
	if _, err := writes.RCSBotInsert(ctx, tx, b); err != nil {
		return b, fmt.Errorf("adding a bot: %w", err)
	}
	return b, storeImages(ctx, tx, b.ID, []models.RCSImage{
		drawImage("logo", logoImage.width, logoImage.height), drawImage("banner", bannerImage.width, bannerImage.height),
	})
}

// sandboxProfile returns what a phone shows of a bot of a sandbox.
func sandboxProfile(name string) (json.RawMessage, error) {
	profile, err := json.Marshal(map[string]any{
		"botName": name, "brandName": "Example Parcels", "shortDescription": "Tells you where your parcel is.", "botMessageType": "TRANSACTIONAL",
		"color": "#8A4B00", "emails": []string{"help@parcels.example.com"}, "phoneNumbers": []string{"+919812345670"},
		"botLogoImage": "https://parcels.example.com/rcs/logo.png", "botBannerImage": "https://parcels.example.com/rcs/banner.png",
		"termsofUseUrl": "https://parcels.example.com/terms", "privacyPolicyUrl": "https://parcels.example.com/privacy",
	})
	if err != nil {
		return nil, fmt.Errorf("writing a bot: %w", err)
	}
	return profile, nil
}

func provisionTemplate(ctx context.Context, tx pgx.Tx, b models.RCSBot, name, content string) error {
	m, err := readObject(json.RawMessage(content))
	if err != nil {
		return err
	}
	t := models.RCSTemplate{ID: newID(), BotID: b.ID, OrganisationID: b.OrganisationID, Name: name, Type: stringOf(m["templateType"]), Content: json.RawMessage(content), State: approved, Revision: 1}
	if _, err := writes.RCSTemplateInsert(ctx, tx, t); err != nil {
		return fmt.Errorf("adding the template %s: %w", name, err)
	}
	if err := writes.RCSTemplateUpdate(ctx, tx, t); err != nil {
		return fmt.Errorf("approving the template %s: %w", name, err)
	}
	return nil
}

// drawImage returns an image of a parcel for a bot of a sandbox.
func drawImage(name string, width, height int) models.RCSImage {
	canvas := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.RGBA{0x8A, 0x4B, 0x00, 0xFF}, color.RGBA{0xF4, 0xD9, 0xB8, 0xFF}, color.RGBA{0xC7, 0x8A, 0x4A, 0xFF}})
	side := min(width, height) / 2
	box := image.Rect(0, 0, side, side).Add(image.Pt((width-side)/2, (height-side)/2))
	draw.Draw(canvas, box, image.NewUniform(canvas.Palette[1]), image.Point{}, draw.Src)
	tape := image.Rect(0, 0, side/5, side).Add(box.Min.Add(image.Pt(side*2/5, 0)))
	draw.Draw(canvas, tape, image.NewUniform(canvas.Palette[2]), image.Point{}, draw.Src)
	var content bytes.Buffer
	_ = png.Encode(&content, canvas) // memory takes everything
	return models.RCSImage{Name: name, MediaType: "image/png", Content: content.Bytes()}
}

package messaging

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/shop"
	"heliograph/app/input"
	"heliograph/db/models"
)

// inboundMedia is a received file. In a sandbox it is one that the partner
// uploaded.
type inboundMedia struct {
	ID       input.Text `json:"id"`
	MIMEType string     `json:"mime_type"`
	SHA256   string     `json:"sha256"` // base64
	Caption  input.Text `json:"caption,omitempty"`
	Filename input.Text `json:"filename,omitempty"`
	Voice    input.Flag `json:"voice,omitempty"` // recorded in the chat
}

// inboundOrder is an order of products of a catalogue.
type inboundOrder struct {
	CatalogID input.Text       `json:"catalog_id"`
	Text      input.Text       `json:"text,omitempty"`
	Items     []orderedProduct `json:"product_items"`
}

// orderedProduct is a product of an order and its quantity.
type orderedProduct struct {
	RetailerID input.Text    `json:"product_retailer_id"`
	Quantity   input.Integer `json:"quantity"`
	ItemPrice  input.Decimal `json:"item_price"` // of one, in the main unit of the currency
	Currency   input.Text    `json:"currency"`   // ISO 4217
}

// inboundSystem is the news that a contact has another number or another user id.
type inboundSystem struct {
	Body input.Text `json:"body"`
	WaID input.Text `json:"wa_id,omitempty"` // the new number, digits
	Type input.Text `json:"type"`

	UserID           input.Text `json:"user_id,omitempty"` // the new one
	ParentUserID     input.Text `json:"parent_user_id,omitempty"`
	PreviousUserID   input.Text `json:"previous_user_id,omitempty"`
	PreviousParentID input.Text `json:"previous_parent_user_id,omitempty"`
}

// The types of inboundSystem.
const (
	numberChanged = "user_changed_number"
	idChanged     = "user_changed_user_id" // the new number is not known
)

// file returns the field with the file of a message of a kind, or nil.
func (c *inboundContent) file(kind input.Text) **inboundMedia {
	switch kind {
	case "image":
		return &c.Image
	case "video":
		return &c.Video
	case "audio":
		return &c.Audio
	case "document":
		return &c.Document
	case "sticker":
		return &c.Sticker
	}
	return nil
}

// review checks a file and drops the fields that its kind does not have.
func (m *inboundMedia) review(v *review, kind string) {
	v.need(kind+".id", m.ID != "")
	if m.ID != "" {
		v.assets = append(v.assets, asset{path: kind + ".id", id: string(m.ID), kind: kind})
	}
	if kind == "audio" || kind == "sticker" {
		m.Caption = ""
	}
	if kind != "document" {
		m.Filename = ""
	}
	m.Voice = m.Voice && kind == "audio"
	v.atMost(kind+".caption", m.Caption, maxCaption)
	v.atMost(kind+".filename", m.Filename, maxFilename)
}

// describeFile fills in what the channel says about a received file.
func (s *Inbound) describeFile(ctx context.Context, number models.PhoneNumber, m *inboundMedia) error {
	media, err := s.media.Get(ctx, number.OrganisationID, string(m.ID))
	if err != nil {
		return err
	}
	sum, err := hex.DecodeString(media.SHA256)
	if err != nil {
		return fmt.Errorf("reading the digest of media %d: %w", media.ID, err)
	}
	m.MIMEType, m.SHA256 = media.MIMEType, base64.StdEncoding.EncodeToString(sum)
	return nil
}

func (o *inboundOrder) review(v *review) {
	v.catalogue("order.catalog_id", o.CatalogID)
	v.atMost("order.text", o.Text, maxText)
	v.count("order.product_items", len(o.Items), maxItems)
	for i := range o.Items {
		it, at := &o.Items[i], item("order.product_items", i)
		v.text(at+".product_retailer_id", it.RetailerID, shop.MaxRetailerID)
		if it.Quantity < 1 || it.Quantity > maxQuantity {
			v.refuse(at+".quantity", "%s.quantity must be from 1 to %d", at, maxQuantity)
		}
		if it.ItemPrice < 0 {
			v.refuse(at+".item_price", "%s.item_price must be 0 or more", at)
		}
		it.Currency = input.Text(strings.ToUpper(string(it.Currency)))
		if len(it.Currency) != 3 || strings.Trim(string(it.Currency), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			v.refuse(at+".currency", "%s.currency must be a code of three letters, such as INR", at)
		}
	}
}

func (s *inboundSystem) review(v *review, from *sandboxInbound) {
	s.Type = cmp.Or(s.Type, numberChanged)
	v.choice("system.type", &s.Type, numberChanged, idChanged)
	before, after := Digits(string(from.From)), Digits(string(s.WaID))
	if s.Type == idChanged {
		s.WaID = ""
		v.userID("system.user_id", s.UserID)
		s.PreviousUserID = from.FromUserID
		v.need("from_user_id", from.FromUserID != "")
		before, after = string(from.FromUserID), string(s.UserID)
	} else {
		v.person("system.wa_id", s.WaID)
		s.WaID = input.Text(after)
		if s.UserID != "" {
			v.userID("system.user_id", s.UserID)
			s.PreviousUserID = from.FromUserID
		}
	}
	s.ParentUserID, s.PreviousParentID = "", ""
	s.Body = input.Text("User changed from " + before + " to " + after)
}

// unsupportedMessage is the error of a received message that the channel cannot
// pass on.
func unsupportedMessage() []callbackError {
	return []callbackError{{
		Code: refusal.Unsupported, Title: "Message type unknown", Message: "Message type unknown",
		ErrorData: map[string]string{"details": "Message type is currently not supported."},
	}}
}

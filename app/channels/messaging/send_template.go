package messaging

import (
	"context"
	"encoding/json"
	"fmt"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/input"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// templateMessage is a message from an approved template with the values of its
// variables.
type templateMessage struct {
	Name       input.Text  `json:"name"`
	Language   language    `json:"language"`
	Components []component `json:"components,omitempty"`
}

// language is the locale of a template.
type language struct {
	Code   input.Text `json:"code"`
	Policy input.Text `json:"policy,omitempty"`
}

// component holds the parameters of one component of a template.
type component struct {
	Type       input.Text  `json:"type"`
	SubType    input.Text  `json:"sub_type,omitempty"` // of a button
	Index      input.Text  `json:"index,omitempty"`    // of a button, from 0
	Parameters []parameter `json:"parameters,omitempty"`
	Cards      []card      `json:"cards,omitempty"` // of a carousel
}

// card holds the parameters of one card of a carousel.
type card struct {
	CardIndex  *input.Integer `json:"card_index"` // from 0
	Components []component    `json:"components,omitempty"`
}

// parameter is one value. Only the field of its type is set.
type parameter struct {
	Type          input.Text    `json:"type"`
	ParameterName input.Text    `json:"parameter_name,omitempty"` // for named variables
	Text          input.Text    `json:"text,omitempty"`
	Payload       input.Text    `json:"payload,omitempty"`
	CouponCode    input.Text    `json:"coupon_code,omitempty"`
	Currency      *currency     `json:"currency,omitempty"`
	DateTime      *dateTime     `json:"date_time,omitempty"`
	Image         *sentFile     `json:"image,omitempty"`
	Video         *sentFile     `json:"video,omitempty"`
	Document      *sentFile     `json:"document,omitempty"`
	Location      *location     `json:"location,omitempty"`
	Action        *buttonAction `json:"action,omitempty"`
	Offer         *offerExpiry  `json:"limited_time_offer,omitempty"`
}

// currency is an amount of money and the text to show.
type currency struct {
	FallbackValue input.Text     `json:"fallback_value"`
	Code          input.Text     `json:"code"`        // ISO 4217
	Amount1000    *input.Integer `json:"amount_1000"` // times 1,000
}

// dateTime is a time as the text to show.
type dateTime struct {
	FallbackValue input.Text `json:"fallback_value"`
}

// buttonAction holds the parameters of a button that opens a flow, a catalogue
// or a product list.
type buttonAction struct {
	FlowToken                  input.Text   `json:"flow_token,omitempty"`
	FlowActionData             input.Object `json:"flow_action_data,omitempty"`
	ThumbnailProductRetailerID input.Text   `json:"thumbnail_product_retailer_id,omitempty"`
	Sections                   []section    `json:"sections,omitempty"`
}

// offerExpiry is the time when an offer ends, in milliseconds since 1970.
type offerExpiry struct {
	ExpirationTimeMs *input.Integer `json:"expiration_time_ms"`
}

type templateKey struct {
	account        int64
	name, language string
}

// sendable is a template with its decoded components, for the cache.
type sendable struct {
	models.Template
	parts []part
}

// fillTemplate returns the template of a message and checks that it can be sent
// and that the parameters match it.
func fillTemplate(ctx context.Context, s account, number models.PhoneNumber, m *templateMessage) (models.Template, error) {
	key := templateKey{number.BusinessAccountID, string(m.Name), string(m.Language.Code)}
	t, err := s.findTemplate(ctx, key)
	switch {
	case db.IsNoRows(err):
		return t.Template, refusal.New(refusal.TemplateMissing, "template.name", "template.name: %s has no translation %s in this account", m.Name, m.Language.Code)
	case err != nil:
		return t.Template, fmt.Errorf("looking a template up: %w", err)
	case t.Status == "PAUSED":
		return t.Template, refusal.New(refusal.TemplatePaused, "template.name", "template.name: %s is paused for low quality: wait or edit it", m.Name)
	case t.Status == "DISABLED":
		return t.Template, refusal.New(refusal.TemplateDisabled, "template.name", "template.name: %s is disabled: create another", m.Name)
	case t.Status != "APPROVED":
		return t.Template, refusal.New(refusal.TemplateMissing, "template.name", "template.name: %s is %s: only an approved template can be sent", m.Name, t.Status)
	}
	if err := matchComponents(t.parts, m.Components, pathComponents); err != nil {
		return t.Template, err
	}
	if t.Category == "AUTHENTICATION" {
		return t.Template, checkCode(m.Components)
	}
	return t.Template, nil
}

func (s *Sender) findTemplate(ctx context.Context, k templateKey) (sendable, error) {
	return s.known.Get(ctx, k, s.loadTemplate)
}

func (s *Sender) loadTemplate(ctx context.Context, k templateKey) (sendable, error) {
	t, err := queries.TemplateGet(ctx, s.pool, k.account, k.name, k.language)
	if err != nil {
		return sendable{}, err
	}
	parts, err := readParts(t.Components)
	if err != nil {
		return sendable{}, fmt.Errorf("reading template %d: %w", t.ID, err)
	}
	return sendable{t, parts}, nil
}

// readParts decodes the components of a stored template and finds their
// variables.
func readParts(components json.RawMessage) ([]part, error) {
	var parts []part
	if err := json.Unmarshal(components, &parts); err != nil {
		return nil, err
	}
	prepare(parts)
	return parts, nil
}

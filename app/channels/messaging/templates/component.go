package templates

import (
	"bytes"
	"encoding/json"
	"fmt"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/input"
)

// Component is a component of a template as it is sent and, once
// checked, as it is stored and returned.
type Component struct {
	Type                      input.Text     `json:"type"`
	Format                    input.Text     `json:"format,omitempty"` // of a header
	Text                      input.Text     `json:"text,omitempty"`
	AddSecurityRecommendation *input.Flag    `json:"add_security_recommendation,omitempty"`
	CodeExpirationMinutes     *input.Integer `json:"code_expiration_minutes,omitempty"`
	Example                   *Example       `json:"example,omitempty"`
	Offer                     *templateOffer `json:"limited_time_offer,omitempty"`
	Buttons                   []Button       `json:"buttons,omitempty"`
	Cards                     []templateCard `json:"cards,omitempty"`
}

// Example holds example values of the variables for the reviewer.
type Example struct {
	HeaderText   texts          `json:"header_text,omitempty"`
	HeaderNamed  []NamedExample `json:"header_text_named_params,omitempty"`
	HeaderHandle texts          `json:"header_handle,omitempty"`
	BodyText     [][]input.Text `json:"body_text,omitempty"`
	BodyNamed    []NamedExample `json:"body_text_named_params,omitempty"`
}

// NamedExample is the example of a named variable.
type NamedExample struct {
	Name    input.Text `json:"param_name"`
	Example input.Text `json:"example"`
}

type templateOffer struct {
	Text          input.Text `json:"text"`
	HasExpiration input.Flag `json:"has_expiration"`
}

type templateCard struct {
	Components []Component `json:"components"`
}

// Button is a button. Its type selects the fields that are used.
type Button struct {
	Type           input.Text `json:"type"`
	Text           input.Text `json:"text,omitempty"`
	URL            input.Text `json:"url,omitempty"`
	PhoneNumber    input.Text `json:"phone_number,omitempty"`
	Example        texts      `json:"example,omitempty"`
	FlowID         input.Text `json:"flow_id,omitempty"`
	FlowName       input.Text `json:"flow_name,omitempty"`
	FlowAction     input.Text `json:"flow_action,omitempty"`
	NavigateScreen input.Text `json:"navigate_screen,omitempty"`

	// Fields of the button of an authentication template. It is stored as a URL button.
	OTPType       input.Text    `json:"otp_type,omitempty"`
	AutofillText  input.Text    `json:"autofill_text,omitempty"`
	SupportedApps []templateApp `json:"supported_apps,omitempty"`
	ZeroTapTerms  input.Flag    `json:"zero_tap_terms_accepted,omitempty"`
}

type templateApp struct {
	PackageName   input.Text `json:"package_name"`
	SignatureHash input.Text `json:"signature_hash"`
}

// texts is a list of strings. A single string is accepted as a list of one.
type texts []input.Text

// UnmarshalJSON decodes an array of scalars or one scalar.
func (t *texts) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte("[")) {
		return json.Unmarshal(data, (*[]input.Text)(t))
	}
	var one input.Text
	if err := json.Unmarshal(data, &one); err != nil || one == "" {
		return err
	}
	*t = texts{one}
	return nil
}

// readComponents decodes components. In a form or query they are a string that
// contains JSON.
func readComponents(data json.RawMessage) ([]Component, error) {
	var inner string
	if json.Unmarshal(data, &inner) == nil {
		data = json.RawMessage(inner)
	}
	var components []Component
	if err := json.Unmarshal(data, &components); err != nil {
		return nil, refusal.New(refusal.Invalid, "components", "components: %s", input.Describe(data, err))
	}
	if len(components) == 0 {
		return nil, refuse(subcodeFieldMissing, "components", "components is empty: send at least a BODY")
	}
	return components, nil
}

// componentAt returns the path of a component.
func componentAt(i int) string { return fmt.Sprintf("components[%d]", i) }

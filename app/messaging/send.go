package messaging

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"heliograph/db/models"
)

// SendRequest is the body of a send as partners write it.
type SendRequest struct {
	MessagingProduct Text             `json:"messaging_product"`
	RecipientType    Text             `json:"recipient_type,omitempty"`
	To               Text             `json:"to"`
	Type             Text             `json:"type,omitempty"` // text when absent
	Text             *TextMessage     `json:"text,omitempty"`
	Template         *TemplateMessage `json:"template,omitempty"`
	Context          *MessageContext  `json:"context,omitempty"`
	Reference        Text             `json:"biz_opaque_callback_data,omitempty"`
}

// TextMessage is the content of a message of type text.
type TextMessage struct {
	Body       Text `json:"body"`
	PreviewURL bool `json:"preview_url,omitempty"`
}

// TemplateMessage names an approved template and fills its variables.
type TemplateMessage struct {
	Name       Text        `json:"name"`
	Language   Language    `json:"language"`
	Components []Component `json:"components,omitempty"`
}

// Language is the locale of a template.
type Language struct {
	Code   Text `json:"code"`
	Policy Text `json:"policy,omitempty"`
}

// Component carries the parameters of one part of a template.
type Component struct {
	Type       Text        `json:"type"`
	SubType    Text        `json:"sub_type,omitempty"`
	Index      Text        `json:"index,omitempty"`
	Parameters []Parameter `json:"parameters,omitempty"`
}

// Parameter is one value; the member that Type names is set.
type Parameter struct {
	Type          Text            `json:"type"`
	ParameterName Text            `json:"parameter_name,omitempty"`
	Text          *Text           `json:"text,omitempty"`
	Payload       *Text           `json:"payload,omitempty"`
	CouponCode    *Text           `json:"coupon_code,omitempty"`
	Currency      *FallbackValue  `json:"currency,omitempty"`
	DateTime      *FallbackValue  `json:"date_time,omitempty"`
	Image         *MediaParameter `json:"image,omitempty"`
	Video         *MediaParameter `json:"video,omitempty"`
	Document      *MediaParameter `json:"document,omitempty"`
}

// FallbackValue is a currency or time as the text to show.
type FallbackValue struct {
	FallbackValue Text `json:"fallback_value"`
	Code          Text `json:"code,omitempty"`
	Amount1000    Text `json:"amount_1000,omitempty"`
}

// MediaParameter is a file by its address.
type MediaParameter struct {
	Link     Text `json:"link,omitempty"`
	Filename Text `json:"filename,omitempty"`
}

// MessageContext makes a message a reply.
type MessageContext struct {
	MessageID Text `json:"message_id"`
}

// Limits of a send.
const (
	maxBody      = 4096 // characters of a text message
	maxReference = 512
)

// check holds a request against the documented limits, in the documented
// order, and returns the recipient as digits.
func (s *Service) check(ctx context.Context, number models.PhoneNumber, r *SendRequest) (recipient string, err error) {
	if !s.knows(string(r.MessagingProduct)) {
		return "", reject(codeInvalid, "messaging_product", "set messaging_product to %q", s.words[0])
	}
	r.Type = Text(strings.ToLower(string(r.Type)))
	if r.Type == "" {
		r.Type = "text"
	}
	if r.Type != "text" && r.Type != "template" {
		return "", reject(codeUnsupported, "type", "type %q is not served: send text or template", r.Type)
	}
	if err := r.checkRequired(); err != nil {
		return "", err
	}
	recipient, err = r.checkValues()
	if err != nil {
		return "", err
	}
	if "+"+recipient == number.Number {
		return "", reject(codeSelf, "to", "to is the number that sends: choose another recipient")
	}
	if r.Type == "template" {
		return recipient, s.checkTemplate(ctx, number, r.Template)
	}
	return recipient, nil
}

func (s *Service) knows(word string) bool {
	for _, known := range s.words {
		if strings.EqualFold(word, known) {
			return true
		}
	}
	return false
}

func (r *SendRequest) checkRequired() error {
	required := func(field string) error { return reject(codeRequired, field, "%s is required", field) }
	switch {
	case r.To == "":
		return required("to")
	case r.Type == "text" && (r.Text == nil || r.Text.Body == ""):
		return required("text.body")
	case r.Type == "template" && (r.Template == nil || r.Template.Name == ""):
		return required("template.name")
	case r.Type == "template" && r.Template.Language.Code == "":
		return required("template.language.code")
	case r.Context != nil && r.Context.MessageID == "":
		return required("context.message_id")
	}
	return nil
}

func (r *SendRequest) checkValues() (recipient string, err error) {
	if r.RecipientType != "" && !strings.EqualFold(string(r.RecipientType), "individual") {
		return "", reject(codeValue, "recipient_type", "recipient_type takes individual only")
	}
	recipient = digits(string(r.To))
	if len(recipient) < 7 || len(recipient) > 15 || recipient[0] == '0' {
		return "", reject(codeValue, "to", "write to as a number with its country code, for example +919812345678")
	}
	if n := utf8.RuneCountInString(string(r.Reference)); n > maxReference {
		return "", reject(codeValue, "biz_opaque_callback_data", "biz_opaque_callback_data has %d characters: use at most %d", n, maxReference)
	}
	if r.Type == "text" {
		if n := utf8.RuneCountInString(string(r.Text.Body)); n > maxBody {
			return "", reject(codeValue, "text.body", "text.body has %d characters: use at most %d", n, maxBody)
		}
	}
	if r.Context != nil {
		if _, ok := ParseMessageID(string(r.Context.MessageID)); !ok {
			return "", reject(codeValue, "context.message_id", "context.message_id is not the id of a message")
		}
	}
	return recipient, nil
}

// digits drops what people put between the digits of a number; anything else
// makes it empty.
func digits(number string) string {
	var b strings.Builder
	for i, c := range number {
		switch {
		case c >= '0' && c <= '9':
			b.WriteRune(c)
		case c == '+' && i == 0, c == ' ', c == '-', c == '(', c == ')':
		default:
			return " "
		}
	}
	if b.Len() == 0 {
		return " "
	}
	return b.String()
}

// SendReply is the answer to an accepted send.
type SendReply struct {
	MessagingProduct string         `json:"messaging_product"`
	Contacts         []ReplyContact `json:"contacts"`
	Messages         []ReplyMessage `json:"messages"`
}

// ReplyContact is the recipient as sent and as known to the channel.
type ReplyContact struct {
	Input string `json:"input"`
	WaID  string `json:"wa_id"`
}

// ReplyMessage names the accepted message.
type ReplyMessage struct {
	ID            string `json:"id"`
	MessageStatus string `json:"message_status"`
}

// decodeSend reads a send; faults name the place that cannot be read.
func decodeSend(body []byte) (*SendRequest, error) {
	if !utf8.Valid(body) {
		return nil, reject(codeInvalid, "", "the body is not UTF-8: encode it as UTF-8 JSON")
	}
	r := &SendRequest{}
	if err := json.Unmarshal(body, r); err != nil {
		return nil, reject(codeInvalid, "", "%s", DescribeJSON(body, err))
	}
	return r, nil
}

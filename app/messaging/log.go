package messaging

import (
	"bytes"
	"encoding/json"
	"fmt"

	"heliograph/db/models"
)

// remedies say what a sender can do about failures of messages, by code.
var remedies = map[int]string{
	codeWindow: "Send an approved template: it may go out at any time, and the recipient's answer opens the next 24 hours.",
	131016:     "Nothing is wrong with the message. Send it again later.",
	131026:     "Check that the number is right, in use, and that its owner takes messages on this channel. Another channel, such as SMS, may reach it.",
	131049:     "Do not send it again at once: wait at least a day, and send marketing to those who expect it.",
}

// FailureOf reads why a message failed; ok is false when it did not. The remedy
// says what to do about it.
func FailureOf(raw json.RawMessage) (f Failure, remedy string, ok bool) {
	if len(raw) == 0 || json.Unmarshal(raw, &f) != nil {
		return f, "", false
	}
	if remedy, ok = remedies[f.Code]; !ok {
		remedy = "The carrier did not say what to change. If it happens again, ask support and name the message id."
	}
	return f, remedy, true
}

// ShownPayload is what was sent, indented for people. One-time codes, which the
// variables of authentication templates are, are hidden: hidden says so.
func ShownPayload(m models.Message) (text string, hidden bool, err error) {
	raw := []byte(m.Payload)
	if m.Category == "authentication" {
		var payload any
		if err := json.Unmarshal(raw, &payload); err != nil {
			return "", false, fmt.Errorf("reading the payload of %s: %w", m.ID, err)
		}
		hideParameters(payload)
		if raw, err = json.Marshal(payload); err != nil {
			return "", false, fmt.Errorf("writing the payload of %s: %w", m.ID, err)
		}
		hidden = true
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return "", false, fmt.Errorf("indenting the payload of %s: %w", m.ID, err)
	}
	return b.String(), hidden, nil
}

// hideParameters takes the values out of every list of parameters.
func hideParameters(node any) {
	switch n := node.(type) {
	case []any:
		for _, item := range n {
			hideParameters(item)
		}
	case map[string]any:
		for name, value := range n {
			if parameters, ok := value.([]any); ok && name == "parameters" {
				for i := range parameters {
					parameters[i] = "••••••"
				}
			}
			hideParameters(value)
		}
	}
}

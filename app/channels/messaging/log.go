package messaging

import (
	"bytes"
	"encoding/json"
	"fmt"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/db/models"
)

// remedies maps the code of a failure to what the sender can do about it.
var remedies = map[int]string{
	refusal.Window:        "Send an approved template message. Templates can be sent at any time, and the recipient's reply opens the next 24-hour window.",
	131016:                "The message is valid. Send it again later.",
	refusal.OptedOut:      "Do not write to this recipient. The recipient can write START to get your messages again.",
	refusal.Unregistered:  "Send from a phone number of your organisation that is still registered.",
	131026:                "Check that the number is correct and in use, and that the recipient accepts messages on this channel. Another channel, such as SMS, may work.",
	refusal.MediaDownload: "Open the link without signing in. It must answer 200 at once, with a file of the right kind and size. Then send the message again.",
	131049:                "Wait at least a day before you send it again. Send marketing messages only to recipients who expect them.",
}

// formatPayload returns the payload of a message as indented JSON. The
// parameters of authentication templates are one-time codes and are masked;
// hidden reports that.
func formatPayload(m models.Message) (text string, hidden bool, err error) {
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

// hideParameters masks the values in every list of parameters.
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

package rcs

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"heliograph/db/models"
)

// A message that failed says why in each form of a webhook, so that a receiver tells a
// phone without RCS from a person who opted out.
func TestFailuresSayWhyInEachForm(t *testing.T) {
	t.Parallel()
	e := newEvent("bot", typeMessageStatus, time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC))
	e.MessageID, e.UserContact, e.Status, e.Channel = "m", "+919812345678", "FAILED", "RCS"
	for code, word := range map[int]string{404: "rcs_disabled", 410: "opted_out"} {
		e.Error = &messageError{Code: code, Message: word}
		body, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{formDefault, formGoogle, formMaap} {
			r, err := render(models.Delivery{Body: body, Webhook: models.Webhook{Format: form}})
			if err != nil {
				t.Fatalf("%s: %v", form, err)
			}
			text := string(r.Body)
			if form == formGoogle {
				text = decoded(t, r.Body)
			}
			if !strings.Contains(text, word) {
				t.Errorf("%s does not say %s: %s", form, word, text)
			}
		}
	}
}

// decoded is the event within the envelope of a Google webhook.
func decoded(t *testing.T, body []byte) string {
	t.Helper()
	var envelope struct{ Message struct{ Data []byte } }
	if err := json.Unmarshal(body, &envelope); err != nil {
		t.Fatal(err)
	}
	return string(envelope.Message.Data)
}

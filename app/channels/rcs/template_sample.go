package rcs

import (
	"encoding/json"
	"fmt"

	"heliograph/db/models"
)

// sampleRecipient is who the samples of messages are for.
const sampleRecipient = "+919812345678"

// SampleSend returns the body of a send of a template. The value of each variable is
// its name.
func SampleSend(t models.RCSTemplate) ([]byte, error) {
	content, err := readTemplate(t)
	if err != nil {
		return nil, fmt.Errorf("reading template %s: %w", t.ID, err)
	}
	values := map[string]string{}
	for _, name := range variables(templateTexts(content)...) {
		values[name] = name
	}
	type message struct {
		To           string            `json:"to"`
		TemplateCode string            `json:"templateCode"`
		CustomParams map[string]string `json:"customParams,omitempty"`
	}
	return marshalSample(t.BotID, struct {
		BotID    string    `json:"botId"`
		Messages []message `json:"messages"`
	}{t.BotID, []message{{sampleRecipient, t.Name, values}}})
}

// SampleText returns the body of a send of a text with suggestions from a bot.
func SampleText(botID string) ([]byte, error) {
	type reply struct {
		Text         string `json:"text"`
		PostbackData string `json:"postbackData"`
	}
	type suggestion struct {
		Reply reply `json:"reply"`
	}
	type content struct {
		Text        string       `json:"text"`
		Suggestions []suggestion `json:"suggestions"`
	}
	return marshalSample(botID, struct {
		BotID   string  `json:"botId"`
		To      string  `json:"to"`
		Content content `json:"contentMessage"`
	}{botID, sampleRecipient, content{"Your parcel arrives today.", []suggestion{{reply{"Thank you", "thanks"}}, {reply{"Another day", "later"}}}}})
}

func marshalSample(botID string, v any) ([]byte, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("writing a send of bot %s: %w", botID, err)
	}
	return body, nil
}

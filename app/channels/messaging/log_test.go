package messaging

import (
	"testing"

	"heliograph/db/models"
)

// One-time codes are the parameters of authentication templates. Whoever looks a
// message up sees all of it but those.
func TestCodesAreMasked(t *testing.T) {
	t.Parallel()
	payload := []byte(`{"name":"code","components":[{"type":"body","parameters":[{"text":"482913"}]},{"type":"button","parameters":["482913"],"tags":["kept"]}],"parameters":"kept"}`)
	for category, want := range map[string]string{
		"authentication": `{
  "components": [
    {
      "parameters": [
        "••••••"
      ],
      "type": "body"
    },
    {
      "parameters": [
        "••••••"
      ],
      "tags": [
        "kept"
      ],
      "type": "button"
    }
  ],
  "name": "code",
  "parameters": "kept"
}`,
		"utility": `{
  "name": "code",
  "components": [
    {
      "type": "body",
      "parameters": [
        {
          "text": "482913"
        }
      ]
    },
    {
      "type": "button",
      "parameters": [
        "482913"
      ],
      "tags": [
        "kept"
      ]
    }
  ],
  "parameters": "kept"
}`,
	} {
		got, hidden, err := formatPayload(models.Message{Category: category, Payload: payload})
		if err != nil || hidden != (category == "authentication") || got != want {
			t.Errorf("%s: hidden %t, %v\n%s", category, hidden, err, got)
		}
	}
	if _, _, err := formatPayload(models.Message{Category: "authentication", Payload: []byte(`{`)}); err == nil {
		t.Error("a payload that cannot be read has a text")
	}
}

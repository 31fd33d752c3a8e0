package api_test

import (
	"net/http"
	"strings"
	"testing"

	"heliograph/app/channels/sms"
)

// Texts that nobody sees are refused in every channel, each with the name of its field.
func TestTextsThatNobodySeesAreRefused(t *testing.T) {
	t.Parallel()
	texts := []string{"   ", "\u200b\u200d", "\u00a0\ufeff", "\n\t", "\u3164", "\u2800"}
	t.Run("messaging", func(t *testing.T) {
		t.Parallel()
		first, _ := setup(t)
		for _, text := range texts {
			for body, field := range map[string]string{
				`{"messaging_product":"msgapp","to":"919812345678","type":"text","text":{"body":"` + quoted(text) + `"}}`:                                                                                                                    "text.body",
				`{"messaging_product":"msgapp","to":"919812345678","type":"interactive","interactive":{"type":"button","body":{"text":"` + quoted(text) + `"},"action":{"buttons":[{"type":"reply","reply":{"id":"a","title":"A"}}]}}}`:      "interactive.body.text",
				`{"messaging_product":"msgapp","to":"919812345678","type":"interactive","interactive":{"type":"button","body":{"text":"Ready?"},"action":{"buttons":[{"type":"reply","reply":{"id":"a","title":"` + quoted(text) + `"}}]}}}`: "interactive.action.buttons[0].reply.title",
			} {
				w := ask(t, first.handler, http.MethodPost, "/v3"+first.number("/messages"), first.key, body)
				if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), field+" has no visible character") {
					t.Errorf("%s: %d %s", body, w.Code, w.Body)
				}
			}
		}
	})
	t.Run("sms", func(t *testing.T) {
		t.Parallel()
		p := setupSMS(t)
		for _, text := range texts {
			if a := p.submit(t, map[string]any{"msg": text}); a.Status.Code.String() != "313" || !strings.Contains(a.text, "visible") {
				t.Errorf("%q: %s", text, a.text)
			}
		}
		if a := p.submit(t, map[string]any{"msg": "."}); a.Status.Code != sms.CodeAccepted {
			t.Errorf("a dot: %s", a.text)
		}
	})
	t.Run("rcs", func(t *testing.T) {
		t.Parallel()
		p, _ := setupRCS(t)
		for _, text := range texts {
			for body, field := range map[string]string{
				`"text":"` + quoted(text) + `"`: "contentMessage.text",
				`"richCard":{"standaloneCard":{"cardOrientation":"VERTICAL","cardContent":{"title":"` + quoted(text) + `"}}}`: "contentMessage.richCard.standaloneCard.cardContent.title",
			} {
				w := ask(t, p.handler, http.MethodPost, "/api/v1/send-freeflow-message", p.key, `{"botId":"`+p.sandbox.BotID+`","to":"+919812345678","messageId":"b-1","contentMessage":{`+body+`}}`)
				if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), `"`+field+`","code":"blank"`) {
					t.Errorf("%s: %d %s", body, w.Code, w.Body)
				}
			}
		}
	})
}

// quoted returns a text as it stands within a JSON string.
func quoted(text string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(text)
}

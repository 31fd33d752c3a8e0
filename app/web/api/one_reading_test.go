package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What checks, counts and lists a message reads the same value as what carries it,
// also where a program sends a name twice, in another case or at another depth.
func TestMessagesAreReadOnce(t *testing.T) {
	t.Parallel()
	const one, other = "919812345678", "919812345679"
	bodies := []string{
		`"to":"ONE","to":"OTHER"`, `"to":"OTHER","to":"ONE"`, `"to":"ONE","TO":"OTHER"`, `"TO":"OTHER","to":"ONE"`, `"to":"ONE","To":["OTHER"]`,
		`"to":"ONE","recipient":{"to":"OTHER"}`, `"to":"ONE","\u0074o":"OTHER"`, `"to":"ONE","t\u006f\u0000":"OTHER"`, `"to":{"to":"OTHER"},"to":"ONE"`,
	}
	fill := strings.NewReplacer("OTHER", other, "ONE", one)

	t.Run("messaging", func(t *testing.T) {
		t.Parallel()
		p, _ := setup(t)
		p.careless = true // the bodies are none that a contract describes
		accepted := 0
		for _, members := range bodies {
			members = fill.Replace(members)
			a := p.call(t, http.MethodPost, p.number("/messages"), `{"messaging_product":"msgapp",`+members+`,"type":"text","Type":"text","text":{"body":"one"},"TEXT":{"Body":"two"}}`)
			var answer struct {
				Contacts []struct {
					ID string `json:"wa_id"`
				} `json:"contacts"`
			}
			if a.status != 200 {
				continue // refused as a whole, so that nobody reads it
			}
			if err := json.Unmarshal(a.body, &answer); err != nil || len(answer.Contacts) != 1 {
				t.Errorf("%s: %s", members, a.body)
				continue
			}
			accepted++
			var recipient, to, text string
			read := `select recipient, payload->>'to', payload->'text'->>'body' from messages order by id desc limit 1`
			if err := p.pool.QueryRow(t.Context(), read).Scan(&recipient, &to, &text); err != nil {
				t.Fatal(err)
			}
			if recipient != strings.TrimPrefix(to, "+") || recipient != answer.Contacts[0].ID || text != "one" && text != "two" {
				t.Errorf("%s: stored for %q, carried to %q, answered %q, with %q", members, recipient, to, answer.Contacts[0].ID, text)
			}
		}
		if accepted == 0 {
			t.Error("no body was accepted")
		}
	})

	t.Run("sms", func(t *testing.T) {
		t.Parallel()
		p := setupSMS(t)
		accepted := 0
		for _, members := range bodies {
			members = fill.Replace(strings.ReplaceAll(members, `"to"`, `"dest"`))
			plain, err := json.Marshal(map[string]string{"header": p.sandbox.Header, "msg": p.sandbox.Text, "type": "PM", "dlt_entity_id": p.sandbox.EntityID, "dlt_template_id": p.sandbox.TemplateID})
			if err != nil {
				t.Fatal(err)
			}
			body := `{"version":"1.0","accesskey":"` + p.key + `","AccessKey":"` + p.key + `","messages":[{` + members + `,` + string(plain[1:]) + `]}`
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, submitPath, strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			before, _ := p.stored(t)
			a := p.do(t, r)
			after, jobs := p.stored(t)
			if after != jobs || after-before > max(len(a.Messages), 2) {
				t.Errorf("%s: %d messages and %d jobs after %s", members, after, jobs, a.text)
			}
			for _, m := range a.Messages {
				var stored bool
				if m.ID == "" {
					continue
				}
				accepted++
				if err := p.pool.QueryRow(t.Context(), `select exists (select from messages where recipient = $1)`, strings.TrimPrefix(m.Dest, "+")).Scan(&stored); err != nil || !stored {
					t.Errorf("%s: answered for %q, which no message has: %v", members, m.Dest, err)
				}
			}
		}
		if accepted == 0 {
			t.Error("no body was accepted")
		}
	})

	t.Run("rcs", func(t *testing.T) {
		t.Parallel()
		p, _ := setupRCS(t)
		accepted := 0
		for _, members := range bodies {
			members = strings.NewReplacer(other, numbered(2), one, numbered(1)).Replace(fill.Replace(members))
			before := p.count(t, `select count(*) from messages`)
			a := p.call(t, "POST", "/send-message", `{"botId":"`+p.sandbox.BotID+`",`+members+`,"contentMessage":{"text":"one"}}`)
			if a.status >= 300 {
				if n := p.count(t, `select count(*) from messages`) - before; n != 0 {
					t.Errorf("%s: refused, and %d stored", members, n)
				}
				continue
			}
			accepted++
			var recipient, payload string
			if err := p.pool.QueryRow(t.Context(), `select recipient, payload::text from messages order by id desc limit 1`).Scan(&recipient, &payload); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(payload, "+"+recipient) || strings.Contains(payload, `"to"`) && !strings.Contains(payload, recipient) {
				t.Errorf("%s: stored for %q with %s", members, recipient, payload)
			}
			if !strings.Contains(string(a.body), recipient) {
				t.Errorf("%s: stored for %q and answered %s", members, recipient, a.body)
			}
		}
		if accepted == 0 {
			t.Error("no body was accepted")
		}
	})
}

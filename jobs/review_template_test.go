package jobs_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"heliograph/app/channels/messaging/templates"
	"heliograph/app/input"
)

// templateEvent is a callback about a template as receivers parse it.
type templateEvent struct {
	Object string
	Entry  []struct {
		ID      string
		Time    int64
		Changes []struct {
			Field string
			Value struct {
				Event      string
				ID         int64  `json:"message_template_id"`
				Name       string `json:"message_template_name"`
				Language   string `json:"message_template_language"`
				Category   string `json:"message_template_category"`
				Reason     string
				NewQuality string            `json:"new_quality_score"`
				OtherInfo  map[string]string `json:"other_info"`
			}
		}
	}
}

func TestTemplateIsReviewedAndPartnersAreTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	events := make(chan templateEvent, 10)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var e templateEvent
		body, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(body, &e); err != nil || len(e.Entry) != 1 {
			t.Errorf("callback %s: %v", body, err)
			return
		}
		events <- e
	}))
	t.Cleanup(server.Close)
	b.setWebhook(t, server.URL)
	if _, err := b.pool.Exec(t.Context(), `update organisations set sandbox = true`); err != nil {
		t.Fatal(err)
	}
	account, err := b.service.Numbers.Account(t.Context(), b.number.OrganisationID, fmt.Sprint(b.sandbox.BusinessAccountID))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, told string }{
		{"ordinary", "APPROVED NONE"},
		{"is_rejected", "REJECTED INVALID_FORMAT"},
		{"is_paused", "APPROVED NONE, RED, PAUSED NONE FIRST_PAUSE"},
	} {
		in := templates.Input{Name: input.Text(tt.name), Language: "en_US", Category: "UTILITY", Components: json.RawMessage(`[{"type":"BODY","text":"Hello"}]`)}
		if _, err := b.service.Templates.CreateTemplate(t.Context(), account, in, ""); err != nil {
			t.Fatal(err)
		}
		want := map[string]bool{}
		for told := range strings.SplitSeq(tt.told, ", ") {
			want[told] = true
		}
		for len(want) > 0 {
			select {
			case e := <-events:
				change := e.Entry[0].Changes[0]
				told := strings.TrimSpace(change.Value.Event + " " + change.Value.Reason + " " + change.Value.OtherInfo["title"])
				if change.Field == "message_template_quality_update" {
					told = change.Value.NewQuality
				}
				if !want[told] || e.Object != "msgapp_business_account" || e.Entry[0].ID != fmt.Sprint(account.ID) || e.Entry[0].Time == 0 ||
					change.Value.Name != tt.name || change.Value.Language != "en_US" || change.Value.ID == 0 {
					t.Errorf("%s: told %q with %+v, want one of %v", tt.name, told, e, want)
				}
				delete(want, told)
			case <-time.After(30 * time.Second):
				t.Fatalf("%s: no callback within 30 s; still to come: %v", tt.name, want)
			}
		}
	}
}

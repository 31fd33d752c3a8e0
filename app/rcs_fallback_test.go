package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// rcsEvents is the webhook of a bot: it keeps what each message went through, once
// for each event.
type rcsEvents struct {
	*httptest.Server
	mu   sync.Mutex
	seen map[string]bool     // ids of events
	of   map[string][]string // statuses with their channel, by message id
}

func newRCSEvents(t testing.TB) *rcsEvents {
	t.Helper()
	e := &rcsEvents{seen: map[string]bool{}, of: map[string][]string{}}
	e.Server = httptest.NewServer(e)
	t.Cleanup(e.Close)
	return e
}

func (e *rcsEvents) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	var event struct{ EventID, Type, MessageID, Status, Channel string }
	if json.NewDecoder(r.Body).Decode(&event) != nil || event.Type != "MESSAGE_STATUS" {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.seen[event.EventID] {
		e.seen[event.EventID] = true
		e.of[event.MessageID] = append(e.of[event.MessageID], event.Status+" "+event.Channel)
	}
}

// history returns what a message went through, in order of the alphabet.
func (e *rcsEvents) history(id string) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Sorted(slices.Values(e.of[id]))
}

// callRCS makes a request to the RCS API.
func callRCS(t testing.TB, o organisation, method, address string, body any) (int, string) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, address, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("apikey", o.APIKey)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(answer)
}

type members = map[string]any

// fallbacksOf are the fallbacks of an organisation by channel.
func fallbacksOf(o organisation, after string) map[string]members {
	return map[string]members{
		"SMS": {"enabled": true, "channel": "SMS", "text": o.SMSText, "after": after, "sms": members{"header": o.SMSHeader, "dltEntityId": o.DLTEntityID, "dltTemplateId": o.DLTTemplateID}},
		"MSGAPP": {"enabled": true, "channel": "MSGAPP", "after": after, "msgapp": members{
			"phoneNumberId": o.PhoneNumberID, "template": members{"name": "hello_world", "language": members{"code": "en_US"}},
		}},
	}
}

// A message that RCS does not bring falls back once, over SMS or the messaging
// channel, under the same id, and both reports are relayed. One that names another
// cause does not fall back.
func TestRCSFallsBack(t *testing.T) {
	t.Parallel()
	a := sharedDev.alone(t).access
	events, o := newRCSEvents(t), a.Organisation
	if status, answer := callRCS(t, o, "PUT", a.URL+"/api/v1/bot/config/set-relay-webhook-url", members{"botId": o.RCSBotID, "relayWebhookUrl": events.URL}); status != 200 {
		t.Fatal(answer)
	}
	want := map[string][]string{}
	send := func(ending, after, ttl, channel string, story ...string) {
		id := strings.ToLower(fmt.Sprint(ending, "-", after, "-", channel))
		body := members{"botId": o.RCSBotID, "to": "+91981234" + ending, "messageId": id, "contentMessage": members{"text": "Your lamp is ready."}, "fallback": fallbacksOf(o, after)[channel]}
		if ttl != "" {
			body["ttl"] = ttl
		}
		if status, answer := callRCS(t, o, "POST", a.URL+"/api/v1/send-message", body); status != 202 {
			t.Fatalf("%s: %s", id, answer)
		}
		slices.Sort(story)
		want[id] = story
	}
	for channel, end := range map[string][]string{"SMS": {"DELIVERED SMS"}, "MSGAPP": {"DELIVERED MSGAPP", "READ MSGAPP"}} {
		over := append([]string{"FALLBACK_SENT " + channel}, end...)
		send("0011", "NOT_CAPABLE", "", channel, append([]string{"FAILED RCS"}, over...)...)
		send("0011", "FAILED", "", channel, append([]string{"FAILED RCS"}, over...)...)
		send("0013", "TTL", "2s", channel, append([]string{"SENT RCS", "EXPIRED RCS"}, over...)...)
		send("0011", "TTL", "60s", channel, "FAILED RCS")                                     // it failed for another reason
		send("0017", "FAILED", "", channel, "FAILED RCS")                                     // who opted out gets nothing elsewhere
		send("5678", "FAILED", "", channel, "SENT RCS", "DELIVERED RCS", "READ RCS")          // it arrived
		send("0013", "NOT_CAPABLE", "2s", channel, "SENT RCS", "EXPIRED RCS")                 // it expired
		send("0016", "NOT_CAPABLE", "600s", channel, "SENT RCS", "DELIVERED RCS", "READ RCS") // busy at first
	}
	got := map[string][]string{}
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end) && !cmp.Equal(want, got); time.Sleep(200 * time.Millisecond) {
		for id := range want {
			got[id] = events.history(id)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the events differ (-want +got):\n%s", diff)
	}
	status, answer := callRCS(t, o, "GET", a.URL+"/api/v1/get-message-status-by-messageId/"+o.RCSBotID+"/0011-failed-msgapp", nil)
	if status != 200 || !strings.Contains(answer, `"status":"READ"`) || !strings.Contains(answer, `"channel":"MSGAPP"`) {
		t.Errorf("the status: %s", answer)
	}
}

package relay

import (
	"strings"
	"testing"
	"time"

	"heliograph/app/keyring"
	"heliograph/db/models"
)

func TestEventsArePostedAsStoredUnlessTheChannelRendersThem(t *testing.T) {
	t.Parallel()
	d := models.Delivery{Body: []byte(`{"dest":"91"}`), Webhook: models.Webhook{URL: "https://partner.example.com/?to=%d"}}
	if r, err := (Protocol{}).NewRequest(d); err != nil || r.Method != "POST" || r.URL != d.Webhook.URL || string(r.Body) != string(d.Body) {
		t.Errorf("the request is %+v, %v; want the event as it was stored", r, err)
	}
	placeholders := Protocol{Render: func(d models.Delivery) (Request, error) {
		return Request{Method: "GET", URL: strings.Replace(d.Webhook.URL, "%d", "91", 1)}, nil
	}}
	if r, err := placeholders.NewRequest(d); err != nil || r.Method != "GET" || r.URL != "https://partner.example.com/?to=91" || r.Body != nil {
		t.Errorf("the request is %+v, %v; want a GET of the address with its placeholder filled in", r, err)
	}
}

func TestEndpointsHaveASecretOfTheirOwnOrOfTheirSubject(t *testing.T) {
	t.Parallel()
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	w := models.Webhook{Channel: "sms", Subject: "7", Secret: keys.Seal([]byte("whsec_1"), secretPlace("sms", "7"))}
	if s, err := (Protocol{}).OpenSecrets(keys, models.Delivery{Webhook: w}); err != nil || s.Current != "whsec_1" {
		t.Errorf("the secret is %q, %v", s.Current, err)
	}
	w.Subject = "8"
	if _, err := (Protocol{}).OpenSecrets(keys, models.Delivery{Webhook: w}); err == nil {
		t.Error("the secret of another endpoint can be opened")
	}
	own := Protocol{Secrets: func(*keyring.Keyring, models.Delivery) (Secrets, error) {
		return Secrets{Current: "of the number"}, nil
	}}
	if s, err := own.OpenSecrets(keys, models.Delivery{Webhook: w}); err != nil || s.Current != "of the number" {
		t.Errorf("the secret is %q, %v; want that of the channel", s.Current, err)
	}
}

func TestReportsAreTriedForADay(t *testing.T) {
	t.Parallel()
	total := time.Duration(0)
	for i, pause := range Day.Pauses {
		if total += pause; i > 0 && pause < Day.Pauses[i-1] {
			t.Errorf("pause %d is %v after %v", i, pause, Day.Pauses[i-1])
		}
	}
	if Day.Pauses[0] != 5*time.Second || total < 24*time.Hour || total > 25*time.Hour || Day.Circuit == 0 {
		t.Errorf("the schedule starts with %v and lasts %v", Day.Pauses[0], total)
	}
	if s := (Protocol{}).ScheduleOr(Standard); len(s.Pauses) != len(Standard.Pauses) {
		t.Error("a channel without a schedule has none")
	}
	if s := (Protocol{Schedule: Day}).ScheduleOr(Standard); len(s.Pauses) != len(Day.Pauses) {
		t.Error("a channel with a schedule has another")
	}
}

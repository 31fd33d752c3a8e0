package account_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/rcs"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/views/ui"
)

func openBots(t *testing.T) (*office, rcs.Sandbox) {
	t.Helper()
	o := open(t, webtest.New(t, nil))
	o.exec(t, `update organisations set sandbox = true where id = $1`, o.id)
	var sandbox rcs.Sandbox
	err := db.InTx(t.Context(), o.site.DB, func(tx pgx.Tx) (err error) {
		sandbox, err = rcs.Provision(t.Context(), tx, o.id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return o, sandbox
}

// The page of a bot says what is missing, shows templates as a phone does, and
// invites test devices. A viewer changes nothing.
func TestBotPage(t *testing.T) {
	t.Parallel()
	o, sandbox := openBots(t)
	path := "/account/bots/" + sandbox.DraftBotID
	o.exec(t, `update rcs_bots set profile = '{"botName": "Parcel offers", "botLogoImage": "https://a.example.com/l.png"}' where id = $1`, sandbox.DraftBotID)
	if text := o.viewer.Get("/account/bots").Find("tbody").Text(); !strings.Contains(text, "botBannerImage, termsofUseUrl, privacyPolicyUrl") || strings.Contains(text, "botLogoImage") {
		t.Errorf("the list: %s", text)
	}
	a := o.viewer.Get(path)
	if text := a.Find(".alert").Text(); !strings.Contains(text, "a banner (botBannerImage), the address of the terms of use (termsofUseUrl) and the address of the privacy policy") {
		t.Errorf("what is missing: %s", text)
	}
	if a.Find("main form").Length() != 0 || a.Find("#try").Length() != 1 {
		t.Errorf("a viewer sees %s", a.Find("main").Text())
	}
	if text := o.viewer.Get("/account/bots/" + sandbox.BotID).Find(".bot-template").Text(); !strings.Contains(text, "calls +919812345670") || !strings.Contains(text, "CAROUSEL") {
		t.Errorf("the templates: %s", text)
	}
	for name, tt := range map[string]struct{ number, message string }{
		"no number": {"", "with its country code"}, "no plus": {"919812345678", "with its country code"}, "words": {"+nobody", "with its country code"},
		"no RCS": {"+919812340011", "cannot receive RCS"},
	} {
		for _, client := range []*webtest.Client{o.developer, o.developer.HX(ui.Form.Of("device"))} {
			a := client.Post(path+"/devices", url.Values{"phone_number": {tt.number}, "name": {"Ravi"}})
			if a.Status != 422 || !strings.Contains(a.Find("#field-phone_number-error").Text(), tt.message) || a.Find("#field-name").AttrOr("value", "") != "Ravi" {
				t.Errorf("%s: %d %s", name, a.Status, a.Find("form").Text())
			}
		}
	}
	if a := o.developer.Post(path+"/devices", url.Values{"phone_number": {"+91 98765 43210"}, "name": {"Ravi"}}); a.Status != 303 {
		t.Fatalf("inviting: %d %s", a.Status, a.Find("main").Text())
	}
	if text := o.viewer.Get(path).Find("section[aria-labelledby=devices]").Text(); !strings.Contains(text, "+919876543210") || !strings.Contains(text, "PENDING") {
		t.Errorf("the devices: %s", text)
	}
	if a := o.viewer.Post(path+"/devices", url.Values{"phone_number": {"+919876543211"}}); a.Status != 403 {
		t.Errorf("a viewer invites: %d", a.Status)
	}
}

// A client secret exists from verification on. It is shown once, and a new one
// replaces it.
func TestBotClientSecret(t *testing.T) {
	t.Parallel()
	o, sandbox := openBots(t)
	if a := o.developer.Post("/account/bots/"+sandbox.DraftBotID+"/client-secret", nil); a.Status != 409 {
		t.Errorf("a bot that is not verified: %d", a.Status)
	}
	path := "/account/bots/" + sandbox.BotID
	first := o.developer.Post(path+"/client-secret", nil).Find(".secret code").Text()
	second := o.developer.Post(path+"/client-secret", nil).Find(".secret code").Text()
	if len(first) < 40 || first == second || strings.Contains(o.developer.Get(path).Body, second) {
		t.Errorf("the secrets are %q and %q", first, second)
	}
	if n := o.count(t, `select count(*) from rcs_bots where id = $1 and client_secret = sha256(convert_to($2, 'UTF8'))`, sandbox.BotID, strings.TrimSpace(second)); n != 1 {
		t.Error("the newest secret is not stored as its hash")
	}
}

func TestBotWebhookPage(t *testing.T) {
	t.Parallel()
	o, sandbox := openBots(t)
	path := "/account/bots/" + sandbox.BotID + "/webhook"
	if a := o.viewer.Get(path); a.Status != 200 || !strings.Contains(a.Find("main").Text(), "Not set") || a.Find("main form").Length() != 0 {
		t.Errorf("a viewer sees %d %s", a.Status, a.Find("main").Text())
	}
	for name, tt := range map[string]struct{ url, headers, form, field string }{
		"private": {"http://10.0.0.1/", "", "MAAP", "url"}, "headers": {"http://127.0.0.1:9/", "just text", "MAAP", "headers"}, "form": {"http://127.0.0.1:9/", "", "XML", "form"},
	} {
		for _, client := range []*webtest.Client{o.developer, o.developer.HX(ui.Form.Of("events"))} {
			a := client.Post(path, url.Values{"url": {tt.url}, "headers": {tt.headers}, "form": {tt.form}})
			if a.Status != 422 || a.Find("#field-"+tt.field+"-error").Length() != 1 || a.Find("#field-url").AttrOr("value", "") != tt.url {
				t.Errorf("%s: %d %s", name, a.Status, a.Find("main").Text())
			}
		}
	}
	for _, rest := range []string{"/test", "/secret", "/secret/rotate", "/enable"} {
		if a := o.developer.Post(path+rest, nil); a.Status != 409 {
			t.Errorf("%s without an address: %d", rest, a.Status)
		}
	}
	if a := o.developer.Post(path, url.Values{"url": {"http://127.0.0.1:9/rcs"}, "headers": {"X-Secret: mine"}, "form": {"GOOGLE_RBM"}}); a.Status != 303 {
		t.Fatalf("setting: %d %s", a.Status, a.Find("main").Text())
	}
	a := o.developer.Get(path)
	if a.Find("#field-form option[selected]").AttrOr("value", "") != "GOOGLE_RBM" || !strings.Contains(a.Find("#field-headers").Text(), "X-Secret: mine") || !strings.Contains(a.Find("figure").Text(), "X-Goog-Signature") {
		t.Errorf("after it was set: %s", a.Find("main").Text())
	}
	if text := o.viewer.Get(path).Find("main").Text(); strings.Contains(text, "mine") || !strings.Contains(text, "http://127.0.0.1:9/rcs") {
		t.Errorf("a viewer sees %s", text)
	}
	shown := o.developer.Post(path+"/secret", nil).Find(".secret code").Text()
	made := o.developer.Post(path+"/secret/rotate", nil).Find(".secret code").Text()
	if !strings.HasPrefix(shown, "whsec_") || !strings.HasPrefix(made, "whsec_") || shown == made {
		t.Errorf("the secrets are %q and %q", shown, made)
	}
	// Saving keeps the secret that was made, the address and the form.
	if a := o.developer.Post(path, url.Values{"url": {"http://127.0.0.1:9/rcs"}, "form": {"MAAP"}}); a.Status != 303 {
		t.Fatalf("setting again: %d", a.Status)
	}
	if again := o.developer.Post(path+"/secret", nil).Find(".secret code").Text(); again != made {
		t.Errorf("the secret is %q after the form was saved, want %q", again, made)
	}
	retireBotSecret(t, o, path)
	a = o.developer.Post(path+"/test", nil)
	if a.Status != 303 || !strings.HasPrefix(a.Address(), "/account/deliveries/") || o.jobs(t) != 1 {
		t.Errorf("a test gives %d %s with %d jobs", a.Status, a.Address(), o.jobs(t))
	}
	events := o.viewer.Get(path).Find(`a[href^="/account/deliveries?"]`).AttrOr("href", "")
	if a := o.viewer.Get(events); a.Status != 200 || !strings.Contains(a.Find("table").Text(), "test") {
		t.Errorf("the events of the bot, %s: %d %s", events, a.Status, a.Find("main").Text())
	}
	o.exec(t, `update deliveries set state = 'failed', finished_at = now()`)
	since := url.Values{"since": {"2020-01-01T00:00"}, "which": {"failed"}}
	if a := o.developer.Get(path + "/replay?" + since.Encode()); a.Status != 200 || !strings.Contains(a.Find("form[action='"+path+"/replay'] button").Text(), "Replay 1 callback") {
		t.Errorf("counting events: %d %s", a.Status, a.Find("main").Text())
	}
	if a := o.developer.Post(path+"/replay", since); a.Status != 303 || o.jobs(t) != 2 {
		t.Errorf("replaying: %d with %d jobs", a.Status, o.jobs(t))
	}
	o.exec(t, `update webhooks set disabled_at = now(), disabled_reason = 'the endpoint answered 410 Gone'`)
	if a := o.developer.Post(path+"/enable", nil); a.Status != 303 || !strings.Contains(o.viewer.Get(path).Find(".state-line").Text(), "Healthy") {
		t.Errorf("enabling gives %d: %s", a.Status, o.viewer.Get(path).Find(".state-line").Text())
	}
	stranger := open(t, o.site)
	for _, rest := range []string{"", "/replay?" + since.Encode()} {
		if a := stranger.developer.Get(path + rest); a.Status != 404 {
			t.Errorf("another organisation gets %d for %s", a.Status, rest)
		}
	}
	for _, rest := range []string{"", "/secret", "/secret/rotate", "/test", "/replay"} {
		if a := stranger.developer.Post(path+rest, since); a.Status != 404 {
			t.Errorf("another organisation posts %s: %d", rest, a.Status)
		}
	}
}

// In a sandbox people can be played: what they do reaches the webhook, and who
// writes STOP is written to no more.
func TestPlayedRecipient(t *testing.T) {
	t.Parallel()
	o, sandbox := openBots(t)
	path := "/account/bots/" + sandbox.BotID
	answer := func(client *webtest.Client, act, text string) *webtest.Answer {
		return client.Post(path+"/answers", url.Values{"from": {"+91 98123 45678"}, "act": {act}, "text": {text}})
	}
	if a := answer(o.developer, "typing", ""); a.Status != 409 {
		t.Errorf("without a webhook: %d", a.Status)
	}
	if a := o.developer.Post(path+"/webhook", url.Values{"url": {"http://127.0.0.1:9/rcs"}, "form": {"DEFAULT"}}); a.Status != 303 {
		t.Fatal(a.Status)
	}
	taps := o.developer.Get(path).Find("#field-act option").FilterFunction(func(_ int, s *goquery.Selection) bool { return strings.Contains(s.Text(), "Track") })
	if !strings.Contains(taps.Text(), "order_ok") {
		t.Fatalf("what can be tapped: %q", taps.Text())
	}
	for _, tt := range []struct{ act, text, want string }{
		{"text", "Where is it?", `"text":"Where is it?"`}, {"typing", "", `"type":"TYPING"`}, {"location", "", `"latitude":12.9716`}, {"file", "", `"mimeType":"image/jpeg"`},
		{taps.AttrOr("value", ""), "", `"suggestionResponse":{"postbackData":"track","displayText":"Track"}`}, {"text", "Stop!", `"text":"Stop!"`},
	} {
		a := answer(o.developer, tt.act, tt.text)
		var body string
		if err := o.site.DB.QueryRow(t.Context(), `select convert_from(body, 'UTF8') from deliveries order by id desc limit 1`).Scan(&body); err != nil {
			t.Fatal(err)
		}
		if a.Status != 303 || !strings.Contains(body, tt.want) || !strings.Contains(body, `"userContact":"+919812345678"`) {
			t.Errorf("%s: %d %s %s", tt.act, a.Status, a.Find("main").Text(), body)
		}
	}
	if n := o.count(t, `select count(*) from suppressions where organisation_id = $1 and channel = 'rcs' and recipient = '919812345678'`, o.id); n != 1 {
		t.Error("who wrote STOP is not on the list")
	}
	for name, values := range map[string]url.Values{
		"from": {"from": {"nobody"}, "act": {"typing"}}, "act": {"from": {"+919812345678"}, "act": {"tap-0"}}, "text": {"from": {"+919812345678"}, "act": {"text"}, "text": {" "}},
	} {
		if a := o.developer.Post(path+"/answers", values); a.Status != 422 || a.Find("#field-"+name+"-error").Length() != 1 {
			t.Errorf("a wrong %s: %d %s", name, a.Status, a.Find("main").Text())
		}
	}
	o.exec(t, `update organisations set sandbox = false where id = $1`, o.id)
	if a := answer(o.developer, "typing", ""); a.Status != 409 {
		t.Errorf("a bot that is no sandbox's: %d", a.Status)
	}
}

// retireBotSecret retires the previous secret of a bot, once.
func retireBotSecret(t *testing.T, o *office, path string) {
	t.Helper()
	if a := o.developer.Post(path+"/secret/rotate", nil); a.Status != 409 || !strings.Contains(a.Find("[role=alert]").Text(), "Retire the previous one first") {
		t.Errorf("a second rotation gives %d %s", a.Status, a.Find("[role=alert]").Text())
	}
	if a := o.viewer.Post(path+"/secret/retire", nil); a.Status != 403 {
		t.Errorf("a viewer retires a secret: %d", a.Status)
	}
	a := o.developer.Get(path)
	ask := a.Find("a[href='" + path + "/secret/retire']")
	if ask.Length() != 1 || !strings.Contains(a.Find("main").Text(), "The previous secret signs every callback until") {
		t.Fatalf("after a rotation the page says %s", a.Find("main").Text())
	}
	if a := o.developer.Get(path + "/secret/retire"); a.Status != 200 || !strings.Contains(a.Find("main form").Text(), "Retire the previous secret") {
		t.Errorf("the question gives %d %s", a.Status, a.Find("main").Text())
	}
	if a := o.developer.Post(path+"/secret/retire", nil); a.Status != 303 {
		t.Errorf("retiring gives %d", a.Status)
	}
	if a := o.developer.Get(path); a.Find("a[href='"+path+"/secret/retire']").Length() != 0 || a.Find("form[action='"+path+"/secret/rotate']").Length() != 1 {
		t.Errorf("after it was retired the page says %s", a.Find("main").Text())
	}
	if a := o.developer.Post(path+"/secret/retire", nil); a.Status != 409 {
		t.Errorf("retiring again gives %d", a.Status)
	}
}

package api_test

import (
	"bytes"
	"fmt"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/db/seed"
)

func readSeedOf(t testing.TB, name string) []byte {
	t.Helper()
	document, err := seed.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// A bot goes from its creation to its launch and back, and each step can be seen.
func TestRCSBotFromCreationToLaunch(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	a := p.call(t, "POST", "/create-bot", jsonMap{"botName": "Parcels", "botMessageType": "TRANSACTIONAL", "color": "#FFEE00"})
	id := a.text(t, "botId")
	if a.status != 201 || len(id) != 22 || !strings.Contains(string(a.Data), "contrast") {
		t.Fatalf("%d %s, want a bot with a warning about its colour", a.status, a.body)
	}
	if a := p.call(t, "POST", "/create-bot", jsonMap{"botName": "Parcels", "botMessageType": "TRANSACTIONAL"}); a.status != 409 || a.field("botName") != "duplicate" {
		t.Errorf("the name again: %s", a.body)
	}
	if a := p.call(t, "POST", "/bot/submit_bot_for_verification", submission(id)); a.status != 400 || a.field("botBannerImage") != "required" || len(a.Errors) != 4 {
		t.Errorf("an incomplete bot: %s", a.body)
	}
	complete := completeBot("Parcels")
	if a := p.call(t, "POST", "/update-bot", complete, "botId", id); a.status != 200 || string(a.Data) != `"Bot updated successfully"` {
		t.Fatalf("completing: %s", a.body)
	}
	if a := p.call(t, "POST", "/bot/submit_bot_for_verification", submission(id)); a.status != 200 || a.text(t, "verificationStatus") != "PENDING" {
		t.Fatalf("submitting: %s", a.body)
	}
	if a := p.call(t, "POST", "/bot/submit_bot_for_verification", submission(id)); a.status != 409 {
		t.Errorf("submitting again: %s", a.body)
	}
	make := func(m lifecycle.Move, reason string) {
		t.Helper()
		if err := p.service.Desk.Make(t.Context(), "admin", id, m, reason); err != nil {
			t.Fatal(err)
		}
	}
	make(lifecycle.Reject, "The policy does not name the sender.")
	if a := p.call(t, "GET", "/get-bot-details/"+id, nil); a.text(t, "verificationStatus") != "REJECTED" || a.text(t, "rejectionReason") == "" {
		t.Errorf("after the rejection: %s", a.body)
	}
	p.call(t, "POST", "/update-bot", jsonMap{"shortDescription": "Where your parcel is"}, "botId", id)
	if a := p.call(t, "GET", "/get-bot-details/"+id, nil); a.text(t, "verificationStatus") != "UNVERIFIED" || a.text(t, "rejectionReason") != "" {
		t.Errorf("after the edit: %s", a.body)
	}
	p.call(t, "POST", "/bot/submit_bot_for_verification", submission(id))
	make(lifecycle.Verify, "")
	if a := p.call(t, "POST", "/update-bot", jsonMap{"botName": "Other"}, "botId", id); a.status != 409 || a.field("botName") != "frozen" {
		t.Errorf("a new name of a verified bot: %s", a.body)
	}
	if a := p.call(t, "POST", "/update-bot", jsonMap{"botName": "Parcels", "emails": []string{"a@example.com"}}, "botId", id); a.status != 200 {
		t.Errorf("the same name of a verified bot: %s", a.body)
	}
	client := p.call(t, "GET", "/get-bot-details/"+id, nil).text(t, "clientId")
	if a := p.call(t, "GET", "/get-bot-details-by-clientId/"+client, nil); client == "" || a.text(t, "botId") != id {
		t.Errorf("by client id %q: %s", client, a.body)
	}
	make(lifecycle.RequestLaunch, "")
	make(lifecycle.Launch, "")
	if a := p.call(t, "GET", "/get-all-launched-bots-by-orgId?orgId="+p.organisation(), nil); a.Total != 2 || !strings.Contains(string(a.Data), id) {
		t.Errorf("launched bots: %s", a.body)
	}
	make(lifecycle.Suspend, "Complaints")
	if a := p.call(t, "POST", "/send-message", jsonMap{"botId": id, "to": "+919812345678", "contentMessage": jsonMap{"text": "x"}}); a.status != 403 || a.field("botId") != "PERMISSION_DENIED" {
		t.Errorf("a suspended bot sends: %s", a.body)
	}
	make(lifecycle.Resume, "")
	make(lifecycle.Unlaunch, "")
	make(lifecycle.EndLaunch, "")
	if a := p.call(t, "GET", "/get-botId-by-botName?botName=Parcels", nil); a.text(t, "botId") != id {
		t.Errorf("by name: %s", a.body)
	}
	if a := p.call(t, "GET", "/get-all-bots?size=2&page=2", nil); a.Total != 3 || strings.Count(string(a.Data), "botId") != 1 {
		t.Errorf("the second page: %s", a.body)
	}
	if n := p.count(t, `select count(*) from audit_entries where target = 'rcs_bot:' || $1`, id); n < 10 {
		t.Errorf("%d entries of the audit, want one for each change", n)
	}
}

// Every field that is wrong is named with its code.
func TestRCSBotFieldsAreChecked(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	many := []string{"a", "b", "c", "d"}
	for field, tt := range map[string]struct {
		value any
		code  string
	}{
		"botName": {strings.Repeat("n", 41), "max_length"}, "shortDescription": {strings.Repeat("n", 101), "max_length"}, "botMessageType": {"OTP", "enum"},
		"phoneNumbers": {many, "max_items"}, "websites": {many, "max_items"}, "emails": {many, "max_items"}, "color": {"red", "pattern"},
		"termsofUseUrl": {"parcels", "url"}, "privacyPolicyUrl": {"ftp://parcels.example.com", "url"}, "botLogoImage": {7, "type"}, "botBannerImage": {"", "url"},
		"languages": {[]string{"en", "en"}, ""}, "nickname": {"x", "unknown"}, "regions": {"IN", "type"},
	} {
		bot := completeBot("Checked")
		bot[field] = tt.value
		a := p.call(t, "POST", "/create-bot", bot)
		if a.status != 400 || tt.code != "" && a.field(field) != tt.code {
			t.Errorf("%s %v: %s, want %s", field, tt.value, a.body, tt.code)
		}
	}
	for body, want := range map[string]string{`{"botName": `: "line 1", `[]`: "array", `null`: "array", `{}`: "Validation failed", ``: "empty"} {
		if a := p.call(t, "POST", "/create-bot", body); a.status != 400 || !strings.Contains(a.Message, want) {
			t.Errorf("%s: %s, want %q", body, a.body, want)
		}
	}
	if a := p.call(t, "POST", "/create-bot", "a=b", "Content-Type", "application/x-www-form-urlencoded"); a.status != 415 {
		t.Errorf("a form: %s", a.body)
	}
	if a := p.call(t, "POST", "/create-bot", `{"botName": "`+strings.Repeat("n", 300<<10)+`"}`); a.status != 413 {
		t.Errorf("a large body: %d", a.status)
	}
	if a := p.call(t, "POST", "/update-bot", jsonMap{"color": "#000000"}); a.status != 400 || a.field("botId") != "required" {
		t.Errorf("an update without a bot: %s", a.body)
	}
	if a := p.call(t, "POST", "/update-bot", jsonMap{}, "botId", p.sandbox.BotID); a.status != 400 {
		t.Errorf("an empty update: %s", a.body)
	}
	if a := p.call(t, "POST", "/add-test-device", jsonMap{"botId": p.sandbox.BotID, "phoneNumber": "+919812345678"}, "botId", "another"); a.status != 400 || a.field("botId") != "mismatch" {
		t.Errorf("header and body that differ: %s", a.body)
	}
}

// Images are refused by their size, format and pixels, and an image that cannot be
// fetched names its field.
func TestRCSImagesAreChecked(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	logo := "https://images.example.com/logo"
	cut := picture(224, 224)
	cut = cut[:len(cut)-30]
	var wide bytes.Buffer
	wide.Write(picture(1, 1)[:16])
	wide.Write([]byte{0, 0xFF, 0xFF, 0xFF, 0, 0xFF, 0xFF, 0xFF})
	wide.Write(picture(1, 1)[24:])
	for name, tt := range map[string]struct {
		status int
		body   []byte
		code   string
	}{
		"smaller": {200, picture(223, 224), "image_size"}, "turned": {200, picture(448, 1140), "image_size"}, "text": {200, []byte("<svg/>"), "image_format"},
		"empty": {200, nil, "image_format"}, "gif": {200, []byte("GIF89a\x01\x00\x01\x00"), "image_format"}, "cut": {200, cut, "image_format"},
		"bomb": {200, wide.Bytes(), "image_format"}, "large": {200, append(picture(224, 224), make([]byte, 90<<10)...), "file_size"},
		"missing": {404, nil, "not_fetched"}, "moved": {302, nil, "not_fetched"}, "header": {200, []byte("\x89PNG\r\n\x1a\n"), "image_format"}, "jpeg": {200, []byte("\xff\xd8\xff\xe0"), "image_format"},
	} {
		p.files.serve(logo, tt.status, tt.body)
		bot := completeBot("Image " + name)
		bot["botLogoImage"] = logo
		if a := p.call(t, "POST", "/create-bot", bot); a.status != 400 || a.field("botLogoImage") != tt.code {
			t.Errorf("%s: %s, want %s", name, a.body, tt.code)
		}
	}
	if n := p.count(t, `select count(*) from rcs_bots where organisation_id = $1`, p.id); n != 2 {
		t.Errorf("%d bots were stored, want those of the sandbox only", n)
	}
	if config, err := png.DecodeConfig(bytes.NewReader(picture(224, 224))); err != nil || config.Width != 224 {
		t.Error(config, err)
	}
}

// A form with files does the same as JSON with addresses.
func TestRCSBotIsSubmittedByForm(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	id := p.call(t, "POST", "/create-bot", completeBot("By form")).text(t, "botId")
	send := func(screens int, name string) int {
		var b bytes.Buffer
		form := multipart.NewWriter(&b)
		fmt.Fprint(must(form.CreateFormField("data"))(t), `{"botId": "`+id+`", "brandDetails": {"brandName": "P"}, "contactEmail": "a@example.com", "optInDescription": "a", "optOutDescription": "b"}`)
		for range screens {
			must(form.CreateFormFile(name, "screen.png"))(t).Write(picture(300, 600)) //nolint:errcheck // memory
		}
		must(form.CreateFormFile("brandLogoImage", "logo.png"))(t).Write(picture(10, 10)) //nolint:errcheck // memory
		if err := form.Close(); err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/bot/submit_bot_for_verification", &b)
		r.Header.Set("apikey", p.key)
		r.Header.Set("Content-Type", form.FormDataContentType())
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, r)
		if err := p.contract.Response("submitBotForVerification", w.Code, w.Header(), w.Body.Bytes()); err != nil {
			t.Error(err)
		}
		return w.Code
	}
	for _, tt := range []struct {
		screens int
		name    string
		want    int
	}{{0, "screenImages", 400}, {11, "screenImages", 400}, {1, "pictures", 400}, {2, "screenImages", 200}, {2, "screenImages", 409}} {
		if got := send(tt.screens, tt.name); got != tt.want {
			t.Errorf("%d %s: %d, want %d", tt.screens, tt.name, got, tt.want)
		}
	}
	if n := p.count(t, `select count(*) from rcs_images where bot_id = $1`, id); n != 5 {
		t.Errorf("%d images, want logo, banner, brand and two screens", n)
	}
}

func must(w io.Writer, err error) func(t testing.TB) io.Writer {
	return func(t testing.TB) io.Writer {
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
}

// Test devices are invited once, and again after they declined.
func TestRCSTestDevices(t *testing.T) {
	t.Parallel()
	p, other := setupRCS(t)
	add := func(bot, number string) rcsAnswerBody {
		return p.call(t, "POST", "/add-test-device", jsonMap{"botId": bot, "phoneNumber": number, "name": "Asha"})
	}
	bot := p.sandbox.DraftBotID
	for range 2 {
		if a := add(bot, numbered(7)); a.status != 201 || a.text(t, "status") != "PENDING" {
			t.Errorf("an invitation: %s", a.body)
		}
	}
	if n := p.count(t, `select count(*) from river.river_job where kind = 'answer_invitation'`); n != 1 {
		t.Errorf("%d invitations, want one", n)
	}
	if a := add(bot, p.sandbox.Device); a.text(t, "status") != "ACCEPTED" {
		t.Errorf("a device that accepted: %s", a.body)
	}
	if a := add(bot, "+919800000011"); a.status != 404 || a.field("phoneNumber") != "rcs_disabled" {
		t.Errorf("a phone without RCS: %s", a.body)
	}
	if a := add(other.sandbox.BotID, numbered(8)); a.status != 404 {
		t.Errorf("a bot of another: %s", a.body)
	}
	if _, err := p.pool.Exec(t.Context(), `update rcs_devices set state = 'DECLINED' where number = $1`, numbered(7)[1:]); err != nil {
		t.Fatal(err)
	}
	if a := add(bot, numbered(7)); a.text(t, "status") != "PENDING" {
		t.Errorf("a device that declined: %s", a.body)
	}
	for i := range 20 {
		a := add(bot, numbered(100+i))
		if want := map[bool]int{true: 201, false: 429}[i < 18]; a.status != want {
			t.Errorf("invitation %d: %s, want %d", i+3, a.body, want)
		}
	}
}

// Nobody sees the bots of another organisation.
func TestRCSBotsOfOthersAreUnknown(t *testing.T) {
	t.Parallel()
	p, other := setupRCS(t)
	bot := other.sandbox.BotID
	for _, path := range []string{
		"/get-bot-details/" + bot, "/get-bot-details/x%00y", "/get-bot-details/unknown", "/get-bot-details-by-clientId/rcs-0", "/get-botId-by-botName?botName=Nobody",
		"/get-all-templates-by-botid?botId=" + bot, "/templates/msgapp-fallback/" + bot, "/get-template-status/" + bot + "/order_ok",
		"/get-templateId-by-templateName-and-botId?templateName=order_ok&botId=" + bot, "/get-template-preview-by-templateName?templateName=order_ok&botId=" + bot,
		"/bot/config/get-relay-webhook-url?botId=" + bot, "/get-message-status-by-messageId/" + bot + "/c-1", "/get-template-details-by-templateId?templateId=unknown",
	} {
		if a := p.call(t, "GET", path, nil); a.status != 404 {
			t.Errorf("%s: %d, want 404", path, a.status)
		}
	}
	for path, body := range map[string]jsonMap{
		"/bot/submit_bot_for_verification": submission(bot), "/send-message": {"botId": bot, "to": "+919812345678", "contentMessage": jsonMap{"text": "x"}},
		"/send-freeflow-message": {"botId": bot, "to": "+919812345678", "type": "TEXT", "contentMessage": jsonMap{"text": "x"}},
		"/create-template":       {"botId": bot, "templateName": "a", "templateType": "TEXT", "text": "x"},
	} {
		if a := p.call(t, "POST", path, body); a.status != 404 {
			t.Errorf("%s: %s, want 404", path, a.body)
		}
	}
	if a := p.call(t, "POST", "/update-bot", jsonMap{"color": "#000000"}, "botId", bot); a.status != 404 {
		t.Errorf("update: %s", a.body)
	}
	for _, path := range []string{"/get-all-launched-bots-by-orgId?orgId=", "/get-all-template-by-orgId?orgId="} {
		if a := p.call(t, "GET", path+other.organisation(), nil); a.status != 403 {
			t.Errorf("%s of another: %s", path, a.body)
		}
	}
	for _, path := range []string{
		"/get-all-bots?page=0", "/get-all-bots?size=101", "/get-botId-by-botName", "/get-all-templates-by-botid?botId=" + p.sandbox.BotID + "&status=SENT", "/get-all-launched-bots-by-orgId",
		"/bot/config/get-relay-webhook-url", "/get-template-details-by-templateId",
	} {
		if a := p.call(t, "GET", path, nil); a.status != 400 {
			t.Errorf("%s: %s, want 400", path, a.body)
		}
	}
	if a := p.call(t, "GET", "/get-all-bots", nil, "apikey", "wrong"); a.status != 401 {
		t.Errorf("a wrong key: %s", a.body)
	}
	if a := p.call(t, "DELETE", "/get-all-bots", nil); a.status != 405 && a.status != 400 || a.header.Get("Allow") != "GET" {
		t.Errorf("another method: %d %s", a.status, a.body)
	}
	if a := p.call(t, "GET", "/nothing", nil); a.status != 404 {
		t.Errorf("an unknown path: %s", a.body)
	}
}

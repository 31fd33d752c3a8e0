//go:build judge || drill

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db/dev"
)

// sandbox is an organisation that samples are tried with, prepared as the guides
// say. It finds a value for each placeholder of a sample where the page says
// that readers find it.
type sandbox struct {
	origin string
	organisation
	place    string // a folder with the files that samples send
	own      string // the address of a server of the reader's, with pictures and a webhook
	made     int
	obtained map[string]func(t *testing.T, s publishedSample) map[string]string
}

// smsAccepted matches a body of the SMS API that says success.
var smsAccepted = regexp.MustCompile(`"code":"?200\b`)

func newSandbox(t *testing.T, origin string, o organisation, place string) *sandbox {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(serveOwn))
	t.Cleanup(server.Close)
	b := &sandbox{origin: origin, organisation: o, place: place, own: server.URL}
	for name, content := range map[string]string{
		"invoice-20417.pdf": "%PDF-1.4\n%%EOF\n", "screen-1.png": drawPNG(600, 800), "screen-2.png": drawPNG(600, 800),
		"logo.png": drawPNG(224, 224), "path/to/file": "",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(place, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(place, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.obtained = map[string]func(t *testing.T, s publishedSample) map[string]string{
		"business-messaging": b.messagingValues, "sms": b.smsValues, "rcs": b.rcsValues,
		// Callbacks are read with the key of the organisation.
		"portal": func(*testing.T, publishedSample) map[string]string {
			return map[string]string{"ACCESS_TOKEN": b.APIKey}
		},
	}
	return b
}

// serveOwn serves pictures in the size that their name asks for, and answers
// callbacks.
func serveOwn(w http.ResponseWriter, r *http.Request) {
	width, height := 600, 400
	switch path.Base(r.URL.Path) {
	case "logo.png":
		width, height = 224, 224
	case "banner.png":
		width, height = 1140, 448
	case "events":
		return
	}
	w.Header().Set("Content-Type", "image/png")
	fmt.Fprint(w, drawPNG(width, height))
}

func drawPNG(width, height int) string {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		panic(err) // memory takes everything
	}
	return b.String()
}

// fill replaces the placeholders of a sample, and the addresses of the reader's
// own server.
func (b *sandbox) fill(t *testing.T, s publishedSample) string {
	t.Helper()
	own := []string{"https://hooks.example.com", b.own, "https://partner.example.com", b.own}
	if !strings.HasPrefix(s.operation, "send") { // pictures of messages have to be public
		own = append(own, "https://parcels.example.com/rcs", b.own)
	}
	text := strings.NewReplacer(own...).Replace(s.text)
	values := map[string]string{
		"API_KEY": b.APIKey, "PHONE_NUMBER": b.PhoneNumber, "PHONE_NUMBER_ID": b.PhoneNumberID, "BUSINESS_ID": b.BusinessID, "BUSINESS_ACCOUNT_ID": b.BusinessAccountID,
		"CATALOG_ID": b.CatalogueID, "HEADER": b.SMSHeader, "DLT_ENTITY_ID": b.DLTEntityID, "DLT_TEMPLATE_ID": b.DLTTemplateID,
		"STORED_TEXT_ID": b.SMSStoredTextID, "OTP_TEMPLATE_ID": "1107123456789012346", "SENDER_ID": "Heliograph",
		"SCHEDULE_TIME": time.Now().In(time.FixedZone("IST", 19800)).Add(time.Hour).Format("2006-01-02 15:04:05"),
		"BOT_ID":        b.RCSBotID, "LOGO_URL": b.own + "/logo.png", "BANNER_URL": b.own + "/banner.png", "SCREEN_URL": b.own + "/screen-1.png",
		"WEBHOOK_URL": b.own + "/events",
	}
	if find := b.obtained[s.product]; find != nil {
		for name, value := range find(t, s) {
			values[name] = value
		}
	}
	return unfilled.ReplaceAllStringFunc(text, func(found string) string {
		value := values[strings.Trim(found, "<>")]
		if value == "" {
			t.Errorf("%s: nothing replaces %s", s, found)
		}
		return value
	})
}

var unfilled = regexp.MustCompile(`<[A-Z][A-Z0-9_]*>`)

// messagingValues makes what a sample of Business Messaging needs.
func (b *sandbox) messagingValues(t *testing.T, s publishedSample) map[string]string {
	values := map[string]string{}
	needs := func(name string) bool { return strings.Contains(s.text, "<"+name+">") }
	phone := b.origin + "/v3/" + b.PhoneNumberID
	if needs("MEDIA_ID") {
		values["MEDIA_ID"] = b.upload(t, phone+"/media", "invoice-20417.pdf")
		information := b.get(t, b.origin+"/v3/"+values["MEDIA_ID"])
		address, err := url.Parse(information.text("url"))
		if err != nil {
			t.Fatal(err)
		}
		values["EXPIRY"], values["HASH"] = address.Query().Get("ext"), address.Query().Get("hash")
	}
	if needs("IMAGE_ID") {
		values["IMAGE_ID"] = b.upload(t, phone+"/media", "logo.png")
	}
	if needs("TEMPLATE_ID") {
		b.made++
		values["TEMPLATE_ID"] = b.post(t, b.origin+"/v3/"+b.BusinessAccountID+"/message_templates", fmt.Sprintf(`{"name": "probe_%d_rejected", "language": "en_US", "category": "UTILITY",
			"components": [{"type": "BODY", "text": "Hello {{1}}, your order {{2}} is ready for you.", "example": {"body_text": [["Asha", "KX-1"]]}}]}`, b.made)).text("id")
		b.await(t, func() bool { return b.get(t, b.origin+"/v3/"+values["TEMPLATE_ID"]).text("status") == "REJECTED" })
	}
	if needs("SESSION_ID") {
		kind := s.title
		if uploads[kind] == "" {
			kind = "application/pdf"
		}
		if err := os.WriteFile(filepath.Join(b.place, "path/to/file"), []byte(uploads[kind]), 0o600); err != nil {
			t.Fatal(err)
		}
		session := b.post(t, fmt.Sprintf("%s/v3/app/uploads?file_length=%d&file_type=%s&file_name=file", b.origin, len(uploads[kind]), url.QueryEscape(kind)), "")
		id, _, _ := strings.Cut(strings.TrimPrefix(session.text("id"), "upload:"), "?")
		values["SESSION_ID"], values["SESSION_SIGNATURE"] = id, session.text("sig")
	}
	if needs("MESSAGE_ID") {
		values["MESSAGE_ID"] = b.post(t, phone+"/sandbox/inbound", `{"from": "+919812345678", "type": "text", "text": {"body": "Are you open?"}}`).text("messages", "0", "id")
	}
	if needs("SENT_MESSAGE_ID") {
		values["SENT_MESSAGE_ID"] = b.post(t, phone+"/messages", `{"messaging_product": "msgapp", "to": "+919812345678", "type": "template",
			"template": {"name": "hello_world", "language": {"code": "en_US"}}}`).text("messages", "0", "id")
	}
	if needs("BATCH_HANDLE") {
		values["BATCH_HANDLE"] = b.post(t, b.origin+"/v3/"+b.CatalogueID+"/batch", `{"requests": [{"method": "DELETE", "retailer_id": "lamp-brass"}]}`).text("handles", "0")
	}
	if needs("QR_CODE") {
		values["QR_CODE"] = b.post(t, b.origin+"/v3/business/"+b.PhoneNumberID+"/message_qrdls", `{"prefilled_message": "Is my lamp ready?", "generate_qr_image": "PNG"}`).text("code")
	}
	return values
}

// uploads are small files by their type.
var uploads = map[string]string{
	"image/png": drawPNG(20, 20), "image/jpeg": "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xd9",
	"video/mp4": "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom", "application/pdf": "%PDF-1.4\n%%EOF\n",
}

// smsValues makes what a sample of SMS needs.
func (b *sandbox) smsValues(t *testing.T, s publishedSample) map[string]string {
	values := map[string]string{}
	if strings.Contains(s.text, "<MSG_ID>") {
		values["MSG_ID"] = b.post(t, b.origin+"/genericapi/JSONGenericReceiver", fmt.Sprintf(`{"version": "1.0", "accesskey": %q, "messages": [{"dest": ["+919812345678"],
			"msg": %q, "header": %q, "dlt_entity_id": %q, "dlt_template_id": %q}]}`, b.APIKey, b.SMSText, b.SMSHeader, b.DLTEntityID, b.DLTTemplateID)).text("messages", "0", "msg_id")
	}
	if strings.Contains(s.text, "<CHALLENGE_ID>") || strings.Contains(s.text, "<CODE>") {
		number := "919812345678"
		if strings.Contains(s.text, "<CHALLENGE_ID>") { // any number has a challenge of its own
			b.made++
			number = fmt.Sprintf("9198%08d", 70000000+time.Now().UnixMilli()%1_000_000*10+int64(b.made%10))
		} else {
			b.later(t)
		}
		query := url.Values{
			"sender": {b.SMSHeader}, "numbers": {number}, "message": {"{otp} is your code. It is valid for 10 minutes."},
			"dltentityid": {b.DLTEntityID}, "dlttempid": {"1107123456789012346"}, "returnotp": {"Y"},
		}
		challenge := b.get(t, b.origin+"/index.php/sms/clientotp?"+query.Encode())
		values["CHALLENGE_ID"], values["CODE"] = challenge.text("data", "0", "uniqueid"), challenge.text("data", "0", "otp")
	}
	if s.endpoint == "generate-otp" || s.endpoint == "resend-otp" {
		b.later(t)
	}
	return values
}

// later moves the codes that were sent half a minute into the past: a number gets one in
// half a minute.
func (b *sandbox) later(t *testing.T) {
	t.Helper()
	url, leave, err := dev.Join(t.Context(), filepath.Join(b.place, ".data", "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer leave() //nolint:errcheck // dev runs it
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context()) //nolint:errcheck // nothing is lost with it
	for _, sql := range []string{
		`update sms_otps set sent_at = sent_at - interval '31 seconds', expires_at = expires_at - interval '31 seconds'`,
		`delete from rate_limits where key like 'sms_otp_pause%'`,
	} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
}

// rcsValues makes what a sample of RCS needs.
func (b *sandbox) rcsValues(t *testing.T, s publishedSample) map[string]string {
	values, base := map[string]string{}, b.origin+"/api/v1/"
	if strings.Contains(s.text, "<NEW_BOT_ID>") {
		b.made++
		values["NEW_BOT_ID"] = b.post(t, base+"create-bot", fmt.Sprintf(`{"botName": "Probe %d", "botMessageType": "TRANSACTIONAL", "shortDescription": "Tells you where your parcel is.",
			"botLogoImage": "%[2]s/logo.png", "botBannerImage": "%[2]s/banner.png", "termsofUseUrl": "https://parcels.example.com/terms",
			"privacyPolicyUrl": "https://parcels.example.com/privacy", "emails": [{"value": "help@parcels.example.com", "label": "Help"}], "color": "#8A4B00"}`, b.made, b.own)).text("data", "botId")
	}
	if strings.Contains(s.text, "<TEMPLATE_ID>") {
		b.made++
		content := `"templateType": "TEXT", "text": "Hello [name], your parcel is here."`
		switch {
		case strings.Contains(s.text, "STANDALONE"):
			content = `"templateType": "STANDALONE", "orientation": "VERTICAL", "height": "SHORT_HEIGHT", "card": {"cardTitle": "Here", "cardDescription": "Your parcel is here."}`
		case strings.Contains(s.text, "CAROUSEL"):
			content = `"templateType": "CAROUSEL", "width": "SMALL_WIDTH", "height": "SHORT_HEIGHT", "carouselList": [{"cardTitle": "A", "cardDescription": "B"}, {"cardTitle": "C", "cardDescription": "D"}]`
		}
		values["TEMPLATE_ID"] = b.post(t, base+"create-template", fmt.Sprintf(`{"botId": %q, "templateName": "probe_%d", %s}`, b.RCSBotID, b.made, content)).text("data", "templateId")
		b.await(t, func() bool {
			return b.get(t, base+"get-template-details-by-templateId?templateId="+values["TEMPLATE_ID"]).text("data", "status") == "APPROVED"
		})
	}
	if strings.Contains(s.text, "<CLIENT_ID>") || strings.Contains(s.text, "<ORG_ID>") {
		bot := b.get(t, base+"get-bot-details/"+b.RCSBotID)
		values["CLIENT_ID"], values["ORG_ID"] = bot.text("data", "clientId"), bot.text("data", "orgId")
	}
	return values
}

// answered is the body of a JSON response.
type answered struct {
	t     *testing.T
	value any
}

// text returns the text at a path of names and indexes.
func (a answered) text(at ...string) string {
	a.t.Helper()
	value := a.value
	for _, step := range at {
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			if len(v) > 0 {
				value = v[0]
			}
		}
	}
	text, ok := value.(string)
	if !ok {
		a.t.Fatalf("no %s in %v", strings.Join(at, "."), a.value)
	}
	return text
}

func (b *sandbox) get(t *testing.T, address string) answered {
	t.Helper()
	return b.do(t, http.MethodGet, address, "", nil)
}

func (b *sandbox) post(t *testing.T, address, body string) answered {
	t.Helper()
	return b.do(t, http.MethodPost, address, "application/json", strings.NewReader(body))
}

func (b *sandbox) upload(t *testing.T, address, file string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(b.place, file))
	if err != nil {
		t.Fatal(err)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("sheet", file)
	if err == nil {
		_, err = part.Write(content)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.do(t, http.MethodPost, address, form.FormDataContentType(), &body).text("response", "id")
}

func (b *sandbox) do(t *testing.T, method, address, contentType string, body io.Reader) answered {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, body)
	if err != nil {
		t.Fatal(err)
	}
	if r.Header.Set("Apikey", b.APIKey); contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := answered{t: t}
	if err := json.Unmarshal(text, &a.value); err != nil || response.StatusCode >= 300 {
		t.Fatalf("%s %s answers %d: %s", method, address, response.StatusCode, text)
	}
	return a
}

// await waits until something is so, a minute at most.
func (b *sandbox) await(t *testing.T, so func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if so() {
			return
		}
	}
	t.Fatal("nothing changed in a minute")
}

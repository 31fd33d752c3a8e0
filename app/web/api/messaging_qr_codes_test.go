package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	_ "image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

type code struct {
	Code    string `json:"code"`
	Message string `json:"prefilled_message"`
	Link    string `json:"deep_link_url"`
	Image   string `json:"qr_image_url"`
}

func (p *partner) codes() string { return "/business" + p.number("/message_qrdls") }

// saved makes or changes a code.
func (p *partner) saved(t *testing.T, body string, headers ...string) (c code) {
	t.Helper()
	a := p.call(t, http.MethodPost, p.codes(), body, headers...)
	if a.status != 200 {
		t.Fatalf("saving %s = %d %s", body, a.status, a.body)
	}
	if err := json.Unmarshal(a.body, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// visit opens an address of the portal as a browser would.
func (p *partner) visit(t *testing.T, address string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimPrefix(address, "http://localhost:8080"), nil))
	return w
}

func TestQRCodeScansToItsLink(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	made := first.saved(t, `{"prefilled_message":"Which lamps are on offer?","generate_qr_image":"png"}`)
	served := first.visit(t, made.Image)
	if served.Code != 200 || served.Header().Get("Content-Type") != "image/png" {
		t.Fatalf("image = %d %s", served.Code, served.Header().Get("Content-Type"))
	}
	picture, _, err := image.Decode(bytes.NewReader(served.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	bitmap, err := gozxing.NewBinaryBitmapFromImage(picture)
	if err != nil {
		t.Fatal(err)
	}
	// One code of 300 looks to the reader as if it had more corners than three. It does
	// not look for corners in a picture of nothing but the code.
	scanned, err := qrcode.NewQRCodeReader().Decode(bitmap, map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_PURE_BARCODE: true})
	if err != nil || scanned.GetText() != made.Link {
		t.Fatalf("scanned %q, %v, want %s", scanned, err, made.Link)
	}
	if page := first.visit(t, scanned.GetText()); page.Code != 200 || !strings.Contains(page.Body.String(), "Which lamps are on offer?") || !strings.Contains(page.Body.String(), first.sandbox.PhoneNumber) {
		t.Errorf("the link leads to %d %s", page.Code, page.Body)
	}
	vector := first.visit(t, strings.Replace(made.Image, ".png", ".svg", 1))
	if vector.Header().Get("Content-Type") != "image/svg+xml" || !strings.HasPrefix(vector.Body.String(), "<svg") {
		t.Errorf("svg = %d %.60s", vector.Code, vector.Body)
	}
	changed := first.saved(t, `{"code":"`+made.Code+`","prefilled_message":"Anything new?","generate_qr_image":"SVG"}`)
	if changed.Code != made.Code || changed.Link != made.Link || changed.Message != "Anything new?" || !strings.HasSuffix(changed.Image, ".svg") {
		t.Errorf("changed = %+v", changed)
	}
	if a := first.call(t, http.MethodDelete, first.codes()+"/"+made.Code, ""); string(a.body) != `{"success":true}` {
		t.Errorf("delete = %d %s", a.status, a.body)
	}
	for _, address := range []string{made.Link, made.Image, "/qr/x.png", "/qr/../secret", "/message/x", "/message/%ff", "/message/%00"} {
		if w := first.visit(t, address); w.Code != 404 {
			t.Errorf("%s after the end: %d", address, w.Code)
		}
	}
}

func TestQRCodesAreListed(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	var made []code
	for i := range 3 {
		made = append(made, first.saved(t, fmt.Sprintf(`{"prefilled_message":"Message %d"}`, i)))
	}
	var got struct{ Data []code }
	read := func(path string) {
		t.Helper()
		got.Data = nil
		a := first.call(t, http.MethodGet, path, "")
		if err := json.Unmarshal(a.body, &got); err != nil || a.status != 200 {
			t.Fatalf("%s = %d %s", path, a.status, a.body)
		}
	}
	read(first.codes() + "/?limit=2")
	if len(got.Data) != 2 || got.Data[0] != made[2] || got.Data[1] != made[1] {
		t.Errorf("newest two = %+v", got.Data)
	}
	read(first.number("/message_qrdls?code=" + made[0].Code + "&fields=qr_image_url.format(SVG)"))
	if len(got.Data) != 1 || got.Data[0].Code == "" || got.Data[0].Message != "" || !strings.HasSuffix(got.Data[0].Image, ".svg") {
		t.Errorf("one, trimmed = %+v", got.Data)
	}
	read(first.codes() + "/" + made[1].Code)
	if len(got.Data) != 1 || got.Data[0] != made[1] {
		t.Errorf("one by path = %+v", got.Data)
	}
	for _, tt := range []struct {
		who          *partner
		method, path string
		body         string
		status, code int
	}{
		{second, http.MethodGet, first.codes(), "", 403, 200},
		{second, http.MethodPost, second.codes(), `{"code":"` + made[0].Code + `","prefilled_message":"x"}`, 404, 803},
		{second, http.MethodDelete, second.codes() + "/" + made[0].Code, "", 404, 803},
		{second, http.MethodGet, second.codes() + "/" + made[0].Code, "", 404, 803},
		{first, http.MethodGet, first.codes() + "/%ff", "", 404, 803},
		{first, http.MethodDelete, first.codes() + "/%00", "", 404, 803},
		{first, http.MethodPost, first.codes(), `{}`, 400, 100},
		{first, http.MethodPost, first.codes(), `{"prefilled_message":"` + strings.Repeat("é", 141) + `"}`, 400, 100},
		{first, http.MethodPost, first.codes(), `{"prefilled_message":"x","generate_qr_image":"GIF"}`, 400, 100},
		{first, http.MethodPost, first.codes(), `{"code":"nonsense","prefilled_message":"x"}`, 404, 803},
		{first, http.MethodGet, first.codes() + "?limit=999", "", 400, 100},
	} {
		if a := tt.who.call(t, tt.method, tt.path, tt.body); a.status != tt.status || a.code(t) != tt.code {
			t.Errorf("%s %.70s: %d %s, want %d code %d", tt.method, tt.body, a.status, a.body, tt.status, tt.code)
		}
	}
}

func TestQRCodeIsMadeOnce(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	body := `{"prefilled_message":"Hello"}`
	one, two := first.saved(t, body, "Idempotency-Key", "k"), first.saved(t, body, "Idempotency-Key", "k")
	if one != two {
		t.Errorf("two codes under one key: %+v and %+v", one, two)
	}
	if a := first.call(t, http.MethodPost, first.codes(), `{"prefilled_message":"Other"}`, "Idempotency-Key", "k"); a.code(t) != 100 || a.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("another body under the key: %d %s", a.status, a.body)
	}
	if a := first.call(t, http.MethodPost, first.codes()+"?prefilled_message=By+query&generate_qr_image=png", ""); a.status != 200 || !strings.Contains(string(a.body), "By query") {
		t.Errorf("by query: %d %s", a.status, a.body)
	}
}

func TestANumberHasAtMost2000QRCodes(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	if _, err := first.pool.Exec(t.Context(), `
		insert into qr_codes (code, phone_number_id, message) select 'A' || lpad(n::text, 13, '0'), $1, 'x' from generate_series(1, 1999) n`, first.sandbox.PhoneNumberID); err != nil {
		t.Fatal(err)
	}
	first.saved(t, `{"prefilled_message":"the last"}`)
	if a := first.call(t, http.MethodPost, first.codes(), `{"prefilled_message":"one too many"}`); a.status != 400 || a.code(t) != 100 {
		t.Errorf("one too many: %d %s", a.status, a.body)
	}
}

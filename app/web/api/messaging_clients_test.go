package api_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// What clients that were written for other providers of the channel assert. Those of
// SMS are in TestSMSOfExistingClients and TestOTPThroughTheAPI, and the end of a
// download link in TestMediaAddressesExpire.
func TestExistingClients(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	for _, client := range []struct {
		asserts string
		run     func(t *testing.T, p *partner)
	}{
		{"the key in either header", clientKeys}, {"the reply to a send", clientSend}, {"media under either field", clientMedia},
		{"the handle of an upload", clientUpload}, {"pages of templates", clientTemplates}, {"codes as text and as number", clientCodes},
		{"the place of callbacks", clientCallback}, {"QR codes in the query", clientQRCodes},
	} {
		t.Run(client.asserts, func(t *testing.T) { client.run(t, first) })
	}
}

// object decodes the answer of a call that succeeded.
func (p *partner) object(t *testing.T, method, path, body string, headers ...string) (object map[string]any) {
	t.Helper()
	a := p.call(t, method, path, body, headers...)
	if err := json.Unmarshal(a.body, &object); err != nil || a.status != 200 {
		t.Fatalf("%s %s = %d %s", method, path, a.status, a.body)
	}
	return object
}

func clientKeys(t *testing.T, p *partner) {
	p.object(t, http.MethodGet, "/getuserdetails", "")
	p.object(t, http.MethodGet, "/getuserdetails", "", "apikey", "", "Authorization", "Bearer "+p.key)
	if a := p.call(t, http.MethodGet, "/getuserdetails", "", "apikey", "wrong"); a.status != 401 || a.code(t) != 190 {
		t.Errorf("a wrong key: %d %s", a.status, a.body)
	}
}

func clientSend(t *testing.T, p *partner) {
	var sent struct {
		Contacts []struct {
			ID string `json:"wa_id"`
		}
		Messages []struct {
			ID     string
			Status string `json:"message_status"`
		}
	}
	a := p.call(t, http.MethodPost, p.number("/messages"), strings.Replace(hello, `"+919812345678"`, `919812345678`, 1))
	if err := json.Unmarshal(a.body, &sent); err != nil || len(sent.Messages) != 1 || len(sent.Contacts) != 1 {
		t.Fatalf("a number as recipient: %d %s", a.status, a.body)
	}
	if m := sent.Messages[0]; m.ID == "" || m.Status != "accepted" || sent.Contacts[0].ID != "919812345678" {
		t.Errorf("reply = %s", a.body)
	}
}

func clientMedia(t *testing.T, p *partner) {
	content := pngHead + "lamp"
	for _, field := range []string{"sheet", "file"} {
		id := p.upload(t, part{field, "lamp.png", "image/png", content}) // id and response.id
		path, _, sum := p.information(t, id)
		file := p.fetch(t, http.MethodGet, path)
		if hash := sha256.Sum256(file.body); file.status != 200 || hex.EncodeToString(hash[:]) != sum || string(file.body) != content {
			t.Errorf("%s: %d bytes of another hash, status %d", field, len(file.body), file.status)
		}
		link, err := url.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		ends, err := strconv.ParseInt(link.Query().Get("ext"), 10, 64)
		if left := time.Until(time.Unix(ends, 0)); err != nil || left > 5*time.Minute || left < 4*time.Minute {
			t.Errorf("%s: the link is valid for %s, want 300 s", field, left)
		}
		direct := p.fetch(t, http.MethodPost, "/downloadMedia/"+id)
		if direct.status != 200 || direct.header.Get("Content-Type") != "image/png" || string(direct.body) != content {
			t.Errorf("%s: a download without a body = %d %s", field, direct.status, direct.header.Get("Content-Type"))
		}
	}
}

func clientUpload(t *testing.T, p *partner) {
	session := p.object(t, http.MethodPost, fmt.Sprintf("/app/uploads?file_length=%d&file_type=image/png", len(pngHead)), "")
	done := p.object(t, http.MethodPost, "/"+session["id"].(string), pngHead, "Content-Type", "image/png", "file_offset", "0")
	made := p.object(t, http.MethodPost, p.account("/message_templates"), fmt.Sprintf(`{"name":"with_picture","language":"en_US","category":"MARKETING","components":[
		{"type":"HEADER","format":"IMAGE","example":{"header_handle":[%q]}},{"type":"BODY","text":"Look"}]}`, done["h"]))
	if made["id"] == "" {
		t.Errorf("a template with the handle = %v", made)
	}
}

func clientTemplates(t *testing.T, p *partner) {
	for _, language := range []string{"en_US", "hi", "en_GB"} {
		p.template(t, strings.Replace(shipped, `"language":"en_US"`, `"language":"`+language+`"`, 1))
	}
	var seen []any
	for after := ""; ; {
		page := p.object(t, http.MethodGet, p.account("/message_templates?name=order_shipped&limit=2&after="+after), "")
		data := page["data"].([]any)
		if len(data) == 0 || len(seen) > 3 {
			break
		}
		seen = append(seen, data...)
		after = page["paging"].(map[string]any)["cursors"].(map[string]any)["after"].(string)
	}
	if len(seen) != 3 {
		t.Errorf("walked over %d translations, want 3", len(seen))
	}
	p.object(t, http.MethodDelete, p.account("/message_templates?name=order_shipped"), "")
	if page := p.templates(t, "?name=order_shipped"); len(page.Data) != 0 {
		t.Errorf("%d translations are left after the deletion by name", len(page.Data))
	}
}

func clientCodes(t *testing.T, p *partner) {
	if a := p.set(t, "http://127.0.0.1:9/hook"); !strings.Contains(string(a.body), `"code":"200"`) {
		t.Errorf("setwebhook = %s, want the code as text", a.body)
	}
	if details := p.object(t, http.MethodGet, "/getuserdetails", ""); details["code"] != 200.0 {
		t.Errorf("getuserdetails = %v, want the code as a number", details)
	}
}

func clientCallback(t *testing.T, p *partner) {
	id := p.writes(t, "919812345678")
	var body []byte
	if err := p.pool.QueryRow(t.Context(), `select body from deliveries order by id desc limit 1`).Scan(&body); err != nil {
		t.Fatal(err)
	}
	var callback struct {
		Entry []struct {
			Changes []struct {
				Value struct{ Messages []struct{ ID, From string } }
			}
		}
	}
	if err := json.Unmarshal(body, &callback); err != nil || callback.Entry[0].Changes[0].Value.Messages[0].ID != id {
		t.Errorf("callback = %s, %v", body, err)
	}
}

func clientQRCodes(t *testing.T, p *partner) {
	made := p.object(t, http.MethodPost, p.number("/message_qrdls?prefilled_message=Hello&generate_qr_image=png"), "")
	listed := p.object(t, http.MethodGet, p.number("/message_qrdls/"), "")
	if data := listed["data"].([]any); len(data) != 1 || data[0].(map[string]any)["code"] != made["code"] || !strings.HasSuffix(made["qr_image_url"].(string), ".png") {
		t.Errorf("made %v and listed %v", made, listed)
	}
}

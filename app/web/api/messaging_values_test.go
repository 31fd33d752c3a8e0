package api_test

import (
	"net/http"
	"strings"
	"testing"
)

// What the channel refuses is refused in a sandbox too.
func TestMessagingValuesThatTheChannelRefuses(t *testing.T) {
	t.Parallel()
	p, _ := setup(t)
	p.writes(t, "919812345678")
	template := func(value string) answer {
		return p.call(t, http.MethodPost, p.number("/messages"), `{"messaging_product":"msgapp","to":"919812345678","type":"template","template":{"name":"order_update","language":{"code":"en_US"},
			"components":[{"type":"body","parameters":[{"type":"text","text":"`+value+`"},{"type":"text","text":"b"}]}]}}`)
	}
	for _, value := range []string{`a\nb`, `a\tb`, `a     b`, `a\rb`} {
		if a := template(value); a.code(t) != 132018 || !strings.Contains(string(a.body), "more than four spaces") {
			t.Errorf("%q: %d %s", value, a.status, a.body)
		}
	}
	id := p.call(t, http.MethodPost, p.number("/messages"), `{"messaging_product":"msgapp","to":"919812345678","text":{"body":"x"}}`)
	_, rest, _ := strings.Cut(string(id.body), `"id":"`)
	message, _, _ := strings.Cut(rest, `"`)
	react := func(emoji string) answer {
		return p.call(t, http.MethodPost, p.number("/messages"), `{"messaging_product":"msgapp","to":"919812345678","type":"reaction","reaction":{"message_id":"`+message+`","emoji":"`+emoji+`"}}`)
	}
	for _, emoji := range []string{"👍", "👍🏽", "❤️", "❤", "👨‍👩‍👧‍👦", "🇮🇳", "1️⃣", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "☺️", "", "🫶"} {
		if a := react(emoji); a.status != 200 {
			t.Errorf("%q: %s", emoji, a.body)
		}
	}
	for _, emoji := range []string{"ok", "👍👍", "1", "👍 ", "a👍", "\u200d"} {
		if a := react(emoji); a.code(t) != 131009 {
			t.Errorf("%q: %s", emoji, a.body)
		}
	}
}

// The first bytes of an Ogg file say that it is audio, and errors name what is wrong.
func TestMessagingFilesAndErrorsOfOtherHabits(t *testing.T) {
	t.Parallel()
	p, _ := setup(t)
	ogg := "OggS\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x13OpusHead\x01\x01\x38\x01\x80\xbb\x00\x00\x00\x00\x00" + strings.Repeat("\x00", 64)
	upload := func(name, kind, file string) answer {
		body := "--b\r\nContent-Disposition: form-data; name=\"sheet\"; filename=\"" + name + "\"\r\nContent-Type: " + kind + "\r\n\r\n" + file + "\r\n--b--\r\n"
		return p.call(t, http.MethodPost, p.number("/media"), body, "Content-Type", "multipart/form-data; boundary=b")
	}
	for _, kind := range []string{"application/octet-stream", "application/ogg", "audio/ogg; codecs=opus"} {
		if a := upload("voice.ogg", kind, ogg); a.status != 200 {
			t.Errorf("an Ogg file as %s: %s", kind, a.body)
		}
	}
	if a := upload("a.exe", "application/octet-stream", "MZ\x90\x00"+strings.Repeat("\x00", 200)); !strings.Contains(string(a.body), "image/png") || !strings.Contains(string(a.body), "application/pdf") {
		t.Errorf("a type that is not taken: %s", a.body)
	}
	session := p.call(t, http.MethodPost, "/app/uploads?file_length=10&file_type=image/png&file_name=a.png", "")
	_, rest, _ := strings.Cut(string(session.body), `"id":"`)
	path, _, _ := strings.Cut(rest, `"`)
	if a := p.call(t, http.MethodPost, "/"+path, "--b\r\n\r\n--b--", "Content-Type", "multipart/form-data; boundary=b"); a.status != 400 || !strings.Contains(string(a.body), "bytes of the file as the body") {
		t.Errorf("a form to an upload: %d %s", a.status, a.body)
	}
	for _, address := range []string{"ftp://a.example.com/", "https://10.0.0.1/"} {
		if a := p.set(t, address); a.code(t) != 100 || !strings.Contains(string(a.body), "error_data") {
			t.Errorf("%s: %s", address, a.body)
		}
	}
	a := p.call(t, http.MethodPost, p.account("/message_templates"), `{"name":"a_b","language":"xx_YY","category":"UTILITY","components":[{"type":"BODY","text":"Hello there"}]}`)
	if a.status != 400 || !strings.Contains(string(a.body), "locale code") {
		t.Errorf("a language that does not exist: %s", a.body)
	}
}

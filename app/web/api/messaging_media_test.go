package api_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"heliograph/app/web/api"
)

// part is one part of a form; a part without a name is a file of the field
// sheet.
type part struct{ field, name, kind, content string }

// form writes a multipart body and its content type.
func form(t testing.TB, parts ...part) (body, contentType string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		h := textproto.MIMEHeader{}
		disposition := fmt.Sprintf("form-data; name=%q", p.field)
		if p.name != "" {
			disposition += `; filename="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p.name) + `"`
		}
		h.Set("Content-Disposition", disposition)
		if p.kind != "" {
			h.Set("Content-Type", p.kind)
		}
		f, err := w.CreatePart(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, p.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), w.FormDataContentType()
}

const (
	jpegHead = "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01"
	pngHead  = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	pdfHead  = "%PDF-1.7\n"
)

// upload sends a file and returns its media id.
func (p *partner) upload(t *testing.T, file part, headers ...string) string {
	t.Helper()
	body, kind := form(t, file)
	a := p.call(t, http.MethodPost, p.number("/media"), body, append([]string{"Content-Type", kind}, headers...)...)
	var reply struct {
		Response struct{ ID string }
		ID       string
	}
	if err := json.Unmarshal(a.body, &reply); err != nil || a.status != 200 || reply.ID == "" || reply.ID != reply.Response.ID {
		t.Fatalf("upload = %d %s, want the id twice", a.status, a.body)
	}
	return reply.ID
}

// fetch makes a request that is answered with a file.
func (p *partner) fetch(t *testing.T, method, path string, headers ...string) answer {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, api.Prefix+path, http.NoBody)
	r.Header.Set("apikey", p.key)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	a := answer{w.Code, w.Header(), w.Body.Bytes()}
	bare, _, _ := strings.Cut(path, "?")
	for _, id := range p.contract.Match(method, bare) {
		if err := p.contract.Response(id, a.status, a.header, a.body); err != nil {
			t.Errorf("%s answers outside its contract: %v", id, err)
		}
	}
	return a
}

// Only files are sent with the headers that browsers read of documents.
func TestAnswersAreNoDocuments(t *testing.T) {
	t.Parallel()
	p, _ := setup(t)
	path, _, _ := p.information(t, p.upload(t, part{"sheet", "sheet.pdf", "application/pdf", pdfHead}))
	for name, tt := range map[string]struct {
		answer   answer
		document bool
	}{
		"a success": {p.call(t, http.MethodGet, "/getuserdetails", ""), false},
		"an error":  {p.call(t, http.MethodGet, "/1", ""), false},
		"a file":    {p.fetch(t, http.MethodGet, path), true},
	} {
		header := tt.answer.header
		for _, document := range []string{"Content-Security-Policy", "Permissions-Policy", "Referrer-Policy", "Cross-Origin-Opener-Policy"} {
			if got := header.Get(document) != ""; got != tt.document {
				t.Errorf("%s with status %d has %s: %t", name, tt.answer.status, document, got)
			}
		}
		if header.Get("X-Content-Type-Options") != "nosniff" || header.Get("Cross-Origin-Resource-Policy") == "" {
			t.Errorf("%s has the headers %v", name, header)
		}
	}
}

// information is what getMedia answers, and its url as a path.
func (p *partner) information(t *testing.T, id string) (path string, size int64, sum string) {
	t.Helper()
	a := p.call(t, http.MethodGet, "/"+id, "")
	var info struct {
		URL, SHA256, ID  string
		FileSize         int64  `json:"file_size"`
		MessagingProduct string `json:"messaging_product"`
	}
	if err := json.Unmarshal(a.body, &info); err != nil || a.status != 200 || info.ID != id || info.MessagingProduct != "msgapp" {
		t.Fatalf("information = %d %s", a.status, a.body)
	}
	path, ok := strings.CutPrefix(info.URL, "http://localhost:8080"+api.Prefix)
	if !ok || !strings.HasPrefix(path, "/msgapp_business/attachments/?mid="+id+"&ext=") {
		t.Errorf("url = %s", info.URL)
	}
	return path, info.FileSize, info.SHA256
}

func TestMediaComesBackAsItWasSent(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	content := pdfHead + strings.Repeat("Lamps for Kochi. ", 20_000)
	hash := sha256.Sum256([]byte(content))
	sum := hex.EncodeToString(hash[:])
	id := first.upload(t, part{"sheet", `..\..\C:/boot/Rechnung "März"` + "\u202efdp.pdf", "application/pdf", content})
	path, size, told := first.information(t, id)
	if size != int64(len(content)) || told != sum {
		t.Errorf("information says %d bytes of %s, want %d of %s", size, told, len(content), sum)
	}
	for _, get := range []struct{ method, path string }{
		{http.MethodPost, "/downloadMedia/" + id},
		{http.MethodPost, "/downloadMedia/" + id + "/?phone_number_id=" + first.number("")[1:]},
		{http.MethodGet, path},
		{http.MethodGet, strings.Replace(path, "msgapp", "whatsapp", 1)},
	} {
		a := first.fetch(t, get.method, get.path, "Range", map[string]string{http.MethodPost: "bytes=0-1"}[get.method])
		if a.status != 200 || string(a.body) != content {
			t.Errorf("%s %s = %d with %d bytes", get.method, get.path, a.status, len(a.body))
		}
		for name, want := range map[string]string{
			"Content-Type": "application/pdf", "Content-Length": fmt.Sprint(len(content)), "ETag": `"` + sum + `"`,
			"X-Content-Type-Options": "nosniff", "Content-Disposition": `attachment; filename*=utf-8''Rechnung%20%22M%C3%A4rz%22fdp.pdf`,
		} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s: %s = %s, want %s", get.path, name, got, want)
			}
		}
	}
	for _, tt := range []struct {
		asked, want string
		status      int
	}{
		{"bytes=9-13", "Lamps", 206},
		{"bytes=-6", "Kochi. "[1:], 206},
		{fmt.Sprintf("bytes=%d-", len(content)-2), ". ", 206},
		{"bytes=0-1,4-5", content, 200},
		{"lines=1-2", content, 200},
		{"bytes=9-2", content, 200},
	} {
		a := first.fetch(t, http.MethodGet, path, "Range", tt.asked, "If-None-Match", `"`+sum+`"`)
		if a.status != tt.status || string(a.body) != tt.want {
			t.Errorf("%s = %d with %d bytes, want %d", tt.asked, a.status, len(a.body), tt.status)
		}
	}
	for _, asked := range []string{fmt.Sprintf("bytes=%d-", len(content)), "bytes=-0"} {
		if a := first.call(t, http.MethodGet, path, "", "Range", asked); a.status != 400 || a.code(t) != 100 || a.header.Get("Content-Range") != fmt.Sprintf("bytes */%d", len(content)) {
			t.Errorf("%s = %d %s", asked, a.status, a.body)
		}
	}
	if a := first.fetch(t, http.MethodGet, path, "Range", "bytes=0-1", "If-Range", `"old"`); a.status != 200 {
		t.Errorf("a range of another file = %d, want all of this one", a.status)
	}
}

// archive is a zip file with empty entries.
func archive(t *testing.T, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		if _, err := w.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMediaTypesAndLimits(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	docx := archive(t, "[Content_Types].xml", "word/document.xml")
	webp := "RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00"
	for _, tt := range []struct {
		name  string
		parts []part
		want  string // mime_type, or a word of the error
	}{
		{"declared by the part", []part{{"sheet", "a.jpg", "image/jpeg", jpegHead}}, "image/jpeg"},
		{"under the other field name", []part{{"file", "a.jpg", "image/jpeg", jpegHead}}, "image/jpeg"},
		{"an alias and a parameter", []part{{"sheet", "a.jpg", "IMAGE/JPG; q=1", jpegHead}}, "image/jpeg"},
		{"declared by a field before", []part{{"type", "", "", "image/png"}, {"file", "a", "", pngHead}}, "image/png"},
		{"declared by a field behind", []part{{"file", "a", "application/octet-stream", pngHead}, {"type", "", "", "image/png"}, {"messaging_product", "", "", "msgapp"}}, "image/png"},
		{"sniffed", []part{{"sheet", "a", "", pngHead}}, "image/png"},
		{"sniffed text", []part{{"sheet", "a.html", "", "<html><body>Hello</body></html>"}}, "text/plain"},
		{"a document in a zip", []part{{"sheet", "a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", docx}}, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
		{"a document in a zip with other names", []part{{"sheet", "a.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", archive(t, "data.xml")}}, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
		{"another document in a zip", []part{{"sheet", "a.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", docx}}, "its content is"},
		{"sniffed in a zip", []part{{"sheet", "a.docx", "", docx}}, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
		{"audio without a signature", []part{{"sheet", "a.mp3", "audio/mpeg", "\xff\xfa\x90\x00"}}, "audio/mpeg"},
		{"no extension", []part{{"sheet", "..", "audio/ogg; codecs=opus", "OggS\x00\x02" + strings.Repeat("\x00", 22) + "OpusHead"}}, "audio/ogg"},
		{"large still sticker", []part{{"sheet", "a.webp", "image/webp", webp + "\x00" + strings.Repeat("x", 100<<10)}}, "100 kB"},
		{"large moving sticker", []part{{"sheet", "a.webp", "image/webp", webp + "\x02" + strings.Repeat("x", 100<<10)}}, "image/webp"},
		{"large image", []part{{"sheet", "a.png", "image/png", pngHead + strings.Repeat("x", 5<<20)}}, "5 MB"},
		{"large image whose type comes behind", []part{{"sheet", "a.png", "", pngHead + strings.Repeat("x", 5<<20)}, {"type", "", "", "image/png"}}, "5 MB"},
		{"contradiction", []part{{"sheet", "a.jpg", "image/jpeg", pngHead}}, "its content is image/png"},
		{"contradiction behind", []part{{"sheet", "a.jpg", "", pngHead}, {"type", "", "", "image/jpeg"}}, "its content is image/png"},
		{"random bytes", []part{{"sheet", "a.jpg", "image/jpeg", "\x01\x02\x03"}}, "its content is"},
		{"not carried", []part{{"sheet", "a.gif", "image/gif", "GIF89a"}}, "Unsupported media type image/gif"},
		{"sniffed and not carried", []part{{"sheet", "a", "", "GIF89a"}}, "image/jpeg, image/png"},
		{"hostile type", []part{{"sheet", "a", "x/" + strings.Repeat("y", 300), "GIF89a"}}, "Unsupported media type x/" + strings.Repeat("y", 98) + `"`},
		{"empty", []part{{"sheet", "a.jpg", "image/jpeg", ""}}, "empty"},
		{"no file", []part{{"type", "", "", "image/png"}}, "Missing required parameter sheet"},
		{"a field for a file", []part{{"sheet", "", "", "[object Object]"}}, "plain field"},
		{"two files", []part{{"sheet", "a", "", pngHead}, {"file", "b", "", pngHead}}, "more than one file"},
		{"many parts", make([]part, 60), "more than 50 parts"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			body, kind := form(t, tt.parts...)
			a := first.call(t, http.MethodPost, first.number("/media"), body, "Content-Type", kind)
			if strings.Contains(tt.want, "/") && !strings.ContainsAny(tt.want, " ,") {
				var reply struct{ ID string }
				if err := json.Unmarshal(a.body, &reply); err != nil || a.status != 200 {
					t.Fatalf("upload = %d %s", a.status, a.body)
				}
				a = first.call(t, http.MethodGet, "/"+reply.ID, "")
			} else if a.status != 400 || a.code(t) != 100 {
				t.Errorf("%d %s, want 400 code 100", a.status, a.body)
			}
			if !strings.Contains(string(a.body), tt.want) {
				t.Errorf("%s, want %s", a.body, tt.want)
			}
		})
	}
}

func TestMediaUploadRefusesBrokenBodies(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	whole, kind := form(t, part{"sheet", "a.pdf", "application/pdf", pdfHead + strings.Repeat("x", 100_000)})
	path := first.number("/media")
	for _, tt := range []struct {
		name, path, body, kind string
		status, code           int
	}{
		{"JSON", path, `{}`, "application/json", 400, 100},
		{"no type", path, whole, "", 400, 100},
		{"no boundary", path, whole, "multipart/form-data", 400, 100},
		{"another boundary", path, whole, "multipart/form-data; boundary=x", 400, 100},
		{"cut off within the file", path, whole[:50_000], kind, 400, 100},
		{"cut off behind the file", path, whole[:len(whole)-6], kind, 400, 100},
		{"nothing", path, "", kind, 400, 100},
		{"another tenant's number", second.number("/media"), whole, kind, 403, 200},
		{"unknown number", "/1234567890123456/media", whole, kind, 404, 803},
	} {
		a := first.call(t, http.MethodPost, tt.path, tt.body, "Content-Type", tt.kind)
		if a.status != tt.status || a.code(t) != tt.code {
			t.Errorf("%s: %d %s, want %d code %d", tt.name, a.status, a.body, tt.status, tt.code)
		}
	}
	if n := first.count(t, `select (select count(*) from media) + (select count(*) from discarded_objects)`); n != 0 {
		t.Errorf("%d files are left of refused uploads", n)
	}
}

func TestMediaBelongsToItsTenant(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	id := first.upload(t, part{"sheet", "a.png", "image/png", pngHead})
	path, _, _ := first.information(t, id)
	query, err := url.ParseQuery(path[strings.Index(path, "?")+1:])
	if err != nil {
		t.Fatal(err)
	}
	changed := func(name, value string) string {
		q := url.Values{"mid": query["mid"], "ext": query["ext"], "hash": query["hash"]}
		q.Set(name, value)
		return "/msgapp_business/attachments/?" + q.Encode()
	}
	template := fmt.Sprint(first.count(t, `select id from registry where kind = 'template' and organisation_id = $1 limit 1`, first.organisation(t)))
	for _, tt := range []struct {
		name         string
		who          *partner
		method, path string
		status, code int
	}{
		{"foreign information", second, http.MethodGet, "/" + id, 404, 803},
		{"foreign download", second, http.MethodPost, "/downloadMedia/" + id, 404, 803},
		{"foreign deletion", second, http.MethodDelete, "/" + id, 404, 803},
		{"foreign address", second, http.MethodGet, path, 404, 803},
		{"another number", first, http.MethodGet, "/" + id + "?phone_number_id=" + second.number("")[1:], 403, 200},
		{"download of another number", first, http.MethodPost, "/downloadMedia/" + id + "?phone_number_id=1234567890123456", 403, 200},
		{"deletion of another number", first, http.MethodDelete, "/" + id + "?phone_number_id=1234567890123456", 403, 200},
		{"no number", first, http.MethodPost, "/downloadMedia/" + id + "?phone_number_id=x", 400, 100},
		{"unknown", first, http.MethodPost, "/downloadMedia/1234567890123456", 404, 803},
		{"nonsense", first, http.MethodPost, "/downloadMedia/%00" + strings.Repeat("9", 5000), 404, 803},
		{"download of a template", first, http.MethodPost, "/downloadMedia/" + template, 404, 803},
		{"deletion of a template", first, http.MethodDelete, "/" + template, 400, 100},
		{"changed id", first, http.MethodGet, changed("mid", template), 404, 803},
		{"later end", first, http.MethodGet, changed("ext", "9999999999"), 404, 803},
		{"wrong hash", first, http.MethodGet, changed("hash", strings.Repeat("A", 43)), 404, 803},
		{"no hash", first, http.MethodGet, changed("hash", ""), 400, 100},
		{"no end", first, http.MethodGet, changed("ext", ""), 400, 100},
		{"no id", first, http.MethodGet, "/msgapp_business/attachments", 400, 100},
	} {
		if a := tt.who.call(t, tt.method, tt.path, ""); a.status != tt.status || a.code(t) != tt.code {
			t.Errorf("%s: %d %s, want %d code %d", tt.name, a.status, a.body, tt.status, tt.code)
		}
	}
	if a := first.call(t, http.MethodGet, path, "", "apikey", ""); a.status != 401 || a.code(t) != 190 {
		t.Errorf("address without a key: %d %s", a.status, a.body)
	}
	if a := first.call(t, http.MethodDelete, "/"+id+"?phone_number_id="+first.number("")[1:], ""); string(a.body) != `{"success":true}` {
		t.Errorf("deletion = %d %s", a.status, a.body)
	}
	for _, gone := range []struct{ method, path string }{
		{http.MethodDelete, "/" + id}, {http.MethodGet, "/" + id}, {http.MethodPost, "/downloadMedia/" + id}, {http.MethodGet, path},
	} {
		if a := first.call(t, gone.method, gone.path, ""); a.status != 404 || a.code(t) != 803 {
			t.Errorf("%s %s after deletion: %d %s", gone.method, gone.path, a.status, a.body)
		}
	}
}

func TestMediaUploadIsRepeatedUnderItsKey(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	file := part{"sheet", "a.png", "image/png", pngHead}
	id := first.upload(t, file, "Idempotency-Key", "picture-1")
	if again := first.upload(t, file, "Idempotency-Key", "picture-1"); again != id { // under another boundary
		t.Errorf("the same file under the same key became %s, want %s", again, id)
	}
	if n := first.count(t, `select (select count(*) from media) + (select count(*) from discarded_objects)`); n != 1 {
		t.Errorf("%d files are kept, want 1", n)
	}
	for _, key := range []string{"picture-1", strings.Repeat("k", 256)} {
		body, kind := form(t, part{"sheet", "a.png", "image/png", pngHead + "x"})
		if a := first.call(t, http.MethodPost, first.number("/media"), body, "Content-Type", kind, "Idempotency-Key", key); a.status != 400 || a.code(t) != 100 {
			t.Errorf("another file under %.20s: %d %s", key, a.status, a.body)
		}
	}
}

func TestMediaUploadWithoutStorage(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	if err := os.RemoveAll(filepath.Join(first.files, "partial")); err != nil {
		t.Fatal(err)
	}
	body, kind := form(t, part{"sheet", "a.png", "image/png", pngHead})
	a := first.call(t, http.MethodPost, first.number("/media"), body, "Content-Type", kind)
	if a.status != 400 || a.code(t) != 131053 || !strings.Contains(string(a.body), `"is_transient":true`) {
		t.Errorf("%d %s, want 400 code 131053", a.status, a.body)
	}
	path := first.open(t, "file_length=1&file_type=image/png")
	if a := first.step(t, path, 0, "x"); a.status != 500 || a.code(t) != 2 {
		t.Errorf("a step: %d %s, want 500 code 2", a.status, a.body)
	}
}

func (p *partner) count(t testing.TB, sql string, args ...any) (n int64) {
	t.Helper()
	if err := p.pool.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A file may take longer than the server gives other requests, as long as it
// keeps coming.
func TestSlowUploadIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	server := httptest.NewUnstartedServer(first.handler)
	server.Config.ReadTimeout, server.Config.WriteTimeout = 100*time.Millisecond, 100*time.Millisecond
	server.Start()
	defer server.Close()
	body, kind := form(t, part{"sheet", "a.png", "image/png", pngHead + strings.Repeat("x", 10)})
	reader, writer := io.Pipe()
	go func() {
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for chunk := range slices.Chunk([]byte(body), len(body)/6) {
			<-tick.C
			_, _ = writer.Write(chunk)
		}
		writer.Close()
	}()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+api.Prefix+first.number("/media"), reader)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("apikey", first.key)
	r.Header.Set("Content-Type", kind)
	res, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if answer, err := io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("upload = %d %s, %v", res.StatusCode, answer, err)
	}
}

package messaging_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db/models"
	"heliograph/storage"
	"heliograph/storage/storagetest"
)

// upload sends content as a document under a file name.
func (b *bundle) upload(t *testing.T, name, content string) models.Media {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	h := textproto.MIMEHeader{}
	h.Set("Content-Disposition", `form-data; name="sheet"; filename*=utf-8''`+strings.ReplaceAll(url.QueryEscape(name), "+", "%20"))
	h.Set("Content-Type", "text/plain")
	part, err := w.CreatePart(h)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(part, content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	reply, err := b.service.Media.Upload(t.Context(), b.number, multipart.NewReader(&body, w.Boundary()), "")
	if err != nil {
		t.Fatal(err)
	}
	var answer media.Reply
	if err := json.Unmarshal(reply.Body, &answer); err != nil {
		t.Fatal(err)
	}
	media, err := b.service.Media.Get(t.Context(), b.number.OrganisationID, answer.ID)
	if err != nil {
		t.Fatal(err)
	}
	return media
}

func (b *bundle) read(t *testing.T, media models.Media) string {
	t.Helper()
	file, err := b.service.Media.Open(t.Context(), media)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// objects counts what a store holds.
func objects(t *testing.T, store storage.Store) (n int) {
	t.Helper()
	for _, err := range store.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

func TestMediaInBothHomes(t *testing.T) {
	t.Parallel()
	homes := map[string]func(*testing.T) storage.Store{
		"folder": func(t *testing.T) storage.Store { return storagetest.Folder(t) },
		"s3": func(t *testing.T) storage.Store {
			s, err := storage.OpenS3(t.Context(), storagetest.S3(t))
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
	}
	for home, open := range homes {
		t.Run(home, func(t *testing.T) {
			t.Parallel()
			store := open(t)
			b := setupWith(t, store)
			content := strings.Repeat("A light over the bay. ", 100_000)
			media := b.upload(t, "bay.txt", content)
			sum := sha256.Sum256([]byte(content))
			if media.SHA256 != hex.EncodeToString(sum[:]) || b.read(t, media) != content {
				t.Errorf("%d bytes came back changed", len(content))
			}
			document := "%PDF-" + content[5:]
			sum = sha256.Sum256([]byte(document))
			handle := b.inSteps(t, document[:100], document[100:1000], document[1000:])
			h, err := b.service.Uploads.OpenHandle(t.Context(), b.number.OrganisationID, handle)
			if err != nil || h.Size != int64(len(content)) || h.MIMEType != "application/pdf" {
				t.Fatalf("Handle = %+v, %v", h, err)
			}
			if whole, err := store.Stat(t.Context(), h.Key); err != nil || whole.SHA256 != hex.EncodeToString(sum[:]) {
				t.Errorf("put together = %+v, %v, want the same bytes", whole, err)
			}
			if n := objects(t, store); n != 2 {
				t.Errorf("%d objects are stored, want 2", n)
			}
			if err := b.service.Media.Delete(t.Context(), media); err != nil {
				t.Fatal(err)
			}
			if _, err := b.service.Media.Open(t.Context(), media); !fault.Is(err, fault.NotFound) {
				t.Errorf("the bytes of deleted media: %v, want NotFound", err)
			}
			if err := b.service.Media.Delete(t.Context(), media); !fault.Is(err, fault.NotFound) {
				t.Errorf("second deletion: %v, want NotFound", err)
			}
		})
	}
}

// inSteps uploads a PDF in the given steps and returns its handle.
func (b *bundle) inSteps(t *testing.T, steps ...string) string {
	t.Helper()
	length := strconv.Itoa(len(strings.Join(steps, "")))
	reply, err := b.service.Uploads.Open(t.Context(), b.number.OrganisationID, media.NewUpload{Type: "application/pdf", Length: input.Text(length)}, "")
	if err != nil {
		t.Fatal(err)
	}
	chunk := b.session(t, reply)
	var progress media.Progress
	for _, step := range steps {
		chunk.Offset = progress.Offset
		if progress, err = b.service.Uploads.Append(t.Context(), b.number.OrganisationID, chunk, strings.NewReader(step)); err != nil {
			t.Fatal(err)
		}
	}
	return progress.Handle
}

func (b *bundle) session(t *testing.T, reply pipeline.Reply) media.Chunk {
	t.Helper()
	var session media.Session
	if err := json.Unmarshal(reply.Body, &session); err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(session.ID, "upload:"), "?")
	return media.Chunk{Session: name, Signature: session.Signature}
}

func TestFileNamesAreHarmless(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for given, want := range map[string]string{
		"invoice.pdf":                     "invoice.pdf",
		"../../etc/passwd":                "passwd",
		`C:\Windows\win.ini`:              "win.ini",
		".htaccess":                       "htaccess",
		"..":                              "media.txt",
		"a\r\nSet-Cookie: x.txt":          "aSet-Cookie: x.txt",
		"cod\u202egpj.exe":                "codgpj.exe",
		"नमस्ते.txt":                      "नमस्ते.txt",
		"bad\xffbytes\x00.txt":            "badbytes.txt",
		strings.Repeat("é", 300) + ".txt": strings.Repeat("é", 116) + ".txt",
	} {
		if got := b.upload(t, given, "content").FileName; got != want {
			t.Errorf("%q became %q, want %q", given, got, want)
		}
	}
}

func TestMediaAddressesExpire(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := b.upload(t, "a.txt", "content")
	for _, tt := range []struct {
		life         time.Duration
		organisation int64
		ok           bool
	}{
		{media.LinkLife, file.OrganisationID, true},
		{-time.Second, file.OrganisationID, false},
		{media.LinkLife, file.OrganisationID + 1, false},
	} {
		q, err := url.ParseQuery(b.service.Media.Query(file, time.Now().Add(tt.life)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.service.Media.Linked(t.Context(), tt.organisation, q.Get("mid"), q.Get("ext"), q.Get("hash"))
		if tt.ok && (err != nil || got.ID != file.ID) || !tt.ok && !fault.Is(err, fault.NotFound) {
			t.Errorf("address of %v for %d: %v", tt.life, tt.organisation, err)
		}
	}
}

func TestHandlesAreBound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	handle := b.inSteps(t, "%PDF-all of it")
	for name, text := range map[string]string{
		"empty": "", "nonsense": "4::x", "another type": strings.Replace(handle, "4::", "4::eA", 1),
		"a later end": handle + "0", "joined": handle + "\n" + handle,
	} {
		if _, err := b.service.Uploads.OpenHandle(t.Context(), b.number.OrganisationID, text); fault.As(err) == nil || fault.As(err).Code != "100" {
			t.Errorf("%s: %v, want code 100", name, err)
		}
	}
	if _, err := b.service.Uploads.OpenHandle(t.Context(), b.number.OrganisationID+1, handle); !fault.Is(err, fault.Invalid) {
		t.Errorf("another tenant: %v, want Invalid", err)
	}
	var days int
	if err := b.pool.QueryRow(t.Context(), `select round(extract(epoch from expires_at - now()) / 86400) from uploads`).Scan(&days); err != nil || days != 30 {
		t.Errorf("a handle is valid for %d days, want 30: %v", days, err)
	}
	if _, err := b.pool.Exec(t.Context(), `update uploads set expires_at = now()`); err != nil {
		t.Fatal(err)
	}
	if _, err := b.service.Uploads.OpenHandle(t.Context(), b.number.OrganisationID, handle); !fault.Is(err, fault.Invalid) {
		t.Errorf("an expired handle: %v, want Invalid", err)
	}
}

// What came before a connection broke is kept, and the upload goes on there.
func TestUploadSurvivesABrokenConnection(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reply, err := b.service.Uploads.Open(t.Context(), b.number.OrganisationID, media.NewUpload{Type: "application/pdf", Length: "10"}, "")
	if err != nil {
		t.Fatal(err)
	}
	chunk := b.session(t, reply)
	cut := io.MultiReader(strings.NewReader("%PDF"), &failing{})
	if _, err := b.service.Uploads.Append(t.Context(), b.number.OrganisationID, chunk, cut); err != nil {
		t.Fatal(err)
	}
	progress, err := b.service.Uploads.Upload(t.Context(), b.number.OrganisationID, chunk.Session)
	if err != nil || progress.Offset != 4 {
		t.Fatalf("Upload = %+v, %v, want 4 bytes", progress, err)
	}
	chunk.Offset = 4
	progress, err = b.service.Uploads.Append(t.Context(), b.number.OrganisationID, chunk, strings.NewReader("-1.456"))
	if err != nil || progress.Handle == "" {
		t.Errorf("Append = %+v, %v, want a handle", progress, err)
	}
}

type failing struct{}

func (*failing) Read([]byte) (int, error) { return 0, errors.New("connection reset") }

func TestSweepMediaLeavesWhatLives(t *testing.T) {
	t.Parallel()
	store := storagetest.Folder(t)
	b := setupWith(t, store)
	kept, expired, orphan := b.upload(t, "a.txt", "kept"), b.upload(t, "b.txt", "expired"), b.upload(t, "c.txt", "orphan")
	handle := b.inSteps(t, "%PDF-kept ", "too")
	b.inSteps(t, "%PDF-ended ", "too")
	for _, change := range []struct {
		sql string
		arg any
	}{
		{`update media set expires_at = now() where id = $1`, expired.ID},
		{`delete from registry where id = $1`, orphan.ID}, // as when the number is deleted
		{`update uploads set expires_at = now() where size = $1`, len("%PDF-ended too")},
		{`insert into discarded_objects values ($1, now() + interval '1 hour')`, "media/on-its-way"},
	} {
		if _, err := b.pool.Exec(t.Context(), change.sql, change.arg); err != nil {
			t.Fatal(err)
		}
	}
	sweep(t, b.pool, store)
	if got := b.read(t, kept); got != "kept" {
		t.Errorf("kept media holds %q", got)
	}
	if _, err := b.service.Uploads.OpenHandle(t.Context(), b.number.OrganisationID, handle); err != nil {
		t.Errorf("kept handle: %v", err)
	}
	if n := objects(t, store); n != 2 {
		t.Errorf("%d objects are left, want 2", n)
	}
	left := map[string]int{}
	for _, table := range []string{"media", "uploads", "upload_parts", "discarded_objects"} {
		left[table] = b.count(t, `select count(*) from `+table)
	}
	left["registry"] = b.count(t, `select count(*) from registry where kind = 'media'`)
	want := map[string]int{"media": 1, "registry": 1, "uploads": 1, "upload_parts": 0, "discarded_objects": 1}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("rows left (-want +got):\n%s", diff)
	}
}

func sweep(t *testing.T, pool *pgxpool.Pool, store storage.Store) {
	t.Helper()
	if err := media.Sweep(t.Context(), pool, store); err != nil {
		t.Fatal(err)
	}
}

package media_test

import (
	"bytes"
	"crypto/rand"
	"image"
	"image/png"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/media"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/setting"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/jobs"
	"heliograph/storage"
	"heliograph/storage/storagetest"
)

type bundle struct {
	*media.Library
	tx    pgx.Tx
	store storage.Store
}

var by = media.Actor{Name: "admin:1"}

func setup(t *testing.T) *bundle {
	t.Helper()
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	tx, store := dbtest.Tx(t), storagetest.Folder(t)
	inserter, err := jobs.New(jobs.Deps{}, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	limits := setting.New(setting.Options{DB: tx, Listener: db.NewListener(nil), Keyring: keys})
	return &bundle{media.New(media.Options{DB: tx, Store: store, Jobs: inserter, Limits: limits}), tx, store}
}

// add uploads a file and prepares it if it is an image.
func (b *bundle) add(t *testing.T, u media.Upload) media.Added {
	t.Helper()
	added, err := b.Add(t.Context(), by, u)
	if err != nil {
		t.Fatalf("adding %s: %v", u.Name, err)
	}
	b.prepare(t)
	return added
}

// prepare makes the sizes of all images that wait.
func (b *bundle) prepare(t *testing.T) {
	t.Helper()
	rows, _ := b.tx.Query(t.Context(), `select id from gallery_files where state = 'waiting'`)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if err := b.Prepare(t.Context(), id, 1, func(pgx.Tx) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
}

// content returns the bytes that the public address serves.
func (b *bundle) content(t *testing.T, id, size string) string {
	t.Helper()
	served, err := b.Public(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	file, err := b.Open(t.Context(), served.Variant(size))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func text(name, content string) media.Upload {
	return media.Upload{Name: name, Body: strings.NewReader(content)}
}

// drawing returns a PNG file of a width with random pixels.
func drawing(t *testing.T, width int) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, 40))
	rand.Read(img.Pix)
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// page adds a page with a text, published or as a draft, and returns its revision.
func (b *bundle) page(t *testing.T, slug, text string, live bool) (revision int64) {
	t.Helper()
	err := b.tx.QueryRow(t.Context(), `
		with i as (insert into items (kind, slug) values ('product', $1) returning id)
		insert into revisions (item_id, number, content, content_hash) select id, 1, json_build_object('name', $1::text, 'text', $2::text), sha256('x') from i returning id`, slug, text).Scan(&revision)
	if err != nil {
		t.Fatal(err)
	}
	column := "draft_revision_id"
	if live {
		column = "live_revision_id"
	}
	if _, err := b.tx.Exec(t.Context(), `update items set `+column+` = $1 where slug = $2`, revision, slug); err != nil {
		t.Fatal(err)
	}
	return revision
}

func TestTypesAreToldByContent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, tt := range []struct{ name, content, want, problem string }{
		{"Plan of the Bay.TXT", "words", "plan-of-the-bay.txt", ""}, {"../../etc/x.csv", "a,b\n1,2", "x.csv", ""}, {"photo.jpg", drawing(t, 50), "photo.png", ""},
		{"guide.pdf", "%PDF-1.7\n1", "guide.pdf", ""}, {"evil.pdf", drawing(t, 51), "", "ends with .pdf"}, {"page.html", "<html><body>", "", "not accepted"},
		{"page.txt", "<!DOCTYPE html><script>1</script>", "", "not accepted"}, {"run.sh", "#!/bin/sh\nls", "", "not accepted"}, {"empty.txt", "", "", "empty"},
		{"x.svg", `<svg viewBox="0 0 1 1"><script/></svg>`, "", "<script>"}, {"...", "words", "", "not accepted"}, {"a.exe", "MZ\x90\x00", "", "not accepted"},
	} {
		added, err := b.Add(t.Context(), by, text(tt.name, tt.content))
		if tt.problem == "" && (err != nil || added.Name != tt.want) {
			t.Errorf("%s became %q, %v, want %q", tt.name, added.Name, err, tt.want)
		}
		if f := fault.As(err); tt.problem != "" && (f == nil || f.Kind != fault.Invalid || !strings.Contains(f.Message, tt.problem)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.problem)
		}
	}
}

func TestSameBytesAreOffered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.add(t, text("a.txt", "the same"))
	again := b.add(t, text("b.txt", "the same"))
	if !again.Same || again.ID != first.ID {
		t.Errorf("the same bytes gave %+v, want %s", again, first.ID)
	}
	n := 0
	for range b.store.List(t.Context(), "") {
		n++
	}
	if n != 1 {
		t.Errorf("%d objects are stored, want 1", n)
	}
}

func TestLimitOfType(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if _, err := b.tx.Exec(t.Context(), `insert into settings (name, value) values ('media', '{"document": 1000}')`); err != nil {
		t.Fatal(err)
	}
	_, err := b.Add(t.Context(), by, text("long.txt", strings.Repeat("x", 1001)))
	if !fault.Is(err, fault.TooLarge) {
		t.Errorf("a file over the limit: %v, want TooLarge", err)
	}
	b.add(t, text("short.txt", strings.Repeat("x", 1000)))
}

func TestReplaceKeepsTheAddress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old := drawing(t, 1000)
	added := b.add(t, text("flow.png", old))
	before, err := b.Public(t.Context(), added.ID)
	if err != nil || len(before.Variants) < 2 {
		t.Fatalf("%+v, %v", before, err)
	}
	if _, err := b.Replace(t.Context(), by, added.ID, text("other.png", drawing(t, 400))); err != nil {
		t.Fatal(err)
	}
	if now, err := b.Public(t.Context(), added.ID); err != nil || now.Variants[0].SHA256 != before.Variants[0].SHA256 {
		t.Errorf("while the sizes are made: %v, want the old bytes", err)
	}
	b.prepare(t)
	now, err := b.Public(t.Context(), added.ID)
	if err != nil || now.Item.Name != "flow.png" || now.Variants[0].Width != 400 {
		t.Errorf("after the replacement %+v, %v", now.Item, err)
	}
	if _, ok := now.ByHash(before.Variants[0].SHA256[:16]); ok {
		t.Error("the address of the old bytes still serves something")
	}
	if _, ok := now.ByHash(now.Variants[0].SHA256[:16]); !ok {
		t.Error("the address of the new bytes serves nothing")
	}
	if _, err := b.Replace(t.Context(), by, added.ID, text("a.txt", "text")); !fault.Is(err, fault.Invalid) {
		t.Errorf("a text for an image: %v, want Invalid", err)
	}
	if _, err := b.Replace(t.Context(), by, added.ID, media.Upload{Name: "x.png", Body: strings.NewReader("\x89PNG\r\n\x1a\nbroken")}); err != nil {
		t.Fatal(err)
	}
	b.prepare(t)
	item, err := b.Item(t.Context(), added.ID)
	if err != nil || item.State != "refused" || item.Width != 400 {
		t.Errorf("a broken replacement gives %+v, %v, want the old bytes and a problem", item, err)
	}
}

func TestRenameAndDescribe(t *testing.T) {
	t.Parallel()
	b := setup(t)
	added := b.add(t, text("a.png", drawing(t, 60)))
	for _, tt := range []struct {
		details media.Details
		field   string
	}{
		{media.Details{Name: "a.png"}, "alt"}, {media.Details{Name: "", Alt: "A"}, "name"}, {media.Details{Name: "a.svg", Alt: "A"}, "name"},
		{media.Details{Name: "a.png", Alt: strings.Repeat("x", 501)}, "alt"}, {media.Details{Name: "a.png", Alt: "A", FolderID: 99}, "folder"},
	} {
		err := fault.As(b.Update(t.Context(), by, added.ID, tt.details))
		if err == nil || len(err.Fields) != 1 || err.Fields[0].Name != tt.field {
			t.Errorf("%+v: %v, want a problem of %s", tt.details, err, tt.field)
		}
	}
	if err := b.Update(t.Context(), by, added.ID, media.Details{Name: "Delivery  Flow", Alt: " The\nflow "}); err != nil {
		t.Fatal(err)
	}
	if item, err := b.Item(t.Context(), added.ID); err != nil || item.Name != "delivery-flow.png" || item.Alt != "The flow" {
		t.Errorf("the item is %q, %q, %v", item.Name, item.Alt, err)
	}
}

func TestTrashIsRefusedWhileUsed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	used, draft := b.add(t, text("used.txt", "used")), b.add(t, text("draft.txt", "draft"))
	b.page(t, "live-page", "![x](/media/"+used.ID+"/used.txt)", true)
	b.page(t, "draft-page", "[x](/media/"+draft.ID+"/draft.txt)", false)
	uses, err := b.Uses(t.Context(), used.ID)
	if err != nil || len(uses) != 1 || uses[0].Title != "live-page" || !uses[0].IsLive || uses[0].Number != 1 {
		t.Errorf("uses %+v, %v", uses, err)
	}
	if err := b.Trash(t.Context(), by, used.ID); !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "live-page") {
		t.Errorf("a used file: %v, want a Conflict that names the page", err)
	}
	if err := b.Trash(t.Context(), by, draft.ID); err != nil {
		t.Errorf("a file of a draft: %v", err)
	}
	if _, err := b.Public(t.Context(), draft.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("a file in the trash: %v, want NotFound", err)
	}
	if err := b.Restore(t.Context(), by, draft.ID); err != nil || b.content(t, draft.ID, "") != "draft" {
		t.Errorf("restored: %v", err)
	}
}

func TestTrashIsSwept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	gone, kept := b.add(t, text("gone.txt", "gone")), b.add(t, text("kept.txt", "kept"))
	for _, id := range []string{gone.ID, kept.ID} {
		if err := b.Trash(t.Context(), by, id); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.tx.Exec(t.Context(), `update gallery_items set trashed_at = now() - interval '31 days' where id = $1`, gone.ID); err != nil {
		t.Fatal(err)
	}
	if err := b.Sweep(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Item(t.Context(), gone.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("after 31 days: %v, want NotFound", err)
	}
	if _, err := b.Item(t.Context(), kept.ID); err != nil {
		t.Errorf("a new one in the trash: %v", err)
	}
	var discarded int
	if err := b.tx.QueryRow(t.Context(), `select count(*) from discarded_objects where object like 'gallery/%'`).Scan(&discarded); err != nil || discarded != 1 {
		t.Errorf("%d objects are to be removed, %v, want 1", discarded, err)
	}
	if n, err := b.EmptyTrash(t.Context(), by); err != nil || n != 1 {
		t.Errorf("emptying deletes %d, %v, want 1", n, err)
	}
}

func TestFolders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	top, err := b.Folders.Add(t.Context(), by, 0, " Guides ")
	if err != nil {
		t.Fatal(err)
	}
	inner, err := b.Folders.Add(t.Context(), by, top, "Start")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		folder models.GalleryFolder
		field  string
	}{
		{models.GalleryFolder{ParentID: 0, Name: "guides"}, "name"}, {models.GalleryFolder{Name: "a/b"}, "name"}, {models.GalleryFolder{Name: "x", ParentID: 999}, "folder"},
		{models.GalleryFolder{ID: top, Name: "Guides", ParentID: inner}, "folder"}, {models.GalleryFolder{ID: top, Name: "Guides", ParentID: top}, "folder"},
	} {
		var err error
		if tt.folder.ID == 0 {
			_, err = b.Folders.Add(t.Context(), by, tt.folder.ParentID, tt.folder.Name)
		} else {
			err = b.Folders.Update(t.Context(), by, tt.folder)
		}
		if f := fault.As(err); f == nil || len(f.Fields) != 1 || f.Fields[0].Name != tt.field {
			t.Errorf("%+v: %v, want a problem of %s", tt.folder, err, tt.field)
		}
	}
	used := b.add(t, media.Upload{Name: "a.txt", Body: strings.NewReader("a"), FolderID: inner})
	b.page(t, "page", "/media/"+used.ID+"/a.txt", true)
	if err := b.Folders.Remove(t.Context(), by, top); !fault.Is(err, fault.Conflict) {
		t.Errorf("a folder with a used file: %v, want Conflict", err)
	}
	if _, err := b.tx.Exec(t.Context(), `update items set live_revision_id = null where slug = 'page'`); err != nil {
		t.Fatal(err)
	}
	if err := b.Folders.Remove(t.Context(), by, top); err != nil {
		t.Fatal(err)
	}
	if all, err := b.Folders.List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%d folders are left, %v", len(all), err)
	}
	if item, err := b.Item(t.Context(), used.ID); err != nil || item.TrashedAt == nil {
		t.Errorf("the file is %+v, %v, want it in the trash", item, err)
	}
}

func TestHeldFilesWait(t *testing.T) {
	t.Parallel()
	b := setup(t)
	added := b.add(t, media.Upload{Name: "a.txt", Body: strings.NewReader("a"), Held: true})
	if _, err := b.Public(t.Context(), added.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("before the release: %v, want NotFound", err)
	}
	if err := b.Publish(t.Context(), by, added.ID); err != nil || b.content(t, added.ID, "") != "a" {
		t.Errorf("made public: %v", err)
	}
}

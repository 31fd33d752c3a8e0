package storage_test

import (
	"bytes"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"heliograph/app/fault"
	"heliograph/storage"
)

var urlKey = bytes.Repeat([]byte("k"), 32)

func openFolder(t *testing.T, dir, base string) *storage.Folder {
	t.Helper()
	f, err := storage.OpenFolder(dir, base, urlKey)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFolderVerify(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"http://localhost:8080", "https://docs.example.com/portal/"} {
		f := openFolder(t, t.TempDir(), base)
		key := storage.MediaKey("1234567890123456")
		link, err := f.URL(t.Context(), key, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if start := strings.TrimSuffix(base, "/") + "/files/media/1234567890123456?expires="; !strings.HasPrefix(link, start) {
			t.Errorf("link %s, want it to start with %s", link, start)
		}
		now := time.Now()
		for _, c := range []struct {
			name string
			link string
			now  time.Time
			want bool
		}{
			{"fresh", link, now, true},
			{"nearly over", link, now.Add(58 * time.Second), true},
			{"just over", link, now.Add(time.Minute), false},
			{"long over", link, now.Add(time.Hour), false},
			{"another file", strings.Replace(link, "6?", "7?", 1), now, false},
			{"another path", strings.Replace(link, "/files/", "/pages/", 1), now, false},
			{"climbing", strings.Replace(link, "media/", "media/../media/", 1), now, false},
			{"another time", strings.Replace(link, "expires=", "expires=9", 1), now, false},
			{"no time", strings.Replace(link, "expires=", "x=", 1), now, false},
			{"another signature", strings.Replace(link, "signature=", "signature=A", 1), now, false},
			{"no signature", strings.Replace(link, "signature=", "x=", 1), now, false},
		} {
			u, err := url.Parse(c.link)
			if err != nil {
				t.Fatal(err)
			}
			got, err := f.Verify(u, c.now)
			if c.want && (err != nil || got != key) || !c.want && !fault.Is(err, fault.Forbidden) {
				t.Errorf("%s: key %q, error %v", c.name, got, err)
			}
		}
	}
}

func TestFolderRefusesWrongOptions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, base := range []string{"", "localhost:8080", "/files", "ftp://example.com", "http://"} {
		if _, err := storage.OpenFolder(dir, base, urlKey); err == nil {
			t.Errorf("base URL %q is taken", base)
		}
	}
	if _, err := storage.OpenFolder(dir, "http://localhost", urlKey[:31]); err == nil {
		t.Error("a key of 31 bytes is taken")
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := storage.OpenFolder(file, "http://localhost", urlKey); err == nil {
		t.Error("a file is taken for a folder")
	}
}

func TestFolderLeavesNothingHalfWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := openFolder(t, dir, "http://localhost")
	if _, err := f.Put(t.Context(), storage.MediaKey("1"), iotest.ErrReader(fs.ErrClosed), storage.PutOptions{}); err == nil {
		t.Fatal("a broken body was kept")
	}
	if names := files(t, dir); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}

	// A process that died a day ago left one file, one at work has another.
	old, young := filepath.Join(dir, "partial", "OLD"), filepath.Join(dir, "partial", "YOUNG")
	for name, age := range map[string]time.Duration{old: 25 * time.Hour, young: time.Hour} {
		if err := os.WriteFile(name, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	openFolder(t, dir, "http://localhost")
	if names := files(t, dir); len(names) != 1 || names[0] != young {
		t.Errorf("after opening again: %v, want only %s", names, young)
	}
}

func TestFolderKeepsItsObjects(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key := storage.MediaKey("1")
	if _, err := openFolder(t, dir, "http://localhost").Put(t.Context(), key, strings.NewReader("kept"), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	o, err := openFolder(t, dir, "http://localhost").Stat(t.Context(), key)
	if err != nil || o.Size != 4 {
		t.Errorf("in a folder opened again: %+v, %v", o, err)
	}
}

// TestFolderRefusesForeignFiles puts into the folder what Put never would: a
// link that leads out, and files without a trailer.
func TestFolderRefusesForeignFiles(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	f := openFolder(t, dir, "http://localhost")
	if err := os.WriteFile(outside, []byte(`{"content_type":"text/plain"}`+"\x00\x00\x00\x1d"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "media", "link")); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"empty": "", "short": "abc", "long": "text\xff\xff\xff\xff", "odd": "text\x00\x00\x00\x02"} {
		if err := os.WriteFile(filepath.Join(dir, "media", name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"link", "empty", "short", "long", "odd"} {
		if o, err := f.Stat(t.Context(), storage.MediaKey(name)); err == nil || fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %+v, %v, want an error", name, o, err)
		}
	}
}

func TestFolderOutage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := openFolder(t, dir, "http://localhost")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	_, err := f.Put(t.Context(), storage.MediaKey("1"), strings.NewReader("x"), storage.PutOptions{})
	for method, err := range map[string]error{"Put": err, "Ping": f.Ping(t.Context())} {
		if !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s without the folder: %v", method, err)
		}
	}
	for _, err := range f.List(t.Context(), "") {
		if !fault.Is(err, fault.Unavailable) {
			t.Errorf("List without the folder: %v", err)
		}
	}
}

// files lists all files under dir.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

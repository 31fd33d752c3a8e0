package storagetest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"heliograph/app/fault"
	"heliograph/storage"
)

func testHostileKeys(t *testing.T, s storage.Store) {
	keys := []storage.Key{{}}
	for _, id := range []string{
		"", ".", "..", "../x", "../../etc/passwd", "/etc/passwd", "a/b", "a/../b", `..\x`, `a\b`, "C:x",
		".hidden", "-first", "UPPER", "a.png", "a b", "a\x00b", "a\n", "%2e%2e%2fx", "ü", strings.Repeat("a", 65),
	} {
		keys = append(keys, storage.MediaKey(id), storage.UploadKey(id), storage.QRCodeKey(id), storage.CardKey(id))
		_, err := storage.ParseKey("media/" + id)
		wantKind(t, "ParseKey of media/"+id, err, fault.Invalid)
	}
	for _, key := range keys {
		_, err := s.Put(t.Context(), key, strings.NewReader("x"), storage.PutOptions{})
		wantKind(t, "Put of "+key.String(), err, fault.Invalid)
		_, _, err = s.Get(t.Context(), key, storage.Range{})
		wantKind(t, "Get of "+key.String(), err, fault.Invalid)
		_, err = s.Stat(t.Context(), key)
		wantKind(t, "Stat of "+key.String(), err, fault.Invalid)
		wantKind(t, "Delete of "+key.String(), s.Delete(t.Context(), key), fault.Invalid)
		_, err = s.URL(t.Context(), key, time.Minute)
		wantKind(t, "URL of "+key.String(), err, fault.Invalid)
	}
}

// testFailingBody breaks a new object and an overwrite: neither may leave a
// trace.
func testFailingBody(t *testing.T, s storage.Store) {
	broken := errors.New("the line went dead")
	kept := []byte("kept")
	for _, key := range []storage.Key{storage.MediaKey(randomID()), put(t, s, kept)} {
		for _, c := range []struct {
			sent int
			o    storage.PutOptions
		}{{1 << 20, storage.PutOptions{}}, {1 << 20, storage.PutOptions{Size: 2 << 20}}, {5 << 20, storage.PutOptions{}}, {7 << 20, storage.PutOptions{}}} {
			o := c.o
			body := io.MultiReader(bytes.NewReader(randomBytes(c.sent)), iotest.ErrReader(broken))
			if _, err := s.Put(t.Context(), key, body, o); !errors.Is(err, broken) || fault.As(err) != nil {
				t.Errorf("Put of a broken body: %v", err)
			}
		}
		o, err := s.Stat(t.Context(), key)
		if !fault.Is(err, fault.NotFound) && o.SHA256 != sum(kept) {
			t.Errorf("after a broken body: %+v, %v", o, err)
		}
	}
}

func testLimits(t *testing.T, s storage.Store) {
	const limit = 100_000
	for _, c := range []struct {
		name  string
		bytes int
		o     storage.PutOptions
		want  fault.Kind
	}{
		{"over the limit", limit + 1, storage.PutOptions{Limit: limit}, fault.TooLarge},
		{"announced over the limit", 1, storage.PutOptions{Limit: limit, Size: limit + 1}, fault.TooLarge},
		{"announced within, sent over", limit + 1, storage.PutOptions{Limit: limit, Size: limit}, fault.TooLarge},
		{"shorter than announced", 9, storage.PutOptions{Size: 10}, fault.Invalid},
		{"in parts, over the limit", 11 << 20, storage.PutOptions{Limit: 10 << 20}, fault.TooLarge},
		{"in parts, shorter than announced", 6 << 20, storage.PutOptions{Size: 7 << 20}, fault.Invalid},
		{"longer than announced", 11, storage.PutOptions{Size: 10}, fault.Invalid},
	} {
		key := storage.UploadKey(randomID())
		_, err := s.Put(t.Context(), key, bytes.NewReader(randomBytes(c.bytes)), c.o)
		wantKind(t, c.name, err, c.want)
		wantMissing(t, s, key)
	}
	key := storage.UploadKey(randomID())
	if _, err := s.Put(t.Context(), key, bytes.NewReader(randomBytes(limit)), storage.PutOptions{Limit: limit, Size: limit}); err != nil {
		t.Errorf("just at the limit: %v", err)
	}
}

func testCancelled(t *testing.T, s storage.Store) {
	kept := put(t, s, []byte("kept"))
	ctx, cancel := context.WithCancel(t.Context())
	key := storage.MediaKey(randomID())
	// The body ends its own request halfway.
	body := io.MultiReader(bytes.NewReader(randomBytes(6<<20)), readerFunc(func([]byte) (int, error) { cancel(); return 0, io.EOF }), bytes.NewReader(randomBytes(1<<20)))
	canceled(t, "Put", func() error { _, err := s.Put(ctx, key, body, storage.PutOptions{}); return err }())
	wantMissing(t, s, key)

	canceled(t, "Get", func() error { _, _, err := s.Get(ctx, kept, storage.Range{}); return err }())
	canceled(t, "Stat", func() error { _, err := s.Stat(ctx, kept); return err }())
	canceled(t, "Delete", s.Delete(ctx, kept))
	for _, err := range s.List(ctx, kept.String()) {
		canceled(t, "List", err)
	}
	if _, err := s.Stat(t.Context(), kept); err != nil {
		t.Errorf("after a cancelled Delete: %v", err)
	}
}

func canceled(t *testing.T, doing string, err error) {
	t.Helper()
	if !errors.Is(err, context.Canceled) || fault.As(err) != nil {
		t.Errorf("%s with a cancelled context: %v", doing, err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
